#include "model/cost/price_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <optional>
#include <utility>

#include "base/check.h"
#include "model/parse/text_cursor.h"

namespace stator::model {
namespace {

constexpr std::string_view k2026_09 =
#include "model/prices/2026_09.inc"
    ;
constexpr std::string_view k2024_10 =
#include "model/prices/2024_10.inc"
    ;

constexpr std::array<std::pair<std::string_view, double Prices::*>, 13> kPriceNames = {{
    {"read_million", &Prices::read_million},
    {"write_million", &Prices::write_million},
    {"rcu_hour", &Prices::rcu_hour},
    {"wcu_hour", &Prices::wcu_hour},
    {"storage_gb", &Prices::storage_gb},
    {"ia_read_million", &Prices::ia_read_million},
    {"ia_write_million", &Prices::ia_write_million},
    {"ia_rcu_hour", &Prices::ia_rcu_hour},
    {"ia_wcu_hour", &Prices::ia_wcu_hour},
    {"ia_storage_gb", &Prices::ia_storage_gb},
    {"pitr_gb", &Prices::pitr_gb},
    {"backup_gb", &Prices::backup_gb},
    {"streams_100k", &Prices::streams_100k},
}};

constexpr std::array<std::pair<std::string_view, double PriceList::*>, 4> kSettingNames = {{
    {"free_rcu", &PriceList::free_rcu},
    {"free_wcu", &PriceList::free_wcu},
    {"free_storage_gb", &PriceList::free_storage_gb},
    {"free_streams", &PriceList::free_streams},
}};

std::optional<double> ParsePrice(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value >= 0 && value < 1e12 ? std::optional(value) : std::nullopt;
}

class Reader {
 public:
  // On a mistake false, and problem() says what it is.
  bool Read(std::string_view text) {
    for (std::size_t line = 1; !text.empty(); ++line) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      std::string problem = ReadLine(text.substr(0, end));
      if (!problem.empty()) {
        problem_ = fmt::format("line {}: {}", line, problem);
        return false;
      }
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (list_.name.empty()) problem_ = "no `price_list:` with its name";
    if (list_.regions.empty()) problem_ = "no `regions:`";
    return problem_.empty();
  }

  PriceList Take() { return std::move(list_); }
  const std::string& problem() const { return problem_; }

 private:
  std::string ReadLine(std::string_view line) {
    line = line.substr(0, std::min(line.find('#'), line.size()));
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    const std::string_view content = Trim(line);
    if (content.empty()) return {};
    const std::size_t colon = content.find(':');
    if (colon == std::string_view::npos) return "expected `name: value`";
    const std::string_view name = Trim(content.substr(0, colon));
    const std::string_view value = Trim(content.substr(colon + 1));
    if (indent == 0) return ReadTop(name, value);
    if (!in_regions_) return "only `regions:` has something inside";
    if (value.empty()) return BeginRegion(name);
    if (list_.regions.empty()) return "a price outside of a region";
    return ReadPrice(name, value);
  }

  std::string ReadTop(std::string_view name, std::string_view value) {
    in_regions_ = name == "regions";
    if (in_regions_) return {};
    if (name == "price_list") {
      list_.name = value;
      return {};
    }
    if (name == "since") {
      list_.since = value;
      return {};
    }
    for (const auto& [known, member] : kSettingNames) {
      if (known != name) continue;
      const std::optional<double> number = ParsePrice(value);
      if (!number) return fmt::format("`{}` is not a number", value);
      list_.*member = *number;
      return {};
    }
    return fmt::format("unknown field `{}`", name);
  }

  std::string BeginRegion(std::string_view name) {
    if (list_.Find(name) != nullptr) return fmt::format("region `{}` appears twice", name);
    list_.regions.emplace_back().region = name;
    return {};
  }

  std::string ReadPrice(std::string_view name, std::string_view value) {
    Prices& prices = list_.regions.back();
    if (name == "like") return Copy(value, prices);
    if (name == "unconfirmed") return Unconfirmed(value, prices);
    for (const auto& [known, member] : kPriceNames) {
      if (known != name) continue;
      const std::optional<double> number = ParsePrice(value);
      if (!number) return fmt::format("`{}` is not a price", value);
      prices.*member = *number;
      return {};
    }
    return fmt::format("unknown price `{}`", name);
  }

  std::string Copy(std::string_view from, Prices& prices) {
    const Prices* model = list_.Find(from);
    if (model == nullptr || model == &prices) return fmt::format("no region `{}` above", from);
    std::string region = std::move(prices.region);
    prices = *model;
    prices.region = std::move(region);
    return {};
  }

  static std::string Unconfirmed(std::string_view names, Prices& prices) {
    prices.unconfirmed.clear();
    while (!names.empty()) {
      const std::size_t end = std::min(names.find(' '), names.size());
      if (end != 0) prices.unconfirmed.emplace(names.substr(0, end));
      names.remove_prefix(std::min(end + 1, names.size()));
    }
    return {};
  }

  PriceList list_;
  bool in_regions_ = false;
  std::string problem_;
};

std::vector<PriceList> ReadBuiltIn() {
  std::vector<PriceList> lists;
  for (const std::string_view text : {k2026_09, k2024_10}) {
    auto list = ParsePriceList(text);
    STATOR_CHECK(list.has_value());
    lists.push_back(*std::move(list));
  }
  return lists;
}

}  // namespace

const Prices* PriceList::Find(std::string_view region) const {
  const auto it = std::ranges::find(regions, region, &Prices::region);
  return it == regions.end() ? nullptr : &*it;
}

std::expected<PriceList, std::string> ParsePriceList(std::string_view text) {
  if (text.size() > kMaxPriceListBytes) return std::unexpected("larger than 1 MB");
  Reader reader;
  if (!reader.Read(text)) return std::unexpected(reader.problem());
  return reader.Take();
}

std::expected<PriceList, std::string> LoadPriceList(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(kMaxPriceListBytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file.is_open() || file.bad()) return std::unexpected(path + ": cannot be read");
  text.resize(static_cast<std::size_t>(file.gcount()));
  auto list = ParsePriceList(text);
  if (!list) return std::unexpected(path + ": " + list.error());
  return list;
}

const std::vector<PriceList>& BuiltInPriceLists() {
  static const std::vector<PriceList> kLists = ReadBuiltIn();
  return kLists;
}

const PriceList* FindPriceList(std::string_view name) {
  const std::vector<PriceList>& lists = BuiltInPriceLists();
  if (name.empty()) return &lists.front();
  const auto it = std::ranges::find(lists, name, &PriceList::name);
  return it == lists.end() ? nullptr : &*it;
}

}  // namespace stator::model
