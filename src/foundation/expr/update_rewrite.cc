#include "expr/update_rewrite.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "base/try.h"
#include "expr/path_set.h"
#include "expr/update_evaluator.h"
#include "value/encoding.h"
#include "value/item_codec.h"

namespace stator {
namespace {

using Action = Update::Action;
using Changes = std::span<const PathChange>;

Error InvalidPath() {
  return Error::Validation(
      "The document path provided in the update expression is invalid for update");
}

bool IsSet(Type type) { return type == Type::kSS || type == Type::kNS || type == Type::kBS; }

// Takes the changes that lead the same way at `depth` off the front.
Changes TakeGroup(Changes& changes, std::size_t depth) {
  const std::size_t same = SameStep(
      changes, depth, [](const PathChange& change) -> const Path& { return *change.path; });
  const Changes group = changes.first(same);
  changes = changes.subspan(same);
  return group;
}

const char* BodyOf(ItemView map) {
  const char* at = map.encoded().data();
  encoding::ReadVarint(at);
  return at;
}

const char* EndOf(ValueView value) { return value.encoded().data() + value.encoded().size(); }

// One container level at a time: the children of the old container and the changes are both sorted,
// and are merged. A group is the changes that go through, or end at, the same child.
class Rewriter {
 public:
  explicit Rewriter(UpdateProgram::Origin origin) : origin_(origin) {}

  // Appends the entries of the changed map and counts them. What no change touches is copied in
  // runs.
  Result<std::size_t> RewriteMap(ItemView old, Changes changes, std::size_t depth,
                                 std::string& body) {
    std::size_t count = old.size();
    auto entry = old.begin();
    const char* entry_begin = BodyOf(old);
    const char* copied = entry_begin;  // up to here everything is written
    while (!changes.empty()) {
      const std::string& name = (*changes.front().path)[depth].name;
      for (; entry != old.end() && entry->first < name; ++entry) entry_begin = EndOf(entry->second);
      body.append(copied, entry_begin);
      const bool exists = entry != old.end() && entry->first == name;
      ASSIGN_OR_RETURN(
          const bool kept,
          AppendEntry(TakeGroup(changes, depth),
                      exists ? std::optional(entry->second) : std::nullopt, depth, body));
      count = count - exists + kept;
      if (exists) {
        entry_begin = EndOf(entry->second);
        ++entry;
      }
      copied = entry_begin;
    }
    body.append(copied, old.encoded().end());
    return count;
  }

 private:
  Result<std::size_t> RewriteList(ListView old, Changes changes, std::size_t depth,
                                  std::string& body) {
    std::size_t count = 0;
    std::size_t index = 0;
    for (const ValueView& element : old) {
      if (!changes.empty() && (*changes.front().path)[depth].index == index) {
        ASSIGN_OR_RETURN(const bool kept,
                         AppendChild(TakeGroup(changes, depth), element, depth, body));
        count += kept;
      } else {
        body.append(element.encoded());
        ++count;
      }
      ++index;
    }
    // What lies behind the end is put there in the order of its indexes, without gaps.
    while (!changes.empty()) {
      ASSIGN_OR_RETURN(const bool added,
                       AppendChild(TakeGroup(changes, depth), std::nullopt, depth, body));
      count += added;
    }
    return count;
  }

  // As AppendChild, with the name before it.
  Result<bool> AppendEntry(Changes group, std::optional<ValueView> old, std::size_t depth,
                           std::string& body) {
    const std::size_t before = body.size();
    AppendName(body, (*group.front().path)[depth].name);
    ASSIGN_OR_RETURN(const bool kept, AppendChild(group, old, depth, body));
    if (!kept) body.resize(before);
    return kept;
  }

  // Appends what becomes of one child. False when nothing does.
  Result<bool> AppendChild(Changes group, std::optional<ValueView> old, std::size_t depth,
                           std::string& out) {
    const Path& path = *group.front().path;
    if (path.size() == depth + 1) return AppendChanged(group.front(), old, out);
    const bool by_index = path[depth + 1].is_index;
    if (!old || old->type() != (by_index ? Type::kL : Type::kM)) {
      return std::unexpected(InvalidPath());
    }
    std::string body;
    ASSIGN_OR_RETURN(const std::size_t count, by_index
                                                  ? RewriteList(old->List(), group, depth + 1, body)
                                                  : RewriteMap(old->Map(), group, depth + 1, body));
    const std::size_t begun = BeginContainer(out, old->type(), count);
    out.append(body);
    EndContainer(out, begun);
    return true;
  }

  Result<bool> AppendChanged(const PathChange& change, std::optional<ValueView> old,
                             std::string& out) {
    switch (change.action) {
      case Action::kSet:
        out.append(change.value.encoded());
        return true;
      case Action::kRemove:
        return false;
      case Action::kAdd:
        return AppendSum(old, change.value, out);
      case Action::kDelete:
        return AppendDifference(old, change.value, out);
    }
    return false;
  }

  Result<bool> AppendSum(std::optional<ValueView> old, ValueView operand, std::string& out) {
    if (!old) {
      out.append(operand.encoded());
      return true;
    }
    if (old->type() != operand.type()) return std::unexpected(TypeMismatch());
    if (operand.type() == Type::kN) {
      ASSIGN_OR_RETURN(const std::string sum, AddNumbers(*old, operand));
      out.append(sum);
    } else if (operand.type() == Type::kL) {
      out.append(ConcatenateLists(old->List(), operand.List()));
    } else {
      std::vector<std::string_view> members;
      std::ranges::set_union(old->Set().Members(), operand.Set().Members(),
                             std::back_inserter(members));
      AppendSet(out, operand.type(), members);
    }
    return true;
  }

  Result<bool> AppendDifference(std::optional<ValueView> old, ValueView operand, std::string& out) {
    if (!old) return false;
    if (old->type() != operand.type() || !IsSet(operand.type())) {
      return std::unexpected(TypeMismatch());
    }
    std::vector<std::string_view> members;
    std::ranges::set_difference(old->Set().Members(), operand.Set().Members(),
                                std::back_inserter(members));
    if (members.empty()) return false;
    AppendSet(out, operand.type(), members);
    return true;
  }

  Error TypeMismatch() const {
    return Error::Validation(
        origin_ == UpdateProgram::Origin::kLegacy
            ? "Type mismatch for attribute to update"
            : "An operand in the update expression has an incorrect data type");
  }

  UpdateProgram::Origin origin_;
};

}  // namespace

Result<Item> Rewrite(ItemView before, Changes changes, UpdateProgram::Origin origin) {
  std::string encoded;
  encoded.reserve(before.encoded().size() + 64);
  AppendVarint(encoded, before.size());
  const std::size_t assumed = encoded.size();
  ASSIGN_OR_RETURN(const std::size_t count,
                   Rewriter(origin).RewriteMap(before, changes, 0, encoded));
  // The count mostly is as long as before, and then nothing moves.
  std::string written;
  AppendVarint(written, count);
  encoded.replace(0, assumed, written);
  return Item::FromEncoded(std::move(encoded));
}

}  // namespace stator
