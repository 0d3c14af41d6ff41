#include "entity/sentinels.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/try.h"
#include "model/keys/derive.h"

namespace stator::entity {
namespace {

std::string Escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '#') {
      escaped += "%23";
    } else if (c == '%') {
      escaped += "%25";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

// nullopt: the item lacks one of the attributes, so there is nothing to keep unique.
std::optional<std::string> SentinelText(const model::Entity& entity,
                                        const std::vector<std::string>& attributes,
                                        const Item& item) {
  std::string text =
      fmt::format("{}{}#{}", model::kSentinelPrefix, entity.name, fmt::join(attributes, "+"));
  for (const std::string& attribute : attributes) {
    const std::optional<ValueView> value = item.Find(attribute);
    if (!value) return std::nullopt;
    if (value->type() != Type::kS && value->type() != Type::kN) return std::nullopt;
    text += "#" + Escaped(value->type() == Type::kN ? value->N() : std::string(value->S()));
  }
  return text;
}

Item SentinelKey(const model::Table& table, const std::string& text) {
  Item key{{table.partition->name, text}};
  if (table.sort) key.Set(table.sort->name, text);
  return key;
}

ItemWrite PutSentinel(const Home& home, const std::string& text, const Item& item,
                      const std::vector<std::string>& attributes) {
  ItemWrite write{.kind = ItemWrite::Kind::kPut, .table_name = home.table_name};
  write.item = SentinelKey(home.table, text);
  // It goes when its item goes.
  if (!home.entity.ttl.empty()) {
    if (const auto ttl = item.Find(home.entity.ttl)) {
      write.item.Set(home.entity.ttl, AttributeValue::FromView(*ttl));
    }
  }
  write.condition =
      fmt::format("attribute_not_exists({})", write.expression.Name(home.table.partition->name));
  write.guards =
      fmt::format("another {} has this {}", home.entity.name, fmt::join(attributes, " and "));
  return write;
}

}  // namespace

bool TouchesUnique(const model::Entity& entity, const std::vector<std::string>& attributes) {
  return std::ranges::any_of(entity.unique, [&](const std::vector<std::string>& unique) {
    return std::ranges::any_of(unique, [&](const std::string& name) {
      return std::ranges::find(attributes, name) != attributes.end();
    });
  });
}

EntityResult<std::vector<ItemWrite>> SentinelWrites(const Home& home, const Item* before,
                                                    const Item* after) {
  std::vector<ItemWrite> writes;
  if (home.entity.unique.empty()) return writes;
  if (home.table.partition->type != Type::kS ||
      (home.table.sort && home.table.sort->type != Type::kS)) {
    return Invalid(
        fmt::format("{} has unique attributes, but the key of table {} is not text: "
                    "there is no place for their sentinels",
                    home.entity.name, home.table.name));
  }
  for (const std::vector<std::string>& attributes : home.entity.unique) {
    const auto old_text =
        before == nullptr ? std::nullopt : SentinelText(home.entity, attributes, *before);
    const auto new_text =
        after == nullptr ? std::nullopt : SentinelText(home.entity, attributes, *after);
    if (old_text == new_text) continue;
    if (old_text) {
      writes.push_back({.kind = ItemWrite::Kind::kDelete,
                        .table_name = home.table_name,
                        .key = SentinelKey(home.table, *old_text)});
    }
    if (new_text) writes.push_back(PutSentinel(home, *new_text, *after, attributes));
  }
  return writes;
}

}  // namespace stator::entity
