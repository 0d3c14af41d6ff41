#include "systems/orders/example_items.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "systems/orders/money.h"
#include "systems/orders/shop.h"
#include "systems/program/items.h"
#include "systems/program/text.h"

namespace stator::systems::orders {
namespace {

constexpr std::array<std::string_view, 6> kEntities = {"Customer",  "Order",  "User",
                                                       "OrgMember", "Access", "TenantOrder"};

struct Field {
  std::string_view name;
  std::string Questions::* value;
};

constexpr std::array<Field, 14> kFields = {{{"customer", &Questions::customer},
                                            {"order", &Questions::order},
                                            {"amount", &Questions::amount},
                                            {"currency", &Questions::currency},
                                            {"priority", &Questions::priority},
                                            {"status", &Questions::status},
                                            {"tracking", &Questions::tracking},
                                            {"user", &Questions::user},
                                            {"repo", &Questions::repo},
                                            {"email", &Questions::email},
                                            {"org", &Questions::org},
                                            {"tenant", &Questions::tenant},
                                            {"from", &Questions::from},
                                            {"to", &Questions::to}}};

Fallible<Questions> ReadQuestions(ValueView value) {
  if (value.type() != Type::kM) return std::unexpected("\"ask\" is not an object");
  Questions ask;
  for (const auto& [name, given] : value.Map()) {
    const auto field = std::ranges::find(kFields, name, &Field::name);
    if (field == kFields.end()) {
      std::vector<std::string_view> names;
      std::ranges::transform(kFields, std::back_inserter(names), &Field::name);
      return std::unexpected(
          fmt::format("nobody asks for \"{}\": there are {}", name, fmt::join(names, ", ")));
    }
    if (given.type() != Type::kS) {
      return std::unexpected(fmt::format("\"{}\" of \"ask\" is not text in quotes", name));
    }
    ask.*field->value = given.S();
  }
  return ask;
}

Fallible<std::vector<Item>> ReadList(std::string_view entity, ValueView value) {
  if (value.type() != Type::kL) {
    return std::unexpected(fmt::format("\"{}\" is not a list of objects", entity));
  }
  std::vector<Item> items;
  for (const ValueView element : value.List()) {
    if (element.type() != Type::kM) {
      return std::unexpected(fmt::format("{} {} is not an object", entity, items.size() + 1));
    }
    items.push_back(Item::FromView(element.Map()));
  }
  return items;
}

bool HasText(const Item& item, std::string_view name, std::string_view text) {
  const auto value = item.Find(name);
  return value && value->type() == Type::kS && value->S() == text;
}

bool HasAll(const Item& item, const Item& texts) {
  for (const auto& [name, text] : texts) {
    if (!HasText(item, name, text.S())) return false;
  }
  return true;
}

std::string FirstText(const std::vector<Item>& items, std::string_view name) {
  for (const Item& item : items) {
    if (std::string text = TextOf(item, name); !text.empty()) return text;
  }
  return {};
}

// The item that has these texts; a new one with them if there is none.
Item& FindOrAdd(std::vector<Item>& items, const Item& texts) {
  const auto found =
      std::ranges::find_if(items, [&](const Item& item) { return HasAll(item, texts); });
  return found != items.end() ? *found : items.emplace_back(texts);
}

void SetIfGiven(Item& item, std::string_view name, const std::string& text) {
  if (!text.empty()) item.Set(name, text);
}

std::pair<std::string, std::string> OwnerAndName(const std::string& repo) {
  const std::size_t slash = repo.find('/');
  if (slash == std::string::npos) return {repo, {}};
  return {repo.substr(0, slash), repo.substr(slash + 1)};
}

class Asking {
 public:
  Asking(const Questions& given, ExampleItems& items)
      : given_(given), items_(items), ask_(items.ask) {
    for (const Field& field : kFields) {
      if (!(given.*field.value).empty()) ask_.*field.value = given.*field.value;
    }
  }

  Fallible<void> AddNamed() {
    if (given_.order.empty() && !(given_.amount + given_.currency).empty()) {
      return std::unexpected("--amount and --currency are of an order: say --order too");
    }
    if (!given_.repo.empty() && OwnerAndName(given_.repo).second.empty()) {
      return std::unexpected("--repo is OWNER/NAME");
    }
    if (given_.from.empty() != given_.to.empty()) {
      return std::unexpected("--from and --to belong together");
    }
    if (!given_.customer.empty()) AddCustomer(given_.customer);
    if (!given_.order.empty()) AddOrder();
    AddPeople();
    if (!given_.tenant.empty()) AddTenantOrder();
    return {};
  }

