// What is believed of a manifest, file by file.
#include "systems/downloads/manifest.h"

#include "tests/systems/downloads_fixture.h"

namespace stator::systems::downloads {
namespace manifest_test {

// A file of a manifest; a member that the test gives takes the place of the good one.
std::string FileOf(const std::string& entity, const std::string& name = "",
                   const std::string& value = "") {
  std::vector<std::pair<std::string, std::string>> members = {
      {"entity", "\"" + entity + "\""},
      {"url", R"("https://bucket.example.com/x?X-Amz-Signature=5")"},
      {"key", "\"" + Base64(std::string(256, 'k')) + "\""},
      {"iv", "\"" + Base64(std::string(16, 'i')) + "\""},
      {"sha256", "\"" + std::string(64, 'a') + "\""},
      {"size", "5"},
      {"extension", R"("parquet")"}};
  std::string json;
  for (const auto& [member, good] : members) {
    json +=
        (json.empty() ? "{" : ", ") + ("\"" + member + "\": ") + (member == name ? value : good);
  }
  return json + "}";
}

Fallible<Manifest> Parse(const std::string& files, const SourceAccess& source = {"https://x"}) {
  return ParseManifest(R"({"date": "2026-02-28", "files": [)" + files + "]}", kDate, source);
}

// Why one bad file beside a good one is refused.
std::string RefusalOf(const std::string& bad, const SourceAccess& source = {"https://x"}) {
  const auto manifest = Parse(FileOf("good") + ", " + bad, source);
  EXPECT_TRUE(manifest) << (manifest ? "" : manifest.error());
  if (!manifest || manifest->refused.size() != 1) return "";
  EXPECT_EQ(manifest->files.size(), 1U);
  EXPECT_EQ(manifest->files.front().name.entity, "good");
  return manifest->refused.front().entity + ": " + manifest->refused.front().why;
}

TEST(Manifest, TakesEntitiesWithHyphensAndCapitalsAndAddressesOfEightKilobytes) {
  std::string url = "https://bucket.s3.eu-north-1.amazonaws.com/a?X-Amz-Security-Token=";
  url.resize(kUrlMax, 'x');
  const auto manifest = Parse(FileOf("EU-Accounts_v2.1", "url", "\"" + url + "\""));
  ASSERT_TRUE(manifest) << manifest.error();
  ASSERT_EQ(manifest->files.size(), 1U) << manifest->refused.front().why;
  EXPECT_EQ(manifest->files.front().name.id(), "EU-Accounts_v2.1-2026-02-28");
  EXPECT_EQ(manifest->files.front().url, url);
  EXPECT_EQ(manifest->files.front().extension, "parquet");
  EXPECT_EQ(Parse(FileOf("Kundlista för åäö (2)"))->files.front().name.entity,
            "Kundlista för åäö (2)");
  EXPECT_NE(RefusalOf(FileOf("long", "url", "\"" + url + "x\"")).find("at most 8192 bytes"),
            std::string::npos);
}

TEST(Manifest, RefusesABadFileAloneAndNamesIt) {
  for (const char* name :
       {"../accounts", "", "-a", ".a", "a/b", " a", "a ", "a~b", R"(a\\b)", R"(a\nb)"}) {
    EXPECT_NE(RefusalOf(FileOf(name)).find(": a name has no '/'"), std::string::npos) << name;
  }
  EXPECT_EQ(RefusalOf(FileOf("good")), "good: the manifest names it twice; the first one counts");
  EXPECT_TRUE(RefusalOf(FileOf("cards", "sha256", "\"00\"")).starts_with("cards: its sha256"));
  EXPECT_TRUE(RefusalOf(FileOf("cards", "size", "-5")).starts_with("cards: its size"));
  EXPECT_TRUE(RefusalOf(FileOf("cards", "size", "\"5\"")).starts_with("cards: its size"));
  EXPECT_TRUE(RefusalOf(FileOf("cards", "key", "\"?\"")).starts_with("cards: its key"));
  EXPECT_TRUE(RefusalOf(FileOf("cards", "iv", "\"aaaa\"")).starts_with("cards: its iv"));
  EXPECT_TRUE(RefusalOf(FileOf("cards", "extension", "\"../x\"")).starts_with("cards: its ext"));
  EXPECT_NE(RefusalOf(FileOf("cards", "url", "\"file:///etc/passwd\"")).find("not an address"),
            std::string::npos);
  EXPECT_NE(RefusalOf("7").find("not a JSON object"), std::string::npos);
}

TEST(Manifest, RefusesAnAddressWithoutTlsFromASourceWithIt) {
  const std::string file = FileOf("cards", "url", R"("http://bucket.example.com/x?secret=1")");
  const std::string refusal = RefusalOf(file);
  EXPECT_NE(refusal.find("speaks https"), std::string::npos) << refusal;
  EXPECT_EQ(refusal.find("secret"), std::string::npos) << refusal;
  EXPECT_EQ(RefusalOf(file, {"http://x"}), "");
}

TEST(Manifest, KeepsTheSizeLimits) {
  EXPECT_TRUE(RefusalOf(FileOf("cards", "size", "101"), {"https://x", "", {.file_bytes = 100}})
                  .starts_with("cards: it has 101 bytes, and a file may have 100"));
  const std::string three = FileOf("a") + ", " + FileOf("b") + ", " + FileOf("c");
  EXPECT_TRUE(Parse(three, {"https://x", "", {.total_bytes = 15}}));
  const auto too_much = Parse(three, {"https://x", "", {.total_bytes = 14}});
  ASSERT_FALSE(too_much);
  EXPECT_NE(too_much.error().find("more than 14 bytes together"), std::string::npos);
}

TEST(Manifest, MustBeThatOfTheDay) {
  EXPECT_FALSE(ParseManifest("[", kDate, {}));
  EXPECT_FALSE(ParseManifest(R"({"date": "2026-03-01", "files": []})", kDate, {}));
  EXPECT_FALSE(ParseManifest(R"({"date": "2026-02-28"})", kDate, {}));
}

// Answers with a manifest that the test sets, and hands everything else on.
class Mended : public Downloads {
 protected:
  void Serve(const std::string& extra) {
    const auto good = HttpText({.url = source_->url() + "/manifest?date=" + kDate});
    ASSERT_TRUE(good) << good.error();
    const std::size_t end = good->rfind(']');
    manifest_ = good->substr(0, end) + extra + good->substr(end);
  }
  std::string manifest_;
  std::unique_ptr<HttpServer> server_ = *HttpServer::Start(0, [this](const HttpRequest& request) {
    return request.path == "/manifest" ? HttpAnswer{.body = manifest_} : HttpAnswer{.status = 404};
  });
};

TEST_F(Mended, ABadEntityFailsAloneAndTheDayGoesOnWithoutItUntilItIsMended) {
  Serve("," + FileOf("../EU") + "," + FileOf("cards-EU", "size", "-1"));
  const RunOptions options{.source = {server_->url()}, .date = kDate};
  const auto run = StartDay(entities(), options);
  ASSERT_TRUE(run) << run.error();
  ASSERT_EQ(run->refused.size(), 2U);
  EXPECT_EQ(run->refused.front().entity, "../EU");
  EXPECT_EQ(run->created, 10);
  EXPECT_EQ(run->batch.status, "queued");
  EXPECT_EQ(Drain().completed, 10);
  // It cannot be complete, and says why.
  const Batch over = PollDay(run->batch);
  EXPECT_EQ(over.status, "failed");
  EXPECT_EQ(over.completed.size(), 10U);
  EXPECT_EQ(over.refused, (std::set<std::string>{"../EU", "cards-EU"}));
  const auto board = ReadDashboard(entities(), kDate);
  ASSERT_TRUE(board);
  EXPECT_NE(DashboardText(*board).find("refused in " + over.id() + ": ../EU, cards-EU"),
            std::string::npos);
  EXPECT_EQ(world_.Audit(), "");
  // The source mends it.
  Serve("");
  const auto again =
      StartDay(entities(), {.source = {server_->url()}, .date = kDate, .again = true});
  ASSERT_TRUE(again) << again.error();
  EXPECT_EQ(again->adopted, 10);
  EXPECT_EQ(PollDay(again->batch).status, "completed");
}

TEST_F(Mended, AReplayForgetsWhatWasRefusedOnceItIsMended) {
  Serve("," + FileOf("../EU"));
  const RunOptions options{.source = {server_->url()}, .date = kDate};
  ASSERT_TRUE(StartDay(entities(), options));
  Serve("");
  const auto replay = StartDay(entities(), options);
  ASSERT_TRUE(replay) << replay.error();
  EXPECT_TRUE(replay->batch.refused.empty());
  Drain();
  EXPECT_EQ(PollDay(replay->batch).status, "completed");
}

}  // namespace manifest_test
}  // namespace stator::systems::downloads
