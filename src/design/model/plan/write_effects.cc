#include "model/plan/write_effects.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "model/keys/key_access.h"
#include "model/keys/truth.h"
#include "model/names.h"
namespace stator::model {
namespace {

using Kind = IndexEffect::Kind;

const Move* MoveOf(const Entity& entity, const Pattern& pattern) {
  if (!entity.machine || pattern.write.kind != WriteKind::kMove) return nullptr;
  return entity.machine->FindMove(pattern.write.move);
}

// ---- which keys change

bool ChangesKey(const Entity& entity, const Pattern& pattern, std::string_view key,
                const std::vector<std::string>& changed) {
  if (Contains(changed, key)) return true;
  const std::optional<KeyTemplate> made = TemplateFor(entity, key);
  if (!made || !made->IsDerived()) return false;
  // What the code does not derive stays as it was.
  if (pattern.write.derives && !Contains(*pattern.write.derives, key)) return false;
  return std::ranges::any_of(changed, [&](const std::string& name) { return made->Uses(name); });
}

bool RemovesKey(const Entity& entity, const Pattern& pattern, std::string_view key) {
  const std::vector<std::string>& removes = pattern.write.removes;
  if (Contains(removes, key)) return true;
  const std::optional<KeyTemplate> made = TemplateFor(entity, key);
  return made &&
         std::ranges::any_of(removes, [&](const std::string& name) { return made->Uses(name); });
}

bool AnyKey(const Index& index, const auto& test) {
  const auto named = [&](const KeyAttribute& key) { return test(key.name); };
  return std::ranges::any_of(index.partition, named) || std::ranges::any_of(index.sort, named);
}

bool ChangesProjected(const Index& index, const std::vector<std::string>& changed) {
  switch (index.projection.kind) {
    case Projection::Kind::kAll:
      return true;
    case Projection::Kind::kKeysOnly:
      return false;
    case Projection::Kind::kInclude:
      return std::ranges::any_of(changed, [&](const std::string& name) {
        return Contains(index.projection.attributes, name);
      });
  }
  return false;
}

// ---- whether the item is in the index, before and after

// True if items can lack a source of the index's key until a write sets it.
bool EntersLater(const Entity& entity, const Index& index,
                 const std::vector<std::string>& changed) {
  return AnyKey(index, [&](const std::string& key) {
    const std::optional<KeyTemplate> made = TemplateFor(entity, key);
    if (!made) return false;
    return std::ranges::any_of(made->Sources(), [&](const std::string& source) {
      const Attribute* attribute = entity.FindAttribute(source);
      return attribute != nullptr && attribute->optional && Contains(changed, source);
    });
  });
}

// True if a write to existing items changes attributes for which `test` holds.
bool AnyLaterWrite(const Model& model, const Entity& entity, const auto& test) {
  return std::ranges::any_of(model.patterns, [&](const Pattern& pattern) {
    return pattern.kind == PatternKind::kWrite && pattern.entity == entity.name &&
           !WritesWholeItem(pattern) && test(ChangedAttributes(entity, pattern));
  });
}

// True if another write gives the items an optional attribute that the index's key needs.
bool IsGivenLater(const Model& model, const Entity& entity, const Index& index) {
  return AnyLaterWrite(model, entity, [&](const std::vector<std::string>& changed) {
    return EntersLater(entity, index, changed);
  });
}

// Who has the keys of an index is in it; who lacks one of them is not.
std::optional<double> ShareByKeys(const Index& index, const Known& known) {
  bool has_one = false;
  for (const auto* keys : {&index.partition, &index.sort}) {
    for (const KeyAttribute& key : *keys) {
      const auto it = known.find(key.name);
      if (it == known.end()) continue;
      if (!it->second.present) return 0;
      has_one = true;
    }
  }
  return has_one ? std::optional<double>(1) : std::nullopt;
}

double ShareIn(const Index& index, const Known& known) {
  if (!index.sparse) return 1;
  if (!index.sparse->when) return index.sparse->share;
  switch (Evaluate(*index.sparse->when, known)) {
    case Truth::kTrue:
      return 1;
    case Truth::kFalse:
      return 0;
    case Truth::kUnknown:
      break;
  }
  return index.sparse->share;
}

Known KnownFromTerms(const std::vector<Term>& terms) {
  Known known;
  for (const Term& term : terms) {
    const bool literal = term.comparison == Comparison::kEqual && term.operands.size() == 1 &&
                         term.operands[0].IsLiteral();
    if (literal) {
      known[term.attribute] = KnownAttribute::Value(term.operands[0].text);
    } else if (term.comparison == Comparison::kMissing) {
      known[term.attribute] = KnownAttribute::Missing();
    } else if (term.comparison != Comparison::kNotEqual) {
      known[term.attribute] = KnownAttribute::Present();
    }
  }
  return known;
}

// What all alternatives of the condition agree on.
Known KnownFromGuard(const Pattern& pattern) {
  if (!pattern.write.condition || pattern.write.condition->any_of.empty()) return {};
  const auto& alternatives = pattern.write.condition->any_of;
  Known known = KnownFromTerms(alternatives.front());
  for (std::size_t i = 1; i < alternatives.size(); ++i) {
    const Known other = KnownFromTerms(alternatives[i]);
    std::erase_if(known, [&](const auto& one) {
      const auto it = other.find(one.first);
      return it == other.end() || it->second.present != one.second.present ||
             it->second.value != one.second.value;
    });
  }
  return known;
}

Known KnownAfter(const Pattern& pattern, Known known, const std::vector<std::string>& changed) {
  for (const std::string& name : changed) known[name] = KnownAttribute::Present();
  for (const std::string& name : pattern.write.removes) known[name] = KnownAttribute::Missing();
  return known;
}

// What is known of the item before and after a write, for each pair of states that a move may take
// it from and to. All pairs are equally likely.
struct Passage {
  Known before;
  Known after;
};

std::vector<Passage> PassagesOf(const Entity& entity, const Pattern& pattern,
                                const std::vector<std::string>& changed) {
  const Known before = KnownFromGuard(pattern);
  const Known after = KnownAfter(pattern, before, changed);
  const Move* move = MoveOf(entity, pattern);
  if (move == nullptr) return {{before, after}};
  std::vector<std::string> from = move->from;
  if (from.empty()) from = ValuesOf(entity, entity.machine->attribute);
  std::vector<Passage> passages;
  for (const std::string& source : from) {
    for (const std::string& target : move->to) {
      Passage& passage = passages.emplace_back(before, after);
      passage.before[entity.machine->attribute] = KnownAttribute::Value(source);
      passage.after[entity.machine->attribute] = KnownAttribute::Value(target);
    }
  }
  if (passages.empty()) passages.push_back({before, after});
  return passages;
}

// What is known of a new item: the states it starts in, and defaults. It still lacks an optional
// attribute that another write gives.
std::vector<Known> NewItems(const Model& model, const Entity& entity, const Pattern& create) {
  Known known;
  for (const Attribute& attribute : entity.attributes) {
    const auto gives = [&](const std::vector<std::string>& changed) {
      return Contains(changed, attribute.name);
    };
    if (attribute.default_value && attribute.default_value->kind == DefaultValue::Kind::kLiteral) {
      known[attribute.name] = KnownAttribute::Value(attribute.default_value->text);
    } else if (attribute.optional && !gives(create.write.sets) &&
               AnyLaterWrite(model, entity, gives)) {
      known[attribute.name] = KnownAttribute::Missing();
    }
  }
  if (!entity.machine || entity.machine->initial.empty()) return {known};
  std::vector<Known> items;
  for (const std::string& state : entity.machine->initial) {
    items.push_back(known);
    items.back()[entity.machine->attribute] = KnownAttribute::Value(state);
  }
  return items;
}

// ---- effects

class Effects {
 public:
  explicit Effects(const Index& index) : index_(index) {}
  void Add(Kind kind, double share) {
    if (kind == Kind::kNone || share <= 0) return;
    for (IndexEffect& effect : effects_) {
      if (effect.kind != kind) continue;
      effect.share += share;
      return;
    }
    effects_.push_back({.index = &index_, .kind = kind, .share = share});
  }
  std::vector<IndexEffect> Take() { return std::move(effects_); }

