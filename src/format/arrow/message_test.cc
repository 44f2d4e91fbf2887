#include "format/arrow/message.h"

#include <gtest/gtest.h>

#include "base/endian.h"
#include "format/arrow/layout.h"
#include "format/golden_testing.h"
#include "format/log_batch.h"

namespace strom::format::arrow {
namespace {

using model::DataType;

// The Arrow message inside a golden batch.
Buffer golden_message(const std::string& name) {
  Buffer bytes = golden_batch(name);
  ArrowRecords records = LogBatchView::parse(bytes)->arrow_records().value();
  return Buffer(records.message.begin(), records.message.end());
}

const std::vector<std::string> kArrowBatches = {
    "arrow", "arrow_changes", "arrow_lz4_raw", "arrow_statistics", "arrow_zstd", "arrow_lz4"};

// The metadata that Fluss wrote for `a INT, b STRING` with (1,"a"), (2,null).
TEST(ArrowMessage, ReadsGoldenMetadata) {
  Buffer bytes = golden_message("arrow");
  Message message = parse_message(bytes).value();
  EXPECT_EQ(message.metadata.record_count, 2);
  EXPECT_EQ(message.metadata.nodes, (std::vector<FieldNode>{{2, 0}, {2, 1}}));
  EXPECT_EQ(message.metadata.buffers, (std::vector<BufferRange>{{0, 1}, {8, 8}, {16, 1}, {24, 12}, {40, 1}}));
  EXPECT_EQ(message.metadata.compression, Compression::kNone);
  EXPECT_EQ(message.body.size(), 48u);
  EXPECT_EQ(to_hex(message.buffer(1)), "0100000002000000");
  EXPECT_EQ(to_hex(message.buffer(4)), "61");
}

// The codec travels in the metadata of each batch.
TEST(ArrowMessage, ReadsTheCodec) {
  EXPECT_EQ(parse_message(golden_message("arrow_zstd"))->metadata.compression, Compression::kZstd);
  EXPECT_EQ(parse_message(golden_message("arrow_lz4"))->metadata.compression, Compression::kLz4Frame);
}

// Metadata built from what was read has the very bytes of Arrow's Java writer, for every codec.
TEST(ArrowMessage, WritesGoldenMetadataByteForByte) {
  for (const std::string& name : kArrowBatches) {
    Buffer bytes = golden_message(name);
    Message message = parse_message(bytes).value();
    Buffer written;
    append_message_head(written, message.metadata);
    size_t head = bytes.size() - message.body.size();
    EXPECT_EQ(to_hex(written), to_hex(ByteView(bytes).first(head))) << name;
  }
}

// A message cut at any length is an error; what follows the message is not looked at.
TEST(ArrowMessage, RefusesEveryCut) {
  for (const std::string& name : kArrowBatches) {
    Buffer whole = golden_message(name);
    for (size_t size = 0; size < whole.size(); ++size) {
      Buffer cut(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size));
      cut.shrink_to_fit();
      EXPECT_EQ(parse_message(cut).code(), ErrorCode::kCorruptRecord) << name << " at " << size;
    }
    whole.push_back(1);
    EXPECT_TRUE(parse_message(whole).ok());
  }
}

// Whatever byte of the metadata is changed: an error, or a message whose buffers lie in its body.
TEST(ArrowMessage, SurvivesDamagedMetadata) {
  Buffer whole = golden_message("arrow_zstd");
  size_t head = whole.size() - parse_message(whole)->body.size();
  size_t refused = 0;
  for (size_t at = 0; at < head; ++at) {
    for (int value = 0; value < 256; ++value) {
      Buffer damaged = whole;
      damaged[at] = static_cast<uint8_t>(value);
      Result<Message> message = parse_message(damaged);
      if (!message.ok()) {
        ++refused;
        continue;
      }
      for (size_t i = 0; i < message->metadata.buffers.size(); ++i) {
        ByteView buffer = message->buffer(i);
        ASSERT_TRUE(buffer.empty() || (buffer.data() >= damaged.data() &&
                                       buffer.data() + buffer.size() <= damaged.data() + damaged.size()));
      }
    }
  }
  EXPECT_GT(refused, 1000u);
}

// Counts and ranges that can't be are refused although the flatbuffer itself is in order.
TEST(ArrowMessage, RefusesImpossibleCounts) {
  RecordBatchMetadata good{.record_count = 1, .nodes = {{1, 0}}, .buffers = {{0, 8}}, .body_length = 8};
  auto code_of = [](RecordBatchMetadata metadata) {
    Buffer bytes;
    append_message_head(bytes, metadata);
    bytes.resize(bytes.size() + 8);
    return parse_message(bytes).code();
  };
  EXPECT_EQ(code_of(good), ErrorCode::kNone);
  auto changed = [&good](auto change) {
    RecordBatchMetadata metadata = good;
    change(metadata);
    return metadata;
  };
  EXPECT_EQ(code_of(changed([](auto& m) { m.record_count = -1; })), ErrorCode::kCorruptRecord);
  EXPECT_EQ(code_of(changed([](auto& m) { m.body_length = 16; })), ErrorCode::kCorruptRecord);
  EXPECT_EQ(code_of(changed([](auto& m) { m.body_length = -8; })), ErrorCode::kCorruptRecord);
  EXPECT_EQ(code_of(changed([](auto& m) { m.nodes[0].length = -1; })), ErrorCode::kCorruptRecord);
  EXPECT_EQ(code_of(changed([](auto& m) { m.nodes[0].null_count = 2; })), ErrorCode::kCorruptRecord);
  for (BufferRange range : {BufferRange{-1, 1}, {0, -1}, {0, 9}, {9, 0}, {1, INT64_MAX}, {INT64_MAX, 1}}) {
    EXPECT_EQ(code_of(changed([&](auto& m) { m.buffers[0] = range; })), ErrorCode::kCorruptRecord);
  }
}

// Nodes and buffers per type, nested ones included.
TEST(ArrowLayout, CountsNodesAndBuffers) {
  EXPECT_EQ(layout_of(DataType::integer()), (Layout{1, 2}));
  EXPECT_EQ(layout_of(DataType::boolean()), (Layout{1, 2}));
  EXPECT_EQ(layout_of(DataType::binary(3)), (Layout{1, 2}));
  EXPECT_EQ(layout_of(DataType::string()), (Layout{1, 3}));
  EXPECT_EQ(layout_of(DataType::character(3)), (Layout{1, 3}));
  EXPECT_EQ(layout_of(DataType::bytes()), (Layout{1, 3}));
  EXPECT_EQ(layout_of(DataType::array(DataType::integer())), (Layout{2, 4}));
  EXPECT_EQ(layout_of(DataType::map(DataType::string(), DataType::big_int())), (Layout{4, 8}));
  EXPECT_EQ(layout_of(DataType::row({{"x", DataType::integer()}, {"y", DataType::string()}})),
            (Layout{3, 6}));
}

}  // namespace
}  // namespace strom::format::arrow
