// What can be seen only while a table is being restored, and times that only a clock can make.
#include <future>
#include <latch>
#include <vector>

#include "api/testing/api_test.h"

namespace stator {
namespace recovery_test {

class RecoveryOperations : public ApiTest {
 protected:
  RecoveryOperations() {
    EXPECT_TRUE(Call(kCreateTable, R"({"TableName": "Music", "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]})"));
    EXPECT_TRUE(Call(kUpdateContinuousBackups, R"({"TableName": "Music",
        "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": true}})"));
    const auto made = kCreateBackup.call(*engine_, Wording::kClassic,
                                         {.table_name = "Music", .backup_name = "backup"});
    EXPECT_TRUE(made);
    backup_arn_ = made->details.backup_arn;
  }

  // Runs the operations with nothing in between, the first of them perhaps a restore: no slice of it
  // is done before the last has answered.
  template <class... Calls>
  void InOneGo(Calls... calls) {
    std::latch queued(1);
    engine_->background().Post([&] { queued.wait(); });
    (calls(), ...);
    queued.count_down();
    engine_->background().WaitUntilIdle();
  }

  // Begins the operation; the answer, or "Code: message", goes into `answers`.
  template <class Request, class Response>
  void Begin(const ApiOperation<Request, Response>& operation, std::string_view body) {
    JsonDocument document;
    ASSERT_TRUE(document.Parse(body)) << body;
    operation.run_json(*engine_, Wording::kClassic, document.root(), [this](Result<std::string> r) {
      answers_.push_back(r ? "200" : std::string(r.error().name()) + ": " + r.error().message());
    });
  }

  void Put(std::string_view value) {
    EXPECT_TRUE(Call(kPutItem, R"({"TableName": "Music", "Item": {"pk": {"S": "a"}, "v": {"S": ")" +
                                   std::string(value) + R"("}}})"));
  }

  std::string backup_arn_;
  std::vector<std::string> answers_;  // of the background thread
};

TEST_F(RecoveryOperations, ATableThatIsBeingRestoredCannotBeChanged) {
  const std::string restore =
      R"({"TargetTableName": "Copy", "BackupArn": ")" + backup_arn_ + R"("})";
  InOneGo(
      [&] { Begin(kRestoreTableFromBackup, restore); },
      [&] { Begin(kRestoreTableFromBackup, restore); },
      [&] {
        Begin(kRestoreTableToPointInTime, R"({"SourceTableName": "Music",
                "TargetTableName": "Copy", "UseLatestRestorableTime": true})");
      },
      [&] { Begin(kDeleteTable, R"({"TableName": "Copy"})"); },
      [&] { Begin(kUpdateTable, R"({"TableName": "Copy", "DeletionProtectionEnabled": true})"); },
      [&] {
        Begin(kCreateTable, R"({"TableName": "Copy", "BillingMode": "PAY_PER_REQUEST",
                "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
                "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]})");
      },
      [&] { Begin(kCreateBackup, R"({"TableName": "Copy", "BackupName": "backup"})"); },
      [&] { Begin(kDeleteBackup, R"({"BackupArn": ")" + backup_arn_ + R"("})"); });
  const std::string in_use =
      "ResourceInUseException: Attempt to change a resource which is still in use: Table is being "
      "created: Copy";
  const std::string restoring =
      "TableInUseException: Table: Copy is already being restored from backup: " + backup_arn_;
  EXPECT_EQ(answers_,
            (std::vector<std::string>{
                "200", restoring, restoring, in_use, in_use, in_use,
                "TableNotFoundException: Table not found: Copy",
                "BackupInUseException: Backup is being used to restore table: " + backup_arn_}));
  EXPECT_EQ(Answer(kDeleteTable, R"({"TableName": "Copy"})").substr(0, 20),
            R"({"TableDescription":)");
}

TEST_F(RecoveryOperations, ATargetThatIsRestoredFromThePastExists) {
  const std::string restore = R"({"SourceTableName": "Music", "TargetTableName": "Copy",
      "UseLatestRestorableTime": true})";
  InOneGo([&] { Begin(kRestoreTableToPointInTime, restore); },
          [&] { Begin(kRestoreTableToPointInTime, restore); });
  EXPECT_EQ(answers_, (std::vector<std::string>{
                          "200", "TableAlreadyExistsException: Table already exists: Copy"}));
}

TEST_F(RecoveryOperations, TimesAreBoundByThePeriodAndByNow) {
  clock_.Advance(std::chrono::days(40));
  EXPECT_EQ(Answer(kDescribeContinuousBackups, R"({"TableName": "Music"})"),
            R"({"ContinuousBackupsDescription":{"ContinuousBackupsStatus":"ENABLED",)"
            R"("PointInTimeRecoveryDescription":{"PointInTimeRecoveryStatus":"ENABLED",)"
            R"("RecoveryPeriodInDays":35,"EarliestRestorableDateTime":1770292800.000,)"
            R"("LatestRestorableDateTime":1773316800.000}}})");
  const auto restore = [&](std::string_view time) {
    return Answer(kRestoreTableToPointInTime,
                  R"({"SourceTableName": "Music", "TargetTableName": "Copy", "RestoreDateTime": )" +
                      std::string(time) + "}");
  };
  const std::string refused =
      "InvalidRestoreTimeException: RestoreDateTime '{}' must be within "
      "EarliestRestorableDateTime '2026-02-05T12:00:00Z' and LatestRestorableDateTime "
      "'2026-03-12T12:00:00Z'";
  EXPECT_EQ(restore("1770292799.999"),
            std::string(refused).replace(refused.find("{}"), 2, "2026-02-05T11:59:59Z"));
  EXPECT_EQ(restore("1773316800.001"),
            std::string(refused).replace(refused.find("{}"), 2, "2026-03-12T12:00:00Z"));
  EXPECT_EQ(restore("1770292800").substr(0, 20), R"({"TableDescription":)");
}

TEST_F(RecoveryOperations, ARestoreHoldsChangesUpToItsSecond) {
  const std::int64_t start = 1'769'860'800;
  Put("first");
  clock_.Advance(std::chrono::milliseconds(1'500));
  Put("second");
  clock_.Advance(std::chrono::milliseconds(500));
  Put("third");
  Put("fourth");  // in the same millisecond
  clock_.Advance(std::chrono::milliseconds(5));
  Put("fifth");
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"0", "first"}, {"1", "first"}, {"1.499", "first"}, {"1.5", "second"}, {"2", "fourth"}};
  for (const auto& [after, value] : expected) {
    const std::string time = std::to_string(start + std::stoi(after)) +
                             (after.size() > 1 ? after.substr(after.find('.')) : "");
    ASSERT_TRUE(
        Call(kRestoreTableToPointInTime, R"({"SourceTableName": "Music", "TargetTableName": "At)" +
                                             after + R"(", "RestoreDateTime": )" + time + "}"));
    engine_->background().WaitUntilIdle();
    EXPECT_EQ(
        Answer(kScan, R"({"TableName": "At)" + after + R"("})"),
        R"({"Items":[{"pk":{"S":"a"},"v":{"S":")" + value + R"("}}],"Count":1,"ScannedCount":1})")
        << after;
  }
}

}  // namespace recovery_test
}  // namespace stator
