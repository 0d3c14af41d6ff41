// AP04: is there a reader for everything that is written into an index?
#include <fmt/format.h>

#include <algorithm>

#include "model/keys/key_access.h"
#include "model/keys/truth.h"
#include "model/names.h"
#include "rules/checks.h"

namespace stator::model {
namespace {

// The values of one enum that a read of the index asks for; nullopt: any of them.
std::optional<std::vector<std::string>> AskedBy(const Plan& plan, const std::string& attribute) {
  const ReadDetail& read = plan.pattern->read;
  if (plan.operation == Operation::kScan) return std::nullopt;
  if (read.foreach_attribute == attribute) {
    if (read.foreach_values.empty()) return std::nullopt;
    return read.foreach_values;
  }
  for (const Term& term : read.where) {
    if (term.attribute != attribute) continue;
    if (term.comparison != Comparison::kEqual && term.comparison != Comparison::kIn) continue;
    std::vector<std::string> values;
    for (const Operand& operand : term.operands) {
      if (operand.kind == Operand::Kind::kParameter) return std::nullopt;
      values.push_back(operand.text);
    }
    return values;
  }
  return std::nullopt;  // the caller spells the key itself: handled by the texts it spells
}

// A key that the caller spells: the value fits if the template with that value can be the text.
bool Spells(const Plan& plan, const std::string& key, std::string& text) {
  for (const Term& term : plan.pattern->read.where) {
    if (term.attribute != key || term.comparison != Comparison::kEqual) continue;
    if (term.operands.empty() || term.operands[0].kind != Operand::Kind::kText) continue;
    text = term.operands[0].text;
    return true;
  }
  return false;
}

bool CanBeIn(const Index& index, const std::string& attribute, const std::string& value) {
  if (!index.sparse || !index.sparse->when) return true;
  return Evaluate(*index.sparse->when, {{attribute, KnownAttribute::Value(value)}}) !=
         Truth::kFalse;
}

struct Asked {
  bool any = false;  // a read asks for whatever value
  bool read = false;
  std::vector<std::string> values;
};

// A text "STATUS#PENDING" names the value whose place in the template it fills.
void AddSpelled(const KeyTemplate& made, const std::string& attribute, std::string_view text,
                const std::vector<std::string>& values, Asked& asked) {
  const bool only = made.Sources().size() == 1;
  for (const std::string& value : values) {
    std::string spelled;
    for (const TemplatePart& part : made.parts) {
      spelled += part.is_placeholder && part.text == attribute ? value : part.text;
    }
    if (only ? spelled == text : text.find(value) != std::string_view::npos) {
      AddOnce(asked.values, value);
    }
  }
}

Asked FindAsked(const Subject& subject, const Entity& entity, const Index& index,
                const KeyTemplate& made, const std::string& attribute,
                const std::vector<std::string>& values) {
  Asked asked;
  for (const Plan& plan : subject.plans) {
    if (plan.index != &index || !plan.resolved()) continue;
    const bool meets = plan.entity == nullptr || plan.entity == &entity ||
                       std::ranges::find(plan.present, &entity) != plan.present.end();
    if (!meets) continue;
    asked.read = true;
    std::string text;
    if (Spells(plan, made.attribute, text)) {
      AddSpelled(made, attribute, text, values, asked);
      continue;
    }
    const auto one = AskedBy(plan, attribute);
    if (!one) {
      asked.any = true;
      return asked;
    }
    for (const std::string& value : *one) AddOnce(asked.values, value);
  }
  return asked;
}

void CheckEnums(const Subject& subject, const Table& table, const Entity& entity,
                const Index& index, Findings& findings) {
  for (const KeyAttribute& key : index.partition) {
    const std::optional<KeyTemplate> made = TemplateFor(entity, key.name);
    if (!made) continue;
    for (const std::string& attribute : made->Sources()) {
      const std::vector<std::string> values = ValuesOf(entity, attribute);
      if (values.empty()) continue;
      const Asked asked = FindAsked(subject, entity, index, *made, attribute, values);
      if (!asked.read || asked.any) continue;
      std::vector<std::string> unasked;
      for (const std::string& value : values) {
        if (CanBeIn(index, attribute, value) && !Contains(asked.values, value)) {
          unasked.push_back(value);
        }
      }
      if (unasked.empty()) continue;
      findings.Add(fmt::format("{}.{}", table.id, index.name), index.place,
                   fmt::format("items of {} with {} = {} are in {}.{}, and no read asks for them",
                               entity.name, attribute, List(unasked), table.id, index.name),
                   fmt::format("ask for every value (`foreach: {}`), or keep them out with "
                               "`sparse: {{when: …}}`",
                               attribute));
    }
  }
}

std::string ValuesText(const Known& known) {
  std::string text;
  for (const auto& [name, attribute] : known) {
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, attribute.value.value_or("?"));
  }
  return text;
}

void CheckFinds(const Plan& plan, Findings& findings) {
  const std::optional<Predicate>& finds = plan.pattern->read.finds;
  if (!finds || plan.entity == nullptr || plan.index == nullptr) return;
  if (!plan.index->sparse || !plan.index->sparse->when) return;
  const auto difference = FindDifference(*plan.entity, *finds, *plan.index->sparse->when);
  if (!difference) return;
  const std::string values = ValuesText(difference->values);
  findings.Add(plan.pattern->name, finds->place.line > 0 ? finds->place : plan.pattern->place,
               difference->first_holds
                   ? fmt::format("{} is after items with {}, which {} does not hold",
                                 plan.pattern->name, values, plan.index->name)
                   : fmt::format("{} holds items with {}, which {} is not after", plan.index->name,
                                 values, plan.pattern->name),
               "make `sparse: {when: …}` and `finds` the same predicate");
}

}  // namespace

void CheckAskedValues(const Subject& subject, Findings& findings) {
  for (const Entity& entity : subject.model.entities) {
    const Table* table = subject.model.FindTable(entity.table);
    if (table == nullptr) continue;
    for (const Index& index : table->indexes) {
      if (Holds(SchemaOf(*table, index), entity)) {
        CheckEnums(subject, *table, entity, index, findings);
      }
    }
  }
  for (const Plan& plan : subject.plans) CheckFinds(plan, findings);
}

}  // namespace stator::model
