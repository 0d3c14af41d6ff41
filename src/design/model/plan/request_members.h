// The members that requests of each API operation have.
#ifndef STATOR_MODEL_PLAN_REQUEST_MEMBERS_H_
#define STATOR_MODEL_PLAN_REQUEST_MEMBERS_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"

namespace stator::model {

// "Query" for "query", "QueryCommand" and "dynamodb:Query"; empty when there is no such operation.
std::string_view ApiName(std::string_view written);
// REQUIRES: `api` is a name that ApiName gave.
std::span<const std::string_view> MembersOf(std::string_view api);
std::span<const std::string_view> ApiNames();

// Every member of the request that the code gives, expressions and placeholders included.
std::vector<std::string> MembersGiven(const Code& code);

}  // namespace stator::model

#endif  // STATOR_MODEL_PLAN_REQUEST_MEMBERS_H_
