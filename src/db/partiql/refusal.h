// How statements are refused. Every one of these is a ValidationException.
#ifndef STATOR_PARTIQL_REFUSAL_H_
#define STATOR_PARTIQL_REFUSAL_H_

#include <expected>
#include <string>
#include <string_view>

#include "partiql/source_place.h"
#include "stator/error.h"

namespace stator::partiql {

// "Statement wasn't well formed, can't be processed: {detail}". A text that cannot even be split
// into tokens has no detail.
std::unexpected<Error> Malformed(std::string_view detail);

std::unexpected<Error> Refused(std::string message);

// "{message} at {line}:{column}:{length}"
std::unexpected<Error> RefusedAt(std::string_view message, SourcePlace place);

}  // namespace stator::partiql

#endif  // STATOR_PARTIQL_REFUSAL_H_
