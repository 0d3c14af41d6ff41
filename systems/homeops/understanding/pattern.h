// Forms of activities and aliases, ready to be looked for: each is one or more words that a clause
// must have, whatever their inflection. activities.cc explains how they are written.
#ifndef STATOR_SYSTEMS_HOMEOPS_UNDERSTANDING_PATTERN_H_
#define STATOR_SYSTEMS_HOMEOPS_UNDERSTANDING_PATTERN_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "systems/homeops/understanding/swedish.h"

namespace stator::systems::homeops {

// A word of a message with what it may be.
struct Word {
  std::string text;
  bool capital = false;
  std::vector<std::string> stems;
  std::vector<VerbForm> forms;
};

// `is_typed`: it comes from a person's keyboard, and slips of well-known verbs are mended.
Word MakeWord(std::string text, bool capital = false, bool is_typed = false);

class Pattern {
 public:
  // Read once; the same form gives the same pattern. Thread-safe.
  static std::shared_ptr<const Pattern> Of(const std::string& form);

  // The places of its words, its first word's first and not before `from`; nullopt if one is
  // missing. Each of `people` may stand for a child.
  std::optional<std::vector<std::size_t>> In(std::span<const Word> words,
                                             std::span<const std::string> people,
                                             std::size_t from = 0) const;

  // Begins with a verb. "vila" is both a verb and a noun.
  bool is_verb() const { return is_verb_; }
  bool may_be_noun() const { return elements_.size() == 1 || !is_verb_; }
  std::size_t size() const { return elements_.size(); }

  // The tenses in which a word is the pattern's verb.
  std::vector<Tense> TensesOf(const Word& word) const;

 private:
  enum class Kind : unsigned char { kWord, kBeginning, kHead, kPerson };
  struct Alternative {
    Kind kind = Kind::kWord;
    std::string text;
    std::vector<std::string> stems;
    std::vector<std::string> verbs;  // what it is a form of

    bool Matches(const Word& word, std::span<const std::string> people) const;
    bool IsHead(std::string_view whole) const;
  };
  using Element = std::vector<Alternative>;

  explicit Pattern(std::string_view form);
  static Alternative Read(std::string_view text);

  std::vector<Element> elements_;
  bool is_verb_ = false;
};

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_UNDERSTANDING_PATTERN_H_
