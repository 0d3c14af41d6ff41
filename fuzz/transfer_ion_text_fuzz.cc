// Any bytes as Ion text: what is read does not depend on how the bytes are cut, is well formed,
// and comes back after it was written.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "transfer/ion/reader.h"
#include "transfer/ion/writer.h"
#include "transfer/testing/read_all.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace stator::transfer;           // NOLINT
  using namespace stator::transfer::testing;  // NOLINT
  if (size > kChunkBytes) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (text.starts_with(kIonVersionMarker)) return 0;
  const AllRecords all = ReadCutAnyhow<IonReader>(text);
  std::string written;
  for (const stator::Item& item : all.items) AppendIonItem(written, item.view());
  for (const ChangeRecord& change : all.changes) {
    AppendIonChange(written, change, ExportView::kNewAndOldImages);
  }
  const AllRecords again = ReadText<IonReader>(written, kChunkBytes);
  STATOR_CHECK(again.problems.empty() && again.ending.empty());
  STATOR_CHECK(again.items == all.items && again.changes == all.changes);
  return 0;
}
