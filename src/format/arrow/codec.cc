#include "format/arrow/codec.h"

#include <memory>

#include <lz4frame.h>
#include <zstd.h>

#include "base/endian.h"

namespace strom::format::arrow {
namespace {

constexpr size_t kLengthSize = 8;
constexpr int64_t kStoredRaw = -1;

Error corrupt(std::string_view what) {
  return make_error(ErrorCode::kCorruptRecord, "corrupt compressed Arrow buffer: {}", what);
}

Status decompress_lz4(ByteView in, MutableBytes out) {
  LZ4F_dctx* raw = nullptr;
  STROM_CHECK(!LZ4F_isError(LZ4F_createDecompressionContext(&raw, LZ4F_VERSION)), "no memory for LZ4");
  std::unique_ptr<LZ4F_dctx, decltype(&LZ4F_freeDecompressionContext)> context(
      raw, &LZ4F_freeDecompressionContext);
  size_t read = 0;
  size_t written = 0;
  while (true) {
    size_t in_size = in.size() - read;
    size_t out_size = out.size() - written;
    size_t hint =
        LZ4F_decompress(context.get(), out.data() + written, &out_size, in.data() + read, &in_size, nullptr);
    if (LZ4F_isError(hint)) return corrupt(fmt::format("LZ4: {}", LZ4F_getErrorName(hint)));
    read += in_size;
    written += out_size;
    if (hint == 0) break;  // the frame is complete
    // No progress means that the input ends early or that more comes out than was declared.
    if (in_size == 0 && out_size == 0) return corrupt("LZ4: the frame does not fit the declared length");
  }
  if (written != out.size()) return corrupt(fmt::format("LZ4: {} bytes, declared {}", written, out.size()));
  return {};
}

Status decompress_zstd(ByteView in, MutableBytes out) {
  size_t written = ZSTD_decompress(out.data(), out.size(), in.data(), in.size());
  if (ZSTD_isError(written)) return corrupt(fmt::format("ZSTD: {}", ZSTD_getErrorName(written)));
  if (written != out.size()) return corrupt(fmt::format("ZSTD: {} bytes, declared {}", written, out.size()));
  return {};
}

Buffer compress_lz4(ByteView in) {
  // As Fluss's frame writer: independent blocks of 64 KiB, no content size, no checksums (its reader knows
  // only these).
  LZ4F_preferences_t preferences = LZ4F_INIT_PREFERENCES;
  preferences.frameInfo.blockSizeID = LZ4F_max64KB;
  preferences.frameInfo.blockMode = LZ4F_blockIndependent;
  Buffer out(LZ4F_compressFrameBound(in.size(), &preferences));
  size_t size = LZ4F_compressFrame(out.data(), out.size(), in.data(), in.size(), &preferences);
  STROM_CHECK(!LZ4F_isError(size), "LZ4: {}", LZ4F_getErrorName(size));
  out.resize(size);
  return out;
}

Buffer compress_zstd(int level, ByteView in) {
  Buffer out(ZSTD_compressBound(in.size()));
  size_t size = ZSTD_compress(out.data(), out.size(), in.data(), in.size(), level);
  STROM_CHECK(!ZSTD_isError(size), "ZSTD: {}", ZSTD_getErrorName(size));
  out.resize(size);
  return out;
}

}  // namespace

Status decompress(Compression compression, ByteView in, MutableBytes out) {
  STROM_CHECK(compression != Compression::kNone);
  return compression == Compression::kLz4Frame ? decompress_lz4(in, out) : decompress_zstd(in, out);
}

Buffer compress(Compression compression, int level, ByteView in) {
  STROM_CHECK(compression != Compression::kNone);
  return compression == Compression::kLz4Frame ? compress_lz4(in) : compress_zstd(level, in);
}

Result<ByteView> decode_buffer(Compression compression, ByteView stored, size_t& budget, Buffer& storage) {
  if (compression == Compression::kNone || stored.empty()) return stored;
  if (stored.size() < kLengthSize) return corrupt(fmt::format("only {} bytes", stored.size()));
  int64_t length = load_le<int64_t>(stored.data());
  ByteView bytes = stored.subspan(kLengthSize);
  if (length == kStoredRaw) return bytes;
  // Before the codec: an empty buffer has no frame at all.
  if (length == 0) return ByteView();
  if (length < 0 || static_cast<uint64_t>(length) > budget) {
    return corrupt(fmt::format("it would decompress to {} bytes, {} are allowed", length, budget));
  }
  budget -= static_cast<size_t>(length);
  storage.resize(static_cast<size_t>(length));
  STROM_TRY(decompress(compression, bytes, storage));
  return ByteView(storage);
}

size_t append_encoded_buffer(Buffer& to, Compression compression, int level, ByteView raw) {
  if (compression == Compression::kNone) {
    append(to, raw);
    return raw.size();
  }
  size_t start = to.size();
  to.resize(start + kLengthSize);
  if (raw.empty()) return kLengthSize;
  Buffer compressed = compress(compression, level, raw);
  bool shrinks = compressed.size() <= raw.size();
  store_le(to.data() + start, shrinks ? static_cast<int64_t>(raw.size()) : kStoredRaw);
  append(to, shrinks ? ByteView(compressed) : raw);
  return to.size() - start;
}

}  // namespace strom::format::arrow
