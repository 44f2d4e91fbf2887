#include "format/arrow/codec.h"

#include <random>

#include <gtest/gtest.h>

#include "base/endian.h"

namespace strom::format::arrow {
namespace {

Buffer random_bytes(size_t size) {
  std::mt19937 random(7);
  Buffer bytes(size);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
  return bytes;
}

Buffer decoded(Compression compression, ByteView stored, size_t budget) {
  Buffer storage;
  Result<ByteView> view = decode_buffer(compression, stored, budget, storage);
  EXPECT_TRUE(view.ok()) << view.error().message;
  return Buffer(view->begin(), view->end());
}

// Buffers from empty to more than one LZ4 block of 64 KiB, constant and incompressible, come back equal at
// all levels.
TEST(ArrowCodec, RoundTripsAtEveryLevel) {
  for (size_t size : {0u, 1u, 7u, 5u * 1024, 65536u, 65537u, 1u << 20}) {
    for (const Buffer& raw : {Buffer(size, 0x61), random_bytes(size)}) {
      Buffer stored;
      EXPECT_EQ(append_encoded_buffer(stored, Compression::kLz4Frame, 0, raw), stored.size());
      EXPECT_TRUE(decoded(Compression::kLz4Frame, stored, size) == raw) << "LZ4, " << size;
      EXPECT_LE(stored.size(), raw.size() + 8);
      std::vector<int> levels =
          size > 65537 ? std::vector<int>{-7, 3, 22} : std::vector<int>{-7, -1, 1, 3, 9, 15, 22};
      for (int level : levels) {
        stored.clear();
        append_encoded_buffer(stored, Compression::kZstd, level, raw);
        EXPECT_TRUE(decoded(Compression::kZstd, stored, size) == raw) << "ZSTD " << level << ", " << size;
      }
    }
  }
}

// An empty buffer is 8 zero bytes, or nothing at all; both read as empty. What would grow is stored as it is.
TEST(ArrowCodec, StoresEmptyAndIncompressibleBuffersAsJavaDoes) {
  Buffer stored;
  EXPECT_EQ(append_encoded_buffer(stored, Compression::kZstd, 3, {}), 8u);
  EXPECT_EQ(to_hex(stored), "0000000000000000");
  EXPECT_TRUE(decoded(Compression::kZstd, stored, 0).empty());
  EXPECT_TRUE(decoded(Compression::kZstd, {}, 0).empty());
  stored.clear();
  EXPECT_EQ(append_encoded_buffer(stored, Compression::kLz4Frame, 0, as_bytes("a")), 9u);
  EXPECT_EQ(to_hex(stored), "ffffffffffffffff61");
}

// A declared length above the budget is refused before anything is allocated.
TEST(ArrowCodec, RefusesMoreThanTheBudget) {
  Buffer stored;
  append_encoded_buffer(stored, Compression::kZstd, 3, Buffer(1000, 1));
  Buffer storage;
  size_t budget = 999;
  EXPECT_EQ(decode_buffer(Compression::kZstd, stored, budget, storage).code(), ErrorCode::kCorruptRecord);
  EXPECT_EQ(storage.capacity(), 0u);
  for (int64_t length : {INT64_MAX, int64_t{-2}, INT64_MIN}) {
    store_le(stored.data(), length);
    budget = 1 << 20;
    EXPECT_EQ(decode_buffer(Compression::kZstd, stored, budget, storage).code(), ErrorCode::kCorruptRecord);
  }
}

// A frame that gives more or less than it declares is refused, whichever way it lies.
TEST(ArrowCodec, RefusesAWrongDeclaredLength) {
  for (Compression compression : {Compression::kLz4Frame, Compression::kZstd}) {
    Buffer stored;
    append_encoded_buffer(stored, compression, 3, Buffer(100000, 1));
    for (int64_t length : {int64_t{1}, int64_t{99999}, int64_t{100001}}) {
      store_le(stored.data(), length);
      size_t budget = 1 << 20;
      Buffer storage;
      EXPECT_EQ(decode_buffer(compression, stored, budget, storage).code(), ErrorCode::kCorruptRecord)
          << length;
    }
  }
}

// Frames that are cut or changed at any byte give an error or other bytes, never a crash or a loop.
TEST(ArrowCodec, SurvivesDamagedFrames) {
  for (Compression compression : {Compression::kLz4Frame, Compression::kZstd}) {
    Buffer stored;
    append_encoded_buffer(stored, compression, 3,
                          as_bytes(std::string(300, 'x') + "abcdefghijklmnopqrstuvwxyz"));
    for (size_t size = 1; size < stored.size(); ++size) {
      size_t budget = 1 << 20;
      Buffer storage;
      EXPECT_FALSE(decode_buffer(compression, ByteView(stored).first(size), budget, storage).ok()) << size;
    }
    for (size_t at = 0; at < stored.size(); ++at) {
      for (uint8_t bits : {0x01, 0x80, 0xff}) {
        Buffer damaged = stored;
        damaged[at] ^= bits;
        size_t budget = 1 << 20;
        Buffer storage;
        Result<ByteView> result = decode_buffer(compression, damaged, budget, storage);
        if (result.ok()) EXPECT_LE(result->size(), size_t{1} << 20);
      }
    }
  }
}

}  // namespace
}  // namespace strom::format::arrow
