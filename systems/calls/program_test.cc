// The program as people use it: what it prints, and its exit codes.
#include "tests/systems/system_fixture.h"

namespace stator::systems::calls {
namespace program_test {

class CallsProgram : public testing::ProgramTest {
 protected:
  std::string Run(const std::string& arguments) {
    return RunSystem("--clock fixed:2026-03-02T08:00:00Z " + arguments + " --data " + folder_ +
                     "/data");
  }
};

TEST_F(CallsProgram, KeepsABookFromOneCommandToTheNext) {
  EXPECT_EQ(Run("schedule c1 --user ann --provider p1 --at +2h"),
            "scheduled c1: user ann, provider p1, 2026-03-02T10:00:00Z, SCHEDULED, version 1\n");
  EXPECT_EQ(status_, 0);
  EXPECT_EQ(Run("schedule c1 --user ben --provider p1 --at +3h"),
            "calls: taken: another Call has this callId\n");
  EXPECT_EQ(status_, 1);
  Run("schedule c2 --user ann --provider p2 --at 2026-03-02T09:00:00Z");
  EXPECT_EQ(Run("next ann --json"),
            "{\"callId\":\"c2\",\"providerId\":\"p2\",\"scheduledFor\":\"2026-03-02T09:00:00Z\","
            "\"status\":\"SCHEDULED\",\"userId\":\"ann\",\"version\":1}\n");
  const std::string page = Run("timeline ann --upcoming --limit 1");
  EXPECT_NE(page.find("c2"), std::string::npos) << page;
  const std::size_t more = page.find("more: --cursor ");
  ASSERT_NE(more, std::string::npos) << page;
  EXPECT_LT(page.find("c2"), more) << page;
  const std::string cursor = page.substr(more + 6, page.find('\n', more) - more - 6);
  const std::string rest = Run("timeline ann --upcoming --limit 1 " + cursor);
  EXPECT_NE(rest.find("c1"), std::string::npos) << rest;
  EXPECT_EQ(Run("audit"), "audit: 2 calls, 2 ids held, nothing wrong\n");
}

TEST_F(CallsProgram, S1_11_ShowsAConflictOfVersions) {
  Run("schedule c1 --user ann --provider p1 --at +2h");
  Run("change-provider c1 --provider p2 --version 1");
  EXPECT_EQ(Run("reschedule c1 --to +4h --version 1"),
            "calls: conflict: Call has version 2, expected 1\n");
  EXPECT_EQ(status_, 1);
  EXPECT_EQ(Run("complete c1 --version 2"),
            "completed c1: user ann, provider p2, 2026-03-02T10:00:00Z, COMPLETED, version 3\n");
  EXPECT_NE(Run("last ann").find("2026-03-02T08:00:00Z"), std::string::npos);
}

TEST_F(CallsProgram, TellsWrongUsageFromARefusal) {
  Run("next ann");
  EXPECT_EQ(status_, 1);
  Run("lookup call c9");
  EXPECT_EQ(status_, 1);
  Run("dance");
  EXPECT_EQ(status_, 2);
  Run("schedule c1 --user ann");
  EXPECT_EQ(status_, 2);
  EXPECT_NE(Run("--help").find("reschedule"), std::string::npos);
  EXPECT_EQ(status_, 0);
  EXPECT_NE(Run("schedule c1 --user ann --provider p --at 1772265600").find("is not a time"),
            std::string::npos);
  EXPECT_EQ(status_, 2);
  EXPECT_NE(Run("schedule c1 --user ann --provider p --at 1960-01-01T00:00:00Z").find("after 1970"),
            std::string::npos);
  EXPECT_EQ(status_, 2);
}

TEST_F(CallsProgram, PlaysItsDemoOnAnEmptyBookOnly) {
  const std::string account = Run("demo");
  EXPECT_EQ(status_, 0) << account;
  EXPECT_EQ(account.find("WRONG"), std::string::npos) << account;
  EXPECT_NE(account.find("nothing wrong"), std::string::npos) << account;
  Run("demo");
  EXPECT_EQ(status_, 1);  // the book is not empty
}

}  // namespace program_test
}  // namespace stator::systems::calls
