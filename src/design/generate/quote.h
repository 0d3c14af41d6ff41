// Text as other languages write it, quotes included: whatever a model holds stays data.
#ifndef STATOR_GENERATE_QUOTE_H_
#define STATOR_GENERATE_QUOTE_H_

#include <string>
#include <string_view>
#include <vector>

namespace stator::model {

std::string JsonText(std::string_view text);     // also a literal of TypeScript and YAML
std::string HclText(std::string_view text);      // without ${interpolation}
std::string YamlText(std::string_view text);     // quoted only where YAML needs it
std::string ShellWord(std::string_view text);    // quoted only where a shell needs it
std::string CppText(std::string_view text);      // a literal of C++
std::string XmlText(std::string_view text);      // content or attribute of an element
std::string CommentText(std::string_view text);  // one line, fit for a comment

// `["a", "b"]`, each text quoted by `quote`.
std::string ListText(const std::vector<std::string>& texts, std::string (*quote)(std::string_view));

}  // namespace stator::model

#endif  // STATOR_GENERATE_QUOTE_H_
