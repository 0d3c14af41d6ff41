// Finds the part of a model that a name in the file means, and reports a name that means nothing
// at its place in the document.
#ifndef STATOR_MODEL_PARSE_NAME_LOOKUP_H_
#define STATOR_MODEL_PARSE_NAME_LOOKUP_H_

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "model/model.h"
#include "model/parse/fields.h"
#include "model/parse/yaml.h"

namespace stator::model {

// The attributes that a name may mean in one place of the file; `any`: the model does not say.
struct AttributeScope {
  std::unordered_set<std::string_view> names;
  bool any = false;
  std::string of;  // "FileJob" or "table jobs", for messages

  bool Has(std::string_view path) const;  // for "a.b" and "a[0]" looks for `a` too
};

// Keys that lead from the document to a node; a number is the position in a list.
using Path = std::initializer_list<std::string_view>;

class NameLookup {
 public:
  // The document and the model must outlive the lookup.
  NameLookup(Problems& problems, const Node& document, const Model& model);

  const Table* FindTable(std::string_view id) const;
  const Entity* FindEntity(std::string_view name) const;
  const Pattern* FindPattern(std::string_view name) const;
  const AttributeScope& ScopeOf(const Entity& entity);
  const AttributeScope& ScopeOf(const Table& table);

  // Follows the path as far as it goes; then to `name`, if it is a key, an item of a list, or
  // part of a text there.
  Place PlaceOf(Path path, std::string_view name) const;

  // Null, and reported unless the name is empty, if nothing has the name.
  const Table* RequireTable(const std::string& id, Path path) const;
  const Entity* RequireEntity(const std::string& name, Path path) const;
  const Index* RequireIndex(const Table& table, const std::string& name, Path path) const;
  const Pattern* RequirePattern(const std::string& name, Path path) const;
  void RequireAttributes(const AttributeScope& scope, const std::vector<std::string>& names,
                         Path path) const;

  void ReportAttribute(const AttributeScope& scope, std::string_view name, Place place) const;
  void ReportEntity(std::string_view name, Place place) const;
  // "unknown write of FileJob `clam`": valid are the verbs of every entity and its moves.
  void ReportVerb(const Entity& entity, std::string_view verb, Place place) const;

 private:
  Problems& problems_;
  const Node& document_;
  const Model& model_;
  std::unordered_map<std::string_view, const Table*> tables_;
  std::unordered_map<std::string_view, const Entity*> entities_;
  std::unordered_map<std::string_view, const Pattern*> patterns_;
  std::map<const void*, AttributeScope> scopes_;
};

}  // namespace stator::model

#endif  // STATOR_MODEL_PARSE_NAME_LOOKUP_H_
