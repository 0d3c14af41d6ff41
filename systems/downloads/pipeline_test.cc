// The whole way of a file: manifest, claim, download, unwrap, decrypt, verify, finish.
#include <sys/stat.h>

#include "tests/systems/downloads_fixture.h"

namespace stator::systems::downloads {
namespace pipeline_test {

ino_t InodeOf(const std::string& path) {
  struct stat status = {};
  EXPECT_EQ(::stat(path.c_str(), &status), 0) << path;
  return status.st_ino;
}

TEST_F(Downloads, EveryFileOfTheManifestArrivesDecryptedAndVerified) {
  const Batch batch = RunDay().batch;
  EXPECT_EQ(batch.status, "queued");
  EXPECT_EQ(Drain(4).completed, 10);
  EXPECT_EQ(Outputs().size(), 10U);
  for (const std::string& entity : DefaultEntities()) {
    EXPECT_EQ(OutputText(entity), source_->Content(File(entity))) << entity;
    EXPECT_EQ(source_->Downloads(File(entity)), 1) << entity;
  }
  const Batch done = PollDay(batch);
  EXPECT_EQ(done.status, "completed");
  EXPECT_EQ(done.completed, done.expected);
  EXPECT_TRUE(done.failed.empty());
  EXPECT_EQ(world_.Audit(), "");
}

TEST_F(Downloads, ADamagedFileFailsIsNotPublishedAndSucceedsWhenItIsTriedAgain) {
  source_->SetFault("cards", Fault::kCorrupt);
  Batch batch = RunDay().batch;
  const DownloadReport report = Drain();
  EXPECT_EQ(report.failed, 1);
  EXPECT_TRUE(report.problem.starts_with("cards-2026-02-28: ")) << report.problem;
  EXPECT_EQ(StatusOf("cards"), "failed");
  EXPECT_EQ(Outputs().size(), 9U);
  batch = PollDay(batch);
  EXPECT_EQ(batch.status, "queued");
  EXPECT_EQ(batch.failed, std::set<std::string>{"cards-2026-02-28"});
  source_->SetFault("cards", Fault::kNone);
  EXPECT_EQ(RequeueDay().requeued, 1);
  EXPECT_EQ(Drain().completed, 1);
  batch = PollDay(batch);
  EXPECT_EQ(batch.status, "completed");
  EXPECT_TRUE(batch.failed.empty());
}

TEST_F(Downloads, AKeyThatCannotBeUnwrappedIsAnErrorAtOnce) {
  source_->SetFault("loans", Fault::kWrongKey);
  const Batch batch = RunDay().batch;
  Drain();
  const Item job = JobItem("loans");
  EXPECT_EQ(TextOf(job, "Status"), "error");
  EXPECT_EQ(TextOf(job, "ErrorMessage"), "the AES key cannot be unwrapped");
  EXPECT_EQ(source_->Downloads(File("loans")), 0);
  const Batch over = PollDay(batch);
  EXPECT_EQ(over.status, "failed");
  EXPECT_EQ(over.completed.size(), 9U);
  EXPECT_EQ(over.failed, std::set<std::string>{"loans-2026-02-28"});
}

TEST_F(Downloads, AFileThatIsNeverThereIsGivenUpAfterItsAttempts) {
  source_->SetFault("rates", Fault::kGone);
  const Batch batch = RunDay().batch;
  for (int i = 0; i < 3; ++i) {
    Drain();
    EXPECT_EQ(StatusOf("rates"), "failed");
    RequeueDay(3);
  }
  EXPECT_EQ(StatusOf("rates"), "error");
  EXPECT_EQ(TextOf(JobItem("rates"), "ErrorMessage"), "given up after 3 attempts");
  EXPECT_EQ(PollDay(batch).status, "failed");
}

TEST_F(Downloads, AKilledDownloaderLosesNothing) {
  const Batch batch = RunDay().batch;
  // Claims and is never heard of again.
  const auto lost = Worker("killed").ClaimNext();
  ASSERT_TRUE(lost && *lost);
  EXPECT_EQ(Drain().completed, 9);
  EXPECT_EQ(PollDay(batch).status, "queued");
  clock().Advance(std::chrono::minutes(30) + std::chrono::milliseconds(1));
  EXPECT_EQ(RequeueDay().stuck, std::vector<std::string>{(*lost)->file.name.id()});
  EXPECT_EQ(Drain().completed, 1);
  EXPECT_EQ(PollDay(batch).status, "completed");
  EXPECT_EQ(Outputs().size(), 10U);
}

TEST_F(Downloads, AFileThatWasPublishedBeforeTheKillIsNotDownloadedAgain) {
  const Batch batch = RunDay().batch;
  const auto job = Worker("killed").Claim(File("accounts"));
  ASSERT_TRUE(job && *job);
  // Published, and killed before it could say so; the part of another claim is left as well.
  ASSERT_TRUE(Fetch((*job)->file, (*job)->claimed_by, Keys(), *output_));
  std::ofstream(directory_ + "/output/.part-cards-2026-02-28~dead") << "half";
  const std::string path = output_->PathOf((*job)->file);
  const ino_t inode = InodeOf(path);
  clock().Advance(std::chrono::minutes(31));
  EXPECT_EQ(RequeueDay().requeued, 10);
  const DownloadReport report = Drain();
  EXPECT_EQ(report.completed, 10);
  EXPECT_EQ(report.was_there, 1);
  EXPECT_EQ(source_->Downloads(File("accounts")), 1);
  EXPECT_EQ(InodeOf(path), inode);
  EXPECT_EQ(Outputs().size(), 10U);  // and no part
  EXPECT_EQ(PollDay(batch).status, "completed");
}

TEST_F(Downloads, PartsOfFinishedFilesAreRemovedAndOthersAreKept) {
  const std::string folder = directory_ + "/output/";
  for (const char* name : {"EU.x-2026-02-28.tar.gz", "README-2026-02-28", ".part-EU.x-2026-02-28~1",
                           ".part-README-2026-02-28~1", ".part-EU-2026-02-28~1"}) {
    std::ofstream(folder + name) << "x";
  }
  ASSERT_TRUE(OutputFolder::Open(folder));
  EXPECT_EQ(Outputs(), (std::vector<std::string>{".part-EU-2026-02-28~1", "EU.x-2026-02-28.tar.gz",
                                                 "README-2026-02-28"}));
}

TEST_F(Downloads, AClaimThatWasTakenAwayCannotFinishTheJobOfItsSuccessor) {
  RunDay();
  Downloader slow = Worker("slow");
  const auto job = slow.Claim(File("accounts"));
  ASSERT_TRUE(job && *job);
  clock().Advance(std::chrono::minutes(31));
  RequeueDay();
  Downloader next = Worker("next");
  const auto again = next.Claim(File("accounts"));
  ASSERT_TRUE(again && *again);
  // The state is `downloading` again, but not for the slow one.
  ASSERT_TRUE(slow.Work(**job));
  EXPECT_EQ(slow.report().lost, 1);
  EXPECT_EQ(StatusOf("accounts"), "downloading");
  EXPECT_EQ(TextOf(JobItem("accounts"), "ClaimedBy"), (*again)->claimed_by);
  ASSERT_TRUE(next.Work(**again));
  EXPECT_EQ(StatusOf("accounts"), "completed");
}

TEST_F(Downloads, ADeadPollerIsReplacedByAnyOther) {
  const Batch batch = RunDay().batch;
  Worker().Work(**Worker().Claim(File("accounts")));
  EXPECT_EQ(PollDay(batch).completed.size(), 1U);  // and dies
  Drain();
  const auto others = world_.MoreEntities();
  const auto done = Poll(*others, batch);
  ASSERT_TRUE(done) << done.error();
  EXPECT_EQ(done->status, "completed");
  EXPECT_EQ(PollDay(batch).status, "completed");
}

}  // namespace pipeline_test
}  // namespace stator::systems::downloads
