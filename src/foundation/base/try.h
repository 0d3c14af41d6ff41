// Propagation of failures for any std::expected.
//
//   RETURN_IF_ERROR(CheckName(request.table_name));
//   ASSIGN_OR_RETURN(const Table& table, engine.FindTable(name));
#ifndef STATOR_BASE_TRY_H_
#define STATOR_BASE_TRY_H_

#include <expected>
#include <utility>

#define STATOR_CONCAT_INNER(a, b) a##b
#define STATOR_CONCAT(a, b) STATOR_CONCAT_INNER(a, b)

#define RETURN_IF_ERROR(...)                                             \
  do {                                                                   \
    if (auto stator_status = (__VA_ARGS__); !stator_status) [[unlikely]] \
      return std::unexpected(std::move(stator_status).error());          \
  } while (false)

#define ASSIGN_OR_RETURN(declaration, ...)                                              \
  auto STATOR_CONCAT(stator_result_, __LINE__) = (__VA_ARGS__);                         \
  if (!STATOR_CONCAT(stator_result_, __LINE__)) [[unlikely]]                            \
    return std::unexpected(std::move(STATOR_CONCAT(stator_result_, __LINE__)).error()); \
  declaration = *std::move(STATOR_CONCAT(stator_result_, __LINE__))

#endif  // STATOR_BASE_TRY_H_
