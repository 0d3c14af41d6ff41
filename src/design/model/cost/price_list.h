// What DynamoDB costs in a region, from dated lists.
//
// The lists are part of the program (prices/*.inc); a file in the same format can replace them.
// The format is a small part of YAML:
//
//   list    := 'price_list:' name | setting | 'regions:' region*
//   region  := '  ' name ':' ('    ' (setting | 'like:' region | 'unconfirmed:' names))*
//   setting := name ':' number
#ifndef STATOR_MODEL_COST_PRICE_LIST_H_
#define STATOR_MODEL_COST_PRICE_LIST_H_

#include <expected>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace stator::model {

struct Prices {
  std::string region;
  double read_million = 0;
  double write_million = 0;
  double rcu_hour = 0;
  double wcu_hour = 0;
  double storage_gb = 0;
  double ia_read_million = 0;
  double ia_write_million = 0;
  double ia_rcu_hour = 0;
  double ia_wcu_hour = 0;
  double ia_storage_gb = 0;
  double pitr_gb = 0;
  double backup_gb = 0;
  double streams_100k = 0;
  std::set<std::string> unconfirmed;  // names of prices that no public source confirmed
};

struct PriceList {
  std::string name;   // "2026-09"
  std::string since;  // the month from which the prices hold
  double free_rcu = 0;
  double free_wcu = 0;
  double free_storage_gb = 0;
  double free_streams = 0;
  std::vector<Prices> regions;

  const Prices* Find(std::string_view region) const;
};

inline constexpr std::size_t kMaxPriceListBytes = std::size_t{1} << 20;

// Fails with a message for people: "line 7: unknown price `reed_million`".
std::expected<PriceList, std::string> ParsePriceList(std::string_view text);
std::expected<PriceList, std::string> LoadPriceList(const std::string& path);

// The lists of the program, newest first.
const std::vector<PriceList>& BuiltInPriceLists();
// The list of that name; the newest if the name is empty; null if there is none.
const PriceList* FindPriceList(std::string_view name);

}  // namespace stator::model

#endif  // STATOR_MODEL_COST_PRICE_LIST_H_
