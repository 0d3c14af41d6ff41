#include "chart/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "chart/diagram.h"
#include "chart/projection_choice.h"
#include "generate/identifiers.h"
#include "generate/table_shape.h"
#include "model/plan/plan.h"

namespace stator::model {
namespace {

// A cell ends at a pipe, in code too, and at the end of its line.
std::string CellText(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out;
}

bool IsWordByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// Text as code, so that <placeholders> are not taken for HTML. Empty stays empty.
std::string MarkdownCode(std::string_view text) {
  if (text.empty()) return "";
  const bool has_tick = text.find('`') != std::string_view::npos;
  const std::string fence = has_tick ? "``" : "`";
  const std::string space = has_tick ? " " : "";
  return fence + space + std::string(text) + space + fence;
}

// Text whose characters mean nothing to Markdown.
std::string MarkdownText(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    // An underscore inside a word is only itself.
    const bool inside =
        at > 0 && at + 1 < text.size() && IsWordByte(text[at - 1]) && IsWordByte(text[at + 1]);
    const bool special = std::string_view("\\`*[]<>#").find(c) != std::string_view::npos;
    if (special || (c == '_' && !inside)) out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out;
}

// A table in Markdown, its columns aligned.
class MarkdownTable {
 public:
  explicit MarkdownTable(std::vector<std::string> header) { Add(std::move(header)); }

  // As many cells as the header has; an empty one is shown as "-".
  void Add(std::vector<std::string> cells) {
    if (!rows_.empty()) cells.resize(rows_.front().size());
    for (std::string& cell : cells) cell = cell.empty() ? "-" : CellText(cell);
    rows_.push_back(std::move(cells));
  }

  std::string ToText() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

std::string MarkdownTable::ToText() const {
  std::vector<std::size_t> widths(rows_.front().size(), 3);
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], TextColumns(row[i]));
    }
  }
  std::string out;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      out += "| " + rows_[r][i] + std::string(widths[i] - TextColumns(rows_[r][i]), ' ') + ' ';
    }
    out += "|\n";
    if (r > 0) continue;
    for (const std::size_t width : widths) out += "| " + std::string(width, '-') + ' ';
    out += "|\n";
  }
  return out;
}

void AddNote(std::string note, std::string& notes) {
  notes += (notes.empty() ? "" : "; ") + std::move(note);
}

std::string Joined(const std::vector<std::string>& words, std::string_view between) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : std::string(between)) + word;
  return out;
}

// What an entity is found by through indexes, and what else is kept about it.
std::string NotesOf(const std::vector<Plan>& plans, const Entity& entity) {
  std::string notes;
  for (const Plan& plan : plans) {
    if (plan.index != nullptr && IsRead(plan) && plan.entity == &entity) {
      AddNote(plan.index->name + ": " + MarkdownText(plan.pattern->name), notes);
    }
  }
  for (const auto& attributes : entity.unique) {
    AddNote("unique " + MarkdownText(Joined(attributes, "+")), notes);
  }
  if (!entity.version.empty()) AddNote("versioned by " + MarkdownText(entity.version), notes);
  if (!entity.ttl.empty()) AddNote("expires by " + MarkdownText(entity.ttl), notes);
  if (entity.machine) AddNote("states in " + MarkdownText(entity.machine->attribute), notes);
  return notes;
}

std::string KeyTable(const Model& model, const std::vector<Plan>& plans, const Table& table) {
  std::vector<std::string> header = {"Entity"};
  const std::vector<KeyAttribute> keys = AttributeDefinitionsOf(table);
  for (const KeyAttribute& key : keys) header.push_back(key.name);
  header.emplace_back("Notes");
  MarkdownTable out(std::move(header));
  for (const Entity* entity : model.EntitiesOf(table)) {
    std::vector<std::string> row = {MarkdownText(entity->name)};
    for (const KeyAttribute& key : keys) row.push_back(MarkdownCode(KeyText(*entity, key.name)));
    row.push_back(NotesOf(plans, *entity));
    out.Add(std::move(row));
  }
  return out.ToText();
}

