// The model of each system, built into its program from systems/<name>/model.yaml.
#ifndef STATOR_SYSTEMS_PROGRAM_MODEL_TEXT_H_
#define STATOR_SYSTEMS_PROGRAM_MODEL_TEXT_H_

#include <string_view>

namespace stator::systems {

namespace reconciler {
std::string_view ModelText();
}
namespace calls {
std::string_view ModelText();
}
namespace orders {
std::string_view ModelText();
}
namespace downloads {
std::string_view ModelText();
}
namespace homeops {
std::string_view ModelText();
}

}  // namespace stator::systems

#endif  // STATOR_SYSTEMS_PROGRAM_MODEL_TEXT_H_
