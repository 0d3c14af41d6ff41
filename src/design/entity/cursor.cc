#include "entity/cursor.h"

#include "entity/context.h"
#include "model/keys/derive.h"
#include "value/base64.h"
#include "value/item_codec.h"

namespace stator::entity {
namespace {

constexpr char kVersion = 1;

void AppendFixed(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xFF);
}

// nullopt if fewer bytes are left.
std::optional<std::uint64_t> TakeFixed(std::string_view& rest, std::size_t bytes) {
  if (rest.size() < bytes) return std::nullopt;
  std::uint64_t value = 0;
  for (std::size_t i = bytes; i-- > 0;) value = value << 8 | static_cast<unsigned char>(rest[i]);
  rest.remove_prefix(bytes);
  return value;
}

std::optional<QueryPosition> TakePosition(std::string_view& rest) {
  if (rest.empty()) return std::nullopt;
  const char kind = rest.front();
  rest.remove_prefix(1);
  if (kind == 'S') return QueryPosition{};
  if (kind == 'E') return QueryPosition{.at_end = true, .behind = std::nullopt};
  if (kind != 'P') return std::nullopt;
  const auto length = TakeFixed(rest, 4);
  if (!length || *length > rest.size()) return std::nullopt;
  const std::string_view item = rest.substr(0, *length);
  rest.remove_prefix(*length);
  if (!IsWellFormedItem(item)) return std::nullopt;
  return QueryPosition{.at_end = false, .behind = Item::FromEncoded(std::string(item))};
}

std::unexpected<EntityError> Foreign() {
  return Invalid("the cursor does not belong to this question: start again without one");
}

}  // namespace

std::uint64_t QuestionOf(std::string_view pattern, const PatternParameters& parameters,
                         bool descending) {
  std::uint64_t hash = model::HashText({});
  const auto add = [&](std::string_view text) {
    hash = model::HashText("\xFF", model::HashText(text, hash));
  };
  add(pattern);
  for (const auto& [name, value] : parameters) {
    add(name);
    add(value.encoded());
  }
  add(descending ? "desc" : "asc");
  return hash;
}

std::string CursorText(std::uint64_t question, const std::vector<QueryPosition>& queries) {
  std::string bytes(1, kVersion);
  AppendFixed(bytes, question, 8);
  for (const QueryPosition& query : queries) {
    if (query.at_end) {
      bytes += 'E';
    } else if (!query.behind) {
      bytes += 'S';
    } else {
      bytes += 'P';
      AppendFixed(bytes, query.behind->encoded().size(), 4);
      bytes += query.behind->encoded();
    }
  }
  std::string text;
  AppendBase64(text, bytes);
  return text;
}

EntityResult<std::vector<QueryPosition>> ReadCursor(std::string_view text, std::uint64_t question,
                                                    std::size_t query_count) {
  std::string bytes;
  if (AppendBase64Decoded(bytes, text) != Base64Status::kOk) return Foreign();
  std::string_view rest = bytes;
  if (TakeFixed(rest, 1) != std::uint64_t{kVersion} || TakeFixed(rest, 8) != question) {
    return Foreign();
  }
  std::vector<QueryPosition> queries;
  for (std::size_t i = 0; i < query_count; ++i) {
    std::optional<QueryPosition> query = TakePosition(rest);
    if (!query) return Foreign();
    queries.push_back(*std::move(query));
  }
  if (!rest.empty()) return Foreign();
  return queries;
}

}  // namespace stator::entity
