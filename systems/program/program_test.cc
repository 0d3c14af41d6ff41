#include "systems/program/program.h"

#include <gtest/gtest.h>

#include "systems/program/output.h"

namespace stator::systems {
namespace program_test {

constexpr const char* kModel = R"(
model: 1
tables:
  notes: {key: id str}
entities:
  Note: {table: notes, attrs: {id: str 8}}
patterns:
  keep: {write: Note.create, guard: not_exists, rate: 1/s}
)";

// A program with commands of every kind, run in this process.
class ProgramShell : public ::testing::Test {
 protected:
  ProgramShell() : program_("notes", "Notes.", kModel) {
    Command& count = program_.AddCommand("count", "Takes an argument and options");
    count.AddArgument("NAME", &name_, "Required");
    count.AddArgument("FILE", &file_, "Has a default");
    count.AddOption("--times", &times_, "A number").Range(1, 10);
    const Option loud = count.AddFlag("--loud", &loud_, "A flag");
    count.AddFlag("--quiet", &quiet_, "Another").Excludes(loud);
    count.Run([this] { return times_; });
    Command& tables = program_.AddCommand("tables", "Has commands of its own");
    tables.AddCommand("needed", "").RunOnTables([](Tables&) { return kDone; });
    const auto exists = [](Tables& opened) {
      return opened.endpoint().DescribeTable({.table_name = "notes"}) ? kDone : kFailed;
    };
    tables.AddCommand("memory", "").RunOnTables(exists, PlaceRule::kOptional);
    tables.AddCommand("none", "").RunAt(PlaceRule::kRefused, [](const Place&) { return 7; });
  }

  int Run(std::vector<std::string> words) {
    words.insert(words.begin(), "notes");
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    return program_.Main(static_cast<int>(arguments.size()), arguments.data());
  }

  Program program_;
  std::string name_;
  std::string file_ = "-";
  int times_ = 3;
  bool loud_ = false;
  bool quiet_ = false;
};

TEST_F(ProgramShell, SetsTheVariablesOfTheChosenCommand) {
  EXPECT_EQ(Run({"count", "ann", "--times", "4", "--loud"}), 4);
  EXPECT_EQ(name_, "ann");
  EXPECT_EQ(file_, "-");
  EXPECT_TRUE(loud_);
}

TEST_F(ProgramShell, MisuseIsTwo) {
  EXPECT_EQ(Run({}), kMisused);
  EXPECT_EQ(Run({"dance"}), kMisused);
  EXPECT_EQ(Run({"count"}), kMisused);
  EXPECT_EQ(Run({"count", "ann", "--times", "11"}), kMisused);
  EXPECT_EQ(Run({"count", "ann", "--loud", "--quiet"}), kMisused);
  EXPECT_EQ(Run({"tables"}), kMisused);
  EXPECT_EQ(Run({"--clock", "yesterday", "count", "ann"}), kMisused);
}

TEST_F(ProgramShell, HelpIsDone) { EXPECT_EQ(Run({"count", "--help"}), kDone); }

TEST_F(ProgramShell, ACommandSaysWhatItDoesWithThePlace) {
  EXPECT_EQ(Run({"tables", "needed"}), kMisused);
  EXPECT_EQ(Run({"tables", "memory"}), kDone);
  EXPECT_EQ(Run({"tables", "none"}), 7);
  EXPECT_EQ(Run({"tables", "none", "--data", "somewhere"}), kMisused);
}

TEST(Output, ATableIsAsWideAsItsCharacters) {
  EXPECT_EQ(TextTable({{"name", "n"}, {"tvätt", "10"}}),
            "name   n\n"
            "-----  --\n"
            "tvätt  10\n");
}

TEST(Output, ProgressWithAndWithoutATotal) {
  EXPECT_EQ(ProgressText("loading", 5, 10), "loading  [##########..........]  5 of 10");
  EXPECT_EQ(ProgressText("loading", 20, 10), "loading  [####################]  20 of 10");
  EXPECT_EQ(ProgressText("loading", 5, 0), "loading  5 items");
  EXPECT_EQ(ProgressText("loading", 0, 0), "loading");
}

TEST(Messages, HaveNoNameOfAnException) {
  const Error cause = Error::NoAnswer("cannot connect to 127.0.0.1:1");
  EXPECT_EQ(MessageOf(EntityError{.kind = EntityErrorKind::kStore,
                                  .message = "NoAnswer: cannot connect to 127.0.0.1:1",
                                  .item = {},
                                  .cause = cause}),
            "cannot connect to 127.0.0.1:1");
}

}  // namespace program_test
}  // namespace stator::systems
