#include <gtest/gtest.h>

#include <map>
#include <mutex>

#include "systems/program/http.h"
#include "systems/reconciler/account.h"
#include "systems/reconciler/listing.h"
#include "tests/systems/reconciler_fixture.h"

namespace stator::systems::reconciler {
namespace sink_test {

using testing::Text;
using Result = Delivery::Result;

std::chrono::steady_clock::time_point Later() {
  return std::chrono::steady_clock::now() + std::chrono::minutes(1);
}

Payload Made(const std::string& id) { return {id, R"({"id":")" + id + R"(","x":1})"}; }

std::vector<Result> ResultsOf(const std::vector<Delivery>& deliveries) {
  std::vector<Result> results;
  for (const Delivery& delivery : deliveries) results.push_back(delivery.result);
  return results;
}

TEST_F(Reconciler, FileTakesEachIdOnceAlsoAcrossProcesses) {
  const auto one = OpenSink(Path());
  const auto other = OpenSink(folder_ + "/./out.jsonl");
  ASSERT_TRUE(one && other);
  EXPECT_EQ((*one)->name(), (*other)->name());
  EXPECT_EQ(ResultsOf((*one)->Deliver({Made("a"), Made("b"), Made("a")}, Later())),
            (std::vector{Result::kDelivered, Result::kDelivered, Result::kThereAlready}));
  EXPECT_EQ(ResultsOf((*other)->Deliver({Made("b"), Made("c")}, Later())),
            (std::vector{Result::kThereAlready, Result::kDelivered}));
  EXPECT_EQ(Ids(), (std::vector<std::string>{"a", "b", "c"}));
}

TEST_F(Reconciler, FileCutsOffALineThatWasNotFinished) {
  std::ofstream(Path()) << Made("a").json << "\n" << R"({"id":"b","x)";
  const auto sink = OpenSink(Path());
  ASSERT_TRUE(sink);
  EXPECT_EQ(ResultsOf((*sink)->Deliver({Made("b"), Made("a")}, Later())),
            (std::vector{Result::kDelivered, Result::kThereAlready}));
  EXPECT_EQ(Lines(), (std::vector{Made("a").json, Made("b").json}));
}

TEST_F(Reconciler, FileToleratesLinesOfOthers) {
  std::ofstream(Path()) << "hello\n\n"
                        << R"({"id":"\"a)" << "\n"
                        << std::string(3 << 20, 'x') << "\n";
  const auto sink = OpenSink(Path());
  ASSERT_TRUE(sink);
  EXPECT_EQ(ResultsOf((*sink)->Deliver({Made("a")}, Later())), std::vector{Result::kDelivered});
}

TEST_F(Reconciler, FileIsNotWrittenAfterTheDeadline) {
  const auto sink = OpenSink(Path());
  ASSERT_TRUE(sink);
  EXPECT_EQ(ResultsOf((*sink)->Deliver({Made("a")}, std::chrono::steady_clock::now())),
            std::vector{Result::kFailed});
  EXPECT_TRUE(Lines().empty());
}

TEST_F(Reconciler, FileThatCannotBeOneIsRefused) {
  EXPECT_FALSE(OpenSink(folder_));
  EXPECT_FALSE(OpenSink("/dev/null"));
  EXPECT_FALSE(OpenSink(Path("no/such/folder")));
  EXPECT_FALSE(OpenSink("http://a b/"));
}

TEST_F(Reconciler, FileOfADeadPollerThatIsGoneLeavesItsCallsForLater) {
  ReportMany(3);
  Poll({.after_leases = [] { return false; }}, "lost.jsonl");
  std::filesystem::remove(Path("lost.jsonl"));
  std::filesystem::create_directory(Path("lost.jsonl"));
  world_.clock().Advance(std::chrono::minutes(2));
  const PollSummary summary = Poll();
  EXPECT_EQ(summary.released, 3);
  EXPECT_NE(summary.problem, "");
  EXPECT_EQ(IndexSize(), 3U);
}

// Answers what the test says, and remembers what came.
class Receiver {
 public:
  Receiver() {
    auto server = HttpServer::Start(0, [this](const HttpRequest& request) {
      const std::lock_guard lock(mutex_);
      return answer_(++attempts_[request.headers.find("Idempotency-Key")->second]);
    });
    EXPECT_TRUE(server) << server.error();
    server_ = *std::move(server);
  }

