// A table in Markdown, its columns aligned.
#ifndef STATOR_CHART_MARKDOWN_TABLE_H_
#define STATOR_CHART_MARKDOWN_TABLE_H_

#include <string>
#include <string_view>
#include <vector>

namespace stator::model {

class MarkdownTable {
 public:
  explicit MarkdownTable(std::vector<std::string> header);
  // As many cells as the header has; an empty one is shown as "-".
  void Add(std::vector<std::string> cells);
  std::string ToText() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

// Text as code, so that <placeholders> are not taken for HTML. Empty stays empty.
std::string MarkdownCode(std::string_view text);
// Text whose characters mean nothing to Markdown.
std::string MarkdownText(std::string_view text);
// Columns that the text fills on a terminal, roughly: its code points.
std::size_t TextColumns(std::string_view utf8);

}  // namespace stator::model

#endif  // STATOR_CHART_MARKDOWN_TABLE_H_
