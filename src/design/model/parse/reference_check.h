// What the checks of references share: where a name may point, and how a wrong one is reported.
#ifndef STATOR_MODEL_PARSE_REFERENCE_CHECK_H_
#define STATOR_MODEL_PARSE_REFERENCE_CHECK_H_

#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "model/model.h"
#include "model/parse/locator.h"
#include "model/parse/problems.h"

namespace stator::model {

// The attributes that names may mean in one place of the file; `any`: the model does not say.
struct AttributeScope {
  std::unordered_set<std::string_view> names;
  bool any = false;
  std::string of;  // "FileJob" or "table jobs", for messages

  bool Has(std::string_view path) const;  // of "a.b" and "a[0]", a
};

using Path = std::initializer_list<std::string_view>;

class ReferenceCheck {
 public:
  ReferenceCheck(Problems& problems, const Node& document, Model& model);

  void CheckTables();
  void CheckEntities();
  void CheckPatterns();
  void CheckMigrations();
  void CheckGrants();

 private:
  const Table* FindTable(const std::string& id) const;
  const Entity* FindEntity(const std::string& name) const;
  const AttributeScope& ScopeOf(const Entity& entity);
  const AttributeScope& ScopeOf(const Table& table);

  // Null, and reported, if there is none.
  const Table* RequireTable(const std::string& id, Path path);
  const Entity* RequireEntity(const std::string& name, Path path);
  const Index* RequireIndex(const Table& table, const std::string& name, Path path);
  void RequireAttributes(const AttributeScope& scope, const std::vector<std::string>& names,
                         Path path);
  void RequireTerm(const AttributeScope& scope, const Table& table, Term& term);
  void RequireTerms(const AttributeScope& scope, const Table& table,
                    std::optional<Predicate>& predicate);

  void CheckIndex(const Table& table, Index& index);
  void CheckEntity(Entity& entity);
  void CheckRead(Pattern& pattern);
  void CheckReadSource(Pattern& pattern);
  void CheckReadNames(Pattern& pattern, const Table& table);
  void CheckWrite(Pattern& pattern);
  void CheckVerb(const Pattern& pattern, const Entity& entity);
  void CheckTransaction(const Pattern& pattern);
  void ReportAttribute(const AttributeScope& scope, std::string_view name, Place place);
  void ReportUnknown(std::string_view what, std::string_view name,
                     const std::vector<std::string_view>& valid, Place place);

  Problems& problems_;
  Locator locator_;
  Model& model_;
  std::unordered_map<std::string_view, const Table*> tables_;
  std::unordered_map<std::string_view, const Entity*> entities_;
  std::unordered_map<std::string_view, const Pattern*> patterns_;
  std::map<const void*, AttributeScope> scopes_;
};

}  // namespace stator::model

#endif  // STATOR_MODEL_PARSE_REFERENCE_CHECK_H_
