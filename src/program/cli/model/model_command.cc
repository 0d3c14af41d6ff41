#include "cli/model/model_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <utility>

#include "chart/diagram.h"
#include "cli/operations.h"
#include "model/parse/parse.h"
#include "stator/client.h"

namespace stator::cli {

void Complain(std::string_view text) {
  const std::string line = "stator: " + std::string(text) + "\n";
  std::fputs(line.c_str(), stderr);
}

void ComplainOf(const std::string& path, const std::vector<model::Problem>& problems) {
  for (const model::Problem& problem : problems) {
    const std::string line = model::ProblemText(path, problem) + "\n";
    std::fputs(line.c_str(), stderr);
  }
}

std::optional<model::Model> LoadModelOrComplain(const std::string& path) {
  std::expected<model::Model, std::vector<model::Problem>> loaded = model::LoadModel(path);
  if (loaded) return *std::move(loaded);
  ComplainOf(path, loaded.error());
  return std::nullopt;
}

std::expected<std::string, std::string> ReadFile(const std::string& path, std::size_t bytes_max) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::unexpected("cannot read " + path);
  std::string text(bytes_max + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (in.bad()) return std::unexpected("cannot read " + path);
  if (text.size() > bytes_max) return std::unexpected(path + " is too large");
  return text;
}

bool WriteFileOrComplain(const std::string& path, std::string_view text) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.close();
  if (out) return true;
  Complain("cannot write " + path);
  return false;
}

void AddTableOptions(Subcommand& command, LiveTables& tables) {
  DataSource& source = tables.source;
  source.max_attempts = ClientOptions{}.max_attempts;
  const Option endpoint =
      command
          .Add("--endpoint", source.endpoint,
               "A server, e.g. http://127.0.0.1:8000, or `aws` for DynamoDB itself")
          .Type("URL");
  command.Add("--data", source.directory, "A directory that no server has open")
      .Type("DIR")
      .Excludes(endpoint);
  command.Add("--region", source.region, "Region of the endpoint").Type("NAME");
  command.Add("--profile", source.profile, "Profile of ~/.aws/credentials").Type("NAME");
  command.Add("--prefix", tables.name_prefix, "Put before the name of every table").Type("TEXT");
}

std::unique_ptr<Endpoint> OpenTablesOrComplain(const LiveTables& tables) {
  if (tables.source.endpoint.empty() && tables.source.directory.empty()) {
    Complain("say on which tables: --endpoint URL, or --data DIR");
    return nullptr;
  }
  auto opened = OpenSource(tables.source);
  if (opened) return *std::move(opened);
  Complain(opened.error());
  return nullptr;
}

TextTable::TextTable(std::vector<std::string> heading, std::size_t left) : left_(left) {
  rows_.push_back(std::move(heading));
}

void TextTable::Add(std::vector<std::string> row) {
  row.resize(rows_.front().size());
  rows_.push_back(std::move(row));
}

std::string TextTable::Text() const {
  if (rows_.size() == 1) return {};
  std::vector<std::size_t> widths(rows_.front().size());
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], model::TextColumns(row[i]));
  }
  std::string text;
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string space(widths[i] - model::TextColumns(row[i]), ' ');
      const bool last = i + 1 == row.size();
      const bool flush_left = i < left_ || last;
      text += flush_left ? row[i] + (last ? "" : space) : space + row[i];
      text += last ? "\n" : "  ";
    }
  }
  return text;
}

std::string NumberText(double number) {
  if (number != 0 && std::abs(number) < 0.0001) return "<0.0001";
  if (std::abs(number) >= 1000) return fmt::format("{:.0f}", number);
  return fmt::format("{:.4g}", number);
}

std::string MoneyText(double usd) {
  if (usd != 0 && std::abs(usd) < 0.0001) return "<$0.0001";
  return std::abs(usd) < 1 ? fmt::format("${:.4f}", usd) : fmt::format("${:.2f}", usd);
}

}  // namespace stator::cli
