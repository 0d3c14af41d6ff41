// The AWS CDK, in TypeScript: a construct that holds the tables.
#include <fmt/format.h>

#include "generate/environments.h"
#include "generate/generate.h"
#include "generate/identifiers.h"
#include "generate/lines.h"
#include "generate/quote.h"
#include "generate/table_shape.h"

namespace stator::model {
namespace {

// A table, and how the construct calls it.
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

std::string Condition(const Switch& setting) {
  if (setting.constant()) return setting.on ? "false" : "true";
  if (setting.environments.size() == 1) {
    return fmt::format("props.environment {} {}",
                       setting.on ? "===" : "!==", JsonText(setting.environments[0]));
  }
  return fmt::format("{}{}.includes(props.environment)", setting.on ? "" : "!",
                     ListText(setting.environments, JsonText));
}

// partitionKey: … or, of several attributes, partitionKeys: [ … ].
void WriteKey(std::string_view name, const std::vector<KeyAttribute>& attributes, Lines& out) {
  if (attributes.empty()) return;
  if (attributes.size() == 1) {
    out.Add(fmt::format("{}: {},", name, AttributeText(attributes[0])));
    return;
  }
  out.Open(fmt::format("{}s: [", name));
  for (const KeyAttribute& attribute : attributes) out.Add(AttributeText(attribute) + ",");
  out.Close("],");
}

void WriteIndex(const Member& member, const Index& index, Lines& out) {
  out.Open(fmt::format("this.{}.{}({{", member.field,
                       index.local ? "addLocalSecondaryIndex" : "addGlobalSecondaryIndex"));
  out.Add("indexName: " + JsonText(index.name) + ",");
  if (!index.local) WriteKey("partitionKey", index.partition, out);
  WriteKey("sortKey", index.sort, out);
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

std::string RecoveryValue(int days) {
  if (days == 0) return "{ pointInTimeRecoveryEnabled: false }";
  if (days == kDefaultRecoveryDays) return "{ pointInTimeRecoveryEnabled: true }";
  return fmt::format("{{ pointInTimeRecoveryEnabled: true, recoveryPeriodInDays: {} }}", days);
}

void WriteRecovery(const Choice& days, Lines& out) {
  if (!days.ever()) return;
  out.Open("pointInTimeRecoverySpecification:");
  for (const auto& [value, environments] : days.in) {
    out.Add(fmt::format("{} ? {} :", Condition({true, environments}), RecoveryValue(value)));
  }
  out.Add(RecoveryValue(days.otherwise) + ",");
  out.Leave();
}

void WriteSettings(const Table& table, const GenerateOptions& options, Lines& out) {
  if (!table.ttl.empty()) out.Add("timeToLiveAttribute: " + JsonText(table.ttl) + ",");
  if (!table.stream.empty()) {
    out.Add(fmt::format("stream: dynamodb.StreamViewType.{},", table.stream));
  }
  WriteRecovery(RecoveryDays(table, options), out);
  if (const Choice protection = Protection(table, options); protection.ever()) {
    out.Add("deletionProtection: " + Condition(SwitchOf(protection)) + ",");
  }
}

void WriteTable(const Member& member, const GenerateOptions& options, Lines& out) {
  const Table& table = member.table;
  out.Open(
      fmt::format("this.{} = new dynamodb.Table(this, {}, {{", member.field, JsonText(member.id)));
  out.Add("tableName: " + JsonText(table.name) + ",");
  WriteKey("partitionKey", {*table.partition}, out);
  if (table.sort) WriteKey("sortKey", {*table.sort}, out);
  out.Add(fmt::format("billingMode: dynamodb.BillingMode.{},",
                      table.provisioned ? "PROVISIONED" : "PAY_PER_REQUEST"));
  if (table.provisioned) {
    out.Add(fmt::format("readCapacity: {:.0f},", table.provisioned->read));
    out.Add(fmt::format("writeCapacity: {:.0f},", table.provisioned->write));
  }
  if (table.infrequent_access) {
    out.Add(fmt::format("tableClass: dynamodb.TableClass.{},", TableClassName(table)));
  }
  WriteSettings(table, options, out);
  out.Close("});");
  for (const Index* index : LocalIndexes(table)) WriteIndex(member, *index, out);
  for (const Index* index : GlobalIndexes(table)) WriteIndex(member, *index, out);
}

std::string EnvironmentType(const Model& model) {
  std::string out;
  for (const std::string& name : EnvironmentsOf(model)) {
    out += (out.empty() ? "" : " | ") + JsonText(name);
  }
  return out;
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
    out.Add("readonly environment: " + EnvironmentType(model) + ";");
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
    WriteTable(member, options, out);
  }
  out.Close("}");
  out.Close("}");
  return out.Take();
}

}  // namespace stator::model
