#include "api/transfers/import_description.h"

#include "api/enum_text.h"
#include "api/transfers/transfer_rules.h"

namespace stator {
namespace {

void WriteCsv(JsonWriter& out, const std::optional<CsvImportOptions>& csv) {
  if (!csv) return;
  out.Key("InputFormatOptions").BeginObject();
  out.Key("Csv").BeginObject();
  WriteOptional(out, "Delimiter", csv->delimiter);
  if (csv->header_list) {
    out.Key("HeaderList").BeginArray();
    for (const std::string& header : *csv->header_list) out.String(header);
    out.EndArray();
  }
  out.EndObject();
  out.EndObject();
}

}  // namespace

void WriteImportResponse(JsonWriter& out, const ImportTableDescription& shown) {
  out.BeginObject();
  out.Key("ImportTableDescription").BeginObject();
  out.Key("ImportArn").String(shown.import_arn);
  out.Key("ImportStatus").String(EnumText(shown.import_status));
  out.Key("TableArn").String(shown.table_arn);
  out.Key("TableId").String(shown.table_id);
  out.Key("ClientToken").String(shown.client_token);
  out.Key("S3BucketSource");
  WriteBucketSource(out, shown.s3_bucket_source);
  out.Key("ErrorCount").Integer(shown.error_count);
  out.Key("InputFormat").String(EnumText(shown.input_format));
  WriteCsv(out, shown.csv);
  out.Key("InputCompressionType").String(EnumText(shown.input_compression_type));
  out.Key("TableCreationParameters");
  WriteTableParameters(out, shown.table_creation_parameters);
  out.Key("StartTime").TimestampMs(shown.start_ms);
  if (shown.end_ms) out.Key("EndTime").TimestampMs(*shown.end_ms);
  out.Key("ProcessedSizeBytes").Integer(shown.processed_size_bytes);
  out.Key("ProcessedItemCount").Integer(shown.processed_item_count);
  out.Key("ImportedItemCount").Integer(shown.imported_item_count);
  WriteFailure(out, shown.failure);
  out.EndObject();
  out.EndObject();
}

}  // namespace stator
