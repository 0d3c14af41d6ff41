#include "value/base64.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "value/testing/arbitrary.h"

namespace stator {
namespace base64_test {

std::string Encoded(std::string_view bytes) {
  std::string out;
  AppendBase64(out, bytes);
  return out;
}

Base64Status Status(std::string_view text) {
  std::string out = "kept";
  const Base64Status status = AppendBase64Decoded(out, text);
  EXPECT_TRUE(status == Base64Status::kOk || out == "kept");
  return status;
}

TEST(Base64, EncodesTheStandardExamples) {
  EXPECT_EQ(Encoded(""), "");
  EXPECT_EQ(Encoded("f"), "Zg==");
  EXPECT_EQ(Encoded("fo"), "Zm8=");
  EXPECT_EQ(Encoded("foo"), "Zm9v");
  EXPECT_EQ(Encoded("foobar"), "Zm9vYmFy");
  EXPECT_EQ(Encoded("\xff\xfe\xfd"), "//79");
}

TEST(Base64, BytesSurviveTheRoundTrip) {
  EXPECT_TRUE(rc::check([] {
    const std::string bytes = *testing::Bytes();
    std::string decoded = "before";
    RC_ASSERT(AppendBase64Decoded(decoded, Encoded(bytes)) == Base64Status::kOk);
    RC_ASSERT(decoded == "before" + bytes);
    RC_ASSERT(Base64DecodedLength(Encoded(bytes)) == bytes.size());
  }));
}

TEST(Base64, RefusesWhatIsNotStrict) {
  EXPECT_EQ(Status("A"), Base64Status::kBadLength);
  EXPECT_EQ(Status("AAA"), Base64Status::kBadLength);
  EXPECT_EQ(Status("AAAA="), Base64Status::kBadLength);
  EXPECT_EQ(Status("A-_A"), Base64Status::kBadCharacter);
  EXPECT_EQ(Status("AA A"), Base64Status::kBadCharacter);
  EXPECT_EQ(Status("A=-A"), Base64Status::kBadLastBits);
  EXPECT_EQ(Status("===="), Base64Status::kBadLastBits);
  EXPECT_EQ(Status("A==="), Base64Status::kBadLastBits);
  EXPECT_EQ(Status("=+/="), Base64Status::kBadLastBits);
  EXPECT_EQ(Status("AA==AAAA"), Base64Status::kBadLastBits);
  EXPECT_EQ(Status("AB=="), Base64Status::kBadLastBits);
  EXPECT_EQ(Status("AAB="), Base64Status::kBadLastBits);
  EXPECT_EQ(Status("AQ=="), Base64Status::kOk);
}

TEST(Base64, NamesTheFirstBadCharacterWhole) {
  EXPECT_EQ(FirstBadBase64Character("AA A"), " ");
  EXPECT_EQ(FirstBadBase64Character("A==="), "=");
  EXPECT_EQ(FirstBadBase64Character("A€"), "€");
}

TEST(Base64, AcceptsOnlyWhatItWouldWrite) {
  EXPECT_TRUE(rc::check([] {
    std::string text = Encoded(*testing::Bytes() + "x");
    text[*rc::gen::inRange<std::size_t>(0, text.size())] = *rc::gen::arbitrary<char>();
    std::string decoded;
    if (AppendBase64Decoded(decoded, text) == Base64Status::kOk)
      RC_ASSERT(Encoded(decoded) == text);
  }));
}

}  // namespace base64_test
}  // namespace stator
