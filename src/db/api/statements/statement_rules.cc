#include "api/statements/statement_rules.h"

#include <algorithm>

#include "partiql/statement.h"
#include "value/item_codec.h"

namespace stator {
namespace {

std::size_t CountCharacters(std::string_view utf8) {
  return static_cast<std::size_t>(std::ranges::count_if(
      utf8, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

void ConstrainStatement(Constraints& check, std::string_view prefix,
                        const std::optional<std::string>& statement,
                        const std::optional<StatementParameters>& parameters) {
  const std::string path = std::string(prefix) + "statement";
  check.NotNull(path, statement);
  if (statement) {
    check.Length(Constraints::Quoted(*statement), path, CountCharacters(*statement), 1,
                 partiql::kMaxStatementLength);
  }
  if (parameters && parameters->empty()) {
    check.Fail(Constraints::Quoted("[]"), std::string(prefix) + "parameters",
               "Member must have length greater than or equal to 1");
  }
}

const StatementParameters& ParametersOf(const std::optional<StatementParameters>& parameters) {
  static const StatementParameters kNone;
  return parameters ? *parameters : kNone;
}

void AppendFingerprint(std::string& out, std::string_view statement,
                       const StatementParameters& parameters) {
  AppendVarint(out, statement.size());
  out.append(statement);
  AppendVarint(out, parameters.size());
  for (const AttributeValue& parameter : parameters) {
    AppendVarint(out, parameter.encoded().size());
    out.append(parameter.encoded());
  }
}

}  // namespace stator
