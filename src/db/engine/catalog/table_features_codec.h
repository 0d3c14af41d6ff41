// The members of a table's catalog row (engine/catalog/table_codec.cc) that tell of its stream, expiry,
// recovery and origin:
//
//   "stream":{"number":3,"label":…,"view":"NEW_IMAGE","shards":[{"number":1,"firstHash":"0"},…]},
//   "latestStreamLabel":…,
//   "timeToLive":{"attribute":…,"status":"ENABLED","backfillCursor":…},"timeToLiveChangeMs":…,
//   "recovery":{"enabledMs":…,"days":35},
//   "restoredFrom":{"backup":…,"table":…,"timeMs":…,"checkpoint":…,"tableNumber":…}
#ifndef STATOR_ENGINE_CATALOG_TABLE_FEATURES_CODEC_H_
#define STATOR_ENGINE_CATALOG_TABLE_FEATURES_CODEC_H_

#include "engine/catalog/table.h"
#include "engine/catalog/table_row.h"
#include "value/json_writer.h"

namespace stator {

void WriteFeatures(JsonWriter& out, const Table& table);
void ReadFeatures(table_row::Reader& in, Table& table);

}  // namespace stator

#endif  // STATOR_ENGINE_CATALOG_TABLE_FEATURES_CODEC_H_
