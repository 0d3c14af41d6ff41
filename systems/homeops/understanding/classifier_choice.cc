#include "systems/homeops/understanding/classifier_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "systems/program/http.h"

namespace stator::systems::homeops {
namespace {

constexpr const char* kKeyVariable = "HOMEOPS_CLASSIFIER_KEY";

// The key is in nobody's messages: errors name the place it came from.
Fallible<std::string> ReadKey(const std::string& file) {
  std::string key;
  if (file.empty()) {
    const char* value = std::getenv(kKeyVariable);
    if (value != nullptr) key = value;
  } else {
    std::ifstream in(file);
    if (!in || !std::getline(in, key)) return std::unexpected("cannot read a key from " + file);
  }
  while (!key.empty() && (key.back() == '\r' || key.back() == ' ')) key.pop_back();
  if (!std::ranges::all_of(key, [](char c) { return c > ' ' && c <= '~'; })) {
    return std::unexpected(fmt::format("the key in {} has characters that no key has",
                                       file.empty() ? kKeyVariable : file.c_str()));
  }
  return key;
}

// The classifier with all that it goes by.
class ChosenClassifier final : public Classifier {
 public:
  ChosenClassifier(HttpClassifierOptions options, const Budget& budget, Tables& tables,
                   HttpClassifier::Log log)
      : spending_(tables.endpoint(), tables.prefix(), "classifier", budget),
        http_(std::move(options), vocabulary_, spending_, tables.clock(), std::move(log)) {}

  Reading Classify(std::string_view text, const Vocabulary& vocabulary) const override {
    return http_.Classify(text, vocabulary);
  }

 private:
  const VocabularyClassifier vocabulary_;
  Spending spending_;
  const HttpClassifier http_;
};

}  // namespace

void AddClassifierOptions(Command& command, ClassifierChoice& choice) {
  command
      .AddOption("--classifier-url", &choice.url,
                 "Asks this chat-completions endpoint what messages mean, e.g. "
                 "https://api.example.com/v1; without it, and whenever it fails, the vocabulary "
                 "decides")
      .Type("URL");
  command.AddOption("--classifier-model", &choice.model, "The model's name there").Type("NAME");
  command
      .AddOption("--classifier-key-file", &choice.key_file,
                 fmt::format("Has the key on its first line; without it {} is read", kKeyVariable))
      .Type("FILE");
  command.AddOption("--classifier-ca", &choice.ca_file, "Trusts this authority, in PEM")
      .Type("FILE");
  command
      .AddOption("--classifier-timeout", &choice.timeout_ms,
                 "Milliseconds until the vocabulary decides instead")
      .Range(100, 120'000);
  command.AddOption("--classifier-requests-per-day", &choice.budget.requests_per_day, "0: no limit")
      .NotNegative();
  command.AddOption("--classifier-tokens-per-day", &choice.budget.tokens_per_day, "0: no limit")
      .NotNegative();
  command
      .AddOption("--classifier-requests-per-month", &choice.budget.requests_per_month,
                 "0: no limit")
      .NotNegative();
  command.AddOption("--classifier-tokens-per-month", &choice.budget.tokens_per_month, "0: no limit")
      .NotNegative();
  command.AddFlag("!--classifier-no-schema", &choice.sends_schema,
                  "Sends the answer's schema as text, for endpoints that refuse response_format");
}

Fallible<std::unique_ptr<Classifier>> MakeClassifier(const ClassifierChoice& choice, Tables& tables,
                                                     HttpClassifier::Log log) {
  if (choice.url.empty()) return std::make_unique<VocabularyClassifier>();
  std::string url = choice.url;
  while (url.ends_with('/')) url.pop_back();
  if (const std::string problem = UrlProblem(url); !problem.empty()) {
    return std::unexpected("--classifier-url: " + problem);
  }
  if (choice.model.empty()) {
    return std::unexpected("--classifier-url needs --classifier-model, the model's name there");
  }
  TRY(std::string key, ReadKey(choice.key_file));
  return std::make_unique<ChosenClassifier>(
      HttpClassifierOptions{.url = std::move(url),
                            .model = choice.model,
                            .key = std::move(key),
                            .ca_file = choice.ca_file,
                            .timeout = std::chrono::milliseconds(choice.timeout_ms),
                            .sends_schema = choice.sends_schema},
      choice.budget, tables, std::move(log));
}

}  // namespace stator::systems::homeops
