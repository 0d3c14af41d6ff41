// Typed answers as text, every member of them, so that two can be compared and the difference read.
// A member that is added to one of the structures stops this from compiling.
#ifndef STATOR_TESTS_CLIENT_ENDPOINT_SHOW_H_
#define STATOR_TESTS_CLIENT_ENDPOINT_SHOW_H_

#include <concepts>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "stator/endpoint.h"
#include "value/item_json.h"
#include "value/json_writer.h"

namespace stator::testing {

inline std::string Show(const std::string& text) { return "'" + text + "'"; }
template <class T>
  requires std::integral<T> || std::floating_point<T>
std::string Show(T number) {
  return std::to_string(number);
}
template <class E>
  requires std::is_enum_v<E>
std::string Show(E value) {
  return std::to_string(static_cast<int>(value));
}
inline std::string Show(ItemView item) {
  std::string text;
  JsonWriter json(text);
  WriteItem(json, item);
  return text;
}
inline std::string Show(const Item& item) { return Show(item.view()); }
inline std::string Show(const ItemList& items) {
  std::string text = "[";
  for (std::size_t i = 0; i < items.size(); ++i) text += Show(items[i]) + " ";
  return text + "]";
}

// Structures refer to each other and to the containers, in any order.
template <class T>
struct Shown;
template <class T>
  requires requires(const T& value) { Shown<T>::Text(value); }
std::string Show(const T& value) {
  return Shown<T>::Text(value);
}

template <class... Members>
std::string Fields(const Members&... members) {
  std::string text = "{";
  ((text += Show(members) + " "), ...);
  return text + "}";
}
template <class T>
struct Shown<std::optional<T>> {
  static std::string Text(const std::optional<T>& value) { return value ? Show(*value) : "-"; }
};
template <class A, class B>
struct Shown<std::pair<A, B>> {
  static std::string Text(const std::pair<A, B>& pair) { return Fields(pair.first, pair.second); }
};
template <class T>
struct Shown<std::vector<T>> {
  static std::string Text(const std::vector<T>& list) {
    std::string text = "[";
    for (const T& element : list) text += Show(element) + " ";
    return text + "]";
  }
};

#define STATOR_UNPACK(...) __VA_ARGS__
#define STATOR_SHOW(type, members)                 \
  template <>                                      \
  struct Shown<type> {                             \
    static std::string Text(const type& value) {   \
      const auto& [STATOR_UNPACK members] = value; \
      return Fields(STATOR_UNPACK members);        \
    }                                              \
  }

STATOR_SHOW(ConsumedCapacity, (a, b, c, d, e, f, g));
STATOR_SHOW(ItemCollectionMetrics, (a, b, c));
STATOR_SHOW(GetItemResponse, (a, b));
STATOR_SHOW(WriteItemResponse, (a, b, c));
STATOR_SHOW(PageResponse, (a, b, c, d, e));
STATOR_SHOW(KeysAndAttributes, (a, b, c, d, e));
STATOR_SHOW(BatchGetItemResponse, (a, b, c));
STATOR_SHOW(WriteRequest, (a, b));
STATOR_SHOW(BatchWriteItemResponse, (a, b, c));
STATOR_SHOW(TransactGetItemsResponse, (a, b));
STATOR_SHOW(TransactWriteItemsResponse, (a, b));
STATOR_SHOW(OnDemandThroughput, (a, b));
STATOR_SHOW(TableDescription::Throughput, (a, b, c, d, e));
STATOR_SHOW(TableDescription::Warm, (a, b, c));
STATOR_SHOW(TableDescription::Index, (a, b, c, d, e, f, g, h, i, j, k, l));
STATOR_SHOW(TableDescription::RestoreSummary, (a, b, c, d));
STATOR_SHOW(TableDescription,
            (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w));
STATOR_SHOW(ListTablesResponse, (a, b));
STATOR_SHOW(ListTagsOfResourceResponse, (a, b));
STATOR_SHOW(TimeToLiveSpecification, (a, b));
STATOR_SHOW(UpdateTimeToLiveResponse, (a));
STATOR_SHOW(DescribeTimeToLiveResponse, (a, b));
STATOR_SHOW(ContinuousBackupsDescription::Recovery, (a, b, c));
STATOR_SHOW(ContinuousBackupsDescription, (a));
STATOR_SHOW(ContinuousBackupsResponse, (a));
STATOR_SHOW(CancellationReason, (a, b, c));

template <>
struct Shown<EmptyResponse> {
  static std::string Text(const EmptyResponse&) { return "{}"; }
};

template <>
struct Shown<TableDescriptionResponse> {
  static std::string Text(const TableDescriptionResponse& response) {
    TableDescription table = response.table;
    // Every table has another one.
    table.table_id = table.table_id.empty() ? "none" : "some";
    return Show(table);
  }
};

template <>
struct Shown<DescribeTableResponse> {
  static std::string Text(const DescribeTableResponse& response) {
    return Show(TableDescriptionResponse{response.table});
  }
};

template <>
struct Shown<Error> {
  static std::string Text(const Error& error) {
    return "error " + std::string(error.name()) + Fields(error.code(), error.message()) +
           (error.item().empty() ? "" : Show(ItemView(error.item()))) +
           Show(error.cancellation_reasons());
  }
};

template <class T>
std::string Show(const Result<T>& result) {
  return result ? Show(*result) : Show(result.error());
}

}  // namespace stator::testing

#endif  // STATOR_TESTS_CLIENT_ENDPOINT_SHOW_H_
