// Which generation of validation messages an operation uses.
//
// AWS serves two generations at once, by operation. The choice is one field of an operation's row
// in api/operations.cc; the code that raises a message asks for it here and nowhere else.
#ifndef STATOR_BASE_WORDING_H_
#define STATOR_BASE_WORDING_H_

#include <cstdint>
#include <string>
#include <utility>

#include "stator/result.h"

namespace stator {

enum class Wording : std::uint8_t {
  kClassic,    // the wording before mid-2026
  kCurrent,    // the current wording, bare
  kEnveloped,  // the current wording; request-family errors carry "1 validation error detected: "
};

inline bool IsCurrent(Wording wording) { return wording != Wording::kClassic; }

// Puts a message of a request-family error into the envelope if the operation uses one.
inline std::string Envelope(Wording wording, std::string message) {
  if (wording != Wording::kEnveloped) return message;
  return "1 validation error detected: " + message;
}

template <class T>
Result<T> InEnvelope(Wording wording, Result<T> result) {
  if (result || wording != Wording::kEnveloped) return result;
  return std::unexpected(Error::Validation(Envelope(wording, result.error().message())));
}

}  // namespace stator

#endif  // STATOR_BASE_WORDING_H_
