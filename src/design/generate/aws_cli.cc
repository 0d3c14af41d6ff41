// A script of AWS CLI commands that creates the tables.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "generate/environments.h"
#include "generate/generate.h"
#include "generate/table_shape.h"
#include "generate/text.h"
#include "value/json_writer.h"

namespace stator::model {
namespace {

// In the shorthand syntax of the CLI a value with a comma or an equals sign needs quotes.
std::string Shorthand(const std::string& name, std::string_view rest) {
  const bool plain = std::ranges::all_of(name, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.';
  });
  if (plain) return fmt::format("AttributeName={},{}", name, rest);
  return ShellWord(fmt::format("AttributeName={},{}", JsonText(name), rest));
}

std::string Throughput(const Capacity& capacity) {
  return fmt::format("ReadCapacityUnits={:.0f},WriteCapacityUnits={:.0f}", capacity.read,
                     capacity.write);
}

void WriteIndexJson(const Table& table, const Index& index, JsonWriter& json) {
  json.BeginObject();
  json.Key("IndexName").String(index.name);
  json.Key("KeySchema").BeginArray();
  for (const KeyElement& element : KeySchemaOf(table, index)) {
    json.BeginObject();
    json.Key("AttributeName").String(element.attribute.name);
    json.Key("KeyType").String(element.KeyType());
    json.EndObject();
  }
  json.EndArray();
  WriteProjection(index.projection, json.Key("Projection"));
  if (const std::optional<Capacity> capacity = CapacityOf(table, index)) {
    WriteThroughput(*capacity, json.Key("ProvisionedThroughput"));
  }
  json.EndObject();
}

// An array of GlobalSecondaryIndex or LocalSecondaryIndex objects, on one line.
std::string IndexesJson(const Table& table, const std::vector<const Index*>& indexes) {
  std::string out;
  JsonWriter json(out);
  json.BeginArray();
  for (const Index* index : indexes) WriteIndexJson(table, *index, json);
  json.EndArray();
  return out;
}

void AddIndexes(const Table& table, const std::vector<const Index*>& indexes,
                std::string_view option, std::vector<std::string>& parts) {
  if (indexes.empty()) return;
  const std::string json = LayOutJson(IndexesJson(table, indexes), {.indent = 2});
  parts.push_back(fmt::format("{} {}", option, ShellWord(json)));
}

// The options of create-table, each with the lines that it takes.
std::vector<std::string> CreateOptions(const Table& table, const GenerateOptions& options) {
  std::vector<std::string> parts = {"--table-name " + ShellWord(table.name)};
  std::string definitions = "--attribute-definitions";
  for (const KeyAttribute& attribute : AttributeDefinitionsOf(table)) {
    definitions += " \\\n      " + Shorthand(attribute.name, fmt::format("AttributeType={}",
                                                                         TypeName(attribute.type)));
  }
  parts.push_back(std::move(definitions));
  std::string keys = "--key-schema";
  for (const KeyElement& element : KeySchemaOf(table)) {
    keys += " \\\n      " +
            Shorthand(element.attribute.name, fmt::format("KeyType={}", element.KeyType()));
  }
  parts.push_back(std::move(keys));
  if (table.provisioned) {
    parts.push_back("--billing-mode PROVISIONED");
    parts.push_back("--provisioned-throughput " + Throughput(*table.provisioned));
  } else {
    parts.push_back("--billing-mode PAY_PER_REQUEST");
  }
  if (table.infrequent_access) {
    parts.push_back(fmt::format("--table-class {}", TableClassName(table)));
  }
  if (!table.stream.empty()) {
    parts.push_back("--stream-specification StreamEnabled=true,StreamViewType=" +
                    ShellWord(table.stream));
  }
  if (const Choice protection = Protection(table, options);
      protection.constant() && protection.ever()) {
    parts.push_back("--deletion-protection-enabled");
  }
  AddIndexes(table, LocalIndexes(table), "--local-secondary-indexes", parts);
  AddIndexes(table, GlobalIndexes(table), "--global-secondary-indexes", parts);
  return parts;
}

void WriteCreateTable(const Table& table, const GenerateOptions& options, Lines& out) {
  std::string command = "aws dynamodb create-table";
  for (const std::string& part : CreateOptions(table, options)) command += " \\\n  " + part;
  out.Raw(command + "\n");
  out.Add("aws dynamodb wait table-exists --table-name " + ShellWord(table.name));
}

std::string CasePattern(const std::vector<std::string>& environments) {
  return Joined(environments, " | ", ShellWord);
}

void AddLines(std::string_view text, Lines& out) {
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    out.Add(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  out.Add(text);
}

// One command per value that is not 0, chosen by $ENVIRONMENT where the value depends on it.
template <class CommandOf>
void WriteChoice(const Choice& choice, CommandOf command, Lines& out) {
  if (choice.constant()) {
    if (choice.otherwise != 0) AddLines(command(choice.otherwise), out);
    return;
  }
  out.Open("case \"$ENVIRONMENT\" in");
  for (const auto& [value, environments] : choice.in) {
    out.Open(CasePattern(environments) + ")");
    AddLines(value == 0 ? ":" : command(value), out);
    out.Add(";;");
    out.Leave();
  }
  if (choice.otherwise != 0) {
    out.Open("*)");
    AddLines(command(choice.otherwise), out);
    out.Add(";;");
    out.Leave();
  }
  out.Close("esac");
}

void WriteCliSettings(const Table& table, const GenerateOptions& options, Lines& out) {
  const std::string name = ShellWord(table.name);
  if (!table.ttl.empty()) {
    out.Raw(
        fmt::format("aws dynamodb update-time-to-live --table-name {} \\\n"
                    "  --time-to-live-specification {}\n",
                    name, Shorthand(table.ttl, "Enabled=true")));
  }
  WriteChoice(
      RecoveryDays(table, options),
      [&](int days) {
        const std::string period =
            days == kDefaultRecoveryDays ? "" : fmt::format(",RecoveryPeriodInDays={}", days);
        return fmt::format(
            "aws dynamodb update-continuous-backups --table-name {} \\\n"
            "  --point-in-time-recovery-specification "
            "PointInTimeRecoveryEnabled=true{}",
            name, period);
      },
      out);
  const Choice protection = Protection(table, options);
  if (protection.constant()) return;  // create-table has said it
  WriteChoice(
      protection,
      [&](int) {
        return fmt::format(
            "aws dynamodb update-table --table-name {} --deletion-protection-enabled", name);
      },
      out);
}

void WriteEnvironmentCheck(const Model& model, Lines& out) {
  const std::vector<std::string> names = EnvironmentsOf(model);
  out.Add("# Which environment this is: " + Joined(names, ", ", CommentText) + ".");
  out.Add(": \"${ENVIRONMENT:?set ENVIRONMENT}\"");
  out.Open("case \"$ENVIRONMENT\" in");
  out.Add(CasePattern(names) + ") ;;");
  out.Add("*) echo \"there is no environment $ENVIRONMENT\" >&2; exit 2 ;;");
  out.Close("esac");
  out.Blank();
}

}  // namespace

std::string GenerateAwsCli(const Model& model, const GenerateOptions& options) {
  Lines out;
  out.Add("#!/usr/bin/env bash");
  out.Add("# Made by `stator generate cli`: change the model, not this file.");
  out.Add("set -euo pipefail");
  out.Blank();
  out.Add("# ENDPOINT_URL=http://127.0.0.1:8000 creates the tables there instead of on AWS.");
  out.Add("aws() { command aws ${ENDPOINT_URL:+--endpoint-url \"$ENDPOINT_URL\"} \"$@\"; }");
  out.Blank();
  if (AsksForEnvironment(model, options)) WriteEnvironmentCheck(model, out);
  bool first = true;
  for (const Table& table : model.tables) {
    if (!first) out.Blank();
    first = false;
    WriteCreateTable(table, options, out);
    WriteCliSettings(table, options, out);
  }
  return out.Take();
}

}  // namespace stator::model
