#include "proof/scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "model/keys/key_access.h"
#include "model/keys/truth.h"

namespace stator::proof {
namespace {

using model::Attribute;
using model::Comparison;
using model::Entity;
using model::Operand;
using model::Term;

// The name that the clauses of a plan use for the operand.
std::string ParameterName(const Operand& operand) {
  std::string name = model::OperandText(operand);
  if (name.starts_with('$')) name.erase(0, 1);
  if (const std::size_t colon = name.find(':'); colon != std::string::npos) name.resize(colon);
  return name;
}

Attribute Undeclared(std::string_view name) {
  Attribute attribute;
  attribute.name = name;
  attribute.bytes = {20, 20};
  return attribute;
}

// A value of the attribute other than these.
std::string OtherText(const Attribute& attribute, const std::vector<Operand>& operands,
                      const std::string& own) {
  const auto is_taken = [&](const std::string& text) {
    return text == own || std::ranges::any_of(operands, [&](const Operand& operand) {
             return operand.IsLiteral() && operand.text == text;
           });
  };
  for (const std::string& value : attribute.values) {
    if (!is_taken(value)) return value;
  }
  if (attribute.type == Type::kBool) return own == "true" ? "false" : "true";
  for (std::uint64_t number = 3; number < 20; ++number) {
    const std::string text = ValueText(attribute, number);
    if (!is_taken(text)) return text;
  }
  return ItemMaker::kAbsent;
}

std::string_view OperatorOf(Comparison comparison) {
  switch (comparison) {
    case Comparison::kEqual:
      return "=";
    case Comparison::kNotEqual:
      return "<>";
    case Comparison::kLess:
      return "<";
    case Comparison::kLessOrEqual:
      return "<=";
    case Comparison::kGreater:
      return ">";
    case Comparison::kGreaterOrEqual:
      return ">=";
    default:
      return "";
  }
}

}  // namespace

Scenario::Scenario(const model::Model& model, const model::Plan& plan, std::uint64_t items)
    : plan_(plan), items_(items) {
  entities_ = plan.present;
  if (plan.entity != nullptr) entities_.insert(entities_.begin(), plan.entity);
  if (entities_.empty() && plan.table != nullptr) entities_ = model.EntitiesOf(*plan.table);
  const model::ReadDetail& read = plan.pattern->read;
  if (!read.foreach_attribute.empty() && !read.foreach_values.empty()) {
    inside_[read.foreach_attribute] = read.foreach_values.front();
    parameters_[read.foreach_attribute] = read.foreach_values.front();
  }
  for (const std::string& name : plan.pattern->by) {
    const Attribute* attribute = Find(name);
    const std::string text = attribute != nullptr ? ValueText(*attribute, kFirstNumber) : "x";
    inside_[name] = text;
    parameters_[name] = text;
  }
  const auto is_residue = [&](const Term& term) {
    return std::ranges::any_of(plan.residue, [&](const Term& one) {
      return one.place == term.place && one.attribute == term.attribute;
    });
  };
  if (plan.operation == model::Operation::kQuery) {
    for (const Term& term : read.where) {
      if (!is_residue(term)) AddKeyTerm(model, term);
    }
    ShareThePartition();
  }
  for (const Term& term : plan.residue) {
    if (!filter_.empty()) filter_ += " AND ";
    AddFilterTerm(term);
  }
  if (read.filter) AddFilter(*read.filter);
}

// Items that share a partition key share the values in it, by whatever names they call them.
void Scenario::ShareThePartition() {
  if (entities_.empty()) return;
  const model::KeySchema schema = model::SchemaOf(*plan_.table, plan_.index);
  for (const model::KeyAttribute* key : schema.partition) {
    const std::vector<model::TemplatePart> lead =
        model::BaseTemplateFor(*entities_.front(), key->name).parts;
    for (const Entity* entity : entities_) {
      const std::vector<model::TemplatePart> parts =
          model::BaseTemplateFor(*entity, key->name).parts;
      for (std::size_t i = 0; i < std::min(lead.size(), parts.size()); ++i) {
        if (!lead[i].is_placeholder || !parts[i].is_placeholder) continue;
        const auto known = inside_.find(lead[i].text);
        if (known != inside_.end()) inside_.try_emplace(parts[i].text, known->second);
      }
    }
  }
}

const Attribute* Scenario::Find(std::string_view name) const {
  for (const Entity* entity : entities_) {
    if (const Attribute* attribute = entity->FindAttribute(name)) return attribute;
  }
  return nullptr;
}

// The caller gives a key that is derived from other attributes: the items in the range share the
// source values, and the request takes the key from one of the items.
void Scenario::AddSpelledKey(const model::Model& model, const Term& term) {
  const bool literal = std::ranges::any_of(term.operands, &Operand::IsLiteral);
  if (term.comparison != Comparison::kEqual) {
    if (literal) obstacle_ = fmt::format("a range of {} with a literal", term.attribute);
    return;
  }
  bool fits = false;
  for (const Entity* entity : entities_) {
    const model::KeyTemplate* key = entity->FindKey(term.attribute);
    if (key == nullptr) continue;
    for (const std::string& source : key->Sources()) {
      const Attribute* attribute = entity->FindAttribute(source);
      if (attribute == nullptr) continue;
      inside_.try_emplace(source, ValueText(*attribute, kFirstNumber));
    }
    fits = fits || ItemMaker(model, *entity, nullptr).KeyText(*key, kFirstNumber, inside_) ==
                       term.operands.front().text;
  }
  if (literal && !fits) obstacle_ = fmt::format("{} compared with a literal", term.attribute);
}

void Scenario::AddKeyTerm(const model::Model& model, const Term& term) {
  const bool derived = std::ranges::any_of(entities_, [&](const Entity* entity) {
    const model::KeyTemplate* key = entity->FindKey(term.attribute);
    return key != nullptr && key->IsDerived();
  });
  if (derived) return AddSpelledKey(model, term);
  const Attribute* found = Find(term.attribute);
  const Attribute attribute = found != nullptr ? *found : Undeclared(term.attribute);
  const auto bind = [&](const Operand& operand, std::string text) {
    if (operand.IsLiteral()) {
      obstacle_ = fmt::format("a range of {} with a literal", term.attribute);
    } else {
      parameters_[ParameterName(operand)] = std::move(text);
    }
  };
  const std::string below = ValueText(attribute, kFirstNumber - 10);
  const std::string above = ValueText(attribute, kFirstNumber + items_ + 10);
  switch (term.comparison) {
    case Comparison::kEqual: {
      const Operand& operand = term.operands.front();
      std::string text = operand.IsLiteral() ? operand.text : ValueText(attribute, kFirstNumber);
      // Two entities may call what they share by different names.
      if (!operand.IsLiteral()) {
        text = parameters_.try_emplace(ParameterName(operand), text).first->second;
      }
      inside_[term.attribute] = text;
      return;
    }
    case Comparison::kGreater:
    case Comparison::kGreaterOrEqual:
      return bind(term.operands.front(), below);
    case Comparison::kLess:
    case Comparison::kLessOrEqual:
      return bind(term.operands.front(), above);
    case Comparison::kBetween:
      bind(term.operands.front(), below);
      return bind(term.operands.back(), above);
    case Comparison::kBeginsWith:
      return bind(term.operands.front(), above.substr(0, 1));
    default:
      obstacle_ = fmt::format("a key condition with {}", model::TermText(term));
  }
}

void Scenario::AddFilterTerm(const Term& term) {
  const Attribute* found = Find(term.attribute);
  const Attribute attribute = found != nullptr ? *found : Undeclared(term.attribute);
  const std::size_t number = filter_names_.size();
  const std::string name = fmt::format("#f{}", number);
  filter_names_.emplace_back(name, term.attribute);
  const auto place = [&](const std::string& text) {
    const std::string value = fmt::format(":f{}", filter_values_.size());
    filter_values_.emplace_back(value, ValueOf(attribute, text));
    return value;
  };
  const auto text_of = [&](const Operand& operand) {
    if (operand.IsLiteral()) return operand.text;
    const auto known = parameters_.find(ParameterName(operand));
    return known != parameters_.end() ? known->second : ValueText(attribute, 500);
  };
  const bool fixed = inside_.contains(term.attribute);
  std::string pass = ItemMaker::kAbsent;
  std::string fail = ItemMaker::kAbsent;
  switch (term.comparison) {
    case Comparison::kExists:
      filter_ += fmt::format("attribute_exists({})", name);
      pass = ValueText(attribute, 1);
      break;
    case Comparison::kMissing:
      filter_ += fmt::format("attribute_not_exists({})", name);
      fail = ValueText(attribute, 1);
      break;
    case Comparison::kIn: {
      filter_ += name + " IN (";
      for (const Operand& operand : term.operands) {
        filter_ += (filter_.ends_with('(') ? "" : ", ") + place(text_of(operand));
      }
      filter_ += ")";
      pass = text_of(term.operands.front());
      fail = OtherText(attribute, term.operands, pass);
      break;
    }
    case Comparison::kBetween:
      filter_ += fmt::format("{} BETWEEN {} AND {}", name, place(ValueText(attribute, 400)),
                             place(ValueText(attribute, 600)));
      pass = ValueText(attribute, 500);
      fail = ValueText(attribute, 700);
      break;
    case Comparison::kBeginsWith:
    case Comparison::kContains: {
      const std::string text = text_of(term.operands.front());
      filter_ += fmt::format("{}({}, {})",
                             term.comparison == Comparison::kContains ? "contains" : "begins_with",
                             name, place(text));
      pass = text;
      fail = ItemMaker::kAbsent;
      break;
    }
    default: {
      const std::string text = text_of(term.operands.front());
      filter_ += fmt::format("{} {} {}", name, OperatorOf(term.comparison), place(text));
      const std::string other = OtherText(attribute, term.operands, text);
      const bool number_literal = term.operands.front().kind == Operand::Kind::kNumber;
      switch (term.comparison) {
        case Comparison::kEqual:
          pass = text;
          fail = other;
          break;
        case Comparison::kNotEqual:
          pass = other;
          fail = text;
          break;
        default: {
          if (number_literal) {
            obstacle_ = "a filter that compares with a literal number";
            return;
          }
          const bool less =
              term.comparison == Comparison::kLess || term.comparison == Comparison::kLessOrEqual;
          pass = ValueText(attribute, less ? 400 : 600);
          fail = ValueText(attribute, less ? 600 : 400);
        }
      }
    }
  }
  if (fixed) return;
  passing_[term.attribute] = pass;
  failing_[term.attribute] = fail;
}

void Scenario::AddFilter(const model::Predicate& predicate) {
  const std::string before = std::exchange(filter_, {});
  std::string any;
  for (const std::vector<Term>& terms : predicate.any_of) {
    filter_.clear();
    for (const Term& term : terms) {
      if (!filter_.empty()) filter_ += " AND ";
      AddFilterTerm(term);
    }
    any += (any.empty() ? "" : " OR ") + fmt::format("({})", filter_);
  }
  filter_ = before.empty() ? any : fmt::format("{} AND ({})", before, any);
  if (predicate.any_of.size() > 1) PassByTheFirst(predicate);
}

// Items that pass do so by the first alternative; those that fail must fail all of them.
void Scenario::PassByTheFirst(const model::Predicate& predicate) {
  std::map<std::string, std::vector<const Term*>> by_attribute;
  for (const std::vector<Term>& terms : predicate.any_of) {
    for (const Term& term : terms) by_attribute[term.attribute].push_back(&term);
  }
  const std::vector<Term>& first = predicate.any_of.front();
  for (const auto& [name, terms] : by_attribute) {
    const Attribute* attribute = Find(name);
    if (inside_.contains(name) || attribute == nullptr) {
      obstacle_ = fmt::format("a filter with `or` over {}", name);
      return;
    }
    if (terms.size() > 1) {
      std::vector<Operand> taken;
      for (const Term* term : terms) {
        const bool names_values =
            term->comparison == Comparison::kEqual || term->comparison == Comparison::kIn;
        if (!names_values || !std::ranges::all_of(term->operands, &Operand::IsLiteral)) {
          obstacle_ = fmt::format("a filter that compares {} in several ways", name);
          return;
        }
        taken.insert(taken.end(), term->operands.begin(), term->operands.end());
      }
      failing_[name] = OtherText(*attribute, taken, taken.front().text);
      passing_[name] = terms.front()->operands.front().text;
    }
    const bool in_first = std::ranges::find(first, name, &Term::attribute) != first.end();
    if (!in_first) passing_[name] = failing_[name];
  }
}

AttributeValue Scenario::ClauseValue(const model::PlanClause& clause, const std::string& text,
                                     const Item& first, int shard, bool upper) const {
  std::string value;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((text[i] == '{' || text[i] == '}') && i + 1 < text.size() && text[i + 1] == text[i]) {
      value += text[i++];
      continue;
    }
    if (text[i] != '{') {
      value += text[i];
      continue;
    }
    const std::size_t end = std::min(text.find('}', i), text.size());
    std::string name = text.substr(i + 1, end - i - 1);
    i = end;
    std::size_t digits = 0;
    if (const std::size_t colon = name.find(':'); colon != std::string::npos) {
      const std::string format = name.substr(colon + 1);
      if (format.starts_with('0')) digits = static_cast<std::size_t>(std::atoi(format.c_str()));
      name.resize(colon);
    }
    if (name == "shard") {
      value += std::to_string(shard);
    } else if (name == "max") {
      value += "\xF4\x8F\xBF\xBF";
    } else if (const auto it = parameters_.find(name); it != parameters_.end()) {
      std::string piece = it->second;
      if (piece.size() < digits) piece.insert(0, digits - piece.size(), '0');
      value += piece;
    } else {
      // The caller gives the key itself: its bounds enclose the stored keys.
      const auto stored = first.Find(clause.attribute);
      if (clause.comparison == Comparison::kEqual && stored)
        return AttributeValue::FromView(*stored);
      const bool number = stored && stored->type() == Type::kN;
      if (number) return AttributeValue::Number(upper ? "9999999999999999" : "0");
      return AttributeValue::String(upper ? "~~~~" : " ");
    }
  }
  return model::TypeOfKey(*plan_.table, clause.attribute) == Type::kN
             ? AttributeValue::Number(value)
             : AttributeValue::String(value);
}

