// A SELECT gives what the Query or Scan gives that asks for the same.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>
#include <vector>

#include "api/testing/api_test.h"

namespace stator {
namespace statement_property_test {

// One condition in both languages, with its values.
struct InBoth {
  std::string statement;
  std::string expression;
};

// What is read, in both languages.
struct Question {
  bool by_key = false;
  bool in_index = false;
  bool forward = true;
  bool ordered = false;
  bool consistent = false;
  InBoth key;
  InBoth filter;
  StatementParameters parameters;
  ValueMap values;

  // The next value: a parameter here, a placeholder there.
  InBoth Value(AttributeValue value) {
    parameters.push_back(value);
    values.emplace_back(fmt::format(":v{}", values.size()), std::move(value));
    return {.statement = "?", .expression = values.back().first};
  }
};

int Below(int bound) { return *rc::gen::inRange(0, bound); }

InBoth Compare(Question& question, const std::string& path, const AttributeValue& value) {
  const char* op = *rc::gen::element("=", "<", "<=", ">", ">=");
  const InBoth right = question.Value(value);
  return {.statement = fmt::format("{} {} {}", path, op, right.statement),
          .expression = fmt::format("{} {} {}", path, op, right.expression)};
}

InBoth Filter(Question& question, int depth) {
  const int kind = Below(depth > 0 ? 7 : 4);
  if (kind == 0) return Compare(question, "c", Below(4));
  if (kind == 1) return Compare(question, "d.e", fmt::format("s{}", Below(3)));
  if (kind == 2) return {.statement = "d IS MISSING", .expression = "attribute_not_exists(d)"};
  if (kind == 3) {
    const InBoth a = question.Value(Below(4));
    const InBoth b = question.Value(fmt::format("s{}", Below(3)));
    return {.statement = fmt::format("c IN [{}, {}]", a.statement, b.statement),
            .expression = fmt::format("c IN ({}, {})", a.expression, b.expression)};
  }
  const InBoth a = Filter(question, depth - 1);
  if (kind == 4) {
    return {.statement = fmt::format("(NOT {})", a.statement),
            .expression = fmt::format("(NOT {})", a.expression)};
  }
  const InBoth b = Filter(question, depth - 1);
  const char* joined = kind == 5 ? "AND" : "OR";
  return {.statement = fmt::format("({} {} {})", a.statement, joined, b.statement),
          .expression = fmt::format("({} {} {})", a.expression, joined, b.expression)};
}

InBoth Key(Question& question) {
  const InBoth partition = question.in_index ? question.Value(fmt::format("g{}", Below(2)))
                                             : question.Value(fmt::format("p{}", Below(3)));
  const char* hash = question.in_index ? "g" : "pk";
  const char* range = question.in_index ? "n" : "sk";
  InBoth key{.statement = fmt::format("{} = {}", hash, partition.statement),
             .expression = fmt::format("{} = {}", hash, partition.expression)};
  if (Below(3) == 0) return key;
  InBoth sort = Compare(question, range, Below(6));
  if (Below(3) == 0) {
    question.parameters.pop_back();
    question.values.pop_back();
    const int lower = Below(6);
    const InBoth from = question.Value(lower);
    const InBoth to = question.Value(lower + Below(3));
    sort.statement = fmt::format("{} BETWEEN {} AND {}", range, from.statement, to.statement);
    sort.expression = fmt::format("{} BETWEEN {} AND {}", range, from.expression, to.expression);
  }
  key.statement += " AND " + sort.statement;
  key.expression += " AND " + sort.expression;
  return key;
}

Question Ask() {
  Question question;
  question.by_key = Below(3) != 0;
  question.in_index = Below(2) == 0;
  question.ordered = question.by_key && Below(2) == 0;
  question.forward = !question.ordered || Below(2) == 0;
  question.consistent = !question.in_index && Below(2) == 0;
  if (question.by_key) question.key = Key(question);
  if (Below(2) == 0) question.filter = Filter(question, 2);
  return question;
}

std::string StatementOf(const Question& question) {
  std::string text = question.in_index ? "SELECT * FROM Tab.idx" : "SELECT * FROM Tab";
  const std::string& key = question.key.statement;
  const std::string& filter = question.filter.statement;
  if (!key.empty() || !filter.empty()) text += " WHERE ";
  text += key + (!key.empty() && !filter.empty() ? " AND " : "") + filter;
  if (question.ordered) {
    text += fmt::format(" ORDER BY {} {}", question.in_index ? "n" : "sk",
                        question.forward ? "ASC" : "DESC");
  }
  return text;
}

class StatementPropertyTest : public ApiTest {
 protected:
  StatementPropertyTest() {
    EXPECT_TRUE(Call(kCreateTable, R"({"TableName":"Tab","BillingMode":"PAY_PER_REQUEST",
      "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},
        {"AttributeName":"sk","AttributeType":"N"},{"AttributeName":"g","AttributeType":"S"},
        {"AttributeName":"n","AttributeType":"N"}],
      "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
      "GlobalSecondaryIndexes":[{"IndexName":"idx","Projection":{"ProjectionType":"ALL"},
        "KeySchema":[{"AttributeName":"g","KeyType":"HASH"},
                     {"AttributeName":"n","KeyType":"RANGE"}]}]})"));
    engine_->background().WaitUntilIdle();
  }

  void PutSome() {
    for (int i = 0; i < 30; ++i) {
      Item item{{"pk", fmt::format("p{}", Below(3))}, {"sk", Below(6)}};
      if (Below(3) != 0) item.Set("g", fmt::format("g{}", Below(2)));
      if (Below(3) != 0) item.Set("n", Below(6));
      if (Below(3) != 0) item.Set("c", Below(4));
      if (Below(3) != 0) {
        item.Set("d", AttributeValue::Map({{"e", fmt::format("s{}", Below(3))}}));
      }
      RC_ASSERT(kPutItem.call(*engine_, Wording::kClassic, {.table_name = "Tab", .item = item})
                    .has_value());
    }
  }

