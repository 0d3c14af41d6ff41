// A model file, ready to drive entities. docs/model.md describes the file.
//
//   auto model = stator::Model::Load("model.yaml");
//   if (!model) { std::cerr << model.error(); return 1; }
#ifndef STATOR_MODEL_H_
#define STATOR_MODEL_H_

#include <expected>
#include <memory>
#include <string>
#include <string_view>

namespace stator {

namespace model {
struct Model;
}  // namespace model

// Immutable; copies share the same model.
class Model {
 public:
  // The error lists what is wrong, one line each, as file:line:column: message.
  static std::expected<Model, std::string> Load(const std::string& path);
  static std::expected<Model, std::string> Parse(std::string_view yaml,
                                                 std::string file = "model.yaml");

  const model::Model& values() const { return *values_; }

 private:
  explicit Model(std::shared_ptr<const model::Model> values) : values_(std::move(values)) {}
  std::shared_ptr<const model::Model> values_;
};

}  // namespace stator

#endif  // STATOR_MODEL_H_
