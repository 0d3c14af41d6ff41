#include "model/parse/yaml.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <sstream>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace stator::model {
namespace {

Place PlaceOf(const YAML::Mark& mark) {
  if (mark.is_null()) return {};
  return {static_cast<std::uint32_t>(mark.line + 1), static_cast<std::uint32_t>(mark.column + 1)};
}

// Leaves the library's parser from inside an event; caught in ReadYaml and nowhere else.
struct Refusal {
  Problem problem;
};

[[noreturn]] void Refuse(Place place, std::string message, std::string hint = {}) {
  throw Refusal{{place, std::move(message), std::move(hint)}};
}

class TreeBuilder : public YAML::EventHandler {
 public:
  Node TakeRoot() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& /*mark*/) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    Begin(mark, "", anchor);
    Add({.place = PlaceOf(mark)});
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
    Refuse(PlaceOf(mark), "aliases (*name) are not allowed", "write the value again");
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    Begin(mark, tag, anchor);
    Node node{.kind = Node::Kind::kText, .quoted = tag == "!", .place = PlaceOf(mark)};
    node.text = value;
    Add(std::move(node));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    Open(Node::Kind::kList, mark, tag, anchor);
  }
  void OnSequenceEnd() override { Close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    Open(Node::Kind::kMap, mark, tag, anchor);
  }
  void OnMapEnd() override { Close(); }

 private:
  // A list or a map whose end has not been seen.
  struct Unfinished {
    Node node;
    std::unordered_set<std::string> keys;
  };

  void Begin(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    if (anchor != YAML::NullAnchor) {
      Refuse(PlaceOf(mark), "anchors (&name) are not allowed", "write the value where it is used");
    }
    if (!tag.empty() && tag != "?" && tag != "!") {
      Refuse(PlaceOf(mark), "tags (!name) are not allowed",
             "put text that begins with ! in quotes");
    }
    if (++nodes_ > kMaxYamlNodes) {
      Refuse(PlaceOf(mark), fmt::format("the file has more than {} values", kMaxYamlNodes));
    }
  }

  void Open(Node::Kind kind, const YAML::Mark& mark, const std::string& tag,
            YAML::anchor_t anchor) {
    Begin(mark, tag, anchor);
    if (ExpectsKey()) Refuse(PlaceOf(mark), "a key must be text");
    if (open_.size() >= kMaxYamlDepth) {
      Refuse(PlaceOf(mark), fmt::format("nested deeper than {} levels", kMaxYamlDepth));
    }
    open_.push_back({{.kind = kind, .place = PlaceOf(mark)}, {}});
  }

  void Close() {
    Node done = std::move(open_.back().node);
    open_.pop_back();
    Add(std::move(done));
  }

  bool ExpectsKey() const {
    if (open_.empty() || !open_.back().node.IsMap()) return false;
    return open_.back().node.keys.size() == open_.back().node.items.size();
  }

  void Add(Node node) {
    if (open_.empty()) {
      root_ = std::move(node);
    } else if (ExpectsKey()) {
      AddKey(node);
    } else {
      open_.back().node.items.push_back(std::move(node));
    }
  }

  void AddKey(Node& key) {
    if (!key.IsText()) Refuse(key.place, "a key must be text", "put `null` or `~` in quotes");
    if (key.text == "<<" && !key.quoted) Refuse(key.place, "merge keys (<<) are not allowed");
    if (!open_.back().keys.insert(key.text).second) {
      Refuse(key.place, fmt::format("`{}` appears twice", key.text), "remove or rename one");
    }
    open_.back().node.keys.push_back({std::move(key.text), key.place});
  }

  Node root_;
  std::vector<Unfinished> open_;
  std::size_t nodes_ = 0;
};

}  // namespace

const Node* Node::Find(std::string_view key) const {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].text == key) return &items[i];
  }
  return nullptr;
}

Place Node::At(std::size_t offset) const {
  if (text.find('\n') != std::string::npos) return place;
  return {place.line, static_cast<std::uint32_t>(place.column + offset + (quoted ? 1 : 0))};
}

std::string_view KindName(Node::Kind kind) {
  switch (kind) {
    case Node::Kind::kNothing:
      return "nothing";
    case Node::Kind::kText:
      return "text";
    case Node::Kind::kList:
      return "a list";
    case Node::Kind::kMap:
      return "a map";
  }
  return "";
}

std::expected<Node, Problem> ReadYaml(std::string_view text) {
  if (text.size() > kMaxModelBytes) {
    return std::unexpected(Problem{
        {},
        fmt::format("the file has more than {} bytes, the most that is read", kMaxModelBytes),
        ""});
  }
  TreeBuilder builder;
  try {
    std::istringstream in{std::string(text)};
    YAML::Parser parser(in);
    parser.HandleNextDocument(builder);
    Node root = builder.TakeRoot();
    TreeBuilder second;
    if (parser.HandleNextDocument(second)) {
      return std::unexpected(Problem{{}, "the file holds more than one document", "remove `---`"});
    }
    return root;
  } catch (const Refusal& refusal) {
    return std::unexpected(refusal.problem);
  } catch (const YAML::Exception& error) {
    return std::unexpected(
        Problem{PlaceOf(error.mark), fmt::format("not YAML: {}", error.msg), ""});
  } catch (const std::exception& error) {
    return std::unexpected(Problem{{}, fmt::format("not YAML: {}", error.what()), ""});
  }
}

}  // namespace stator::model
