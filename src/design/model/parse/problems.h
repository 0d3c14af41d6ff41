// Collects what is wrong with a model file.
#ifndef STATOR_MODEL_PARSE_PROBLEMS_H_
#define STATOR_MODEL_PARSE_PROBLEMS_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/parse/node.h"
#include "model/parse/parse.h"

namespace stator::model {

class Problems {
 public:
  static constexpr std::size_t kMost = 50;

  void Add(Place place, std::string message, std::string hint = {});
  // "unknown table `job`", with the nearest valid name.
  void AddUnknown(Place place, std::string_view what, std::string_view name,
                  std::span<const std::string_view> valid);
  // "`indexes` must be a map, not a list".
  void AddWrongKind(const Node& node, std::string_view name, std::string_view expected);

  bool empty() const { return found_.empty(); }
  bool full() const { return found_.size() >= kMost; }
  std::vector<Problem> Take();  // in the order of the file

 private:
  std::vector<Problem> found_;
};

}  // namespace stator::model

#endif  // STATOR_MODEL_PARSE_PROBLEMS_H_
