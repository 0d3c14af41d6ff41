#include "report/problem_report.h"

#include "report/sarif.h"
#include "value/json_writer.h"

namespace stator::model {
std::string ProblemsJson(const std::string& file, const std::vector<Problem>& problems) {
  std::string out;
  JsonWriter json(out);
  json.BeginObject();
  json.Key("file").String(file);
  json.Key("clean").Bool(false);
  json.Key("problems").BeginArray();
  for (const Problem& problem : problems) {
    json.BeginObject();
    json.Key("line").Integer(problem.place.line);
    json.Key("column").Integer(problem.place.column);
    json.Key("message").String(problem.message);
    if (!problem.hint.empty()) json.Key("hint").String(problem.hint);
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
  return out + "\n";
}

std::string ProblemsSarif(const std::string& file, const std::vector<Problem>& problems) {
  return SarifLog([](JsonWriter&) {},
                  [&](JsonWriter& json) {
                    for (const Problem& problem : problems) {
                      json.BeginObject();
                      json.Key("ruleId").String("form");
                      json.Key("level").String("error");
                      WriteSarifText(json, "message",
                                     problem.hint.empty()
                                         ? problem.message
                                         : problem.message + " (" + problem.hint + ")");
                      WriteSarifLocation(json, file, problem.place);
                      json.EndObject();
                    }
                  });
}

}  // namespace stator::model
