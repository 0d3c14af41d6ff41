#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "model/parse/guard_field.h"
#include "model/parse/pattern_parts.h"
#include "model/parse/write_verbs.h"

namespace stator::model {
namespace {

// Whether a VERB that is none of the usual ones is a move is known when all entities are.
void ReadVerb(const Fields& fields, Pattern& pattern) {
  const std::string text = fields.RequiredText("write");
  const std::size_t dot = text.find('.');
  pattern.entity = text.substr(0, dot);
  if (dot == std::string::npos || dot == 0) {
    if (!text.empty()) {
      fields.problems().Add(fields.PlaceOf("write"), "`write` must be Entity.VERB",
                            "VERB is create, put, update, delete, rekey or a move");
    }
    return;
  }
  const std::string verb = text.substr(dot + 1);
  if (const auto kind = FindVerb(verb)) {
    pattern.write.kind = *kind;
  } else {
    pattern.write.kind = WriteKind::kMove;
    pattern.write.move = verb;
  }
}

}  // namespace

void ReadWritePattern(const Fields& fields, Pattern& pattern) {
  using ReadFirst = WriteDetail::ReadFirst;
  static constexpr std::array<Choice<ReadFirst>, 3> kReadFirst{
      {{"eventual", ReadFirst::kEventual}, {"strong", ReadFirst::kStrong}, {"no", ReadFirst::kNo}}};
  WriteDetail& write = pattern.write;
  ReadVerb(fields, pattern);
  pattern.by = fields.Names("by");
  write.sets = fields.Names("sets");
  write.removes = fields.Names("removes");
  write.adds = fields.Names("adds");
  if (const Node* guard = fields.Find("guard")) {
    write.guard = ReadGuard(fields.problems(), *guard, &write.condition);
  }
  write.duplicate_share = fields.Share("dup").value_or(0);
  if (fields.Has("derives")) write.derives = fields.Names("derives");
  write.read_first = fields.OneOf<ReadFirst>("read_first", kReadFirst).value_or(ReadFirst::kNo);
  write.sends = fields.Text("sends");
  write.outbox = fields.Flag("outbox");
  write.empty_sets = fields.Names("empty_sets");
}

}  // namespace stator::model
