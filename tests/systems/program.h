// Runs a program as people do, through a shell.
#ifndef STATOR_TESTS_SYSTEMS_PROGRAM_H_
#define STATOR_TESTS_SYSTEMS_PROGRAM_H_

#include <gtest/gtest.h>

#include <string>

namespace stator::testing {

struct ProgramAnswer {
  int status = -1;   // the exit code; -1: it could not be run, or a signal ended it
  std::string text;  // all that it printed
};

ProgramAnswer RunProgram(const std::string& command);

// With an empty folder, which goes with the test.
class ProgramTest : public ::testing::Test {
 protected:
  ProgramTest();
  ~ProgramTest() override;

  // Of this system; gives all that it printed, and status_ is its exit code.
  std::string RunSystem(const std::string& arguments);

  std::string folder_;
  int status_ = -1;
};

}  // namespace stator::testing

#endif  // STATOR_TESTS_SYSTEMS_PROGRAM_H_
