#include "systems/homeops/talking/reply.h"

#include <fmt/format.h>

#include <charconv>

#include "systems/program/items.h"

namespace stator::systems::homeops {
namespace {

std::optional<std::int64_t> WholeNumber(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// Takes what stands before the next colon.
std::string_view TakePart(std::string_view& text) {
  const std::size_t end = text.find(':');
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return part;
}

}  // namespace

Button UndoButton(std::int64_t message) { return {"Ångra", fmt::format("undo:{}", message)}; }

Button MeanButton(std::int64_t message, std::size_t deed, std::string_view activity,
                  std::string label) {
  if (label.empty()) label = activity;
  return {std::move(label), fmt::format("mean:{}:{}:{}", message, deed, activity)};
}

Button WhoButton(std::int64_t message, std::int64_t user, std::string label) {
  return {std::move(label), fmt::format("who:{}:{}", message, user)};
}

std::vector<Button> YesAndNo(std::int64_t message) {
  return {{"Ja", fmt::format("yes:{}", message)}, {"Nej", fmt::format("no:{}", message)}};
}

std::optional<Decision> DecisionOfButton(std::string_view does) {
  if (does.size() > kButtonBytesMax) return std::nullopt;
  const std::string_view verb = TakePart(does);
  const auto about = WholeNumber(TakePart(does));
  if (!about) return std::nullopt;
  Decision decision{.about = *about};
  if (verb == "undo" || verb == "yes" || verb == "no") {
    decision.kind = verb;
    return decision;
  }
  const auto number = WholeNumber(TakePart(does));
  if (!number) return std::nullopt;
  if (verb == "who") {
    decision.kind = "choice";
    decision.user = *number;
    return decision;
  }
  if (verb != "mean" || *number < 0 || does.empty()) return std::nullopt;
  decision.kind = "clarification";
  decision.deed = static_cast<std::size_t>(*number);
  decision.meant = does;
  return decision;
}

AttributeValue ValueOfButtons(const std::vector<Button>& buttons) {
  std::vector<AttributeValue> values;
  for (const Button& button : buttons) {
    values.push_back(AttributeValue::Map({{"label", button.label}, {"does", button.does}}));
  }
  return AttributeValue::List(values);
}

std::vector<Button> ButtonsOf(const Item& record) {
  std::vector<Button> buttons;
  const auto stored = record.Find("buttons");
  if (!stored || stored->type() != Type::kL) return buttons;
  for (const ValueView value : stored->List()) {
    if (value.type() != Type::kM) continue;
    buttons.push_back({TextOf(value.Map(), "label"), TextOf(value.Map(), "does")});
  }
  return buttons;
}

}  // namespace stator::systems::homeops
