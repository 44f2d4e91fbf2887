// LZ4 frames and Zstandard, and Arrow's framing of a compressed buffer:
//
//   int64 length before compression | bytes          length -1: the bytes follow as they are
//
// The codecs never write more than the caller allows: a declared length is a claim of whoever sent it. Any
// thread. Format: docs/formats/arrow.md. Upstream counterparts: compression/{Lz4,Zstd}ArrowCompressionCodec.
#pragma once

#include <cstddef>

#include "base/bytes.h"
#include "base/result.h"
#include "format/arrow/message.h"

namespace strom::format::arrow {

inline constexpr int kDefaultZstdLevel = 3;

// Decompresses one frame that must fill `out` exactly. kCorruptRecord otherwise. `compression` is not kNone.
Status decompress(Compression compression, ByteView in, MutableBytes out);

// Compresses into one frame. `level` is Zstandard's (-7 to 22).
Buffer compress(Compression compression, int level, ByteView in);

// Reads a stored buffer. Returns a view into `stored` if it isn't compressed, else into `storage`, which is
// overwritten. `budget` is how many more bytes decompression may produce; it is reduced by what this buffer
// took.
Result<ByteView> decode_buffer(Compression compression, ByteView stored, size_t& budget, Buffer& storage);

// Appends `raw` as a stored buffer, without the padding behind it; returns the length to put into the
// metadata. A buffer that compression would make longer is stored as it is; an empty one becomes 8 zero
// bytes, as Arrow's Java writer does.
size_t append_encoded_buffer(Buffer& to, Compression compression, int level, ByteView raw);

}  // namespace strom::format::arrow
