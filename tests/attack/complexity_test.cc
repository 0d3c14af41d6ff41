// Time grows no faster than input: every operation with 1, 4 and 16 MB in each of its repeated
// members, and every kind of evaluation with stored items of 25, 100 and 400 KB.
//
// Prints a table; only CPU time counts, so that a busy machine does not matter.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <functional>
#include <memory>
#include <set>
#include <string>

#include "stator/database.h"
#include "tests/attack/repeated_members.h"

namespace stator::attack {
namespace complexity_test {

// A sanitizer makes everything slow; what grows too fast does so with less input as well.
#ifdef STATOR_TEST_SANITIZED
constexpr std::size_t kShare = 16;
#else
constexpr std::size_t kShare = 1;
#endif

using Sizes = std::array<std::size_t, 3>;
constexpr Sizes kRequestBytes = {(1 << 20) / kShare, (4 << 20) / kShare, (16 << 20) / kShare};
constexpr Sizes kItemBytes = {25'000 / kShare, 100'000 / kShare, 400'000 / kShare};

// Sixteen times the input may take sixteen times as long, and three times that: what is large is
// slower to get from memory.
constexpr double kMostGrowth = 16 * 3;
// Times below this say nothing about growth.
constexpr double kLeastMs = 5;
// A bound for what does not grow, but is long all the same.
constexpr double kMostMs = 2'000;
constexpr double kNeverMs = 1e6;
constexpr int kTries = 4;

double CpuMs() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

using Times = std::array<double, 3>;

double GrowthOf(const Times& ms) { return ms[2] / std::max(ms[0], kLeastMs); }

bool IsFine(const Times& ms) { return GrowthOf(ms) <= kMostGrowth && ms[2] <= kMostMs; }

// Judges what `run` takes with each size.
void Judge(std::string_view operation, std::string_view what,
           const std::function<double(std::size_t size)>& run, const Sizes& sizes) {
  Times best;
  best.fill(kNeverMs);
  for (int tries = 0; tries < kTries && !IsFine(best); ++tries) {
    best[0] = std::min(best[0], run(sizes[0]));
    best[1] = std::min(best[1], run(sizes[1]));
    // Most that is far too slow is so already; the rest of it would take minutes.
    if (best[1] > kMostGrowth * std::max(best[0], kLeastMs) / 2 || best[1] > kMostMs) continue;
    best[2] = std::min(best[2], run(sizes[2]));
  }
  fmt::print("{:<26} {:<48} {:>8.1f} {:>8.1f} {:>8.1f} {:>6.1f}{}\n", operation, what, best[0],
             best[1], best[2], GrowthOf(best), IsFine(best) ? "" : "  TOO SLOW");
  EXPECT_TRUE(IsFine(best)) << operation << ", " << what << ": " << best[0] << ", " << best[1]
                            << ", " << best[2] << " ms";
}

void PrintHead(std::string_view sizes) {
  fmt::print("{:<26} {:<48} {:>26} {:>6}\n", "operation", "member", sizes, "growth");
}

void AppendNumbered(std::string& out, std::string_view element, std::size_t number) {
  const std::string digits = std::to_string(number);
  for (std::size_t at = element.find('%'); at != std::string_view::npos; at = element.find('%')) {
    out.append(element.substr(0, at)).append(digits);
    element.remove_prefix(at + 1);
  }
  out.append(element);
}

// The element as often as it takes to make the text that long.
std::string Repeated(std::string_view element, std::size_t count,
                     std::string_view separator = ",") {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    if (i != 0) text.append(separator);
    AppendNumbered(text, element, i);
  }
  return text;
}

std::string RequestOf(const RepeatedMember& row, std::size_t bytes) {
  std::string json;
  json.reserve(bytes + bytes / 8);
  json.append(row.head);
  const std::size_t share = row.second.empty() ? bytes : bytes / 3;
  std::size_t count = 0;
  for (; json.size() + row.tail.size() + 32 < share; ++count) {
    if (count != 0) json.append(row.separator);
    AppendNumbered(json, row.element, count);
  }
  json.append(row.tail);
  if (!row.second.empty()) json.append(Repeated(row.second, count)).append(row.end);
  return json;
}

std::unique_ptr<Database> OpenDatabase() {
  // Memory stays with the program once it has it: the kernel's time to give it is not judged.
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  Result<std::unique_ptr<Database>> db = Database::Open({});
  EXPECT_TRUE(db);
  EXPECT_TRUE((*db)->Execute("CreateTable", kThings));
  EXPECT_TRUE((*db)->Execute(
      "CreateTable", R"({"TableName":"Big","BillingMode":"PAY_PER_REQUEST",)"
                     R"("AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],)"
                     R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]})"));
  EXPECT_TRUE((*db)->Execute("PutItem", R"({"TableName":"Things","Item":{"pk":{"S":"a"},)"
                                        R"("sk":{"S":"b"},"l":{"S":"c"},"g":{"S":"d"}}})"));
  return *std::move(db);
}