  using Answer = std::function<HttpAnswer(int attempt)>;
  void SetAnswer(Answer answer) {
    const std::lock_guard lock(mutex_);
    answer_ = std::move(answer);
  }
  std::map<std::string, int> attempts() {
    const std::lock_guard lock(mutex_);
    return attempts_;
  }
  std::string url() const { return server_->url() + "/calls"; }

 private:
  std::mutex mutex_;
  std::map<std::string, int> attempts_;
  Answer answer_ = [](int) { return HttpAnswer(); };
  std::unique_ptr<HttpServer> server_;
};

class Posting : public Reconciler {
 protected:
  PollSummary Post(PollOptions options = {}, std::string url = {}) {
    HttpSinkOptions sink_options{.url = url.empty() ? receiver_.url() : url};
    sink_options.wait = [&](std::chrono::milliseconds time) { waited_ += time; };
    auto sink = OpenHttpSink(std::move(sink_options));
    EXPECT_TRUE(sink);
    const auto summary = Poller(table(), *std::move(sink), std::move(options)).Drain();
    EXPECT_TRUE(summary) << (summary ? "" : summary.error().message);
    return summary.value_or(PollSummary());
  }

  Receiver receiver_;
  std::chrono::milliseconds waited_{0};
};

TEST_F(Posting, EachPayloadArrivesWithItsIdAsIdempotencyKey) {
  ReportMany(25);
  EXPECT_EQ(Post().emitted, 25);
  const auto attempts = receiver_.attempts();
  EXPECT_EQ(attempts.size(), 25U);
  EXPECT_EQ(attempts.at(R"("acme#c7#1")"), 1);
  EXPECT_EQ(Text(Stored("acme", "c7"), "ReconStatus"), "EMITTED");
}

TEST_F(Posting, FailuresAreRetriedAfterGrowingWaits) {
  ReportMany(1);
  receiver_.SetAnswer([](int attempt) { return HttpAnswer{.status = attempt < 4 ? 503 : 204}; });
  EXPECT_EQ(Post().emitted, 1);
  EXPECT_EQ(receiver_.attempts().begin()->second, 4);
  EXPECT_EQ(waited_, std::chrono::milliseconds(200 + 400 + 800));
}

TEST_F(Posting, AReceiverThatMendsTheCallResolvesIt) {
  Report("acme", "c1", "FAILED", false);
  receiver_.SetAnswer([](int) { return HttpAnswer{.body = R"({"outcome":"RESOLVED"})"}; });
  EXPECT_EQ(Post().resolved, 1);
  const Item call = Stored("acme", "c1");
  EXPECT_EQ(Text(call, "ReconStatus"), "OK");
  EXPECT_EQ(Text(call, "ProcessingStatus"), "SUCCESS");
  EXPECT_EQ(IndexSize(), 0U);
  EXPECT_EQ(world_.Audit(), "");
}

TEST_F(Posting, ARefusedPayloadIsGivenUp) {
  ReportMany(1);
  receiver_.SetAnswer([](int) { return HttpAnswer{.status = 422}; });
  EXPECT_EQ(Post().given_up, 1);
  EXPECT_EQ(receiver_.attempts().begin()->second, 1);
  EXPECT_EQ(Text(Stored("acme", "c0"), "ReconStatus"), "GIVEN_UP");
}

// A call that was given up is nobody's any more, unless somebody looks for it.
TEST_F(Posting, WhatWasGivenUpIsCountedListedAndPutBack) {
  ReportMany(2);
  Report("bolt", "c9", "PENDING", true);
  receiver_.SetAnswer([](int) { return HttpAnswer{.status = 422}; });
  EXPECT_EQ(Post().given_up, 3);
  EXPECT_EQ(Post({.again_after = std::chrono::hours(1)}).found, 0);

  const auto account = ReadAccount(table());
  ASSERT_TRUE(account) << account.error().message;
  EXPECT_EQ(account->statuses.back(), std::pair(std::string("GIVEN_UP"), std::int64_t{3}));
  EXPECT_EQ(account->waiting(), 0);
  std::vector<std::string> lines;
  const auto list = [&](const CallFilter& filter) {
    lines.clear();
    return ForEachListed(table(), kGivenUp, filter, [&](const Item& entry) -> EntityResult<void> {
      lines.push_back(ListingLine(entry.view()));
      return {};
    });
  };
  ASSERT_TRUE(list({.tenant = "bolt"}));
  EXPECT_EQ(lines, std::vector<std::string>{
                       "GIVEN_UP since 2026-02-28T08:00:00.000Z: bolt c9, PENDING call of "
                       "2026-02-28T07:00:00.000Z: the receiver answered 422"});

  EXPECT_EQ(RetryGivenUp(table(), {.tenant = "acme", .call = "c1"}).value_or(-1), 1);
  EXPECT_EQ(RetryGivenUp(table(), {}).value_or(-1), 2);
  EXPECT_EQ(RetryGivenUp(table(), {}).value_or(-1), 0);
  const Item back = Stored("acme", "c1");
  EXPECT_EQ(Text(back, "GSI_Recon_PK"), "STATUS#FAILED");
  EXPECT_EQ(Text(back, "GSI_Recon_SK"), "2026-02-28T07:59:00.000Z#acme");
  EXPECT_EQ(Text(back, "Attempts"), "0");
  EXPECT_FALSE(back.Find("Problem"));
  receiver_.SetAnswer([](int) { return HttpAnswer(); });
  EXPECT_EQ(Post().emitted, 3);
  ASSERT_TRUE(list({}));
  EXPECT_TRUE(lines.empty());
  EXPECT_EQ(world_.Audit(), "");
}

TEST_F(Posting, AnOutageStopsTheRoundAndLeavesTheCalls) {
  ReportMany(30);
  receiver_.SetAnswer([](int) { return HttpAnswer{.status = 500}; });
  const PollSummary summary = Post();
  EXPECT_EQ(summary.emitted, 0);
  EXPECT_EQ(summary.released, 10);                          // one batch
  EXPECT_EQ(summary.problem, "the receiver answered 500");  // not that the others had to wait
  EXPECT_EQ(receiver_.attempts().size(), 1U);
  EXPECT_EQ(IndexSize(), 30U);
  receiver_.SetAnswer([](int) { return HttpAnswer(); });
  EXPECT_EQ(Post().emitted, 30);
}

TEST_F(Posting, AReceiverThatFailsCostsTheCallThatItFailsOnAndNoneBehindIt) {
  ReportMany(5);
  receiver_.SetAnswer([](int) { return HttpAnswer{.status = 500}; });
  EXPECT_EQ(Post({.lease = {.give_up_after = 2}}).released, 5);
  const PollSummary second = Post({.lease = {.give_up_after = 2}});
  EXPECT_EQ(second.given_up, 1);
  EXPECT_EQ(second.released, 4);
  EXPECT_EQ(receiver_.attempts().size(), 1U);
  EXPECT_EQ(Waiting(), 4U);
}

TEST_F(Posting, AReceiverThatIsNotThereCostsNoCall) {
  ReportMany(3);
  const std::string nobody = "http://127.0.0.1:1/calls";
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(Post({.lease = {.give_up_after = 2}}, nobody).released, 3);
  }
  EXPECT_EQ(Text(Stored("acme", "c0"), "Attempts"), "0");
  EXPECT_FALSE(Stored("acme", "c0").Find("LeaseSink"));  // nothing was sent: any sink will do
  EXPECT_EQ(Post().emitted, 3);
}

}  // namespace sink_test
}  // namespace stator::systems::reconciler
