#include "value/value_problem.h"

#include <algorithm>
#include <set>

#include "value/base64.h"
#include "value/number.h"

namespace stator {
namespace {

using Kind = ValueProblem::Kind;

constexpr std::string_view kInvalid = "One or more parameter values were invalid: ";

std::string Invalid(std::string_view message) { return std::string(kInvalid).append(message); }

std::string EmptySetMessage(char set_type) {
  switch (set_type) {
    case 'S':
      return Invalid("An string set  may not be empty");
    case 'N':
      return Invalid("An number set  may not be empty");
    default:
      return Invalid("Binary sets should not be empty");
  }
}

// Sets are compared by content: binaries by the bytes behind their base64.
std::string Content(const std::string& member, char set_type) {
  if (set_type != 'B') return member;
  std::string bytes;
  (void)AppendBase64Decoded(bytes, member);
  return bytes;
}

// The current generation reads members into a sorted set until one repeats: it shows those in byte
// order, then the repeat, then what it had not read yet as it was sent.
std::vector<std::string> SortedUpToFirstRepeat(const ValueProblem& problem) {
  std::set<std::pair<std::string, std::string>> seen;  // content, text
  std::set<std::string> contents;
  std::size_t read = 0;
  for (; read < problem.members.size(); ++read) {
    const std::string& member = problem.members[read];
    std::string content = Content(member, problem.set_type);
    if (!contents.insert(content).second) break;
    seen.emplace(std::move(content), member);
  }
  std::vector<std::string> shown;
  shown.reserve(problem.members.size());
  for (const auto& [content, text] : seen) shown.push_back(text);
  shown.insert(shown.end(), problem.members.begin() + static_cast<std::ptrdiff_t>(read),
               problem.members.end());
  return shown;
}

std::string Joined(const std::vector<std::string>& members, std::string_view separator,
                   std::string_view quote) {
  std::string joined = "[";
  for (const std::string& member : members) {
    if (&member != members.data()) joined.append(separator);
    joined.append(quote).append(member).append(quote);
  }
  return joined.append("]");
}

std::string DuplicateMessage(const ValueProblem& problem, Wording wording) {
  const bool current = IsCurrent(wording);
  if (problem.set_type == 'N') {
    return current ? Invalid("Input collection contains duplicates.")
                   : "Input collection contains duplicates";
  }
  const bool binary = problem.set_type == 'B';
  std::string message = Invalid("Input collection ");
  if (current) {
    message += Joined(SortedUpToFirstRepeat(problem), binary ? "," : ", ", "\"");
  } else {
    message += Joined(problem.members, ", ", "");
  }
  return message.append(binary ? "of type BS contains duplicates." : " contains duplicates.");
}

std::string NotANumberMessage(const ValueProblem& problem, Wording wording) {
  std::string message = "The parameter cannot be converted to a numeric value";
  const std::string_view text = problem.members.empty() ? std::string_view() : problem.members[0];
  if (text.empty() && !IsCurrent(wording)) return message;
  return message.append(": ").append(text);
}

}  // namespace

std::string_view NameMessage(std::string_view name) {
  if (name.empty()) return kEmptyNameMessage;
  return name.size() > kMaxNameBytes ? kNameTooLongMessage : std::string_view();
}

ValueProblem NumberProblemOf(NumberProblem problem, std::string_view text) {
  switch (problem) {
    case NumberProblem::kOverflow:
      return {.kind = Kind::kNumberOverflow, .members = {std::string(text)}};
    case NumberProblem::kUnderflow:
      return {.kind = Kind::kNumberUnderflow, .members = {std::string(text)}};
    case NumberProblem::kTooManyDigits:
      return {.kind = Kind::kTooManyDigits, .members = {std::string(text)}};
    case NumberProblem::kNotANumber:
      break;
  }
  return {.kind = Kind::kNotANumber, .members = {std::string(text)}};
}

std::string ProblemMessage(const ValueProblem& problem, Wording wording) {
  switch (problem.kind) {
    case Kind::kNoType:
      return "Supplied AttributeValue is empty, must contain exactly one of the supported "
             "datatypes";
    case Kind::kSeveralTypes:
      return "Supplied AttributeValue has more than one datatypes set, must contain exactly one of "
             "the supported datatypes";
    case Kind::kNullFalse:
      return Invalid("Null attribute value types must have the value of true");
    case Kind::kEmptySet:
      return EmptySetMessage(problem.set_type);
    case Kind::kDuplicateInSet:
      return DuplicateMessage(problem, wording);
    case Kind::kNotANumber:
      return NotANumberMessage(problem, wording);
    case Kind::kNumberOverflow:
      return "Number overflow. Attempting to store a number with magnitude larger than supported "
             "range";
    case Kind::kNumberUnderflow:
      return "Number underflow. Attempting to store a number with magnitude smaller than supported "
             "range";
    case Kind::kTooManyDigits:
      return "Attempting to store more than 38 significant digits in a Number";
    case Kind::kTooDeep:
      return "Nesting Levels have exceeded supported limits: Attributes in the item have nested "
             "levels beyond supported limit";
    case Kind::kEmptyName:
      return std::string(kEmptyNameMessage);
    case Kind::kNameTooLong:
      return std::string(kNameTooLongMessage);
    case Kind::kNotUtf8:
      return Invalid("A string is not valid UTF-8");
  }
  return {};
}

bool IsEnveloped(const ValueProblem& problem) {
  switch (problem.kind) {
    case Kind::kNoType:
    case Kind::kSeveralTypes:
    case Kind::kEmptyName:
    case Kind::kNameTooLong:
    case Kind::kNotUtf8:
      return false;
    default:
      return true;
  }
}

Error ProblemError(const ValueProblem& problem, Wording wording) {
  std::string message = ProblemMessage(problem, wording);
  if (IsEnveloped(problem)) message = Envelope(wording, std::move(message));
  return Error::Validation(std::move(message));
}

}  // namespace stator