TEST(Complexity, EveryOperationHasARow) {
  std::set<std::string_view> rows;
  for (const RepeatedMember& row : kRepeatedMembers) rows.insert(row.operation);
  const std::set<std::string_view> operations = {
#define STATOR_NAME(Name) #Name,
      STATOR_OPERATIONS(STATOR_NAME)
#undef STATOR_NAME
  };
  EXPECT_EQ(rows, operations);
}

TEST(Complexity, RequestsTakeTimeInProportionToTheirLength) {
  const std::unique_ptr<Database> db = OpenDatabase();
  PrintHead("ms for 1, 4 and 16 MB");
  for (const RepeatedMember& row : kRepeatedMembers) {
    const auto run = [&](std::size_t bytes) {
      const std::string json = RequestOf(row, bytes);
      const double start = CpuMs();
      const Result<std::string> answer = db->Execute(row.operation, json);
      const double ms = CpuMs() - start;
      EXPECT_TRUE(answer || answer.error().code() != ErrorCode::kSerialization) << row.member;
      return ms;
    };
    Judge(row.operation, row.member, run, kRequestBytes);
  }
}

struct Evaluation {
  std::string_view operation;
  std::string_view what;
  // Both as the members of a JSON object. The item has a key, and the request names it and its table.
  std::function<std::string(std::size_t bytes)> item;
  std::function<std::string(std::size_t bytes)> request;
  // What the answer is to say; nothing if the request is carried out.
  std::string_view refusal = {};
};

constexpr std::string_view kConditionFailed = "The conditional request failed";
constexpr std::size_t kMaxExpressionBytes = 4096;

// As many of the element as the text holds, but not more than `most`.
std::string Expression(std::string_view element, std::size_t first, std::string_view separator,
                       std::size_t most_bytes = kMaxExpressionBytes, std::size_t most = 10'000) {
  std::string text;
  for (std::size_t i = 0; i < most; ++i) {
    std::string next(text.empty() ? "" : separator);
    AppendNumbered(next, element, first + i);
    if (text.size() + next.size() > most_bytes) break;
    text.append(next);
  }
  return text;
}

// Each of these looks at the whole value: more of them would take longer than a write may.
constexpr std::size_t kFewTests = 40;

// An expression may have 300 operators and functions.
std::string Condition(std::string_view test, std::size_t first, std::string_view values = {},
                      std::size_t most = 150) {
  std::string json = fmt::format(R"("ConditionExpression":"{}")",
                                 Expression(test, first, " OR ", kMaxExpressionBytes, most));
  if (!values.empty()) json += fmt::format(R"(,"ExpressionAttributeValues":{{{}}})", values);
  return json;
}

