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
    for (const Coding coding : {Coding::kGzip, Coding::kDeflate}) {
      auto unpacked = gzip.Decompress(gzip.Compress(text, coding), kBodyBytesMax, coding);
      RC_ASSERT(unpacked.has_value());
      RC_ASSERT(unpacked->Padded() == text);
    }
  }));
}

TEST(Gzip, MembersInARowAreOneText) {
  Gzip gzip;
  const std::string first(100'000, 'a');
  auto unpacked =
      gzip.Decompress(gzip.Compress(first) + gzip.Compress("") + gzip.Compress("b"), kBodyBytesMax);
  ASSERT_TRUE(unpacked.has_value());
  EXPECT_EQ(unpacked->Padded(), first + "b");
  EXPECT_FALSE(gzip.Decompress(gzip.Compress(first) + "b", kBodyBytesMax).has_value());
}

TEST(Gzip, DeflateUnpacksUpToItsBoundAndNoFurther) {
  Gzip gzip;
  const std::string text(std::size_t{1} << 20, 'a');
  const std::string packed = gzip.Compress(text, Coding::kDeflate);
  EXPECT_EQ(gzip.Decompress(packed, text.size(), Coding::kDeflate)->Padded(), text);
  EXPECT_EQ(gzip.Decompress(packed, text.size() - 1, Coding::kDeflate).error(),
            Gzip::Problem::kTooLarge);
  EXPECT_EQ(gzip.Decompress(packed + "x", text.size(), Coding::kDeflate).error(),
            Gzip::Problem::kMalformed);
}

TEST(Gzip, BombIsRefusedWhateverItClaims) {
  Gzip gzip;
  std::string bomb = gzip.Compress(std::string(std::size_t{32} << 20, '\0'));
  EXPECT_EQ(gzip.Decompress(bomb, kBodyBytesMax).error(), Gzip::Problem::kTooLarge);
  bomb.replace(bomb.size() - 4, 4, std::string("\0\0\1\0", 4));
  EXPECT_EQ(gzip.Decompress(bomb, kBodyBytesMax).error(), Gzip::Problem::kTooLarge);
}

TEST(Gzip, GarbageIsMalformed) {
  EXPECT_TRUE(rc::check([](const std::string& bytes) {
    RC_ASSERT(!Gzip().Decompress(bytes, kBodyBytesMax).has_value());
  }));
  std::string cut = Gzip().Compress("hello");
  cut.pop_back();
  EXPECT_FALSE(Gzip().Decompress(cut, kBodyBytesMax).has_value());
}

TEST(ChooseCoding, FollowsQualityThenOrder) {
  for (const std::string_view header : {"gzip", "gzip, deflate", "GZIP;q=0.5", "br , gzip ; q=1",
                                        "deflate;q=0.5, gzip", "*", "deflate;q=0, *"}) {
    EXPECT_EQ(ChooseCoding(header), Coding::kGzip) << header;
  }
  for (const std::string_view header : {"deflate", "deflate, gzip", "gzip;q=0.5, deflate;q=0.6",
                                        "gzip;q=0, deflate", "gzip;q=0, deflate;q=0.1, *"}) {
    EXPECT_EQ(ChooseCoding(header), Coding::kDeflate) << header;
  }
  for (const std::string_view header : {"", "identity", "gzip;q=0", "gzip; q=0.000", "x-gzip", ",;",
                                        "br", "gzip;q=0, *", "identity, gzip;q=0.5", "*;q=0"}) {
    EXPECT_EQ(ChooseCoding(header), Coding::kIdentity) << header;
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

TEST_F(GzipOverHttpTest, AnswerIsPackedAsItsReaderLikesBest) {
  StartServer();
  TestClient client(port());
  const HttpAnswer packed =
      client.Ask(Post("Scan", "{\"n\":5000}", "Accept-Encoding: gzip;q=0.5, deflate\r\n"));
  EXPECT_EQ(packed.headers.at("content-encoding"), "deflate");
  EXPECT_EQ(packed.headers.at("x-amz-crc32"), std::to_string(Crc32(packed.body)));
  EXPECT_EQ(Gzip().Decompress(packed.body, kBodyBytesMax, Coding::kDeflate)->Padded(),
            std::string(5000, 'x'));
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
  const std::string deflated = Gzip().Compress(body, Coding::kDeflate);
  EXPECT_EQ(client.Ask(Post("GetItem", deflated, "Content-Encoding: deflate\r\n")).body, body);
  EXPECT_EQ(client.Ask(Post("GetItem", body, "Content-Encoding: identity\r\n")).body, body);
}

TEST_F(GzipOverHttpTest, RequestThatIsNotWhatItsEncodingSaysIsAnInternalError) {
  StartServer();
  TestClient client(port());
  for (const std::string_view encoding : {"gzip", "deflate", "br", "gzip, gzip"}) {
    const std::string header = "Content-Encoding: " + std::string(encoding) + "\r\n";
    EXPECT_TRUE(client.Ask(Post("GetItem", R"({"a":1})", header))
                    .body.starts_with(R"({"__type":"InternalServerError")"))
        << encoding;
  }
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
