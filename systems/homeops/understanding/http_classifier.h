// A classifier behind HTTP: any endpoint that speaks "chat completions", of the user's choosing.
//
// What comes back is believed only if it fits the schema, names activities and people of the chat,
// and stands on words of the message: whatever the message talks the model into, it cannot say more
// than that. In every other case, and when the answer is late or the budget used up, another
// classifier decides.
#ifndef STATOR_SYSTEMS_HOMEOPS_UNDERSTANDING_HTTP_CLASSIFIER_H_
#define STATOR_SYSTEMS_HOMEOPS_UNDERSTANDING_HTTP_CLASSIFIER_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>

#include "stator/clock.h"
#include "systems/homeops/understanding/classifier.h"
#include "systems/homeops/understanding/spending.h"
#include "systems/program/fallible.h"

namespace stator::systems::homeops {

struct HttpClassifierOptions {
  std::string url;           // "https://api.example.com/v1"; /chat/completions is put behind it
  std::string model;         // as the endpoint calls it
  std::string key = {};      // sent as a bearer token; empty: none
  std::string ca_file = {};  // PEM; empty: the system's
  std::chrono::milliseconds timeout = std::chrono::seconds(8);
  bool sends_schema = true;  // as response_format; some endpoints refuse it
};

// The body of a request. `text` may be anything; the model gets it as a JSON string.
std::string RequestBody(const HttpClassifierOptions& options, std::string_view text,
                        const Vocabulary& vocabulary);

// What the model answered, strictly read:
//
//   {"deeds": [{"activity": "diskning", "who": "", "phrase": "har diskat", "effort": 2,
//               "confidence": 90}], "unknown": ""}
//
// The error says what is wrong with it.
Fallible<Reading> ReadAnswer(std::string_view json, std::string_view text,
                             const Vocabulary& vocabulary);

// Thread-safe.
class HttpClassifier final : public Classifier {
 public:
  using Log = std::function<void(const std::string& line)>;

  // Everything that is given by reference must outlive this.
  HttpClassifier(HttpClassifierOptions options, const Classifier& fallback, Spending& spending,
                 const Clock& clock, Log log = {});

  Reading Classify(std::string_view text, const Vocabulary& vocabulary) const override;

  struct Counts {
    std::int64_t asked = 0;     // requests that were sent
    std::int64_t believed = 0;  // answers that were taken
  };
  Counts counts() const;

 private:
  Fallible<Reading> Ask(std::string_view text, const Vocabulary& vocabulary) const;
  Fallible<std::string> ContentOf(const std::string& body, std::size_t bytes_sent) const;
  // After failures it is not asked for a while, so that nobody waits for a service that is down.
  bool IsPaused() const;
  void Pause(std::chrono::seconds duration) const;
  void Succeeded() const;
  void Failed() const;
  // The same reason is told once per hour.
  void Tell(const std::string& reason) const;

  const HttpClassifierOptions options_;
  const Classifier& fallback_;
  Spending& spending_;
  const Clock& clock_;
  const Log log_;
  mutable std::mutex mutex_;
  mutable Counts counts_;
  mutable int failures_ = 0;  // in a row
  mutable TimeMs paused_until_{};
  mutable std::string told_;
  mutable TimeMs told_at_{};
};

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_UNDERSTANDING_HTTP_CLASSIFIER_H_
