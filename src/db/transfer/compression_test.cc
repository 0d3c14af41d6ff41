#include "transfer/compression.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <zstd.h>

#include <array>

#include "transfer/testing/string_streams.h"

namespace stator::transfer {
namespace compression_test {

using testing::Gzip;
using testing::StringSink;
using testing::StringSource;

std::string Zstd(std::string_view bytes) {
  std::string packed(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size =
      ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), 3);
  packed.resize(size);
  return packed;
}

std::string Pack(Compression compression, std::string_view bytes) {
  switch (compression) {
    case Compression::kGzip:
      return Gzip(bytes);
    case Compression::kZstd:
      return Zstd(bytes);
    case Compression::kNone:
      break;
  }
  return std::string(bytes);
}

TransferResult<std::string> Unpack(Compression compression, std::string packed,
                                   std::size_t piece_bytes = kChunkBytes) {
  const auto source =
      Unpacked(compression, std::make_unique<StringSource>(std::move(packed), piece_bytes));
  std::string bytes;
  std::array<char, 1000> chunk;
  for (;;) {
    const TransferResult<std::size_t> count = source->Read(chunk);
    if (!count) return std::unexpected(count.error());
    if (*count == 0) return bytes;
    bytes.append(chunk.data(), *count);
  }
}

constexpr std::array kAll = {Compression::kNone, Compression::kGzip, Compression::kZstd};
constexpr std::array kPacked = {Compression::kGzip, Compression::kZstd};

TEST(Compression, WhatIsPackedComesBackHoweverItIsCut) {
  EXPECT_TRUE(rc::check([] {
    const auto bytes = *rc::gen::arbitrary<std::string>();
    const auto piece = *rc::gen::inRange<std::size_t>(1, 40);
    for (const Compression compression : kAll) {
      RC_ASSERT(Unpack(compression, Pack(compression, bytes), piece).value() == bytes);
    }
  }));
}

TEST(Compression, MembersThatFollowOneAnotherAreOneStream) {
  for (const Compression compression : kPacked) {
    EXPECT_EQ(Unpack(compression, Pack(compression, "one ") + Pack(compression, "two"), 3),
              "one two");
  }
}

TEST(Compression, AnEmptyFileIsAnEmptyStream) {
  for (const Compression compression : kAll) EXPECT_EQ(Unpack(compression, ""), "");
}

TEST(Compression, ATruncatedStreamIsAnErrorAtEveryLength) {
  const std::string text(10'000, 'x');
  for (const Compression compression : kPacked) {
    const std::string packed = Pack(compression, text + "and an end");
    for (std::size_t length = 1; length < packed.size(); ++length) {
      const auto bytes = Unpack(compression, packed.substr(0, length));
      ASSERT_FALSE(bytes) << length;
      EXPECT_EQ(bytes.error().kind, TransferError::Kind::kCorrupt);
    }
  }
}

TEST(Compression, DamagedBytesAreAnErrorOrUnpackToSomething) {
  EXPECT_TRUE(rc::check([] {
    const auto bytes = *rc::gen::nonEmpty(rc::gen::arbitrary<std::string>());
    for (const Compression compression : kPacked) {
      std::string packed = Pack(compression, bytes);
      packed[*rc::gen::inRange<std::size_t>(0, packed.size())] ^= *rc::gen::element('\1', '\x80');
      const auto unpacked = Unpack(compression, packed);
      RC_ASSERT((unpacked.has_value() || unpacked.error().kind == TransferError::Kind::kCorrupt));
    }
  }));
}

TEST(Compression, BytesBehindTheStreamAreAnErrorThatSaysWhere) {
  const auto bytes = Unpack(Compression::kGzip, Gzip("text") + "garbage");
  ASSERT_FALSE(bytes);
  EXPECT_NE(bytes.error().message.find("at byte "), std::string::npos);
}

TEST(Compression, WhatIsNotCompressedIsAnError) {
  for (const Compression compression : kPacked) {
    EXPECT_FALSE(Unpack(compression, "{\"Item\":{}}"));
  }
}

TEST(Compression, FormatsFromBeforeZstdWasFinishedAreRefused) {
  EXPECT_FALSE(Unpack(Compression::kZstd, std::string("\x26\xB5\x2F\xFD\0\0\0\0", 8)));
}

TEST(Compression, ASkippableFrameIsSkipped) {
  const std::string skippable("\x51\x2A\x4D\x18\x02\0\0\0zz", 10);
  EXPECT_EQ(Unpack(Compression::kZstd, skippable + Zstd("text"), 1), "text");
}

// A bomb needs no more memory than anything else: it comes out chunk by chunk.
TEST(Compression, AnEndlessRunOfZerosComesInChunks) {
  StringSink packed;
  GzipSink sink(packed);
  const std::string zeros(1 << 20, '\0');
  for (int i = 0; i < 32; ++i) ASSERT_TRUE(sink.Write(zeros));
  ASSERT_TRUE(sink.Finish());
  const auto source = Unpacked(Compression::kGzip, std::make_unique<StringSource>(packed.bytes()));
  std::array<char, 256> chunk;
  for (int i = 0; i < 100; ++i) EXPECT_EQ(source->Read(chunk), chunk.size());
}

}  // namespace compression_test
}  // namespace stator::transfer
