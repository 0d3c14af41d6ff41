#include "model/claims/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "model/estimate/item_size.h"
#include "model/estimate/population.h"

namespace stator::model {
namespace {

constexpr double kPartitionWritesPerSecond = 1000;

using Answer = std::expected<double, std::string>;

std::unexpected<std::string> Unknown(const Figure& figure) {
  return std::unexpected(fmt::format("unknown figure `{}`", figure.name));
}

std::unexpected<std::string> WantsArguments(const Figure& figure, std::string_view what) {
  return std::unexpected(fmt::format("`{}` wants {}", figure.name, what));
}

std::optional<double> ToNumber(const std::string& text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

std::pair<std::string, std::string> SplitAtDot(const std::string& text) {
  const std::size_t dot = text.find('.');
  if (dot == std::string::npos) return {text, ""};
  return {text.substr(0, dot), text.substr(dot + 1)};
}

double ValueBytesOf(const std::vector<StoredAttribute>& stored, std::string_view name) {
  const auto it = std::ranges::find(stored, name, &StoredAttribute::name);
  return it == stored.end() ? 0 : it->value_bytes.typical;
}

}  // namespace

Figures::Figures(const Model& model, const std::vector<Estimate>& estimates, const PriceList& list,
                 const Prices& prices, const Mistakes& mistakes)
    : model_(model),
      mistakes_(mistakes),
      cost_(ComputeCost(model, estimates, list, prices, mistakes)) {}

Answer Figures::Value(const Figure& figure) const {
  const auto [family, member] = SplitAtDot(figure.name);
  if (family == "wcu" || family == "rcu") return UnitsOverTime(figure, family == "rcu", member);
  if (family == "cost") return CostFigure(figure);
  if (family == "price" || family == "free_tier") return PriceFigure(figure);
  if (family == "size" || family == "key_size") return SizeFigure(figure);
  if (family == "days" || family == "retention") return TimeFigure(figure);
  if (family == "storage" && member == "gb") return cost_.gigabytes;
  if (family == "index_items" || family == "index_share" || family == "partition_headroom") {
    return IndexFigure(figure);
  }
  return OfOneRun(figure);
}

std::expected<const PatternCost*, std::string> Figures::FindCounted(const std::string& name) const {
  const auto found = FindPattern(name);
  if (!found || (*found)->counted.counted_in.empty()) return found;
  return std::unexpected(fmt::format("`{}` is counted in the transaction `{}`: ask for that", name,
                                     (*found)->counted.counted_in.front()->name));
}

std::expected<const PatternCost*, std::string> Figures::FindPattern(const std::string& name) const {
  for (const PatternCost& pattern : cost_.patterns) {
    if (pattern.counted.pattern->name == name) return &pattern;
  }
  return std::unexpected(fmt::format("there is no pattern `{}`", name));
}

Answer Figures::UnitsOverTime(const Figure& figure, bool reads, std::string_view period) const {
  double day = 0;
  double peak = 0;
  const auto add = [&](const PatternCost& pattern) {
    day += reads ? pattern.reads_per_day : pattern.writes_per_day;
    peak += reads ? pattern.peak_reads_per_second : pattern.peak_writes_per_second;
  };
  if (figure.arguments.empty()) {
    for (const PatternCost& pattern : cost_.patterns) add(pattern);
  }
  for (const std::string& name : figure.arguments) {
    const auto pattern = FindCounted(name);
    if (!pattern) return std::unexpected(pattern.error());
    add(**pattern);
  }
  if (period == "day") return day;
  if (period == "month") return day * cost_.month_seconds / kSecondsPerDay;
  if (mistakes_.day_as_second && (period == "s" || period == "peak_per_s")) return day;
  if (period == "s") return day / kSecondsPerDay;
  if (period == "peak_per_s") return peak;
  return Unknown(figure);
}

Answer Figures::OfOneRun(const Figure& figure) const {
  static constexpr auto kNames = {"wru", "rru", "items", "bytes", "pages"};
  if (std::ranges::find(kNames, figure.name) == kNames.end()) return Unknown(figure);
  if (figure.arguments.size() != 1) return WantsArguments(figure, "the name of a pattern");
  const auto pattern = FindPattern(figure.arguments.front());
  if (!pattern) return std::unexpected(pattern.error());
  const Estimate& estimate = (*pattern)->counted.estimate;
  if (!estimate.known) {
    return std::unexpected(
        fmt::format("of {} is not known: {}", figure.arguments.front(), estimate.missing));
  }
  if (figure.name == "wru") return WriteUnitsOf(estimate, &Amount::typical, mistakes_);
  if (figure.name == "rru") return ReadUnitsOf(estimate, &Amount::typical, mistakes_);
  if (figure.name == "items") return estimate.items_read.typical;
  if (figure.name == "bytes") return estimate.bytes_read.typical;
  return estimate.pages.typical;
}

Answer Figures::CostFigure(const Figure& figure) const {
  if (figure.name == "cost.provisioned") {
    if (figure.arguments.size() != 2) return WantsArguments(figure, "two numbers: RCU and WCU");
    const std::optional<double> rcu = ToNumber(figure.arguments[0]);
    const std::optional<double> wcu = ToNumber(figure.arguments[1]);
    if (!rcu || !wcu) return WantsArguments(figure, "two numbers: RCU and WCU");
    return ProvisionedUsd(*cost_.prices, false, cost_.month_seconds, *rcu, *wcu);
  }
  if (figure.name != "cost.month") return Unknown(figure);
  if (figure.arguments.empty()) return cost_.TotalUsd();
  double sum = 0;
  for (const std::string& name : figure.arguments) {
    const auto pattern = FindCounted(name);
    if (!pattern) return std::unexpected(pattern.error());
    sum += (*pattern)->month_usd;
  }
  return sum;
}

Answer Figures::PriceFigure(const Figure& figure) const {
  const Prices& prices = *cost_.prices;
  if (figure.name == "price.read_million") return prices.read_million;
  if (figure.name == "price.write_million") return prices.write_million;
  if (figure.name == "price.storage_gb") return prices.storage_gb;
  if (figure.name == "price.pitr_gb") return prices.pitr_gb;
  if (figure.name == "free_tier.rcu") return cost_.list->free_rcu;
  if (figure.name == "free_tier.wcu") return cost_.list->free_wcu;
  return Unknown(figure);
}

Answer Figures::SizeFigure(const Figure& figure) const {
  if (figure.arguments.size() != 1) return WantsArguments(figure, "an entity");
  const auto [name, attribute] = SplitAtDot(figure.arguments.front());
  const Entity* entity = model_.FindEntity(name);
  if (entity == nullptr) return std::unexpected(fmt::format("there is no entity `{}`", name));
  if (figure.name == "size" && attribute.empty()) return ItemBytes(model_, *entity).typical;
  const std::vector<StoredAttribute> stored = StoredAttributes(model_, *entity);
  if (figure.name == "size") {
    const Attribute* declared = entity->FindAttribute(attribute);
    const bool is_stored =
        std::ranges::find(stored, attribute, &StoredAttribute::name) != stored.end();
    if (is_stored) return ValueBytesOf(stored, attribute);
    if (declared != nullptr) return declared->bytes.typical;
    return std::unexpected(fmt::format("{} has no attribute `{}`", name, attribute));
  }
  const Table* table = model_.FindTable(entity->table);
  if (table == nullptr || !table->partition) return std::unexpected(name + " has no key");
  return ValueBytesOf(stored, table->partition->name) +
         (table->sort ? ValueBytesOf(stored, table->sort->name) : 0);
}

Answer Figures::TimeFigure(const Figure& figure) const {
  if (figure.arguments.size() != 1) return WantsArguments(figure, "one argument");
  const std::string& argument = figure.arguments.front();
  if (figure.name == "days") {
    if (argument == "week") return 7;
    if (argument == "month") return 31;
    if (argument == "quarter") return 92;
    if (argument == "year") return 366;
    return WantsArguments(figure, "week, month, quarter or year");
  }
  const Entity* entity = model_.FindEntity(argument);
  if (entity == nullptr) return std::unexpected(fmt::format("there is no entity `{}`", argument));
  const std::optional<seconds> lifetime = Lifetime(*entity);
  if (!lifetime) return std::unexpected(argument + " does not expire");
  return static_cast<double>(lifetime->count()) / kSecondsPerDay;
}

Answer Figures::IndexFigure(const Figure& figure) const {
  if (figure.arguments.size() != 1) return WantsArguments(figure, "table.Index");
  const auto [table_id, index_name] = SplitAtDot(figure.arguments.front());
  for (const TableCost& table : cost_.tables) {
    if (table.table->id != table_id) continue;
    for (const PartCost& part : table.indexes) {
      if (part.index->name != index_name) continue;
      if (figure.name == "index_items") return part.items;
      if (figure.name == "index_share") {
        return table.base.items > 0 ? part.items / table.base.items : 0;
      }
      const double shards = part.index->shards ? part.index->shards->count : 1;
      if (part.peak_writes_per_second <= 0) {
        return std::unexpected("nothing writes to " + figure.arguments.front());
      }
      return kPartitionWritesPerSecond * shards / part.peak_writes_per_second;
    }
  }
  return std::unexpected(fmt::format("there is no index `{}`", figure.arguments.front()));
}

}  // namespace stator::model
