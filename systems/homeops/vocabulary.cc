#include "systems/homeops/vocabulary.h"

#include <algorithm>
#include <array>

#include "systems/homeops/words.h"

namespace stator::systems::homeops {

std::span<const KnownActivity> KnownActivities() {
  static const std::vector<KnownActivity> kActivities = {
      {"diskning", false, 2, {"diska", "diskat", "diskade", "disken", "disk"}},
      {"tvätt", false, 3, {"tvätta", "tvättat", "tvättade", "tvätten"}},
      {"städning", false, 4, {"städa", "städat", "städade", "storstädat"}},
      {"dammsugning", false, 3, {"dammsuga", "dammsugit", "dammsög"}},
      {"matlagning", false, 3, {"laga mat", "lagat mat", "lagade mat", "lagat middag", "middagen"}},
      {"handling", false, 3, {"handla", "handlat", "handlade", "storhandlat"}},
      {"pantning", false, 1, {"panta", "pantat", "pantade"}},
      {"sopor", false, 1, {"soporna", "slängt sopor", "gick ut med soporna"}},
      {"gräsklippning", false, 4, {"klippa gräset", "klippt gräset", "klippte gräset"}},
      {"bäddning", false, 1, {"bädda", "bäddat", "bäddade", "sängarna"}},
      {"hämtning", false, 2, {"hämta barnen", "hämtat barnen", "hämtade barnen"}},
      {"läxhjälp", false, 2, {"läxorna", "hjälpt till med läxan", "förhörde glosor"}},
      {"snöskottning", false, 5, {"skotta", "skottat", "skottade", "skottat snö"}},
      {"vattning", false, 1, {"vattna", "vattnat", "vattnade"}},
      {"träning", true, 3, {"träna", "tränat", "tränade", "gymmat"}},
      {"promenad", true, 2, {"promenerat", "promenerade", "gått en promenad"}},
      {"vila", true, 1, {"vilat", "vilade", "tupplur"}},
      {"bad", true, 1, {"badat", "badade", "bastu"}},
  };
  return kActivities;
}

const KnownActivity* FindActivity(std::string_view name) {
  const auto all = KnownActivities();
  const auto found = std::ranges::find(all, name, &KnownActivity::name);
  return found == all.end() ? nullptr : &*found;
}

std::string_view CanonicalOf(std::string_view text) {
  const std::string wanted = Normalised(text);
  for (const KnownActivity& activity : KnownActivities()) {
    if (activity.name == wanted) return activity.name;
    if (std::ranges::find(activity.forms, wanted) != activity.forms.end()) return activity.name;
  }
  return {};
}

std::span<const SeedAlias> SeedAliases() {
  static constexpr std::array<SeedAlias, 16> kSeeds = {{
      {"tömt diskmaskinen", "diskning"},
      {"fyllt diskmaskinen", "diskning"},
      {"torkat av bänken", "diskning"},
      {"hängt upp kläder", "tvätt"},
      {"vikt kläder", "tvätt"},
      {"torkat golvet", "städning"},
      {"skurat badrummet", "städning"},
      {"putsat fönster", "städning"},
      {"kört robotdammsugaren", "dammsugning"},
      {"fixat käk", "matlagning"},
      {"varit på ica", "handling"},
      {"varit på willys", "handling"},
      {"pant", "pantning"},
      {"slängt skräpet", "sopor"},
      {"varit på gymmet", "träning"},
      {"sovit middag", "vila"},
  }};
  return kSeeds;
}

}  // namespace stator::systems::homeops
