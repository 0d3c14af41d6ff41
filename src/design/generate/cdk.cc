// The AWS CDK, in TypeScript: a construct that holds the tables.
#include <fmt/format.h>

#include "generate/environments.h"
#include "generate/generate.h"
#include "generate/identifiers.h"
#include "generate/table_shape.h"
#include "generate/text.h"

namespace stator::model {
namespace {

// A table, and its names in the construct.
struct Member {
  const Table& table;
  std::string field;  // this.jobs
  std::string id;     // "Jobs"
};

std::string TypeOf(Type type) {
  if (type == Type::kN) return "dynamodb.AttributeType.NUMBER";
  if (type == Type::kB) return "dynamodb.AttributeType.BINARY";
  return "dynamodb.AttributeType.STRING";
}

std::string AttributeText(const KeyAttribute& attribute) {
  return fmt::format("{{ name: {}, type: {} }}", JsonText(attribute.name), TypeOf(attribute.type));
}

constexpr ConditionSyntax kTypeScript = {.variable = "props.environment",
                                         .equals = " === ",
                                         .differs = " !== ",
                                         .contains = "{}.includes(props.environment)",
                                         .quote = JsonText};
constexpr RecoveryNames kCdkRecovery = {
    .enabled = "pointInTimeRecoveryEnabled", .days = "recoveryPeriodInDays", .padding = " "};

// partitionKey: … or, if it has several attributes, partitionKeys: [ … ].
void WriteCdkKey(std::string_view name, const std::vector<KeyAttribute>& attributes, Lines& out) {
  if (attributes.empty()) return;
  if (attributes.size() == 1) {
    out.Add(fmt::format("{}: {},", name, AttributeText(attributes[0])));
    return;
  }
  out.Open(fmt::format("{}s: [", name));
  for (const KeyAttribute& attribute : attributes) out.Add(AttributeText(attribute) + ",");
  out.Close("],");
}

void WriteCdkIndex(const Member& member, const Index& index, Lines& out) {
  out.Open(fmt::format("this.{}.{}({{", member.field,
                       index.local ? "addLocalSecondaryIndex" : "addGlobalSecondaryIndex"));
  out.Add("indexName: " + JsonText(index.name) + ",");
  if (!index.local) WriteCdkKey("partitionKey", index.partition, out);
  WriteCdkKey("sortKey", index.sort, out);
  out.Add(
      fmt::format("projectionType: dynamodb.ProjectionType.{},", ProjectionName(index.projection)));
  if (index.projection.kind == Projection::Kind::kInclude) {
    out.Add("nonKeyAttributes: " + ListText(index.projection.attributes, JsonText) + ",");
  }
  if (const auto capacity = CapacityOf(member.table, index)) {
    out.Add(fmt::format("readCapacity: {:.0f},", capacity->read));
    out.Add(fmt::format("writeCapacity: {:.0f},", capacity->write));
  }
  out.Close("});");
}

void WriteCdkRecovery(const Choice& days, Lines& out) {
  if (!days.ever()) return;
  out.Open("pointInTimeRecoverySpecification:");
  for (const auto& [value, environments] : days.in) {
    out.Add(fmt::format("{} ? {} :", ConditionText({true, environments}, kTypeScript),
                        RecoveryText(value, kCdkRecovery)));
  }
  out.Add(RecoveryText(days.otherwise, kCdkRecovery) + ",");
  out.Leave();
}

void WriteCdkSettings(const Table& table, const GenerateOptions& options, Lines& out) {
  if (!table.ttl.empty()) out.Add("timeToLiveAttribute: " + JsonText(table.ttl) + ",");
  if (!table.stream.empty()) {
    out.Add(fmt::format("stream: dynamodb.StreamViewType.{},", table.stream));
  }
  WriteCdkRecovery(RecoveryDays(table, options), out);
  if (const Choice protection = Protection(table, options); protection.ever()) {
    out.Add("deletionProtection: " + ConditionText(SwitchOf(protection), kTypeScript) + ",");
  }
}

void WriteCdkTable(const Member& member, const GenerateOptions& options, Lines& out) {
  const Table& table = member.table;
  out.Open(
      fmt::format("this.{} = new dynamodb.Table(this, {}, {{", member.field, JsonText(member.id)));
  out.Add("tableName: " + JsonText(table.name) + ",");
  WriteCdkKey("partitionKey", {*table.partition}, out);
  if (table.sort) WriteCdkKey("sortKey", {*table.sort}, out);
  out.Add(fmt::format("billingMode: dynamodb.BillingMode.{},",
                      table.provisioned ? "PROVISIONED" : "PAY_PER_REQUEST"));
  if (table.provisioned) {
    out.Add(fmt::format("readCapacity: {:.0f},", table.provisioned->read));
    out.Add(fmt::format("writeCapacity: {:.0f},", table.provisioned->write));
  }
  if (table.infrequent_access) {
    out.Add(fmt::format("tableClass: dynamodb.TableClass.{},", TableClassName(table)));
  }
  WriteCdkSettings(table, options, out);
  out.Close("});");
  for (const Index* index : LocalIndexes(table)) WriteCdkIndex(member, *index, out);
  for (const Index* index : GlobalIndexes(table)) WriteCdkIndex(member, *index, out);
}

}  // namespace

std::string GenerateCdk(const Model& model, const GenerateOptions& options) {
  const bool asks = AsksForEnvironment(model, options);
  NameSet fields({"node", "constructor", "toString"});
  NameSet ids;
  std::vector<Member> members;
  for (const Table& table : model.tables) {
    members.push_back({table, fields.Add(CamelName(table.id)), ids.Add(PascalName(table.id))});
  }
  Lines out;
  out.Add("// Made by `stator generate cdk`: change the model, not this file.");
  out.Add("import * as dynamodb from \"aws-cdk-lib/aws-dynamodb\";");
  out.Add("import { Construct } from \"constructs\";");
  out.Blank();
  if (asks) {
    out.Open("export interface TablesProps {");
    out.Add("readonly environment: " + Joined(EnvironmentsOf(model), " | ", JsonText) + ";");
    out.Close("}");
    out.Blank();
  }
  out.Open("export class Tables extends Construct {");
  for (const Member& member : members) {
    out.Add(fmt::format("readonly {}: dynamodb.Table;", member.field));
  }
  out.Blank();
  out.Open(fmt::format("constructor(scope: Construct, id: string{}) {{",
                       asks ? ", props: TablesProps" : ""));
  out.Add("super(scope, id);");
  for (const Member& member : members) {
    out.Blank();
    WriteCdkTable(member, options, out);
  }
  out.Close("}");
  out.Close("}");
  return out.Take();
}

}  // namespace stator::model
