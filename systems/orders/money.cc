#include "systems/orders/money.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "systems/program/items.h"

namespace stator::systems::orders {
namespace {

constexpr std::size_t kWholeDigitsMax = 12;

struct Currencies {
  int places;
  std::string_view codes;  // of three letters each
};

// ISO 4217, the currencies that people pay with.
constexpr std::array kCurrencies = {
    Currencies{2,
               "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN "
               "BWP BYN BZD CAD CDF CHF CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD "
               "FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR "
               "KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN "
               "MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD "
               "SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD "
               "TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG"},
    Currencies{0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF"},
    Currencies{3, "BHD IQD JOD KWD LYD OMR TND"},
    Currencies{4, "CLF UYW"},
};

bool IsDigits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// "1250" or "12.50": how an amount of the currency looks.
std::string ExampleOf(int places) {
  return places == 0 ? "1250" : fmt::format("12.5{:0<{}}", "", places - 1);
}

std::unexpected<std::string> Refused(std::string_view amount, std::string_view currency, int places,
                                     std::string_view why) {
  return std::unexpected(fmt::format("`{}` is no amount of {}: {}; write it like {}", amount,
                                     currency, why, ExampleOf(places)));
}

}  // namespace

std::optional<int> PlacesOf(std::string_view currency) {
  if (currency.size() != 3 || currency.find(' ') != std::string_view::npos) return std::nullopt;
  for (const Currencies& with : kCurrencies) {
    if (with.codes.find(currency) != std::string_view::npos) return with.places;
  }
  return std::nullopt;
}

Fallible<Money> ReadMoney(std::string_view amount, std::string_view currency) {
  const auto places = PlacesOf(currency);
  if (!places) {
    return std::unexpected(fmt::format(
        "`{}` is no currency: its code has three capital letters, as USD, EUR or JPY", currency));
  }
  const auto refused = [&](std::string_view why) {
    return Refused(amount, currency, *places, why);
  };
  if (amount.starts_with('-')) return refused("it is less than nothing");
  const std::size_t point = amount.find('.');
  std::string_view whole = amount.substr(0, point);
  const std::string_view cents =
      point == std::string_view::npos ? std::string_view() : amount.substr(point + 1);
  if (!IsDigits(whole) || (point != std::string_view::npos && !IsDigits(cents))) {
    return refused("digits and at most one point make an amount");
  }
  if (cents.size() > static_cast<std::size_t>(*places)) {
    return refused(*places == 0 ? fmt::format("{} has no places", currency)
                                : fmt::format("{} has {} places at most", currency, *places));
  }
  whole.remove_prefix(std::min(whole.find_first_not_of('0'), whole.size() - 1));
  if (whole.size() > kWholeDigitsMax) {
    return refused(fmt::format("it has more than {} digits", kWholeDigitsMax));
  }
  std::string text(whole);
  if (*places > 0) text += fmt::format(".{:0<{}}", cents, *places);
  return Money{.amount = std::move(text), .currency = std::string(currency)};
}

std::string MoneyText(ItemView item) {
  const auto amount = item.Find("amount");
  if (!amount || amount->type() != Type::kN) return "-";
  const std::string currency = TextOf(item, "currency");
  // The database keeps 12.5 for 12.50.
  const auto money = ReadMoney(amount->N(), currency);
  if (money) return fmt::format("{} {}", money->amount, money->currency);
  return currency.empty() ? amount->N() : fmt::format("{} {}", amount->N(), currency);
}

}  // namespace stator::systems::orders
