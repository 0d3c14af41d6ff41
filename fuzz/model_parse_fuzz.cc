// Any text as a model file: it is read, or every problem says something and has a place inside it.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "model/parse/parse.h"

namespace {

using namespace stator::model;  // NOLINT

// Every name that others rely on has been resolved.
void CheckModel(const Model& model) {
  for (const Entity& entity : model.entities) {
    STATOR_CHECK(model.FindTable(entity.table) != nullptr);
    for (const KeyTemplate& key : entity.keys) {
      STATOR_CHECK(!key.parts.empty());
      for (const auto& source : key.Sources())
        STATOR_CHECK(entity.FindAttribute(source) != nullptr);
    }
  }
  for (const Pattern& pattern : model.patterns) {
    for (const auto& part : pattern.parts) STATOR_CHECK(model.FindPattern(part) != nullptr);
    if (pattern.kind == PatternKind::kQuery || pattern.kind == PatternKind::kScan) {
      STATOR_CHECK(pattern.read.table.empty() || model.FindTable(pattern.read.table) != nullptr);
    } else if (pattern.kind != PatternKind::kTransaction) {
      STATOR_CHECK(model.FindEntity(pattern.entity) != nullptr);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto model = ParseModel(text, "model.yaml");
  if (model) {
    CheckModel(*model);
    return 0;
  }
  STATOR_CHECK(!model.error().empty() && model.error().size() <= 50);
  const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n'));
  const auto returns = static_cast<std::size_t>(std::ranges::count(text, '\r'));
  for (const Problem& problem : model.error()) {
    STATOR_CHECK(!ProblemText("model.yaml", problem).empty());
    STATOR_CHECK(problem.place.line <= lines + returns + 2);
  }
  return 0;
}
