#include "generate/generate.h"

#include <gtest/gtest.h>

#include "model/parse/parse.h"

namespace stator::model {
namespace generate_test {

Model ParseOrDie(std::string_view yaml) {
  auto model = ParseModel(yaml, "shop.yaml");
  if (!model) {
    for (const Problem& problem : model.error()) ADD_FAILURE() << ProblemText("shop.yaml", problem);
    return {};
  }
  return *std::move(model);
}

constexpr std::string_view kShop = R"(
model: 1
assume: {region: eu-north-1}
tables:
  app:
    name: AppTable
    key: PK str, SK str
    pitr: {prod: 35d}
    indexes:
      GSI1: {pk: GSI1PK str, sk: GSI1SK str, project: keys}
      GSI2: {pk: GSI2PK str, sk: GSI2SK str, project: [Amount]}
entities:
  Customer:
    table: app
    keys: {PK: "CUSTOMER#{username}", SK: "CUSTOMER#{username}"}
    volume: {total: 100}
    attrs: {username: str 10 no=#}
  Order:
    table: app
    keys: {PK: "CUSTOMER#{username}", SK: "ORDER#{orderId}", GSI1PK: "ORDER#{orderId}",
           GSI1SK: "ORDER#{orderId}", GSI2PK: "STATUS#{status}", GSI2SK: "{createdAt}"}
    volume: {total: 1000, per: {username: 10/100}}
    attrs: {username: str 10 no=#, orderId: str uuid, status: str enum=OPEN|SHIPPED, createdAt: str iso_s,
            Amount: num}
patterns:
  customer: {get: Customer, rate: 10/day}
  place: {write: Order.create, rate: 10/day}
  by_id: {query: app.GSI1, of: Order, where: Order.orderId = $id, then_get: Order, unique: true, rate: 10/day}
  by_status: {query: app.GSI2, of: Order, where: Order.status = $status, order: desc, needs: [Amount], page: 20, rate: 1/day}
)";

std::string Policy(std::string_view yaml, const GenerateOptions& options = {}) {
  const Model model = ParseOrDie(yaml);
  return *Generate("iam", model, options);
}

TEST(Generate, ATableWithoutAKeyIsAnObstacleForEveryTarget) {
  const Model model = ParseOrDie("model: 1\ntables: {t: {name: T}}\n");
  for (const std::string& target : GenerateTargets()) {
    const auto text = Generate(target, model, {});
    ASSERT_FALSE(text) << target;
    EXPECT_NE(text.error().find("`t` has no key"), std::string::npos) << text.error();
  }
}

TEST(Generate, AnUnknownEnvironmentOrSubjectIsAnObstacle) {
  const Model model = ParseOrDie(kShop);
  EXPECT_FALSE(Generate("terraform", model, {.environment = "nowhere"}));
  EXPECT_TRUE(Generate("terraform", model, {.environment = "prod"}));
  EXPECT_FALSE(Generate("iam", model, {.subject = "nobody"}));
}

TEST(Generate, TheSameModelGivesTheSameText) {
  for (const std::string& target : GenerateTargets()) {
    EXPECT_EQ(Generate(target, ParseOrDie(kShop), {}), Generate(target, ParseOrDie(kShop), {}));
  }
}

// The lines of one function, from its head to the brace or blank line that ends it.
std::string FunctionText(const std::string& code, const std::string& head) {
  const std::size_t from = code.find(head);
  if (from == std::string::npos) return "no " + head;
  return code.substr(from, code.find("\n}", from) - from);
}

TEST(GenerateCode, APatternIsAFunctionWithPlainRequests) {
  const std::string code = *Generate("typescript", ParseOrDie(kShop), {});
  const std::string by_status = FunctionText(code, "export async function byStatus");
  EXPECT_NE(by_status.find("(db: Connection, status: OrderStatus, options: PageOptions = {}): "
                           "Promise<Page<OrderInGsi2>>"),
            std::string::npos)
      << by_status;
  EXPECT_NE(by_status.find(R"(KeyConditionExpression: "#n0 = :v0")"), std::string::npos);
  EXPECT_NE(by_status.find(R"({ S: "STATUS#" + keyPart(orderEntity, "status", status) })"),
            std::string::npos);
  EXPECT_NE(by_status.find("ScanIndexForward: false"), std::string::npos);
}

TEST(GenerateCode, PythonHasTheSameRequests) {
  const std::string code = *Generate("python", ParseOrDie(kShop), {});
  EXPECT_NE(code.find("def by_id(db: Connection, id: str) -> Order | None:"), std::string::npos);
  EXPECT_NE(code.find(R"({"S": "ORDER#" + key_part(order_entity, "orderId", id)})"),
            std::string::npos);
  EXPECT_NE(code.find("def place_write(item: Order) -> Write[Order]:"), std::string::npos);
}

TEST(GenerateCode, ElectroDbHasTheKeysOfTheModel) {
  const std::string code = *Generate("typescript", ParseOrDie(kShop), {.style = "electrodb"});
  EXPECT_NE(code.find(R"(sk: { field: "SK", composite: ["orderId"], template: "ORDER#${orderId}", )"
                      R"(casing: "none", cast: "string" })"),
            std::string::npos)
      << FunctionText(code, "export function makeOrder");
}

TEST(IamPolicy, AllowsEachEntityItsOperationsOnTheTableAndItsIndexes) {
  const std::string policy = Policy(kShop, {.account = "123456789012", .subject = "Order"});
  EXPECT_EQ(policy, R"({
  "Version": "2012-10-17",
  "Statement": [
    {
      "Sid": "OrderApp",
      "Effect": "Allow",
      "Action": ["dynamodb:GetItem", "dynamodb:PutItem"],
      "Resource": ["arn:aws:dynamodb:eu-north-1:123456789012:table/AppTable"]
    },
    {
      "Sid": "OrderAppIndexes",
      "Effect": "Allow",
      "Action": ["dynamodb:Query"],
      "Resource": [
        "arn:aws:dynamodb:eu-north-1:123456789012:table/AppTable/index/GSI1",
        "arn:aws:dynamodb:eu-north-1:123456789012:table/AppTable/index/GSI2"
      ]
    }
  ]
}
)");
}

TEST(IamPolicy, AGrantIsForThePatternsThatItNames) {
  const std::string policy = Policy(
      std::string(kShop) +
      "grants: {reader: {table: app, actions: [Query], indexes: [GSI2], patterns: [by_status]}}\n");
  EXPECT_NE(policy.find("ReaderApp"), std::string::npos);
  EXPECT_NE(policy.find("index/GSI2"), std::string::npos);
  for (const std::string_view unwanted : {"PutItem", "GetItem", "GSI1", "OrderApp"}) {
    EXPECT_EQ(policy.find(unwanted), std::string::npos) << unwanted;
  }
}

TEST(IamPolicy, AWriteThatChangesAUniqueValueMayUpdateTheItemAndReplaceItsSentinel) {
  const auto policy = [](const std::string& write) {
    return Policy(
        "model: 1\ntables: {t: {key: id str}}\nentities:\n  User: {table: t, unique: [mail], "
        "volume: {total: 1}, attrs: {id: str uuid, mail: str 20}}\npatterns:\n  p: {write: "
        "User." +
        write + "}\n");
  };
  const std::string update = policy("update, sets: mail, guard: exists");
  EXPECT_NE(update.find(R"(["dynamodb:DeleteItem", "dynamodb:PutItem", "dynamodb:UpdateItem"])"),
            std::string::npos)
      << update;
  EXPECT_NE(policy("create").find(R"("Action": ["dynamodb:PutItem"])"), std::string::npos);
}

TEST(CppHeader, NamesThatCppKeepsForItselfAreAvoided) {
  const Model model = ParseOrDie(R"(
model: 1
tables: {t: {key: id str}}
entities:
  Thing: {table: t, volume: {total: 1}, attrs: {id: str 4, class: str 4, Class: str 4, "2": num int}}
)");
  const std::string header = GenerateCppHeader(model, {});
  EXPECT_NE(header.find("std::string class_;"), std::string::npos) << header;
  EXPECT_NE(header.find("std::string class_2;"), std::string::npos) << header;
  EXPECT_NE(header.find("std::int64_t n2 = 0;"), std::string::npos) << header;
  EXPECT_NE(header.find("namespace shop {"), std::string::npos) << header;
}

}  // namespace generate_test
}  // namespace stator::model
