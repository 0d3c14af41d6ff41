#include "cli/model/measured_units.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

#include "cli/model/model_command.h"
#include "http/transport.h"
#include "http/url.h"
#include "value/json_writer.h"

namespace stator::cli {
namespace {

constexpr std::string_view kFamily = "stator_consumed_units_total";
constexpr std::string_view kCounter = "stator_consumed_units_total{";
constexpr double kMeasuredDaySeconds = 86400;

// The value of a label in `{table="Calls",index="",kind="read"}`.
std::string Label(std::string_view line, std::string_view name) {
  const std::string start = fmt::format("{}=\"", name);
  const std::size_t at = line.find(start);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = line.substr(at + start.size());
  return std::string(rest.substr(0, rest.find('"')));
}

std::string Share(double part, double whole) {
  return whole > 0 ? fmt::format("{:.1f} %", 100 * part / whole) : "-";
}

struct Row {
  std::string place;
  double estimated_reads = 0;
  double estimated_writes = 0;
  MeasuredUnits measured;
};

Row RowOf(const model::Table& table, const model::PartCost& part, double month_seconds,
          const MeasuredByPlace& measured) {
  const std::string index = part.index == nullptr ? std::string() : part.index->name;
  Row row{.place = index.empty() ? table.name : table.name + "." + index};
  const double days = month_seconds / kMeasuredDaySeconds;
  row.estimated_reads = part.reads_per_month / days;
  row.estimated_writes = part.writes_per_month / days;
  if (const auto it = measured.find({table.name, index}); it != measured.end()) {
    row.measured = it->second;
  }
  return row;
}

std::vector<Row> RowsOf(const model::Cost& cost, const MeasuredByPlace& measured) {
  std::vector<Row> rows;
  for (const model::TableCost& table : cost.tables) {
    rows.push_back(RowOf(*table.table, table.base, cost.month_seconds, measured));
    for (const model::PartCost& index : table.indexes) {
      rows.push_back(RowOf(*table.table, index, cost.month_seconds, measured));
    }
  }
  return rows;
}

}  // namespace

MeasuredByPlace ParseMeasuredUnits(std::string_view metrics) {
  MeasuredByPlace measured;
  while (!metrics.empty()) {
    const std::size_t end = metrics.find('\n');
    const std::string_view line = metrics.substr(0, end);
    metrics.remove_prefix(end == std::string_view::npos ? metrics.size() : end + 1);
    const std::size_t close = line.rfind('}');
    if (!line.starts_with(kCounter) || close == std::string_view::npos) continue;
    MeasuredUnits& units = measured[{Label(line, "table"), Label(line, "index")}];
    const double value = std::strtod(std::string(line.substr(close + 1)).c_str(), nullptr);
    (Label(line, "kind") == "read" ? units.reads : units.writes) += value;
  }
  return measured;
}

std::expected<MeasuredByPlace, std::string> ReadMeasuredUnits(const std::string& text) {
  auto url = http::ParseUrl(text);
  if (!url) return std::unexpected(url.error());
  if (url->is_tls) return std::unexpected("--measured takes an http:// address of a Stator server");
  const auto transport = http::OpenTransport({.url = *std::move(url),
                                              .ca_file = {},
                                              .connect_timeout = std::chrono::seconds(3),
                                              .request_timeout = std::chrono::seconds(10),
                                              .max_connections = 1,
                                              .limits = {}});
  if (!transport) return std::unexpected(transport.error());
  const auto answer = (*transport)
                          ->Exchange({.method = http::Request::Method::kGet,
                                      .path = "/metrics",
                                      .headers = {},
                                      .body = {}});
  if (!answer) return std::unexpected(answer.error().message);
  if (answer->status != 200) {
    return std::unexpected(fmt::format("{} answered with HTTP status {}", text, answer->status));
  }
  if (answer->body.find(kFamily) == std::string::npos) {
    return std::unexpected(
        fmt::format("{} does not count units: start it with `stator serve --count-units`", text));
  }
  return ParseMeasuredUnits(answer->body);
}

std::string MeasuredText(const model::Cost& cost, const MeasuredByPlace& measured) {
  std::vector<Row> rows = RowsOf(cost, measured);
  Row sum{.place = "all"};
  for (const Row& row : rows) {
    sum.estimated_reads += row.estimated_reads;
    sum.estimated_writes += row.estimated_writes;
    sum.measured.reads += row.measured.reads;
    sum.measured.writes += row.measured.writes;
  }
  rows.push_back(sum);
  TextTable table({"table or index", "RRU per day", "share", "RRU counted", "share", "WRU per day",
                   "share", "WRU counted", "share"},
                  1);
  for (const Row& row : rows) {
    table.Add({row.place, NumberText(row.estimated_reads),
               Share(row.estimated_reads, sum.estimated_reads), NumberText(row.measured.reads),
               Share(row.measured.reads, sum.measured.reads), NumberText(row.estimated_writes),
               Share(row.estimated_writes, sum.estimated_writes), NumberText(row.measured.writes),
               Share(row.measured.writes, sum.measured.writes)});
  }
  const bool any = std::ranges::any_of(measured, [](const auto& place) {
    return place.second.reads > 0 || place.second.writes > 0;
  });
  return "The estimate of the model, and what the server has counted since it was started\n\n" +
         table.Text() + (any ? "" : "\nThe server has counted nothing yet.\n");
}

std::string MeasuredJson(const model::Cost& cost, const MeasuredByPlace& measured) {
  std::string text;
  JsonWriter json(text);
  const auto put = [&json](std::string_view key, double value) {
    json.Key(key).Raw(fmt::format("{}", value));
  };
  json.BeginObject();
  json.Key("measured").BeginArray();
  for (const Row& row : RowsOf(cost, measured)) {
    json.BeginObject();
    json.Key("name").String(row.place);
    put("estimated_rru_per_day", row.estimated_reads);
    put("counted_rru", row.measured.reads);
    put("estimated_wru_per_day", row.estimated_writes);
    put("counted_wru", row.measured.writes);
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
  return text + "\n";
}

}  // namespace stator::cli
