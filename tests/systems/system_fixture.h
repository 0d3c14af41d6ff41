// What the tests of every system stand on: an endpoint with a clock that stands still until it is
// turned, and the system's program, run as people run it.
#ifndef STATOR_TESTS_SYSTEMS_SYSTEM_FIXTURE_H_
#define STATOR_TESTS_SYSTEMS_SYSTEM_FIXTURE_H_

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "stator/database.h"
#include "stator/entity.h"
#include "systems/program/process.h"

namespace stator::testing {

// With STATOR_SYSTEMS_OVER_HTTP in the environment the same tests go through a client and a server.
class SystemWorld {
 public:
  // The clock stands at 2026-02-28T08:00:00Z.
  explicit SystemWorld(std::string_view model_text);
  ~SystemWorld();

  Entities& entities() { return *entities_; }
  // A second set of entities, as another process would have: with caches of its own.
  std::unique_ptr<Entities> MoreEntities();
  Endpoint& endpoint();
  // Behind the endpoint, for looking at what must be there.
  Database& database() { return *database_; }
  TurnableClock& clock() { return database_->clock(); }
  const Model& model() const { return *model_; }
  // The server's address; empty when the tests run embedded.
  std::string url() const;

  // What `stator audit` would say; empty: nothing is wrong.
  std::string Audit();

 private:
  struct Served;
  std::unique_ptr<Database> database_;
  std::unique_ptr<Served> served_;
  std::unique_ptr<Model> model_;
  std::unique_ptr<Entities> entities_;
};

// The text or number of an attribute; "(none)" if it does not exist.
std::string Text(const Item& item, std::string_view name);

// How long stress tests run: STATOR_STRESS_SECONDS in the environment, or two seconds.
std::chrono::milliseconds StressTime();

// A whole file; empty if it cannot be read.
std::string FileText(const std::string& path);

struct ProgramAnswer {
  int status = -1;   // the exit code; -1: it could not be run, or a signal ended it
  std::string text;  // all that it printed, errors included
};

// Through a shell.
ProgramAnswer RunProgram(const std::string& command);

// Has an empty folder, which is deleted after the test.
class ProgramTest : public ::testing::Test {
 protected:
  // Runs the program of this system; returns all that it printed. status_ is its exit code.
  std::string RunSystem(const std::string& arguments);

  systems::TemporaryFolder temporary_{"stator-system"};
  const std::string& folder_ = temporary_.path();
  int status_ = -1;
};

}  // namespace stator::testing

#endif  // STATOR_TESTS_SYSTEMS_SYSTEM_FIXTURE_H_
