#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/parse/pattern_parts.h"

namespace stator::model {
namespace {

std::map<std::string, std::string> TextMap(const Fields& fields, std::string_view name) {
  std::map<std::string, std::string> found;
  const Node* node = fields.Find(name);
  if (node == nullptr || !CheckMap(fields.problems(), *node, name)) return found;
  for (std::size_t i = 0; i < node->items.size(); ++i) {
    if (!node->items[i].IsText()) {
      fields.problems().AddWrongKind(node->items[i], node->keys[i].text, "text");
    }
    found.emplace(node->keys[i].text, node->items[i].text);
  }
  return found;
}

Code ReadOneRequest(Problems& problems, const Node& node) {
  const Fields fields(problems, node, kCodeFields);
  Code code{.place = node.place};
  code.api = fields.Text("api");
  code.key_condition = fields.Text("key");
  code.filter = fields.Text("filter");
  code.update = fields.Text("update");
  code.condition = fields.Text("condition");
  code.projection = fields.Text("projection");
  code.names = TextMap(fields, "names");
  code.values = TextMap(fields, "values");
  code.parameters = fields.Names("with");
  return code;
}

}  // namespace

std::vector<Code> ReadCode(Problems& problems, const Node& node) {
  std::vector<Code> code;
  if (!node.IsList()) {
    code.push_back(ReadOneRequest(problems, node));
    return code;
  }
  for (const Node& item : node.items) code.push_back(ReadOneRequest(problems, item));
  return code;
}

}  // namespace stator::model
