#include "model/hcl/hcl_syntax.h"

#include "model/hcl/hcl_expression.h"

namespace stator::model {
namespace {

constexpr int kMaxBlockDepth = 100;
constexpr std::string_view kOneArgument =
    "a block on one line may hold one argument only; `;` is not HCL";

class BodyParser {
 public:
  explicit BodyParser(HclCursor& cursor) : cursor_(cursor) {}

  bool ParseFile() {
    if (!ParseBody(0)) return false;
    return cursor_.AtEnd() || cursor_.Fail("a `}` without its block");
  }

 private:
  // Up to a closing brace or the end.
  bool ParseBody(int depth) {
    if (depth > kMaxBlockDepth) return cursor_.Fail("blocks nested too deeply");
    cursor_.SkipBlanksAndNewlines();
    while (!cursor_.failed() && !cursor_.AtEnd() && cursor_.Peek() != '}') {
      if (!ParseElement(depth)) return false;
      cursor_.SkipBlanksAndNewlines();
    }
    return !cursor_.failed();
  }

  bool ParseElement(int depth) {
    if (cursor_.TakeIdentifier().empty()) {
      return cursor_.Fail("an argument or a block begins with a name, not with " +
                          cursor_.HereText());
    }
    cursor_.SkipBlanks();
    if (cursor_.Peek() == '=' && cursor_.Peek(1) != '=') return ParseAttribute();
    if (!ParseLabels()) return false;
    if (!cursor_.Take('{')) {
      return cursor_.Fail("`=` or `{` is missing before " + cursor_.HereText());
    }
    if (!(cursor_.TakeNewline() ? ParseBlockLines(depth) : ParseOneLine())) return false;
    if (cursor_.TakeNewline()) return true;
    return cursor_.Fail("a block ends its line; " + cursor_.HereText() + " stands behind it");
  }

  bool ParseAttribute() {
    cursor_.Skip();
    if (!HclExpressions(cursor_).ParseExpression()) return false;
    if (cursor_.TakeNewline()) return true;
    if (cursor_.Peek() == ';') {
      return cursor_.Fail("one argument on a line; `;` is not HCL");
    }
    return cursor_.Fail("an argument ends its line; " + cursor_.HereText() + " stands behind it");
  }

  bool ParseLabels() {
    while (true) {
      cursor_.SkipBlanks();
      if (cursor_.Peek() == '"') {
        if (!HclExpressions(cursor_).ParseString()) return false;
      } else if (cursor_.TakeIdentifier().empty()) {
        return !cursor_.failed();
      }
    }
  }

  bool ParseBlockLines(int depth) {
    if (!ParseBody(depth + 1)) return false;
    return cursor_.Take('}') || cursor_.Fail("a block without its `}`");
  }

  bool ParseOneLine() {
    cursor_.SkipBlanks();
    if (cursor_.Take('}')) return true;
    if (cursor_.TakeIdentifier().empty()) return cursor_.Fail("a name is missing in a block");
    cursor_.SkipBlanks();
    if (!cursor_.Take('=')) {
      return cursor_.Fail("a block on one line may hold one argument, and no other block");
    }
    if (!HclExpressions(cursor_).ParseExpression()) return false;
    cursor_.SkipBlanks();
    if (cursor_.Take('}')) return true;
    return cursor_.Fail(cursor_.Peek() == '\n' || cursor_.AtEnd()
                            ? "a block that begins on one line with its argument ends there"
                            : std::string(kOneArgument));
  }

  HclCursor& cursor_;
};

}  // namespace

std::optional<HclError> CheckHcl(std::string_view text) {
  HclCursor cursor(text);
  BodyParser(cursor).ParseFile();
  return cursor.error();
}

}  // namespace stator::model