void Scenario::Condition(QueryRequest& request, const Item& first, int shard,
                         bool with_filter) const {
  std::string condition;
  NameMap names;
  ValueMap values;
  for (const model::PlanClause& clause : plan_.key) {
    const std::string name = fmt::format("#k{}", names.size());
    names.emplace_back(name, clause.attribute);
    std::vector<std::string> placed;
    const bool less =
        clause.comparison == Comparison::kLess || clause.comparison == Comparison::kLessOrEqual;
    for (std::size_t i = 0; i < clause.values.size(); ++i) {
      placed.push_back(fmt::format(":k{}", values.size()));
      values.emplace_back(placed.back(),
                          ClauseValue(clause, clause.values[i], first, shard, less || i > 0));
    }
    if (!condition.empty()) condition += " AND ";
    if (clause.comparison == Comparison::kBetween && placed.size() == 2) {
      condition += fmt::format("{} BETWEEN {} AND {}", name, placed[0], placed[1]);
    } else if (clause.comparison == Comparison::kBeginsWith) {
      condition += fmt::format("begins_with({}, {})", name, placed.front());
    } else {
      condition += fmt::format("{} {} {}", name, OperatorOf(clause.comparison), placed.front());
    }
  }
  request.key_condition_expression = condition;
  if (with_filter && !filter_.empty()) {
    request.filter_expression = filter_;
    names.insert(names.end(), filter_names_.begin(), filter_names_.end());
    values.insert(values.end(), filter_values_.begin(), filter_values_.end());
  }
  request.expression_attribute_names = std::move(names);
  request.expression_attribute_values = std::move(values);
}

void Scenario::Filter(ScanRequest& request) const {
  if (filter_.empty()) return;
  request.filter_expression = filter_;
  request.expression_attribute_names = filter_names_;
  if (!filter_values_.empty()) request.expression_attribute_values = filter_values_;
}

}  // namespace stator::proof