  Fallible<void> FillIn() {
    FillFrom("Order", "orderId", ask_.order);
    FillFrom("Access", "username", ask_.user);
    FillFrom("OrgMember", "username", ask_.user);
    FillFrom("User", "email", ask_.email);
    FillFrom("Customer", "email", ask_.email);
    FillFrom("OrgMember", "orgName", ask_.org);
    FillFrom("TenantOrder", "tenantId", ask_.tenant);
    if (ask_.repo.empty() && !items_.of["Access"].empty()) {
      const Item& access = items_.of["Access"].front();
      ask_.repo = fmt::format("{}/{}", TextOf(access, "owner"), TextOf(access, "repo"));
    }
    if (ask_.status.empty()) ask_.status = "OPEN";
    if (std::ranges::find(kStatuses, ask_.status) == kStatuses.end()) {
      return std::unexpected(fmt::format("there is no status {}: orders are {}", ask_.status,
                                         fmt::join(kStatuses, ", ")));
    }
    if (ask_.priority.empty()) ask_.priority = "medium";
    if (!PriorityOf(ask_.priority)) {
      return std::unexpected(fmt::format(
          "there is no priority {}: highest, high, medium and low are known", ask_.priority));
    }
    if (ask_.tracking.empty()) ask_.tracking = fmt::format("EXAMPLE-{}", ask_.order);
    if (ask_.from.empty() && ask_.to.empty()) AskForOneMonth();
    TRY(ask_.from, TimeOf("from", ask_.from));
    TRY(ask_.to, TimeOf("to", ask_.to));
    if (ask_.from >= ask_.to) return std::unexpected("--from comes before --to");
    return {};
  }

 private:
  void AddCustomer(const std::string& name) {
    Item& customer = FindOrAdd(items_.of["Customer"], Item{{"username", name}});
    if (!customer.Find("email")) customer.Set("email", name + "@example.com");
    // It is asked for by the name alone, unless the email was said too.
    if (!given_.email.empty()) customer.Set("email", given_.email);
  }

  void AddOrder() {
    Item& order = FindOrAdd(items_.of["Order"], Item{{"orderId", given_.order}});
    SetIfGiven(order, "username", given_.customer);
    SetIfGiven(order, "amount", given_.amount);
    SetIfGiven(order, "currency", given_.currency);
    SetIfGiven(order, "priority", given_.priority);
    if (!order.Find("amount")) order.Set("amount", "0");
    if (!order.Find("username"))
      order.Set("username", FirstText(items_.of["Customer"], "username"));
  }

  void AddPeople() {
    const std::string user = ask_.user;
    if (user.empty()) return;
    if (!(given_.user + given_.repo).empty() && !ask_.repo.empty()) {
      const auto [owner, name] = OwnerAndName(ask_.repo);
      FindOrAdd(items_.of["Access"], Item{{"username", user}, {"owner", owner}, {"repo", name}});
    }
    if (!(given_.user + given_.org).empty() && !ask_.org.empty()) {
      FindOrAdd(items_.of["OrgMember"], Item{{"username", user}, {"orgName", ask_.org}});
    }
    if (!given_.email.empty()) {
      FindOrAdd(items_.of["User"], Item{{"username", user}}).Set("email", given_.email);
    }
  }

  void AddTenantOrder() {
    const auto& orders = items_.of["TenantOrder"];
    if (std::ranges::any_of(
            orders, [&](const Item& item) { return HasText(item, "tenantId", given_.tenant); })) {
      return;
    }
    items_.of["TenantOrder"].push_back(
        Item{{"tenantId", given_.tenant},
             {"customerId", given_.customer.empty() ? "c1" : given_.customer},
             {"orderId", given_.order.empty() ? "o1" : given_.order},
             {"amount", given_.amount.empty() ? "0" : given_.amount}});
  }

  void FillFrom(std::string_view entity, std::string_view name, std::string& value) {
    if (const auto found = items_.of.find(entity); value.empty() && found != items_.of.end()) {
      value = FirstText(found->second, name);
    }
  }

  // The month of the newest order.
  void AskForOneMonth() {
    std::string newest;
    for (const Item& order : items_.of["Order"]) {
      newest = std::max(newest, TextOf(order, "createdAt"));
    }
    const auto time = ParseTime(newest.empty() ? "2024-01-01T00:00:00Z" : newest);
    const std::chrono::year_month_day day(
        std::chrono::floor<std::chrono::days>(time.value_or(TimeMs())));
    const auto next = day.year() / day.month() + std::chrono::months(1);
    ask_.from = fmt::format("{:04}-{:02}-01", static_cast<int>(day.year()),
                            static_cast<unsigned>(day.month()));
    ask_.to = fmt::format("{:04}-{:02}-01", static_cast<int>(next.year()),
                          static_cast<unsigned>(next.month()));
  }

  static Fallible<std::string> TimeOf(std::string_view option, const std::string& text) {
    const auto time = CheckedTime(IsDate(text) ? text + "T00:00:00Z" : text);
    if (time) return *time;
    return std::unexpected(
        fmt::format("--{} is a day, as 2026-02-28, or a time, as 2026-02-28T08:00:00Z", option));
  }

  const Questions& given_;
  ExampleItems& items_;
  Questions& ask_;
};

}  // namespace

Fallible<ExampleItems> ReadExampleItems(std::string_view json) {
  TRY(const Item root, ItemOfJson(json));
  ExampleItems items;
  for (const auto& [name, value] : root) {
    if (name == "ask") {
      TRY(items.ask, ReadQuestions(value));
    } else if (std::ranges::find(kEntities, name) != kEntities.end()) {
      TRY(items.of[std::string(name)], ReadList(name, value));
    } else {
      return std::unexpected(
          fmt::format("there are no items called \"{}\": there are {}, and "
                      "\"ask\" for what is asked",
                      name, fmt::join(kEntities, ", ")));
    }
  }
  return items;
}

Fallible<void> Ask(const Questions& given, ExampleItems& items) {
  Asking asking(given, items);
  TRY_VOID(asking.AddNamed());
  return asking.FillIn();
}

}  // namespace stator::systems::orders
