#include "expr/projection.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "base/try.h"
#include "expr/binding.h"
#include "expr/legacy_comparison.h"
#include "expr/operand_parser.h"
#include "value/item_codec.h"

namespace stator {
namespace {

constexpr ExpressionKind kProjectionKind = ExpressionKind::kProjection;

// projection := path (',' path)*
class ProjectionParser : private OperandParser {
 public:
  explicit ProjectionParser(std::string_view text) : OperandParser(text, {}) {}

  Result<SyntaxTree> Parse() && {
    RETURN_IF_ERROR(Finish(kProjectionKind, ParsePaths()));
    return std::move(tree_);
  }

 private:
  bool ParsePaths() {
    do {
      if (ParsePath() == nullptr) return false;
    } while (cursor_.TakeSymbol(','));
    return true;
  }
};

}  // namespace

Projection::Projection(std::vector<Path> paths) : paths_(std::move(paths)), sorted_(paths_) {
  std::ranges::sort(sorted_, PathBefore);
  if (!std::ranges::all_of(sorted_, [](const Path& path) { return path.size() == 1; })) return;
  top_level_.reserve(sorted_.size());
  for (Path& path : sorted_) top_level_.push_back(std::move(path.front().name));
  sorted_.clear();
}

Result<Projection> Projection::Parse(std::string_view text, Placeholders& placeholders) {
  RETURN_IF_ERROR(CheckExpressionText(text, kProjectionKind));
  ASSIGN_OR_RETURN(const SyntaxTree tree, ProjectionParser(text).Parse());
  RETURN_IF_ERROR(CheckReservedWords(tree, kProjectionKind));
  std::vector<Path> paths;
  std::vector<const Path*> written;
  paths.reserve(tree.nodes.size());
  written.reserve(tree.nodes.size());
  for (const SyntaxNode& node : tree.nodes) {
    Path& path = paths.emplace_back();
    RETURN_IF_ERROR(BindPath(node, kProjectionKind, placeholders, path));
    written.push_back(&path);
  }
  RETURN_IF_ERROR(RefuseFor(kProjectionKind, RelatedPaths(written)));
  return Projection(std::move(paths));
}

Result<Projection> Projection::FromNames(const std::vector<std::string>& names) {
  std::unordered_set<std::string_view> seen;
  std::vector<Path> paths;
  paths.reserve(names.size());
  for (const std::string& name : names) {
    RETURN_IF_ERROR(CheckAttributeName(name));
    if (!seen.insert(name).second) {
      return InvalidParameters(fmt::format("Duplicate value in attribute name: {}", name));
    }
    paths.push_back({{.name = name}});
  }
  return Projection(std::move(paths));
}

Projection Projection::FromColumns(std::vector<Column> columns) {
  std::vector<Path> paths;
  paths.reserve(columns.size());
  for (const Column& column : columns) paths.push_back(column.path);
  Projection projection(std::move(paths));
  if (projection.sorted_.empty()) return projection;
  std::ranges::sort(columns, {}, &Column::name);
  projection.columns_ = std::move(columns);
  return projection;
}

Item Projection::ApplyColumns(ItemView item) const {
  PathLookup::Paths paths;
  paths.reserve(sorted_.size());
  for (const Path& path : sorted_) paths.push_back(&path);
  const PathLookup lookup(item, paths);
  ItemBuilder builder;
  for (const Column& column : columns_) {
    if (const std::optional<ValueView> value = lookup.Find(column.path)) {
      builder.Add(column.name, *value);
    }
  }
  return Item::FromEncoded(std::move(builder).Finish());
}

Item Projection::Apply(ItemView item) const {
  if (!columns_.empty()) return ApplyColumns(item);
  if (sorted_.empty()) return Item::FromEncoded(ProjectTopLevel(item, top_level_));
  return SelectPaths(item, sorted_);
}

}  // namespace stator
