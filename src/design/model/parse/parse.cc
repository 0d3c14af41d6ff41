#include "model/parse/parse.h"

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include "model/parse/fields.h"
#include "model/parse/implied.h"
#include "model/parse/sections.h"
#include "model/parse/yaml.h"

namespace stator::model {
namespace {

struct Section {
  std::string_view field;
  void (*read)(Reading& reading, const Node& node);
};

// Rates and types are read before the sections that use them, in whatever order the file has them.
constexpr std::array kSections{
    Section{"assume", ReadAssume},     Section{"types", ReadTypes},
    Section{"tables", ReadTables},     Section{"entities", ReadEntities},
    Section{"patterns", ReadPatterns}, Section{"migrations", ReadMigrations},
    Section{"grants", ReadGrants},     Section{"infrastructure", ReadSnippets},
    Section{"claims", ReadClaims},     Section{"accept", ReadAcceptances},
};

void CheckVersion(const Fields& fields) {
  const Node* version = fields.Find("model");
  if (version == nullptr) {
    fields.problems().Add(fields.place(), "the version of the format is missing",
                          "begin the file with `model: 1`");
  } else if (version->text != "1") {
    fields.problems().Add(version->place, fmt::format("unknown version `{}`", version->text),
                          "this program reads `model: 1`");
  }
}

}  // namespace

std::expected<Model, std::vector<Problem>> ParseModel(std::string_view text, std::string file) {
  const auto document = ReadYaml(text);
  if (!document) return std::unexpected(std::vector{document.error()});
  Problems problems;
  Model model;
  model.file = std::move(file);
  const Fields fields(problems, *document, kModelFields);
  if (!document->IsMap()) return std::unexpected(problems.Take());
  CheckVersion(fields);
  model.title = fields.Text("title");
  Reading reading{problems, model, {}};
  for (const Section& section : kSections) {
    if (const Node* node = fields.Find(section.field)) section.read(reading, *node);
  }
  AddImpliedParts(problems, model);
  CheckReferences(problems, *document, model);
  if (!problems.empty()) return std::unexpected(problems.Take());
  return model;
}

std::expected<Model, std::vector<Problem>> LoadModel(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string text;
  // One byte more than allowed, to distinguish a file that is too large from one that just fits.
  text.resize(kMaxModelBytes + 1);
  if (in) in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (in.bad() || (!in.is_open()) || (in.gcount() == 0 && !in.eof())) {
    return std::unexpected(std::vector{Problem{{}, "cannot be read", ""}});
  }
  text.resize(static_cast<std::size_t>(in.gcount()));
  return ParseModel(text, path);
}

std::string ProblemText(const std::string& file, const Problem& problem) {
  std::string where = file;
  if (problem.place.line > 0) {
    where += fmt::format(":{}:{}", problem.place.line, problem.place.column);
  }
  const std::string hint = problem.hint.empty() ? "" : fmt::format(" ({})", problem.hint);
  return fmt::format("{}: {}{}", where, problem.message, hint);
}

std::string ProblemTexts(const std::string& file, const std::vector<Problem>& problems) {
  std::string text;
  for (const Problem& problem : problems) {
    if (!text.empty()) text += '\n';
    text += ProblemText(file, problem);
  }
  return text;
}

}  // namespace stator::model
