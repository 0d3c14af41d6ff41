// What every SARIF 2.1.0 (OASIS) log of ours has around its results: one run of one tool.
#ifndef STATOR_REPORT_SARIF_H_
#define STATOR_REPORT_SARIF_H_

#include <functional>
#include <string>
#include <string_view>

#include "model/model.h"

namespace stator {
class JsonWriter;
}

namespace stator::model {

// `rules` adds members to the tool's description, `results` the elements of the list of results.
std::string SarifLog(const std::function<void(JsonWriter&)>& rules,
                     const std::function<void(JsonWriter&)>& results);

// "key": {"text": text}
void WriteSarifText(JsonWriter& json, std::string_view key, std::string_view text);

// Where it is; `subject` names what is there in the model's own words, if anything does.
void WriteSarifLocation(JsonWriter& json, const std::string& file, const Place& place,
                        std::string_view subject = {});

}  // namespace stator::model

#endif  // STATOR_REPORT_SARIF_H_
