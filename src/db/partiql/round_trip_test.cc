// A random tree, printed, is read as the same tree.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <random>
#include <string>
#include <vector>

#include "partiql/parser.h"
#include "partiql/statement.h"
#include "partiql/testing/syntax_printer.h"

namespace stator::partiql {
namespace round_trip_test {

bool Same(const Expression& a, const Expression& b);

bool Same(const std::optional<Expression>& a, const std::optional<Expression>& b) {
  return a.has_value() == b.has_value() && (!a || Same(*a, *b));
}

template <class T, class Equal>
bool SameAll(const std::vector<T>& a, const std::vector<T>& b, Equal equal) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), equal);
}

bool Same(const StatementSyntax& a, const StatementSyntax& b) {
  const auto same = [](const Expression& x, const Expression& y) { return Same(x, y); };
  return a.kind == b.kind && SameAll(a.columns, b.columns, same) && Same(a.source, b.source) &&
         SameAll(a.clauses, b.clauses,
                 [](const auto& x, const auto& y) {
                   return Same(x.target, y.target) && Same(x.value, y.value);
                 }) &&
         Same(a.item, b.item) && Same(a.where, b.where) &&
         SameAll(a.order_by, b.order_by,
                 [](const auto& x, const auto& y) {
                   return Same(x.key, y.key) && x.descending == y.descending;
                 }) &&
         SameAll(a.returning, b.returning,
                 [](const auto& x, const auto& y) { return x.images == y.images; });
}

bool Same(const Expression& a, const Expression& b) {
  const auto same = [](const Expression& x, const Expression& y) { return Same(x, y); };
  if (a.form != b.form || !SameAll(a.children, b.children, same)) return false;
  if (a.form == Form::kStatement) return Same(*a.statement, *b.statement);
  const bool has_text = a.form == Form::kString || a.form == Form::kNumber ||
                        a.form == Form::kBoolean || a.form == Form::kPath || a.form == Form::kDot ||
                        a.form == Form::kCall || a.form == Form::kSign ||
                        a.form == Form::kArithmetic || a.form == Form::kCompare ||
                        a.form == Form::kIsType;
  return !has_text || a.text == b.text;
}

class Grower {
 public:
  explicit Grower(std::uint32_t seed) : random_(seed) {}

  Expression Statement() {
    StatementSyntax s;
    s.kind = static_cast<StatementSyntax::Kind>(Below(4));
    s.source = Leaf(Form::kPath, Word());
    switch (s.kind) {
      case StatementSyntax::Kind::kSelect:
        if (Below(2) == 0) s.source.children.push_back(Leaf(Form::kDot, Word()));
        if (Below(3) == 0) {
          s.columns.push_back(Leaf(Form::kStar, "*"));
        } else {
          for (std::size_t i = 0; i <= Below(3); ++i) s.columns.push_back(Path());
        }
        for (std::size_t i = Below(3); i > 0; --i) s.order_by.push_back({Path(), Below(2) == 0});
        break;
      case StatementSyntax::Kind::kInsert:
        s.item = Tuple(3);
        break;
      case StatementSyntax::Kind::kUpdate:
        for (std::size_t i = 0; i <= Below(3); ++i) {
          s.clauses.push_back({.target = Path()});
          if (Below(3) != 0) s.clauses.back().value = Grow(3);
        }
        [[fallthrough]];
      case StatementSyntax::Kind::kDelete:
        if (Below(2) == 0) s.returning.push_back({.images = "MODIFIED OLD"});
        break;
    }
    if (s.kind != StatementSyntax::Kind::kInsert && Below(4) != 0) s.where = Grow(5);
    return {.form = Form::kStatement,
            .statement = std::make_shared<const StatementSyntax>(std::move(s))};
  }