 private:
  const Index& index_;
  std::vector<IndexEffect> effects_;
};

void AddNewItem(const Model& model, const Entity& entity, const Pattern& pattern,
                const Index& index, Effects& effects) {
  const bool later = IsGivenLater(model, entity, index);
  if (later && !EntersLater(entity, index, pattern.write.sets)) return;
  const std::vector<Known> items = NewItems(model, entity, pattern);
  for (const Known& item : items) {
    effects.Add(Kind::kPut, ShareIn(index, item) / static_cast<double>(items.size()));
  }
}

void AddChange(const Entity& entity, const Pattern& pattern, const Index& index,
               const std::vector<std::string>& changed, Effects& effects) {
  if (AnyKey(index, [&](const std::string& key) { return RemovesKey(entity, pattern, key); })) {
    effects.Add(Kind::kRemove, 1);
    return;
  }
  Kind stays = Kind::kNone;
  if (ChangesProjected(index, changed)) stays = Kind::kUpdate;
  if (AnyKey(index,
             [&](const std::string& key) { return ChangesKey(entity, pattern, key, changed); })) {
    stays = EntersLater(entity, index, changed) ? Kind::kPut : Kind::kMove;
  }
  const bool decides = index.sparse && index.sparse->when &&
                       std::ranges::any_of(changed, [&](const std::string& name) {
                         return Uses(*index.sparse->when, name);
                       });
  const std::vector<Passage> passages = PassagesOf(entity, pattern, changed);
  const double each = 1 / static_cast<double>(passages.size());
  for (const Passage& passage : passages) {
    const double before =
        ShareByKeys(index, passage.before).value_or(ShareIn(index, passage.before));
    if (!decides) {
      effects.Add(stays, (stays == Kind::kPut ? 1 : before) * each);
      continue;
    }
    const double after = ShareIn(index, passage.after);
    effects.Add(Kind::kPut, (1 - before) * after * each);
    effects.Add(Kind::kRemove, before * (1 - after) * each);
    effects.Add(stays, before * after * each);
  }
}

}  // namespace

bool WritesWholeItem(const Pattern& pattern) {
  return pattern.write.kind == WriteKind::kCreate || pattern.write.kind == WriteKind::kPut;
}

std::vector<std::string> ChangedAttributes(const Entity& entity, const Pattern& pattern) {
  std::vector<std::string> changed;
  if (WritesWholeItem(pattern)) {
    for (const Attribute& attribute : entity.attributes) changed.push_back(attribute.name);
    return changed;
  }
  if (pattern.write.kind == WriteKind::kDelete) return changed;
  for (const auto* names : {&pattern.write.sets, &pattern.write.removes, &pattern.write.adds}) {
    for (const std::string& name : *names) AddOnce(changed, name);
  }
  if (const Move* move = MoveOf(entity, pattern)) {
    AddOnce(changed, entity.machine->attribute);
    if (move->stamps && !entity.machine->stamp.empty()) AddOnce(changed, entity.machine->stamp);
    for (const std::string& name : move->sets) AddOnce(changed, name);
  }
  if (pattern.write.guard == Guard::kVersion && !entity.version.empty()) {
    AddOnce(changed, entity.version);
  }
  return changed;
}

std::vector<std::string> AffectedKeys(const Table& table, const Entity& entity,
                                      const Pattern& pattern) {
  std::vector<std::string> keys;
  if (pattern.write.kind == WriteKind::kDelete) return keys;
  const bool whole = WritesWholeItem(pattern) || pattern.write.kind == WriteKind::kRekey;
  const std::vector<std::string> changed = ChangedAttributes(entity, pattern);
  const KeySchema base = SchemaOf(table);
  for (const KeyTemplate& key : entity.keys) {
    if (!key.IsDerived() || (!whole && base.Has(key.attribute))) continue;
    const bool uses =
        std::ranges::any_of(changed, [&](const std::string& name) { return key.Uses(name); });
    const bool sparse = std::ranges::any_of(table.indexes, [&](const Index& index) {
      return index.sparse && index.sparse->when && SchemaOf(table, index).Has(key.attribute) &&
             std::ranges::any_of(
                 changed, [&](const std::string& name) { return Uses(*index.sparse->when, name); });
    });
    if (whole || uses || sparse) AddOnce(keys, key.attribute);
  }
  return keys;
}

std::vector<IndexEffect> EffectsOf(const Model& model, const Table& table, const Entity& entity,
                                   const Pattern& pattern) {
  std::vector<IndexEffect> all;
  const std::vector<std::string> changed = ChangedAttributes(entity, pattern);
  for (const Index& index : table.indexes) {
    if (!Holds(SchemaOf(table, index), entity)) continue;
    Effects effects(index);
    if (WritesWholeItem(pattern)) {
      AddNewItem(model, entity, pattern, index, effects);
    } else if (pattern.write.kind == WriteKind::kDelete) {
      effects.Add(Kind::kRemove, index.sparse ? index.sparse->share : 1);
    } else {
      AddChange(entity, pattern, index, changed, effects);
    }
    std::ranges::move(effects.Take(), std::back_inserter(all));
  }
  return all;
}

}  // namespace stator::model
