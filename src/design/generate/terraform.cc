// Terraform: one aws_dynamodb_table per table.
#include <fmt/format.h>

#include <algorithm>

#include "generate/environments.h"
#include "generate/generate.h"
#include "generate/identifiers.h"
#include "generate/table_shape.h"
#include "generate/text.h"

namespace stator::model {
namespace {

constexpr ConditionSyntax kTerraform = {.variable = "var.environment",
                                        .equals = " == ",
                                        .differs = " != ",
                                        .contains = "contains({}, var.environment)",
                                        .quote = HclText};

void WriteVariable(const Model& model, Lines& out) {
  const std::vector<std::string> names = EnvironmentsOf(model);
  out.Open("variable \"environment\" {");
  out.Add("type = string");
  out.Open("validation {");
  out.Add(fmt::format("condition     = contains({}, var.environment)", ListText(names, HclText)));
  const std::string words = fmt::format("{}", fmt::join(names, ", "));
  out.Add(fmt::format("error_message = {}", HclText("The environment is one of " + words + ".")));
  out.Close("}");
  out.Close("}");
  out.Blank();
}

// Arguments one below the other, as `terraform fmt` aligns them.
using Arguments = std::vector<std::pair<std::string_view, std::string>>;

void WriteArguments(const Arguments& arguments, Lines& out) {
  std::size_t width = 0;
  for (const auto& [name, value] : arguments) width = std::max(width, name.size());
  for (const auto& [name, value] : arguments)
    out.Add(fmt::format("{:<{}} = {}", name, width, value));
}

std::string Quoted(std::string_view word) { return fmt::format("\"{}\"", word); }

void WriteTerraformKeySchema(const Table& table, const Index& index, Lines& out) {
  for (const KeyElement& element : KeySchemaOf(table, index)) {
    out.Blank();
    out.Open("key_schema {");
    WriteArguments({{"attribute_name", HclText(element.attribute.name)},
                    {"key_type", Quoted(element.KeyType())}},
                   out);
    out.Close("}");
  }
}

void WriteTerraformIndex(const Table& table, const Index& index, Lines& out) {
  const bool several = HasSeveralAttributes(index);
  Arguments arguments = {{"name", HclText(index.name)}};
  for (const KeyElement& element : KeySchemaOf(table, index)) {
    if (several || (index.local && !element.sorts)) continue;  // of a local index: the table's
    arguments.emplace_back(element.sorts ? "range_key" : "hash_key",
                           HclText(element.attribute.name));
  }
  if (const std::optional<Capacity> capacity = CapacityOf(table, index)) {
    arguments.emplace_back("write_capacity", fmt::format("{:.0f}", capacity->write));
    arguments.emplace_back("read_capacity", fmt::format("{:.0f}", capacity->read));
  }
  arguments.emplace_back("projection_type", Quoted(ProjectionName(index.projection)));
  if (index.projection.kind == Projection::Kind::kInclude) {
    arguments.emplace_back("non_key_attributes", ListText(index.projection.attributes, HclText));
  }
  out.Blank();
  out.Open(index.local ? "local_secondary_index {" : "global_secondary_index {");
  WriteArguments(arguments, out);
  if (several) WriteTerraformKeySchema(table, index, out);
  out.Close("}");
}

void WriteTerraformRecovery(const Choice& days, Lines& out) {
  if (!days.ever()) return;
  const Switch enabled = SwitchOf(days);
  int first = days.otherwise;
  bool same = true;
  std::string lookup;
  for (const auto& [value, environments] : days.in) {
    if (value == 0) continue;
    if (first == 0) first = value;
    same = same && value == first;
    for (const std::string& name : environments) {
      lookup += fmt::format("{}{} = {}", lookup.empty() ? "" : ", ", HclText(name), value);
    }
  }
  out.Blank();
  out.Open("point_in_time_recovery {");
  Arguments arguments = {{"enabled", ConditionText(enabled, kTerraform)}};
  if (!same || first != kDefaultRecoveryDays) {
    arguments.emplace_back(
        "recovery_period_in_days",
        same ? std::to_string(first)
             : fmt::format("lookup({{ {} }}, var.environment, {})", lookup,
                           days.otherwise == 0 ? kDefaultRecoveryDays : days.otherwise));
  }
  WriteArguments(arguments, out);
  out.Close("}");
}

void WriteTerraformTimeToLive(const Table& table, Lines& out) {
  if (table.ttl.empty()) return;
  out.Blank();
  out.Open("ttl {");
  out.Add("attribute_name = " + HclText(table.ttl));
  out.Add("enabled        = true");
  out.Close("}");
}

void WriteTerraformSettings(const Table& table, const GenerateOptions& options, Lines& out) {
  Arguments arguments = {
      {"name", HclText(table.name)},
      {"billing_mode", Quoted(table.provisioned ? "PROVISIONED" : "PAY_PER_REQUEST")},
      {"hash_key", HclText(table.partition->name)}};
  if (table.sort) arguments.emplace_back("range_key", HclText(table.sort->name));
  if (table.infrequent_access) arguments.emplace_back("table_class", Quoted(TableClassName(table)));
  WriteArguments(arguments, out);
  if (table.provisioned) {
    out.Blank();
    WriteArguments({{"read_capacity", fmt::format("{:.0f}", table.provisioned->read)},
                    {"write_capacity", fmt::format("{:.0f}", table.provisioned->write)}},
                   out);
  }
  if (!table.stream.empty()) {
    out.Blank();
    out.Add("stream_enabled   = true");
    out.Add("stream_view_type = " + HclText(table.stream));
  }
  if (const Choice protection = Protection(table, options); protection.ever()) {
    out.Blank();
    out.Add("deletion_protection_enabled = " + ConditionText(SwitchOf(protection), kTerraform));
  }
}

void WriteTerraformTable(const Table& table, const std::string& label,
                         const GenerateOptions& options, Lines& out) {
  out.Open(fmt::format("resource \"aws_dynamodb_table\" \"{}\" {{", label));
  WriteTerraformSettings(table, options, out);
  for (const KeyAttribute& attribute : AttributeDefinitionsOf(table)) {
    out.Blank();
    out.Open("attribute {");
    out.Add("name = " + HclText(attribute.name));
    out.Add(fmt::format("type = \"{}\"", TypeName(attribute.type)));
    out.Close("}");
  }
  for (const Index* index : LocalIndexes(table)) WriteTerraformIndex(table, *index, out);
  for (const Index* index : GlobalIndexes(table)) WriteTerraformIndex(table, *index, out);
  WriteTerraformTimeToLive(table, out);
  WriteTerraformRecovery(RecoveryDays(table, options), out);
  out.Close("}");
}

bool NeedsKeySchemaBlocks(const Model& model) {
  for (const Table& table : model.tables) {
    for (const Index& index : table.indexes) {
      if (HasSeveralAttributes(index)) return true;
    }
  }
  return false;
}

}  // namespace

std::string GenerateTerraform(const Model& model, const GenerateOptions& options) {
  Lines out;
  out.Add("# Made by `stator generate terraform`: change the model, not this file.");
  if (NeedsKeySchemaBlocks(model)) {
    out.Add("# Index keys of several attributes (key_schema) need hashicorp/aws 6.29 or later.");
  }
  out.Blank();
  if (AsksForEnvironment(model, options)) WriteVariable(model, out);
  NameSet labels;
  bool first = true;
  for (const Table& table : model.tables) {
    if (!first) out.Blank();
    first = false;
    WriteTerraformTable(table, labels.Add(SnakeName(table.name)), options, out);
  }
  return out.Take();
}

}  // namespace stator::model
