// Transfers that break off, lie or do not end, and how they are taken up again.
#include "systems/downloads/fetch.h"

#include "tests/systems/downloads_fixture.h"

namespace stator::systems::downloads {
namespace fetch_test {

// A server for one file, whose answers the test makes.
class Transfers : public Downloads {
 protected:
  using Answer = std::function<HttpAnswer(int number, const HttpRequest& request)>;

  Transfers() {
    for (int i = 0; i < 20'000; ++i) plain_ += static_cast<char>('a' + i * 7 % 26);
    file_ = {.name = File("EU-Accounts"),
             .extension = "parquet",
             .url = {},
             .wrapped_key = Base64(Keys().Wrap(key_)),
             .iv = Base64(iv_),
             .checksum = Hex(Sha256Of(plain_)),
             .size_bytes = static_cast<std::int64_t>(plain_.size())};
    encrypted_ = Encrypt(key_, iv_, plain_);
  }

  void Serve(Answer answer) {
    server_ = *HttpServer::Start(0, [this, answer](const HttpRequest& request) {
      const auto range = request.headers.find("Range");
      asked_.push_back(range == request.headers.end() ? "all" : range->second);
      return answer(static_cast<int>(asked_.size()), request);
    });
    file_.url = server_->url();
  }
  // Ends the connection after so many bytes of what is asked for.
  HttpAnswer CutAt(std::int64_t end) const {
    return {.content =
                [this, end](std::int64_t offset, std::size_t count) {
                  if (offset >= end) return std::string();
                  return encrypted_.substr(static_cast<std::size_t>(offset),
                                           std::min(count, static_cast<std::size_t>(end - offset)));
                },
            .content_bytes = static_cast<std::int64_t>(encrypted_.size())};
  }
  HttpAnswer Whole() const { return {.body = encrypted_}; }

  std::expected<Fetched, FetchError> FetchIt(std::string_view claim = "claim") {
    return Fetch(file_, claim, Keys(), *output_, options_.fetch);
  }
  std::string MessageOfFetch() {
    const auto fetched = FetchIt();
    return fetched ? "fetched" : fetched.error().message;
  }
  void ExpectPublished() {
    EXPECT_EQ(Outputs(), std::vector<std::string>{"EU-Accounts-2026-02-28.parquet"});
    EXPECT_EQ(testing::FileText(output_->PathOf(file_)), plain_);
  }

  const std::string key_ = std::string(32, 'k');
  const std::string iv_ = std::string(16, 'i');
  std::string plain_;
  std::string encrypted_;
  SourceFile file_;
  std::vector<std::string> asked_;  // ranges
  std::unique_ptr<HttpServer> server_;
};

TEST_F(Transfers, OneThatBreaksOffGoesOnWhereItStopped) {
  Serve([this](int number, const HttpRequest&) {
    return number == 1 ? CutAt(5'000) : number == 2 ? CutAt(12'345) : Whole();
  });
  ASSERT_EQ(MessageOfFetch(), "fetched");
  ExpectPublished();
  // The last block of what was decrypted is needed for the next.
  ASSERT_EQ(asked_.size(), 3U);
  EXPECT_EQ(asked_[0], "all");
  EXPECT_EQ(asked_[1], "bytes=4976-");
  EXPECT_EQ(asked_[2], "bytes=12320-");
}

TEST_F(Transfers, GoOnAtEveryByteOfTheFirstBlocksAndOfTheLast) {
  const auto size = static_cast<std::int64_t>(encrypted_.size());
  std::vector<std::int64_t> cuts;
  for (std::int64_t cut = 1; cut <= 50; ++cut) cuts.push_back(cut);
  for (std::int64_t cut = size - 34; cut < size; ++cut) cuts.push_back(cut);
  std::int64_t cut = 0;
  Serve([&](int number, const HttpRequest&) { return number % 2 == 1 ? CutAt(cut) : Whole(); });
  for (const std::int64_t at : cuts) {
    cut = at;
    ASSERT_EQ(MessageOfFetch(), "fetched") << cut;
    ExpectPublished();
    std::filesystem::remove(output_->PathOf(file_));
  }
}

TEST_F(Transfers, ThoseOfAKilledProcessAreTakenUpByTheNextOne) {
  Serve([this](int number, const HttpRequest&) { return number <= 4 ? CutAt(16'000) : Whole(); });
  // Four attempts without a further byte; the part stays.
  EXPECT_NE(MessageOfFetch().find("closed in the middle"), std::string::npos);
  EXPECT_EQ(Outputs().size(), 1U);
  EXPECT_EQ(asked_.size(), 4U);
  EXPECT_EQ(waits_.size(), 3U);
  ASSERT_EQ(FetchIt("another claim"), Fetched::kDownloaded);
  EXPECT_EQ(asked_.back(), "bytes=15968-");
  ExpectPublished();
}

TEST_F(Transfers, WaitLongerAndLongerForASourceThatIsDown) {
  Serve([this](int number, const HttpRequest&) {
    return number < 4 ? HttpAnswer{.status = 503} : Whole();
  });
  ASSERT_EQ(MessageOfFetch(), "fetched");
  ASSERT_EQ(waits_.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    const std::chrono::milliseconds most = std::chrono::milliseconds(500) * (1 << i);
    EXPECT_LE(waits_[i], most);
    EXPECT_GE(waits_[i], most / 2);
  }
}

TEST_F(Transfers, AreNotRepeatedWhenTheSourceRefuses) {
  Serve([](int, const HttpRequest&) { return HttpAnswer{.status = 403, .body = "expired"}; });
  EXPECT_EQ(MessageOfFetch(), "the source answers 403: expired");
  EXPECT_EQ(asked_.size(), 1U);
  EXPECT_TRUE(Outputs().empty());
}

TEST_F(Transfers, BeginAgainWhenTheSourceDoesNotHaveTheRest) {
  Serve([&](int number, const HttpRequest&) {
    if (number == 1) return CutAt(9'000);
    return HttpAnswer{.status = 404};
  });
  EXPECT_EQ(MessageOfFetch(), "the source answers 404: ");
  EXPECT_EQ(Outputs().size(), 1U);
  Serve([&](int, const HttpRequest& request) {
    return request.headers.contains("Range") ? HttpAnswer{.status = 416} : Whole();
  });
  ASSERT_EQ(MessageOfFetch(), "fetched");
  ExpectPublished();
}

TEST_F(Transfers, OfAnotherVersionOfTheFileAreNotGoneOnWith) {
  Serve([this](int, const HttpRequest&) { return CutAt(9'000); });
  FetchIt();
  plain_[3] = '!';
  encrypted_ = Encrypt(key_, iv_, plain_);
  file_.checksum = Hex(Sha256Of(plain_));
  asked_.clear();
  Serve([this](int, const HttpRequest&) { return Whole(); });
  ASSERT_EQ(MessageOfFetch(), "fetched");
  EXPECT_EQ(asked_, std::vector<std::string>{"all"});
  ExpectPublished();
}

TEST_F(Transfers, GoOnUnderANewKeyAndIv) {
  Serve([this](int, const HttpRequest&) { return CutAt(9'000); });
  FetchIt();
  const std::string key(32, 'x');
  file_.wrapped_key = Base64(Keys().Wrap(key));
  file_.iv = Base64(std::string(16, 'y'));
  encrypted_ = Encrypt(key, std::string(16, 'y'), plain_);
  Serve([this](int, const HttpRequest&) { return Whole(); });
  ASSERT_EQ(MessageOfFetch(), "fetched");
  EXPECT_EQ(asked_.back(), "bytes=8976-");
  ExpectPublished();
}

TEST_F(Transfers, WithADamagedPartFailOnceAndBeginAgain) {
  Serve([this](int number, const HttpRequest&) {
    return number == 1 ? CutAt(9'000) : HttpAnswer{.status = 404};
  });
  FetchIt();
  const std::string part = directory_ + "/output/" + Outputs().front();
  std::fstream(part, std::ios::in | std::ios::out) << "garbage";
  Serve([this](int, const HttpRequest&) { return Whole(); });
  EXPECT_EQ(MessageOfFetch(), "the file's checksum is not that of the manifest");
  EXPECT_TRUE(Outputs().empty());
  EXPECT_EQ(MessageOfFetch(), "fetched");
  ExpectPublished();
}

TEST_F(Transfers, OfAWrongLengthAreRefusedBeforeTheirFirstByte) {
  Serve([this](int, const HttpRequest&) { return HttpAnswer{.body = encrypted_.substr(16)}; });
  EXPECT_EQ(MessageOfFetch(), "the source sends 20000 bytes, and the manifest makes it 20016");
  EXPECT_EQ(asked_.size(), 1U);
  Serve([this](int, const HttpRequest&) { return HttpAnswer{.body = encrypted_ + encrypted_}; });
  EXPECT_EQ(MessageOfFetch(), "the source sends 40032 bytes, and the manifest makes it 20016");
  EXPECT_TRUE(Outputs().empty());
}

TEST_F(Transfers, WithAWrongChecksumLeaveNothing) {
  encrypted_[100] ^= 1;
  Serve([this](int, const HttpRequest&) { return Whole(); });
  EXPECT_EQ(MessageOfFetch(), "the file's checksum is not that of the manifest");
  EXPECT_TRUE(Outputs().empty());
}

TEST_F(Transfers, OfTooLargeFilesAreNotBegun) {
  Serve([this](int, const HttpRequest&) { return Whole(); });
  options_.fetch.bytes_max = file_.size_bytes - 1;
  const auto fetched = FetchIt();
  ASSERT_FALSE(fetched);
  EXPECT_TRUE(fetched.error().hopeless);
  EXPECT_TRUE(asked_.empty());
}

TEST_F(Transfers, OfJobsThatSomebodyMadeUpStayInTheFolder) {
  Serve([this](int, const HttpRequest&) { return Whole(); });
  for (const char* name : {"../EU", "a/b", ""}) {
    file_.name.entity = name;
    EXPECT_TRUE(FetchIt().error().hopeless) << name;
  }
  file_.name.entity = "EU";
  file_.extension = "/../../x";
  EXPECT_TRUE(FetchIt().error().hopeless);
  file_.extension = "csv";
  file_.checksum = "../../x";
  EXPECT_NE(MessageOfFetch().find("no checksum"), std::string::npos);
}

TEST_F(Transfers, OfTwoClaimsDoNotDisturbEachOther) {
  // While the first is under way, another claim fetches the whole file.
  std::optional<std::expected<Fetched, FetchError>> second;
  Serve([&](int number, const HttpRequest&) {
    if (number == 1) second = FetchIt("other");
    return Whole();
  });
  ASSERT_EQ(FetchIt(), Fetched::kWasThere);
  EXPECT_EQ(*second, Fetched::kDownloaded);
  ExpectPublished();
}

TEST_F(Downloads, ABudgetOfBytesLeavesTheRestForAnother) {
  RunDay();
  std::int64_t all = 0;
  for (const std::string& entity : DefaultEntities()) {
    all += static_cast<std::int64_t>(source_->Content(File(entity)).size());
  }
  ByteBudget budget(all / 2);
  options_.budget = &budget;
  const DownloadReport report = Drain();
  EXPECT_GT(report.completed, 2);
  EXPECT_LT(report.completed, 8);
  EXPECT_GT(report.left_out, 0);
  options_.budget = nullptr;
  EXPECT_EQ(Drain().completed, 10 - report.completed);
}

}  // namespace fetch_test
}  // namespace stator::systems::downloads
