#include "format/arrow/message.h"

#include <cstring>

#include <flatbuffers/flatbuffers.h>

#include "base/endian.h"
#include "format/arrow/message_generated.h"

namespace strom::format::arrow {
namespace {

constexpr uint32_t kContinuation = 0xffffffff;
constexpr size_t kPrefixSize = 8;
// Far above the metadata of the widest table (32 bytes per column and more), far below what flatbuffers can
// address.
constexpr int32_t kMaxMetadataSize = 64 << 20;
// Message, record batch, compression: three tables. A little room for what newer writers may add.
constexpr uint32_t kMaxDepth = 16;
constexpr uint32_t kMaxTables = 64;

Error corrupt(std::string_view what) {
  return make_error(ErrorCode::kCorruptRecord, "corrupt Arrow message: {}", what);
}

// Flatbuffers are read at their natural alignment; inside a log batch they start anywhere.
class AlignedCopy {
 public:
  explicit AlignedCopy(ByteView bytes) : words_((bytes.size() + 7) / 8) {
    std::memcpy(words_.data(), bytes.data(), bytes.size());
  }
  const uint8_t* data() const { return reinterpret_cast<const uint8_t*>(words_.data()); }

 private:
  std::vector<uint64_t> words_;
};

Result<Compression> compression_of(const flat::BodyCompression* compression) {
  if (compression == nullptr) return Compression::kNone;
  if (compression->method() != flat::BodyCompressionMethod_BUFFER) {
    return corrupt(fmt::format("unknown compression method {}", static_cast<int>(compression->method())));
  }
  switch (compression->codec()) {
    case flat::CompressionType_LZ4_FRAME:
      return Compression::kLz4Frame;
    case flat::CompressionType_ZSTD:
      return Compression::kZstd;
  }
  return corrupt(fmt::format("unknown codec {}", static_cast<int>(compression->codec())));
}

// A node or buffer of a vector: two int64. The verifier does not look at the alignment of structs in vectors.
struct Pair {
  int64_t first;
  int64_t second;
};
template <class Vector>
Pair pair_at(const Vector& vector, uint32_t index) {
  const uint8_t* at = vector.Data() + size_t{index} * 16;
  return {.first = load_le<int64_t>(at), .second = load_le<int64_t>(at + 8)};
}

Result<std::vector<FieldNode>> read_nodes(const flat::RecordBatch& batch) {
  std::vector<FieldNode> nodes;
  if (batch.nodes() == nullptr) return nodes;
  nodes.reserve(batch.nodes()->size());
  for (uint32_t i = 0; i < batch.nodes()->size(); ++i) {
    const auto [length, null_count] = pair_at(*batch.nodes(), i);
    if (length < 0 || null_count < 0 || null_count > length) {
      return corrupt(fmt::format("{} values of which {} are null", length, null_count));
    }
    nodes.push_back({.length = length, .null_count = null_count});
  }
  return nodes;
}

Result<std::vector<BufferRange>> read_buffers(const flat::RecordBatch& batch, int64_t body_length) {
  std::vector<BufferRange> buffers;
  if (batch.buffers() == nullptr) return buffers;
  buffers.reserve(batch.buffers()->size());
  for (uint32_t i = 0; i < batch.buffers()->size(); ++i) {
    const auto [offset, length] = pair_at(*batch.buffers(), i);
    if (offset < 0 || length < 0 || offset > body_length || length > body_length - offset) {
      return corrupt(fmt::format("a buffer of {} bytes at {} in a body of {}", length, offset, body_length));
    }
    buffers.push_back({.offset = offset, .length = length});
  }
  return buffers;
}

// `body_space` is how many bytes follow the metadata.
Result<RecordBatchMetadata> read_metadata(const flat::Message& message, size_t body_space) {
  const flat::RecordBatch* batch = message.header_as_RecordBatch();
  if (batch == nullptr) {
    return corrupt(
        fmt::format("header type {}, expected a record batch (3)", static_cast<int>(message.header_type())));
  }
  RecordBatchMetadata metadata;
  metadata.record_count = batch->length();
  metadata.body_length = message.body_length();
  if (metadata.record_count < 0) return corrupt(fmt::format("{} records", metadata.record_count));
  if (metadata.body_length < 0 || static_cast<uint64_t>(metadata.body_length) > body_space) {
    return corrupt(fmt::format("a body of {} bytes where {} follow", metadata.body_length, body_space));
  }
  metadata.compression = STROM_TRY(compression_of(batch->compression()));
  metadata.nodes = STROM_TRY(read_nodes(*batch));
  metadata.buffers = STROM_TRY(read_buffers(*batch, metadata.body_length));
  return metadata;
}

}  // namespace

Result<Message> parse_message(ByteView bytes) {
  if (bytes.size() < kPrefixSize) return corrupt(fmt::format("only {} bytes", bytes.size()));
  if (load_le<uint32_t>(bytes.data()) != kContinuation) return corrupt("it does not start with ffffffff");
  int32_t size = load_le<int32_t>(bytes.data() + 4);
  ByteView rest = bytes.subspan(kPrefixSize);
  if (size <= 0 || size > kMaxMetadataSize || static_cast<size_t>(size) > rest.size()) {
    return corrupt(fmt::format("{} bytes of metadata where {} follow", size, rest.size()));
  }
  ByteView flatbuffer = rest.first(static_cast<size_t>(size));
  ByteView body = rest.subspan(flatbuffer.size());
  AlignedCopy copy(flatbuffer);
  flatbuffers::Verifier verifier(copy.data(), flatbuffer.size(), kMaxDepth, kMaxTables);
  if (!flat::VerifyMessageBuffer(verifier)) return corrupt("its metadata is no valid flatbuffer");

  Message message;
  message.metadata = STROM_TRY(read_metadata(*flat::GetMessage(copy.data()), body.size()));
  message.body = body.first(static_cast<size_t>(message.metadata.body_length));
  return message;
}

void append_message_head(Buffer& to, const RecordBatchMetadata& metadata) {
  STROM_CHECK(metadata.body_length % 8 == 0, "a body of {} bytes", metadata.body_length);
  flatbuffers::FlatBufferBuilder builder;
  // A flatbuffer grows from its end, so the order of these calls is the order of the bytes; it is that of
  // Arrow's writer.
  std::vector<flat::FieldNode> nodes;
  nodes.reserve(metadata.nodes.size());
  for (const FieldNode& node : metadata.nodes) nodes.emplace_back(node.length, node.null_count);
  std::vector<flat::Buffer> buffers;
  buffers.reserve(metadata.buffers.size());
  for (const BufferRange& range : metadata.buffers) buffers.emplace_back(range.offset, range.length);
  auto nodes_at = builder.CreateVectorOfStructs(nodes);
  auto buffers_at = builder.CreateVectorOfStructs(buffers);
  flatbuffers::Offset<flat::BodyCompression> compression_at;
  if (metadata.compression != Compression::kNone) {
    bool zstd = metadata.compression == Compression::kZstd;
    compression_at = flat::CreateBodyCompression(
        builder, zstd ? flat::CompressionType_ZSTD : flat::CompressionType_LZ4_FRAME);
  }
  flat::RecordBatchBuilder batch(builder);
  batch.add_length(metadata.record_count);
  batch.add_nodes(nodes_at);
  batch.add_buffers(buffers_at);
  batch.add_compression(compression_at);
  auto batch_at = batch.Finish();
  flat::MessageBuilder message(builder);
  message.add_header_type(flat::MessageHeader_RecordBatch);
  message.add_header(batch_at.Union());
  message.add_version(flat::MetadataVersion_V5);
  message.add_body_length(metadata.body_length);
  builder.Finish(message.Finish());

  size_t start = to.size();
  size_t size = (builder.GetSize() + 7) / 8 * 8;
  to.resize(start + kPrefixSize + size);
  store_le(to.data() + start, kContinuation);
  store_le(to.data() + start + 4, static_cast<int32_t>(size));
  std::memcpy(to.data() + start + kPrefixSize, builder.GetBufferPointer(), builder.GetSize());
}

}  // namespace strom::format::arrow