std::string SatisfiedTable(const std::vector<Plan>& plans, const Table& table) {
  MarkdownTable out({"Entity", "Access Pattern", "Satisfied by PK?", "Notes"});
  for (const Plan& plan : plans) {
    if (!IsRead(plan) || plan.table != &table) continue;
    const bool yes = plan.resolved() && plan.satisfied_by_primary_key;
    std::string note = MarkdownCode(KeyWords(plan));
    if (plan.index != nullptr) note = plan.index->name + (note.empty() ? "" : ": " + note);
    if (!plan.resolved()) note = MarkdownText(plan.obstacle);
    if (plan.operation == Operation::kScan) note = "Scan";
    out.Add({MarkdownText(EntityWords(plan)), MarkdownText(plan.pattern->name),
             yes ? "✅ Yes" : "❌ No", note});
  }
  return out.ToText();
}

std::string PatternTable(const std::vector<Plan>& plans, const Table& table) {
  MarkdownTable out({"Pattern", "Operation", "Index", "Query"});
  for (const Plan& plan : plans) {
    if (plan.table != &table || plan.pattern == nullptr) continue;
    std::string query = MarkdownCode(KeyWords(plan));
    if (!plan.condition.empty()) query = "if " + MarkdownCode(plan.condition);
    out.Add({MarkdownText(plan.pattern->name),
             plan.resolved() ? std::string(OperationName(plan.operation)) : "none", IndexWord(plan),
             plan.resolved() ? query : MarkdownText(plan.obstacle)});
  }
  return out.ToText();
}

std::string ProjectionTable(const Model& model, const std::vector<Plan>& plans,
                            const Table& table) {
  MarkdownTable out({"Index", "Projection", "Patterns ask for", "Why"});
  for (const Index& index : table.indexes) {
    const ProjectionChoice choice = ChooseProjection(model, plans, table, index);
    out.Add({index.name, MarkdownText(ProjectionText(index.projection)),
             choice.used ? MarkdownText(ProjectionText(choice.projection)) : "", choice.reason});
  }
  return out.ToText();
}

std::string Fenced(const std::string& mermaid) { return "```mermaid\n" + mermaid + "```\n"; }

bool HasAllKeys(const Entity& entity, const std::vector<KeyElement>& schema) {
  return std::ranges::all_of(schema, [&](const KeyElement& element) {
    return !KeyText(entity, element.attribute.name).empty();
  });
}

std::string IndexFacts(const Index& index) {
  std::string out = "Projection: " + MarkdownText(ProjectionText(index.projection)) + ".\n";
  if (index.overloaded) out += "Entities share it on purpose.\n";
  if (index.sparse) {
    out += "Sparse: holds only items ";
    out += index.sparse->when ? "with " + MarkdownCode(index.sparse->when->text) : "with its keys";
    if (index.sparse->share < 1) out += fmt::format(", {:g} % of them", index.sparse->share * 100);
    out += ".\n";
  }
  if (index.shards) {
    out += fmt::format("Spread over {} shards by {}.\n", index.shards->count,
                       index.shards->by.empty() ? "chance" : MarkdownCode(index.shards->by));
  }
  return out;
}

// The first line of every chart.
std::string ChartHeading(const Model& model) {
  return "# Entity chart" + (model.title.empty() ? "" : ": " + MarkdownText(model.title)) + "\n";
}

// "gsi1", "lsi2": the number counts indexes of that kind in the table.
std::string IndexLabel(const Table& table, const Index& index) {
  int number = 0;
  for (const Index& other : table.indexes) {
    if (other.local == index.local) ++number;
    if (&other == &index) break;
  }
  return (index.local ? "lsi" : "gsi") + std::to_string(number);
}

