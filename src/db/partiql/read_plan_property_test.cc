// The reads of a plan return exactly the rows for which the WHERE clause holds.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "partiql/key_names.h"
#include "partiql/read_plan.h"

namespace stator::partiql {
namespace read_plan_property_test {

const KeyNames kKeys{.partition = {.name = "pk", .type = Type::kS},
                     .sort = KeyName{.name = "sk", .type = Type::kN}};

class Writer {
 public:
  explicit Writer(std::uint32_t seed) : random_(seed) {}

  std::string Condition(int depth) {
    if (depth == 0 || Below(4) == 0) return Test();
    switch (Below(5)) {
      case 0:
        return "NOT (" + Condition(depth - 1) + ")";
      case 1:
      case 2:
        return "(" + Condition(depth - 1) + " OR " + Condition(depth - 1) + ")";
      default:
        return Condition(depth - 1) + " AND " + Condition(depth - 1);
    }
  }

 private:
  std::size_t Below(std::size_t end) { return random_() % end; }
  std::string Partition() { return fmt::format("'{}'", static_cast<char>('a' + Below(3))); }

  std::string Test() {
    switch (Below(9)) {
      case 0:
      case 1:
      case 2:
        return "pk = " + Partition();
      case 3:
        return fmt::format("pk IN [{}, {}]", Partition(), Partition());
      case 4:
        return fmt::format("sk {} {}", kComparators[Below(6)], Below(4));
      case 5:
        return fmt::format("sk IN ({}, {})", Below(4), Below(4));
      case 6:
        return fmt::format("sk BETWEEN {} AND {}", Below(2), 1 + Below(3));
      case 7:
        return fmt::format("x {} {}", kComparators[Below(6)], Below(3));
      default:
        return "x IS MISSING";
    }
  }

  static constexpr const char* kComparators[] = {"=", "<>", "<", "<=", ">", ">="};
  std::mt19937 random_;
};

std::vector<Item> Rows() {
  std::vector<Item> rows;
  for (const char* partition : {"a", "b", "c"}) {
    for (int sort = 0; sort < 4; ++sort) {
      Item row{{"pk", partition}, {"sk", sort}};
      if ((sort + partition[0]) % 4 != 0) row.Set("x", (sort + partition[0]) % 3);
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

bool Reads(const KeyedRead& read, const Item& row) {
  if (!(*row.Find("pk") == read.partition.value.view())) return false;
  const std::string sort = OrderedBytes(*row.Find("sk"));
  const SortRange point{.lower = SortRange::Bound{sort}, .upper = SortRange::Bound{sort}};
  return Overlap(point, RangeOf(read.sort)) && (!read.filter || read.filter->Evaluate(row.view()));
}

void CheckPlan(const std::string& where) {
  const std::string text = "SELECT * FROM t WHERE " + where;
  RC_LOG() << text;
  const Result<Statement> statement = ParseStatement(text, {});
  RC_ASSERT(statement.has_value());
  const auto& select = std::get<SelectStatement>(*statement);
  const Result<ReadPlan> plan = PlanRead(select, kKeys);
  if (!plan) return;
  const Condition whole = Condition::FromNode(*select.where);
  for (const Item& row : Rows()) {
    auto found =
        std::ranges::count_if(plan->reads, [&](const KeyedRead& read) { return Reads(read, row); });
    if (plan->access == ReadPlan::Access::kScan) found = plan->filter->Evaluate(row.view());
    RC_ASSERT(found == (whole.Evaluate(row.view()) ? 1 : 0));
  }
}

TEST(PartiqlReadPlanProperty, ReadsAreTheWhereClause) {
  EXPECT_TRUE(rc::check([](std::uint32_t seed) {
    Writer writer(seed);
    for (int i = 0; i < 20; ++i) {
      const std::string condition = writer.Condition(3);
      CheckPlan(condition);
      CheckPlan("pk = 'a' AND (" + condition + ")");
      CheckPlan("pk = 'b' AND sk <> 1 OR pk = 'a' AND " + condition);
    }
  }));
}

}  // namespace read_plan_property_test
}  // namespace stator::partiql
