#include "stator/model.h"

#include "model/model.h"
#include "model/parse/parse.h"

namespace stator {
std::expected<Model, std::string> Model::Load(const std::string& path) {
  auto parsed = model::LoadModel(path);
  if (!parsed) return std::unexpected(model::ProblemTexts(path, parsed.error()));
  return Model(std::make_shared<const model::Model>(*std::move(parsed)));
}

std::expected<Model, std::string> Model::Parse(std::string_view yaml, std::string file) {
  auto parsed = model::ParseModel(yaml, file);
  if (!parsed) return std::unexpected(model::ProblemTexts(file, parsed.error()));
  return Model(std::make_shared<const model::Model>(*std::move(parsed)));
}

}  // namespace stator
