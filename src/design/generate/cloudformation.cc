// CloudFormation, in YAML: one AWS::DynamoDB::Table per table.
#include <fmt/format.h>

#include "generate/environments.h"
#include "generate/generate.h"
#include "generate/identifiers.h"
#include "generate/table_shape.h"
#include "generate/text.h"

namespace stator::model {
namespace {

// A table and the name that the template gives it.
struct Resource {
  const Table& table;
  std::string name;
};

std::string EnvironmentIs(const std::vector<std::string>& environments) {
  std::string out;
  for (const std::string& name : environments) {
    out += fmt::format("{}!Equals [!Ref Environment, {}]", out.empty() ? "" : ", ", YamlText(name));
  }
  return environments.size() == 1 ? out : "!Or [" + out + "]";
}

std::string RecoveryCondition(const Resource& resource, int days) {
  return days == 0 ? resource.name + "HasNoRecovery"
                   : fmt::format("{}Recovers{}Days", resource.name, days);
}

std::string ProtectionCondition(const Resource& resource) { return resource.name + "IsProtected"; }

void WriteParameters(const Model& model, Lines& out) {
  out.Open("Parameters:");
  out.Open("Environment:");
  out.Add("Type: String");
  out.Add("AllowedValues: " + ListText(EnvironmentsOf(model), YamlText));
  out.Leave();
  out.Leave();
  out.Blank();
}

void WriteConditions(const std::vector<Resource>& resources, const GenerateOptions& options,
                     Lines& out) {
  out.Open("Conditions:");
  for (const Resource& resource : resources) {
    for (const auto& [days, environments] : RecoveryDays(resource.table, options).in) {
      out.Add(RecoveryCondition(resource, days) + ": " + EnvironmentIs(environments));
    }
    const Choice protection = Protection(resource.table, options);
    if (protection.constant()) continue;
    const Switch setting = SwitchOf(protection);
    const std::string named = EnvironmentIs(setting.environments);
    out.Add(ProtectionCondition(resource) + ": " +
            (setting.on ? named : fmt::format("!Not [{}]", named)));
  }
  out.Leave();
  out.Blank();
}

void WriteCloudFormationKeySchema(const std::vector<KeyElement>& schema, Lines& out) {
  out.Open("KeySchema:");
  for (const KeyElement& element : schema) {
    out.Add(fmt::format("- {{AttributeName: {}, KeyType: {}}}", YamlText(element.attribute.name),
                        element.KeyType()));
  }
  out.Leave();
}

std::string ThroughputText(const Capacity& capacity) {
  return fmt::format(
      "ProvisionedThroughput: {{ReadCapacityUnits: {:.0f}, WriteCapacityUnits: {:.0f}}}",
      capacity.read, capacity.write);
}

void WriteCloudFormationIndexes(const Table& table, const std::vector<const Index*>& indexes,
                                std::string_view property, Lines& out) {
  if (indexes.empty()) return;
  out.Open(fmt::format("{}:", property));
  for (const Index* index : indexes) {
    out.Open("- IndexName: " + YamlText(index->name));
    WriteCloudFormationKeySchema(KeySchemaOf(table, *index), out);
    out.Open("Projection:");
    out.Add(fmt::format("ProjectionType: {}", ProjectionName(index->projection)));
    if (index->projection.kind == Projection::Kind::kInclude) {
      out.Add("NonKeyAttributes: " + ListText(index->projection.attributes, YamlText));
    }
    out.Leave();
    if (const auto capacity = CapacityOf(table, *index)) out.Add(ThroughputText(*capacity));
    out.Leave();
  }
  out.Leave();
}

constexpr RecoveryNames kCloudFormationRecovery = {
    .enabled = "PointInTimeRecoveryEnabled", .days = "RecoveryPeriodInDays", .padding = ""};

void WriteCloudFormationRecovery(const Resource& resource, const GenerateOptions& options,
                                 Lines& out) {
  const Choice days = RecoveryDays(resource.table, options);
  if (!days.ever()) return;
  std::string value = RecoveryText(days.otherwise, kCloudFormationRecovery);
  for (auto group = days.in.rbegin(); group != days.in.rend(); ++group) {
    value = fmt::format("!If [{}, {}, {}]", RecoveryCondition(resource, group->first),
                        RecoveryText(group->first, kCloudFormationRecovery), value);
  }
  out.Add("PointInTimeRecoverySpecification: " + value);
}

void WriteCloudFormationSettings(const Resource& resource, const GenerateOptions& options,
                                 Lines& out) {
  const Table& table = resource.table;
  if (!table.ttl.empty()) {
    out.Add(fmt::format("TimeToLiveSpecification: {{AttributeName: {}, Enabled: true}}",
                        YamlText(table.ttl)));
  }
  if (!table.stream.empty()) {
    out.Add(fmt::format("StreamSpecification: {{StreamViewType: {}}}", YamlText(table.stream)));
  }
  WriteCloudFormationRecovery(resource, options, out);
  if (const Choice protection = Protection(table, options); protection.ever()) {
    out.Add("DeletionProtectionEnabled: " +
            (protection.constant()
                 ? std::string("true")
                 : fmt::format("!If [{}, true, false]", ProtectionCondition(resource))));
  }
}

void WriteCloudFormationTable(const Resource& resource, const GenerateOptions& options,
                              Lines& out) {
  const Table& table = resource.table;
  out.Open(resource.name + ":");
  out.Add("Type: AWS::DynamoDB::Table");
  if (Protection(table, options).ever()) {
    out.Add("DeletionPolicy: Retain");
    out.Add("UpdateReplacePolicy: Retain");
  }
  out.Open("Properties:");
  out.Add("TableName: " + YamlText(table.name));
  out.Add(fmt::format("BillingMode: {}", table.provisioned ? "PROVISIONED" : "PAY_PER_REQUEST"));
  if (table.provisioned) out.Add(ThroughputText(*table.provisioned));
  if (table.infrequent_access) out.Add(fmt::format("TableClass: {}", TableClassName(table)));
  out.Open("AttributeDefinitions:");
  for (const KeyAttribute& attribute : AttributeDefinitionsOf(table)) {
    out.Add(fmt::format("- {{AttributeName: {}, AttributeType: {}}}", YamlText(attribute.name),
                        JsonText(TypeName(attribute.type))));
  }
  out.Leave();
  WriteCloudFormationKeySchema(KeySchemaOf(table), out);
  WriteCloudFormationIndexes(table, LocalIndexes(table), "LocalSecondaryIndexes", out);
  WriteCloudFormationIndexes(table, GlobalIndexes(table), "GlobalSecondaryIndexes", out);
  WriteCloudFormationSettings(resource, options, out);
  out.Leave();
  out.Leave();
}

}  // namespace

std::string GenerateCloudFormation(const Model& model, const GenerateOptions& options) {
  NameSet names;
  std::vector<Resource> resources;
  for (const Table& table : model.tables) {
    resources.push_back({table, names.Add(PascalName(table.id))});
  }
  Lines out;
  out.Add("# Made by `stator generate cloudformation`: change the model, not this file.");
  out.Add("AWSTemplateFormatVersion: \"2010-09-09\"");
  if (!model.title.empty()) out.Add("Description: " + JsonText(model.title));
  out.Blank();
  if (AsksForEnvironment(model, options)) {
    WriteParameters(model, out);
    WriteConditions(resources, options, out);
  }
  out.Open("Resources:");
  bool first = true;
  for (const Resource& resource : resources) {
    if (!first) out.Blank();
    first = false;
    WriteCloudFormationTable(resource, options, out);
  }
  return out.Take();
}

}  // namespace stator::model
