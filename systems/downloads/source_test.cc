#include "systems/downloads/source.h"

#include "systems/downloads/crypto.h"
#include "systems/program/text.h"
#include "tests/systems/downloads_fixture.h"

namespace stator::systems::downloads {
namespace source_test {

int StatusOfGet(const std::string& url) {
  const auto reply = HttpSend({.url = url});
  EXPECT_TRUE(reply) << (reply ? "" : reply.error());
  return reply ? reply->status : 0;
}

TEST_F(Downloads, AnAddressDiesAfterThirtyMinutes) {
  const auto link = FetchLink({source_->url()}, File("accounts"));
  ASSERT_TRUE(link) << link.error();
  clock().Advance(std::chrono::minutes(30) - std::chrono::seconds(1));
  EXPECT_EQ(StatusOfGet(link->url), 200);
  clock().Advance(std::chrono::seconds(1));
  EXPECT_EQ(StatusOfGet(link->url), 403);
}

TEST_F(Downloads, AnAddressCannotBeMadeUpOrChanged) {
  const auto link = FetchLink({source_->url()}, File("accounts"));
  ASSERT_TRUE(link) << link.error();
  std::string other = link->url;
  other.replace(other.find("accounts"), 8, "payments");
  EXPECT_EQ(StatusOfGet(other), 403);
  std::string later = link->url;
  const std::size_t at = later.find("expires=") + 8;
  later[at] = '9';
  EXPECT_EQ(StatusOfGet(later), 403);
  EXPECT_EQ(StatusOfGet(source_->url() + "/files/accounts-2026-02-28"), 403);
  EXPECT_EQ(StatusOfGet(source_->url() + "/files/../etc/passwd"), 403);
  EXPECT_EQ(StatusOfGet(source_->url() + "/link?file=nobody-2026-02-28"), 404);
  EXPECT_EQ(StatusOfGet(source_->url() + "/manifest?date=2026-02-30"), 400);
}

TEST_F(Downloads, AFileIsSentEncrypted) {
  const auto link = FetchLink({source_->url()}, File("accounts"));
  ASSERT_TRUE(link) << link.error();
  const auto sent = HttpText({.url = link->url});
  ASSERT_TRUE(sent) << sent.error();
  const std::string plain = source_->Content(File("accounts"));
  EXPECT_EQ(sent->find("accounts"), std::string::npos);
  EXPECT_EQ(sent->size(), plain.size() / 16 * 16 + 16);
  const auto key = Keys().Unwrap(*FromBase64(link->wrapped_key));
  ASSERT_TRUE(key);
  Decryptor decryptor(*key, *FromBase64(link->iv));
  std::string got;
  ASSERT_TRUE(decryptor.Add(*sent, got) && decryptor.Finish(got));
  EXPECT_EQ(got, plain);
  EXPECT_EQ(Hex(Sha256Of(got)), link->checksum);
}

TEST(KeyPair, UnwrapsWhatWasWrappedForItAndNothingElse) {
  const KeyPair mine = KeyPair::Generate();
  const KeyPair other = KeyPair::Generate();
  std::string wrapped = mine.Wrap("a secret");
  EXPECT_EQ(mine.Unwrap(wrapped), "a secret");
  EXPECT_EQ(other.Unwrap(wrapped), std::nullopt);
  wrapped[3] ^= 1;
  EXPECT_EQ(mine.Unwrap(wrapped), std::nullopt);
  EXPECT_EQ(mine.Unwrap(""), std::nullopt);
}

TEST(Digest, KnowsTheValuesOfTheStandards) {
  EXPECT_EQ(Hex(Sha256Of("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Hex(HmacSha256("Jefe", "what do ya want for nothing?")),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(Base64("foob"), "Zm9vYg==");
  EXPECT_EQ(FromBase64("Zm9vYg=="), "foob");
  for (const char* wrong : {"Zm9vYg=", "Zm9vYh==", "Zm9v Yg=", "====", "Zm9vYg===="}) {
    EXPECT_EQ(FromBase64(wrong), std::nullopt) << wrong;
  }
}

TEST(FileName, IsEntityAndDayAndNothingElse) {
  EXPECT_EQ(ParseFileName("accounts-2026-02-28"), (FileName{"accounts", "2026-02-28"}));
  EXPECT_EQ(ParseFileName("EU-Accounts-2026-02-28"), (FileName{"EU-Accounts", "2026-02-28"}));
  EXPECT_EQ(ParseFileName("a-2026-02-27-2026-02-28"), (FileName{"a-2026-02-27", "2026-02-28"}));
  for (const char* wrong :
       {"accounts-2026-02-29", "-2026-02-28", "accounts2026-02-28", "../x", ".a-2026-02-28",
        "--2026-02-28", "a/b-2026-02-28", "a -2026-02-28", "accounts-2026-2-28", ""}) {
    EXPECT_EQ(ParseFileName(wrong), std::nullopt) << wrong;
  }
}

}  // namespace source_test
}  // namespace stator::systems::downloads
