// The schema for editors and the reference know the same fields as the parser.
#include "model/parse/fields.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "model/parse/parse.h"
#include "model/parse/yaml.h"

namespace stator::model {
namespace fields_test {

std::string FileText(const std::string& path) {
  std::ifstream in(std::string(STATOR_SOURCE_DIR) + "/" + path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Schema, HasTheFieldsThatTheParserKnows) {
  // JSON is YAML.
  const auto schema = ReadYaml(FileText("docs/model.schema.json"));
  ASSERT_TRUE(schema) << schema.error().message;
  const Node* definitions = schema->Find("definitions");
  ASSERT_NE(definitions, nullptr);
  for (const FieldTable* table : AllFieldTables()) {
    const Node* definition = table->part == "model" ? &*schema : definitions->Find(table->part);
    ASSERT_NE(definition, nullptr) << table->part;
    const Node* properties = definition->Find("properties");
    ASSERT_NE(properties, nullptr) << table->part;
    std::set<std::string> listed;
    for (const Node::Key& key : properties->keys) listed.insert(key.text);
    EXPECT_EQ(listed, std::set<std::string>(table->names.begin(), table->names.end()))
        << table->part;
    const Node* more = definition->Find("additionalProperties");
    ASSERT_NE(more, nullptr) << table->part;
    EXPECT_EQ(more->text, "false") << table->part;
  }
}

TEST(Reference, MentionsEveryField) {
  const std::string reference = FileText("docs/model.md");
  for (const FieldTable* table : AllFieldTables()) {
    for (const std::string_view name : table->names) {
      const std::string field(name);
      const bool found = reference.find(field + ":") != std::string::npos ||
                         reference.find("`" + field + "`") != std::string::npos;
      EXPECT_TRUE(found) << table->part << "." << field;
    }
  }
}

TEST(Reference, ItsExamplesTogetherAreAModel) {
  const std::string reference = FileText("docs/model.md");
  std::string text;
  for (std::size_t at = reference.find("```yaml\n"); at != std::string::npos;
       at = reference.find("```yaml\n", at)) {
    at += 8;
    const std::size_t end = reference.find("```", at);
    ASSERT_NE(end, std::string::npos);
    text += reference.substr(at, end - at);
  }
  const auto model = ParseModel(text, "docs/model.md");
  EXPECT_TRUE(model) << ProblemTexts("", model.error()) << "\n" << text;
}

}  // namespace fields_test
}  // namespace stator::model
