// Names of a model as identifiers of other languages: ASCII letters, digits and `_`.
#ifndef STATOR_GENERATE_IDENTIFIERS_H_
#define STATOR_GENERATE_IDENTIFIERS_H_

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace stator::model {

// "data-download_jobs", "FileID" → {"data", "download", "jobs"}, {"file", "id"}. Never empty.
std::vector<std::string> WordsOf(std::string_view name);

std::string SnakeName(std::string_view name);   // file_id
std::string PascalName(std::string_view name);  // FileId
std::string CamelName(std::string_view name);   // fileId

// Identifiers of one scope: a name that is taken gets a number.
class NameSet {
 public:
  NameSet() = default;
  explicit NameSet(std::set<std::string> taken) : taken_(std::move(taken)) {}
  std::string Add(std::string name);

 private:
  std::set<std::string> taken_;
};

}  // namespace stator::model

#endif  // STATOR_GENERATE_IDENTIFIERS_H_
