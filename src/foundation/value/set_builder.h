// Collects the members of a set in the order they were sent, and encodes them.
#ifndef STATOR_VALUE_SET_BUILDER_H_
#define STATOR_VALUE_SET_BUILDER_H_

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/wording.h"
#include "stator/item.h"
#include "value/base64.h"
#include "value/output_cursor.h"
#include "value/value_problem.h"

namespace stator {

class SetBuilder {
 public:
  // REQUIRES: a set type. About `expected` members will be added.
  SetBuilder(Type type, Wording wording, std::size_t expected) : type_(type), wording_(wording) {
    constexpr std::size_t kMaxReserved = 1024;  // the count may be a lie
    sent_.reserve(std::min(expected, kMaxReserved));
  }

  // Text, number text or raw bytes. REQUIRES: the bytes outlive the builder.
  void Add(std::string_view member);
  // Base64 of a binary, which outlives the builder; no member is added unless kOk is returned.
  Base64Status AddBase64(std::string_view text);

  // Appends the set, or returns the problem and leaves `out` as it was.
  std::optional<ValueProblem> Finish(OutputCursor& out);

 private:
  // The members as they are encoded, in the order they were sent.
  std::vector<std::string_view> Members() const;
  ValueProblem DuplicateProblem() const;
  // Ends a member that was appended to converted_.
  void EndConverted() { converted_ends_.push_back(converted_.size()); }

  Type type_;
  Wording wording_;
  std::vector<std::string_view> sent_;
  // Members that are not encoded as they were sent: numbers, and binaries sent as base64.
  std::string converted_;
  std::vector<std::size_t> converted_ends_;
  std::optional<ValueProblem> number_problem_;
};

}  // namespace stator

#endif  // STATOR_VALUE_SET_BUILDER_H_
