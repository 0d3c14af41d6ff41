// How ElectroDB writes the keys of an entity: by templates over its attributes, or as attributes that follow from others.
#ifndef STATOR_GENERATE_ELECTRODB_KEYS_H_
#define STATOR_GENERATE_ELECTRODB_KEYS_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generate/code_names.h"
#include "model/model.h"

namespace stator::model {

// One key of an index in ElectroDB's terms: the attributes it is made of, and its code.
struct ElectroKey {
  std::vector<std::string> composite;
  std::string code;
};

class ElectroKeys {
 public:
  // `names` must outlive this.
  explicit ElectroKeys(const EntityNames& names);

  // ElectroDB's name for an attribute: the same, if it is an identifier.
  const std::string& NameOf(std::string_view attribute) const;
  // Digits to which ElectroDB pads the attribute in keys; 0: it does not.
  int PaddingOf(std::string_view attribute) const;
  // The attribute that holds the shard; null: the keys of the index have none.
  const std::string* ShardName(const Index& index) const;

  // Keys that no template can write, or that an item may lack: attributes that follow from others.
  const std::map<std::string, std::string, std::less<>>& computed() const { return computed_; }

  // Why ElectroDB cannot have the entity, or the index; empty: it can. The keys of an index that it cannot have are
  // written nevertheless.
  std::string Obstacle() const;
  std::string IndexObstacle(const Index& index) const;

  // nullopt: ElectroDB has no such key. `index`: null for the table.
  std::optional<ElectroKey> Key(const KeyAttribute& key, const Index* index) const;
  // Which items the index holds, as an expression over `item`; empty: all.
  std::string Condition(const Index& index) const;

  static std::string Code(const KeyAttribute& key, const std::vector<std::string>& composite,
                          const std::string& text);

 private:
  void FindPadding();
  bool IsComputed(const KeyTemplate& key) const;
  // Attributes that the keys of the index are made of, the one behind its shard included.
  std::vector<std::string> SourcesOf(const Index& index) const;
  bool MayBeAbsent(std::string_view name) const;
  std::string TermCode(const Term& term) const;

  const EntityNames& names_;
  const Entity& entity_;
  const Table& table_;
  std::map<std::string, std::string, std::less<>> attributes_;
  std::map<const Index*, std::string> shards_;
  std::map<std::string, int, std::less<>> padding_;
  std::map<std::string, std::string, std::less<>> computed_;
};

}  // namespace stator::model

#endif  // STATOR_GENERATE_ELECTRODB_KEYS_H_