  // The page behind `after` that a Query or Scan gives.
  Result<PageResponse> Read(const Question& question, std::int64_t limit,
                            const std::optional<Item>& after) {
    const auto fill = [&](auto& request) {
      request.table_name = "Tab";
      if (question.in_index) request.index_name = "idx";
      request.limit = limit;
      request.consistent_read = question.consistent;
      request.exclusive_start_key = after;
      request.return_consumed_capacity = ReturnConsumedCapacity::kIndexes;
      if (!question.filter.expression.empty()) {
        request.filter_expression = question.filter.expression;
      }
      if (!question.values.empty()) request.expression_attribute_values = question.values;
    };
    if (!question.by_key) {
      ScanRequest request;
      fill(request);
      return kScan.call(*engine_, Wording::kClassic, std::move(request));
    }
    QueryRequest request;
    fill(request);
    request.key_condition_expression = question.key.expression;
    request.scan_index_forward = question.forward;
    return kQuery.call(*engine_, Wording::kClassic, std::move(request));
  }

  // Compares page by page.
  void CheckPages(const Question& question) {
    const std::int64_t limit = 1 + Below(20);
    ExecuteStatementRequest request{.statement = StatementOf(question)};
    if (!question.parameters.empty()) request.parameters = question.parameters;
    request.consistent_read = question.consistent;
    request.return_consumed_capacity = ReturnConsumedCapacity::kIndexes;
    request.limit = limit;
    std::optional<Item> after;
    do {
      const Result<PageResponse> page = Read(question, limit, after);
      RC_ASSERT(page.has_value());
      const Result<ExecuteStatementResponse> selected =
          kExecuteStatement.call(*engine_, Wording::kClassic, ExecuteStatementRequest(request));
      RC_ASSERT(selected.has_value());
      RC_ASSERT(selected->items.size() == page->items->size());
      for (std::size_t i = 0; i < page->items->size(); ++i) {
        RC_ASSERT(selected->items[i] == (*page->items)[i]);
      }
      RC_ASSERT(selected->last_evaluated_key == page->last_evaluated_key);
      RC_ASSERT(selected->next_token.has_value() == page->last_evaluated_key.has_value());
      RC_ASSERT(selected->consumed_capacity->capacity_units ==
                page->consumed_capacity->capacity_units);
      RC_ASSERT(selected->consumed_capacity->table_units == page->consumed_capacity->table_units);
      after = page->last_evaluated_key;
      request.next_token = selected->next_token;
    } while (after);
  }
};

TEST_F(StatementPropertyTest, PagesAreThoseOfTheQueryOrScan) {
  EXPECT_TRUE(rc::check([this] {
    PutSome();
    for (int i = 0; i < 10; ++i) {
      const Question question = Ask();
      RC_LOG() << StatementOf(question) << '\n';
      CheckPages(question);
    }
  }));
}

// Several partitions are read one behind the other, whatever the size of a page.
TEST_F(StatementPropertyTest, SeveralPartitionsAreTheirQueriesInARow) {
  EXPECT_TRUE(rc::check([this] {
    PutSome();
    const int first = Below(3);
    const int second = (first + 1 + Below(2)) % 3;
    std::vector<std::string> expected;
    for (const int partition : {first, second}) {
      const Result<PageResponse> page = kQuery.call(
          *engine_, Wording::kClassic,
          {.table_name = "Tab",
           .key_condition_expression = "pk = :p",
           .expression_attribute_values = ValueMap{{":p", fmt::format("p{}", partition)}}});
      RC_ASSERT(page.has_value());
      for (std::size_t i = 0; i < page->items->size(); ++i) {
        expected.emplace_back((*page->items)[i].encoded());
      }
    }
    ExecuteStatementRequest request{
        .statement = fmt::format("SELECT * FROM Tab WHERE pk IN ['p{}', 'p{}']", first, second)};
    request.limit = 1 + Below(6);
    std::vector<std::string> found;
    do {
      const Result<ExecuteStatementResponse> page =
          kExecuteStatement.call(*engine_, Wording::kClassic, ExecuteStatementRequest(request));
      RC_ASSERT(page.has_value());
      for (std::size_t i = 0; i < page->items.size(); ++i) {
        found.emplace_back(page->items[i].encoded());
      }
      request.next_token = page->next_token;
    } while (request.next_token);
    RC_ASSERT(found == expected);
  }));
}

TEST_F(StatementPropertyTest, OnlyReadsWithoutAKeyCountAsScans) {
  const auto scans_of = [this](const char* statement) {
    const std::uint64_t before = engine_->statement_scans();
    EXPECT_TRUE(kExecuteStatement.call(*engine_, Wording::kClassic, {.statement = statement}))
        << statement;
    return engine_->statement_scans() - before;
  };
  EXPECT_EQ(scans_of("SELECT * FROM Tab"), 1);
  EXPECT_EQ(scans_of("SELECT * FROM Tab.idx WHERE pk = 'a'"), 1);
  EXPECT_EQ(scans_of("SELECT * FROM Tab WHERE sk = 1"), 1);
  EXPECT_EQ(scans_of("SELECT * FROM Tab WHERE pk = 'a'"), 0);
  EXPECT_EQ(scans_of("SELECT * FROM Tab WHERE pk IN ['a', 'b'] AND c > 1"), 0);
  EXPECT_EQ(scans_of("INSERT INTO Tab VALUE {'pk': 'a', 'sk': 1}"), 0);
}

}  // namespace statement_property_test
}  // namespace stator