// Keys of all entities, the patterns and whether the primary key serves them, projections, diagrams.
std::string TableChart(const Model& model, const std::vector<Plan>& plans, const Table& table) {
  std::string out = "## Table " + MarkdownCode(table.name) + "\n\n";
  out += KeyTable(model, plans, table);
  out += "\n### Is the primary key enough?\n\n" + SatisfiedTable(plans, table);
  out += "\n### Access patterns\n\n" + PatternTable(plans, table);
  if (!table.indexes.empty()) {
    out += "\n### Projections\n\n" + ProjectionTable(model, plans, table);
  }
  out += "\n### Indexes\n\n" + Fenced(MermaidFlowchart(IndexGraph(model, plans, table)));
  for (const Entity* entity : model.EntitiesOf(table)) {
    if (!entity->machine) continue;
    out +=
        "\n### States of " + MarkdownText(entity->name) + "\n\n" + Fenced(MermaidStates(*entity));
  }
  return out;
}

// Entity | keys of the index | Access Pattern.
std::string IndexChart(const Model& model, const std::vector<Plan>& plans, const Table& table,
                       const Index& index) {
  const std::vector<KeyElement> schema = KeySchemaOf(table, index);
  std::vector<std::string> header = {"Entity"};
  for (const KeyElement& element : schema) header.push_back(element.attribute.name);
  header.emplace_back("Access Pattern");
  MarkdownTable rows(std::move(header));
  for (const Entity* entity : model.EntitiesOf(table)) {
    if (!HasAllKeys(*entity, schema)) continue;
    std::vector<std::string> row = {MarkdownText(entity->name)};
    for (const KeyElement& element : schema) {
      row.push_back(MarkdownCode(KeyText(*entity, element.attribute.name)));
    }
    std::vector<std::string> patterns;
    for (const Plan& plan : plans) {
      if (plan.index == &index && IsRead(plan) && Concerns(plan, *entity)) {
        patterns.push_back(MarkdownText(plan.pattern->name));
      }
    }
    row.push_back(Joined(patterns, ", "));
    rows.Add(std::move(row));
  }
  return "## " + MarkdownText(index.name) + " of " + MarkdownCode(table.name) + "\n\n" +
         rows.ToText() + "\n" + IndexFacts(index);
}

// A name for a file, of harmless characters only.
std::string FileWord(std::string_view name) {
  std::string out;
  for (const std::string& word : WordsOf(name)) out += (out.empty() ? "" : "-") + word;
  return out;
}

std::string MainChart(const Model& model, const std::vector<Plan>& plans) {
  std::string out = ChartHeading(model);
  for (const Table& table : model.tables) out += "\n" + TableChart(model, plans, table);
  return out;
}

}  // namespace

std::vector<DesignChart> EntityCharts(const Model& model, const std::vector<Plan>& plans) {
  std::vector<DesignChart> charts = {{"entity-chart.md", MainChart(model, plans)}};
  NameSet words;
  for (const Table& table : model.tables) {
    const std::string infix = model.tables.size() == 1 ? "" : words.Add(FileWord(table.id)) + "-";
    for (const Index& index : table.indexes) {
      charts.push_back({"entity-chart-" + infix + IndexLabel(table, index) + ".md",
                        ChartHeading(model) + "\n" + IndexChart(model, plans, table, index)});
    }
  }
  return charts;
}

std::string EntityChartText(const Model& model, const std::vector<Plan>& plans) {
  std::string out = MainChart(model, plans);
  for (const Table& table : model.tables) {
    for (const Index& index : table.indexes) out += "\n" + IndexChart(model, plans, table, index);
  }
  return out;
}

std::vector<Diagram> DiagramsOf(const Model& model, const std::vector<Plan>& plans) {
  std::vector<Diagram> diagrams;
  NameSet names;
  for (const Table& table : model.tables) {
    Graph graph = IndexGraph(model, plans, table);
    std::string mermaid = MermaidFlowchart(graph);
    diagrams.push_back(
        {names.Add(FileWord(table.id) + "-indexes"), std::move(graph), std::move(mermaid)});
  }
  for (const Entity& entity : model.entities) {
    if (!entity.machine) continue;
    diagrams.push_back(
        {names.Add(FileWord(entity.name) + "-states"), StateGraph(entity), MermaidStates(entity)});
  }
  return diagrams;
}

}  // namespace stator::model