// A list or a map of nothing, in about as many bytes of an item.
std::size_t ListLength(std::size_t bytes) { return bytes * 9 / 20; }
std::string NullList(std::size_t bytes) {
  return fmt::format(R"("l":{{"L":[{}]}})", Repeated(R"({"NULL":true})", ListLength(bytes)));
}
std::size_t AttributeCount(std::size_t bytes) { return bytes / 9; }
std::string NullAttributes(std::size_t bytes) {
  return Repeated(R"("a%":{"NULL":true})", AttributeCount(bytes));
}
std::string NullMap(std::size_t bytes) {
  return fmt::format(R"("m":{{"M":{{{}}}}})", NullAttributes(bytes * 9 / 10));
}
std::string Text(std::size_t bytes) {
  return fmt::format(R"("s":{{"S":"{}"}})", std::string(bytes - 100, 'a'));
}
std::string Strings(std::size_t count) { return Repeated(R"("member%")", count); }

const std::vector<Evaluation>& Evaluations() {
  static const std::vector<Evaluation> evaluations = {
      {"DeleteItem", "contains, S", Text,
       [](std::size_t bytes) {
         return Condition("contains(s,:v)", 0,
                          fmt::format(R"(":v":{{"S":"{}b"}})", std::string(bytes / 2, 'a')),
                          kFewTests);
       }},
      {"DeleteItem", "contains, B",
       [](std::size_t bytes) {
         return fmt::format(R"("s":{{"B":"{}"}})", Repeated("YWFh", bytes / 3 - 100, ""));
       },
       [](std::size_t bytes) {
         return Condition("contains(s,:v)", 0,
                          fmt::format(R"(":v":{{"B":"{}YWFi"}})", Repeated("YWFh", bytes / 6, "")),
                          kFewTests);
       }},
      {"DeleteItem", "contains, short needle", Text,
       [](std::size_t) {
         return Condition(
             "contains(s,:v)", 0,
             fmt::format(R"(":v":{{"S":"{}b{}"}})", std::string(100, 'a'), std::string(100, 'a')),
             kFewTests);
       }},
      {"DeleteItem", "contains, L", NullList,
       [](std::size_t) {
         return Condition("contains(l,:v)", 0, R"(":v":{"BOOL":true})", kFewTests);
       }},
      {"DeleteItem", "contains, SS",
       [](std::size_t bytes) { return fmt::format(R"("s":{{"SS":[{}]}})", Strings(bytes / 14)); },
       [](std::size_t) { return Condition("contains(s,:v)", 0, R"(":v":{"S":"z"})"); }},
      {"DeleteItem", "size", Text,
       [](std::size_t) { return Condition("size(s)=:v", 0, R"(":v":{"N":"1"})", 100); }},
      {"DeleteItem", "attributes", NullAttributes,
       [](std::size_t) { return Condition("attribute_exists(z%)", 100); }},
      {"DeleteItem", "attributes of a map", NullMap,
       [](std::size_t) { return Condition("attribute_exists(m.z%)", 100); }},
      {"DeleteItem", "elements of a list", NullList,
       [](std::size_t bytes) {
         return Condition("l[%]=:v", ListLength(bytes) - 500, R"(":v":{"BOOL":true})");
       }},
      {"DeleteItem", "equal sets",
       [](std::size_t bytes) { return fmt::format(R"("s":{{"SS":[{}]}})", Strings(bytes / 14)); },
       [](std::size_t bytes) {
         return Condition("s=:v", 0,
                          fmt::format(R"(":v":{{"SS":[{},"a"]}})", Strings(bytes / 14 - 1)));
       }},
      {"DeleteItem", "Expected", NullAttributes,
       [](std::size_t bytes) {
         return fmt::format(
             R"("ConditionalOperator":"OR","Expected":{{{}}})",
             Repeated(R"("z%":{"ComparisonOperator":"NOT_NULL"})", AttributeCount(bytes)));
       }},
      {"DeleteItem", "one value in many places", Text,
       [](std::size_t bytes) {
         return Condition("a IN(:v,:v,:v,:v,:v,:v,:v,:v,:v,:v,:v,:v)", 0,
                          fmt::format(R"(":v":{{"S":"{}"}})", std::string(bytes * 30, 'a')));
       }},
      {"DeleteItem", "one long name in many places", Text,
       [](std::size_t bytes) {
         return fmt::format(
             R"("ConditionExpression":"{}","ExpressionAttributeNames":{{"#a":"{}"}})",
             Expression("attribute_exists(#a.#a)", 0, " OR ", kMaxExpressionBytes, 150),
             std::string(bytes / 7, 'a'));
       }},
      {"GetItem", "attributes", NullAttributes,
       [](std::size_t bytes) {
         return fmt::format(R"("ProjectionExpression":"{}")",
                            Expression("a%.b,a%.c", AttributeCount(bytes) - 500, ","));
       }},
      {"GetItem", "attributes of a map", NullMap,
       [](std::size_t) {
         return fmt::format(R"("ProjectionExpression":"{}")", Expression("m.a%", 100, ","));
       }},
      {"GetItem", "elements of a list", NullList,
       [](std::size_t bytes) {
         return fmt::format(R"("ProjectionExpression":"{}")",
                            Expression("l[%]", ListLength(bytes) - 500, ","));
       }},
      {"GetItem", "overlapping paths with a long name", Text,
       [](std::size_t bytes) {
         return fmt::format(
             R"("ProjectionExpression":"{},#a.b100","ExpressionAttributeNames":{{"#a":"{}"}})",
             Expression("#a.b%", 100, ",", 4000), std::string(bytes / 7, 'a'));
       },
       "Invalid ProjectionExpression: Two document paths overlap"},
      {"UpdateItem", "attributes", NullAttributes,
       [](std::size_t) {
         return fmt::format(
             R"("UpdateExpression":"SET {}","ExpressionAttributeValues":{{":v":{{"N":"1"}}}},)"
             R"("ReturnValues":"UPDATED_NEW")",
             Expression("a%=:v", 100, ",", 4000));
       }},
      {"UpdateItem", "elements of a list", NullList,
       [](std::size_t bytes) {
         return fmt::format(
             R"("UpdateExpression":"SET {}","ExpressionAttributeValues":{{":v":{{"NULL":true}}}},)"
             R"("ReturnValues":"UPDATED_NEW")",
             Expression("l[%]=:v", ListLength(bytes) - 500, ",", 4000));
       }},
      {"UpdateItem", "operands", NullAttributes,
       [](std::size_t bytes) {
         return fmt::format(R"("UpdateExpression":"SET {}")",
                            Expression("b%=a%", AttributeCount(bytes) - 500, ",", 4000));
       }},
      {"UpdateItem", "list_append", [](std::size_t bytes) { return NullList(bytes / 2); },
       [](std::size_t bytes) {
         return fmt::format(
             R"x("UpdateExpression":"SET l=list_append(l,:l)","ExpressionAttributeValues":{{":{}}})x",
             NullList(bytes / 3).substr(1));
       }},
      {"UpdateItem", "ADD to a set",
       [](std::size_t bytes) { return fmt::format(R"("s":{{"SS":[{}]}})", Strings(bytes / 14)); },
       [](std::size_t bytes) {
         return fmt::format(R"("UpdateExpression":"ADD s :v","ExpressionAttributeValues":{{":v":)"
                            R"({{"SS":[{},"a"]}}}})",
                            Strings(bytes / 28));
       }},
      {"UpdateItem", "DELETE from a set",
       [](std::size_t bytes) { return fmt::format(R"("s":{{"SS":[{}]}})", Strings(bytes / 14)); },
       [](std::size_t bytes) {
         return fmt::format(
             R"("UpdateExpression":"DELETE s :v","ExpressionAttributeValues":{{":v":)"
             R"({{"SS":[{},"a"]}}}})",
             Strings(bytes / 28));
       }},
      {"UpdateItem", "AttributeUpdates", NullAttributes,
       [](std::size_t bytes) {
         return fmt::format(R"("AttributeUpdates":{{{}}},"ReturnValues":"UPDATED_NEW")",
                            Repeated(R"("a%":{"Value":{"NULL":true}})", AttributeCount(bytes)));
       }},
      {"UpdateItem", "one value in many places", Text,
       [](std::size_t bytes) {
         return fmt::format(R"("UpdateExpression":"SET {}","ExpressionAttributeValues":{{":{}}})",
                            Expression("a%=:l", 100, ",", 4000), NullList(bytes).substr(1));
       },
       "Item size to update has exceeded the maximum allowed size"},
      {"Scan", "ScanFilter", NullAttributes,
       [](std::size_t bytes) {
         return fmt::format(
             R"("ScanFilter":{{{}}})",
             Repeated(R"("z%":{"ComparisonOperator":"NULL"})", AttributeCount(bytes)));
       }},
      {"Scan", "FilterExpression", NullAttributes,
       [](std::size_t) {
         return fmt::format(
             R"("FilterExpression":"{}")",
             Expression("attribute_exists(z%)", 100, " OR ", kMaxExpressionBytes, 150));
       }},
      {"ExecuteStatement", "columns", NullMap,
       [](std::size_t) {
         return fmt::format(R"("Statement":"SELECT {} FROM Big WHERE pk='e'")",
                            Expression("m.a%", 100, ",", 8100));
       }},
      {"ExecuteStatement", "WHERE", NullAttributes,
       [](std::size_t) {
         return fmt::format(R"x("Statement":"SELECT * FROM Big WHERE pk='e' AND ({})")x",
                            Expression("z%=1", 100, " OR ", 8100));
       }},
      {"ExecuteStatement", "UPDATE", NullAttributes,
       [](std::size_t) {
         return fmt::format(R"("Statement":"UPDATE Big {} WHERE pk='e'")",
                            Expression("SET a%=1", 100, " ", 8100));
       }},
  };
  return evaluations;
}

