// Which classifier a command uses, as the command line says: the vocabulary, or one behind HTTP with
// the vocabulary to fall back on.
#ifndef STATOR_SYSTEMS_HOMEOPS_UNDERSTANDING_CLASSIFIER_CHOICE_H_
#define STATOR_SYSTEMS_HOMEOPS_UNDERSTANDING_CLASSIFIER_CHOICE_H_

#include <memory>
#include <string>

#include "systems/homeops/understanding/http_classifier.h"
#include "systems/program/program.h"

namespace stator::systems::homeops {

struct ClassifierChoice {
  std::string url;  // empty: the vocabulary
  std::string model;
  std::string key_file;  // else the variable HOMEOPS_CLASSIFIER_KEY
  std::string ca_file;
  int timeout_ms = 8000;
  bool sends_schema = true;
  Budget budget{.requests_per_day = 500};
};

// --classifier-url and its companions. `choice` must outlive the command.
void AddClassifierOptions(Command& command, ClassifierChoice& choice);

// `tables` must outlive the classifier.
Fallible<std::unique_ptr<Classifier>> MakeClassifier(const ClassifierChoice& choice, Tables& tables,
                                                     HttpClassifier::Log log = {});

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_UNDERSTANDING_CLASSIFIER_CHOICE_H_
