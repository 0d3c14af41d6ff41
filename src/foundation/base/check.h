// STATOR_CHECK: for our own bugs. On in every build; no input may reach a failing one.
#ifndef STATOR_BASE_CHECK_H_
#define STATOR_BASE_CHECK_H_

namespace stator {
[[noreturn]] void CheckFailed(const char* condition, const char* file, int line);
}  // namespace stator

#define STATOR_CHECK(condition)                              \
  do {                                                       \
    if (!(condition)) [[unlikely]]                           \
      ::stator::CheckFailed(#condition, __FILE__, __LINE__); \
  } while (false)

#endif  // STATOR_BASE_CHECK_H_