std::string Wrapped(const Evaluation& evaluation, std::size_t bytes) {
  const std::string members = evaluation.request(bytes);
  if (evaluation.operation == "ExecuteStatement") return fmt::format("{{{}}}", members);
  if (evaluation.operation == "Scan") return fmt::format(R"({{"TableName":"Big",{}}})", members);
  return fmt::format(R"({{"TableName":"Big","Key":{{"pk":{{"S":"e"}}}},{}}})", members);
}

TEST(Complexity, EvaluationsTakeTimeInProportionToTheItem) {
  const std::unique_ptr<Database> db = OpenDatabase();
  PrintHead("ms for 25, 100, 400 KB");
  for (const Evaluation& evaluation : Evaluations()) {
    const auto run = [&](std::size_t bytes) {
      const Result<std::string> put = db->Execute(
          "PutItem", fmt::format(R"({{"TableName":"Big","Item":{{"pk":{{"S":"e"}},{}}}}})",
                                 evaluation.item(bytes)));
      if (!put) ADD_FAILURE() << evaluation.what << ": " << put.error().message();
      const std::string json = Wrapped(evaluation, bytes);
      const double start = CpuMs();
      const Result<std::string> answer = db->Execute(evaluation.operation, json);
      const double ms = CpuMs() - start;
      const std::string said = answer ? "" : answer.error().message();
      const std::string_view wanted =
          evaluation.operation == "DeleteItem" ? kConditionFailed : evaluation.refusal;
      EXPECT_NE(said.find(wanted), std::string::npos) << evaluation.what << ": " << said;
      EXPECT_EQ(said.empty(), wanted.empty()) << evaluation.what << ": " << said.substr(0, 1000);
      return ms;
    };
    Judge(evaluation.operation, evaluation.what, run, kItemBytes);
  }
}

}  // namespace complexity_test
}  // namespace stator::attack
