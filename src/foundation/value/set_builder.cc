#include "value/set_builder.h"

#include <algorithm>
#include <array>
#include <functional>

#include "value/encoding.h"
#include "value/number_codec.h"

namespace stator {
namespace {

using Kind = ValueProblem::Kind;

// Sorted and without duplicates.
bool Ascends(const std::vector<std::string_view>& members) {
  return std::ranges::adjacent_find(members, std::ranges::greater_equal()) == members.end();
}

}  // namespace

void SetBuilder::Add(std::string_view member) {
  sent_.push_back(member);
  if (type_ != Type::kNS || number_problem_) return;
  std::array<char, kMaxNumberEncoding> encoded;
  const auto end = EncodeNumber(encoded.data(), member, wording_);
  if (!end) {
    number_problem_ = NumberProblemOf(end.error(), member);
    return;
  }
  converted_.append(encoded.data(), *end);
  EndConverted();
}

Base64Status SetBuilder::AddBase64(std::string_view text) {
  const Base64Status status = AppendBase64Decoded(converted_, text);
  if (status != Base64Status::kOk) return status;
  sent_.push_back(text);
  EndConverted();
  return status;
}

std::optional<ValueProblem> SetBuilder::Finish(OutputCursor& out) {
  if (sent_.empty()) return ValueProblem{.kind = Kind::kEmptySet, .set_type = TypeName(type_)[0]};
  if (number_problem_) return std::move(number_problem_);
  // Sets come back from this service sorted, so they are often sent sorted.
  if (converted_ends_.empty() && Ascends(sent_)) {
    encoding::WriteSet(out, type_, sent_);
    return std::nullopt;
  }
  std::vector<std::string_view> members = Members();
  std::ranges::sort(members);
  if (!Ascends(members)) return DuplicateProblem();
  encoding::WriteSet(out, type_, members);
  return std::nullopt;
}

std::vector<std::string_view> SetBuilder::Members() const {
  if (converted_ends_.empty()) return sent_;
  std::vector<std::string_view> members;
  members.reserve(converted_ends_.size());
  std::size_t start = 0;
  for (const std::size_t end : converted_ends_) {
    members.push_back(std::string_view(converted_).substr(start, end - start));
    start = end;
  }
  return members;
}

ValueProblem SetBuilder::DuplicateProblem() const {
  ValueProblem problem{.kind = Kind::kDuplicateInSet, .set_type = TypeName(type_)[0]};
  problem.members.reserve(sent_.size());
  const bool raw_bytes = type_ == Type::kBS && converted_ends_.empty();
  for (const std::string_view member : sent_) {
    std::string& text = problem.members.emplace_back();
    if (raw_bytes) {
      AppendBase64(text, member);
    } else {
      text = member;
    }
  }
  return problem;
}

}  // namespace stator
