#include "server/gzip.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "server/options.h"
#include "server/testing/test_client.h"

namespace stator::server {
namespace gzip_test {

TEST(Gzip, UnpacksWhatItPacked) {
  EXPECT_TRUE(rc::check([](const std::string& text) {
    Gzip gzip;
    auto unpacked = gzip.Decompress(gzip.Compress(text), kBodyBytesMax);
    RC_ASSERT(unpacked.has_value());
    RC_ASSERT(unpacked->Padded() == text);
  }));
}

TEST(Gzip, BombIsRefusedWhateverItClaims) {
  Gzip gzip;
  std::string bomb = gzip.Compress(std::string(std::size_t{32} << 20, '\0'));
  EXPECT_EQ(gzip.Decompress(bomb, kBodyBytesMax).error(), Gzip::Problem::kTooLarge);
  bomb.replace(bomb.size() - 4, 4, std::string("\0\0\1\0", 4));
  EXPECT_EQ(gzip.Decompress(bomb, kBodyBytesMax).error(), Gzip::Problem::kMalformed);
}

TEST(Gzip, GarbageIsMalformed) {
  EXPECT_TRUE(rc::check([](const std::string& bytes) {
    RC_ASSERT(!Gzip().Decompress(bytes, kBodyBytesMax).has_value());
  }));
  std::string cut = Gzip().Compress("hello");
  cut.pop_back();
  EXPECT_FALSE(Gzip().Decompress(cut, kBodyBytesMax).has_value());
}

TEST(AcceptsGzip, ReadsTheListOfCodings) {
  for (const std::string_view yes : {"gzip", "deflate, gzip", "GZIP;q=0.5", "br , gzip ; q=1"}) {
    EXPECT_TRUE(AcceptsGzip(yes)) << yes;
  }
  for (const std::string_view no : {"", "identity", "gzip;q=0", "gzip; q=0.000", "x-gzip", ",;"}) {
    EXPECT_FALSE(AcceptsGzip(no)) << no;
  }
}

class GzipOverHttpTest : public ServerTest {};

TEST_F(GzipOverHttpTest, LargeAnswerIsPackedForThoseWhoAccept) {
  StartServer();
  TestClient client(port());
  const HttpAnswer packed = client.Ask(Post("Scan", "{\"n\":5000}", "Accept-Encoding: gzip\r\n"));
  EXPECT_EQ(packed.headers.at("content-encoding"), "gzip");
  EXPECT_EQ(packed.headers.at("x-amz-crc32"), std::to_string(Crc32(packed.body)));
  EXPECT_EQ(Gzip().Decompress(packed.body, kBodyBytesMax)->Padded(), std::string(5000, 'x'));
  EXPECT_FALSE(client.Ask(Post("Scan", "{\"n\":5000}")).headers.contains("content-encoding"));
}

TEST_F(GzipOverHttpTest, SmallAnswerIsSentAsItIs) {
  StartServer();
  TestClient client(port());
  const std::string just_below = "{\"n\":" + std::to_string(kGzipBytesMin - 1) + "}";
  const HttpAnswer answer = client.Ask(Post("Scan", just_below, "Accept-Encoding: gzip\r\n"));
  EXPECT_FALSE(answer.headers.contains("content-encoding"));
}

TEST_F(GzipOverHttpTest, PackedRequestIsUnpacked) {
  StartServer();
  TestClient client(port());
  const std::string body = R"({"a":"some text some text some text"})";
  EXPECT_EQ(client.Ask(Post("GetItem", Gzip().Compress(body), "Content-Encoding: gzip\r\n")).body,
            body);
}

TEST_F(GzipOverHttpTest, RequestThatUnpacksTooLargeIsAnswered413) {
  StartServer();
  TestClient client(port());
  const std::string bomb = Gzip().Compress(std::string(kBodyBytesMax + 1, ' '));
  EXPECT_EQ(client.Ask(Post("GetItem", bomb, "Content-Encoding: gzip\r\n")).status, 413);
  EXPECT_TRUE(client.AtEnd());
}

}  // namespace gzip_test
}  // namespace stator::server