  Expression Grow(int depth) {
    if (depth == 0) return Scalar();
    switch (Below(13)) {
      case 0:
        return Path();
      case 1:
        return With(Form::kList, "", Many(depth, 0));
      case 2:
        return With(Form::kBag, "", Many(depth, 0));
      case 3:
        return Tuple(depth);
      case 4:
        return With(Form::kCall, Pick({"size", "begins_with", "foo", "attribute_exists"}),
                    Many(depth, 0));
      case 5:
        return With(Form::kCompare, Pick({"=", "<>", "<", "<=", ">", ">="}), Exactly(depth, 2));
      case 6:
        return With(Form::kArithmetic, Pick({"+", "-", "*", "/", "%", "||"}), Exactly(depth, 2));
      case 7:
        return With(Form::kBetween, "", Exactly(depth, 3));
      case 8: {
        std::vector<Expression> operands = Exactly(depth, 1);
        operands.push_back(With(Form::kList, "", Many(depth, 1)));
        return With(Form::kIn, "", std::move(operands));
      }
      case 9:
        return With(Form::kIsType, Pick({"missing", "null", "boolean", "list"}), Exactly(depth, 1));
      case 10:
        return With(Form::kNot, "not", Exactly(depth, 1));
      case 11:
        return With(Form::kAnd, "", Many(depth, 2));
      default:
        return With(Form::kOr, "", Many(depth, 2));
    }
  }

 private:
  std::size_t Below(std::size_t end) { return random_() % end; }
  std::string Pick(std::vector<std::string> words) { return words[Below(words.size())]; }
  std::string Word() { return Pick({"a", "B c", "select", "q\"uote", "é", "x_1", "[0]"}); }

  static Expression Leaf(Form form, std::string text) {
    return {.form = form, .text = std::move(text)};
  }
  static Expression With(Form form, std::string text, std::vector<Expression> children) {
    return {.form = form, .text = std::move(text), .children = std::move(children)};
  }

  Expression Path() {
    Expression path = Leaf(Form::kPath, Word());
    for (std::size_t i = Below(3); i > 0; --i) {
      if (Below(2) == 0) {
        path.children.push_back(Leaf(Form::kDot, Word()));
      } else {
        path.children.push_back(With(Form::kBracket, "", {Leaf(Form::kNumber, "2")}));
      }
    }
    return path;
  }

  Expression Scalar() {
    switch (Below(7)) {
      case 0:
        return Leaf(Form::kString, Pick({"", "it's", "-- no", "/*", "\n", "日本"}));
      case 1:
        return Leaf(Form::kNumber, Pick({"0", "-1", "1.50", ".5", "-2e-7", "1E+3"}));
      case 2:
        return Leaf(Form::kBoolean, Pick({"true", "false"}));
      case 3:
        return {.form = Form::kNull};
      case 4:
        return {.form = Form::kMissing};
      case 5:
        return {.form = Form::kParameter};
      default:
        return Path();
    }
  }

  Expression Tuple(int depth) {
    std::vector<Expression> members;
    for (std::size_t i = Below(3); i > 0; --i) {
      members.push_back(Leaf(Form::kString, Word()));
      members.push_back(Grow(depth - 1));
    }
    return With(Form::kTuple, "", std::move(members));
  }

  std::vector<Expression> Exactly(int depth, std::size_t count) {
    std::vector<Expression> children;
    while (children.size() < count) children.push_back(Grow(depth - 1));
    return children;
  }
  std::vector<Expression> Many(int depth, std::size_t least) {
    return Exactly(depth, least + Below(3));
  }

  std::mt19937 random_;
};

TEST(PartiqlRoundTrip, APrintedTreeIsReadAgain) {
  EXPECT_TRUE(rc::check([](std::uint32_t seed) {
    Grower grower(seed);
    for (int i = 0; i < 20; ++i) {
      const Expression tree = grower.Statement();
      const std::string text = Print(tree);
      const Result<ParsedText> parsed = Parse(text);
      if (!parsed) RC_FAIL(text + ": " + parsed.error().message());
      RC_LOG() << text << "\n" << Print(parsed->root);
      RC_ASSERT(Same(tree, parsed->root));
    }
  }));
}

TEST(PartiqlRoundTrip, EveryTreeIsAcceptedOrRefused) {
  EXPECT_TRUE(rc::check([](std::uint32_t seed) {
    const std::string text = Print(Grower(seed).Statement());
    const std::vector<AttributeValue> parameters(200, AttributeValue("p"));
    const Result<Statement> statement = ParseStatement(text, parameters);
    RC_ASSERT((statement || !statement.error().message().empty()));
  }));
}

}  // namespace round_trip_test
}  // namespace stator::partiql
