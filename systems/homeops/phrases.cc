#include "systems/homeops/phrases.h"

#include <array>

namespace stator::systems::homeops {

std::span<const Phrase> DonePhrases() {
  static constexpr auto kPhrases = std::to_array<Phrase>({
      {"Har diskat", "diskning"},
      {"Diskade precis, köket är fint igen", "diskning"},
      {"Disken är klar!", "diskning"},
      {"Diskat snabbt innan jobbet", "diskning"},
      {"Har tömt diskmaskinen", "diskning"},
      {"Tvätten är upphängd", "tvätt"},
      {"Har tvättat två maskiner", "tvätt"},
      {"Tvättade lakanen, tog hela kvällen", "tvätt"},
      {"Vikt kläder i en timme 😴", "tvätt"},
      {"Städat badrummet", "städning"},
      {"Har städat hela nedervåningen, jättejobbigt", "städning"},
      {"Putsat fönster i vardagsrummet", "städning"},
      {"Dammsugit övervåningen", "dammsugning"},
      {"Dammsög lite i hallen", "dammsugning"},
      {"Lagat mat, det finns lasagne", "matlagning"},
      {"Middagen är serverad", "matlagning"},
      {"Fixat käk till ungarna", "matlagning"},
      {"Handlat på vägen hem", "handling"},
      {"Varit på ICA, mjölk finns", "handling"},
      {"Storhandlat för veckan, slutkörd", "handling"},
      {"Pantat alla burkar", "pantning"},
      {"Tog pant till affären, 84 kr!", "pantning"},
      {"Gick ut med soporna", "sopor"},
      {"Slängt skräpet", "sopor"},
      {"Bäddat sängarna", "bäddning"},
      {"Hämtat barnen från fritids", "hämtning"},
      {"Hjälpt till med läxan", "läxhjälp"},
      {"Läxorna är gjorda", "läxhjälp"},
      {"Vattnat blommorna", "vattning"},
      {"SKOTTAT uppfarten", "snöskottning"},
      {"Tränat på lunchen", "träning"},
      {"Gått en promenad runt sjön", "promenad"},
      {"Vilade en stund på soffan", "vila"},
      {"Badat bastu 🧖", "bad"},
  });
  return kPhrases;
}

std::span<const Phrase> SlangPhrases() {
  static constexpr auto kPhrases = std::to_array<Phrase>({
      {"kört en maskin", "tvätt"},
      {"fejat på vinden", "städning"},
      {"kirrat käket", "matlagning"},
      {"plockat i köket", "diskning"},
      {"snurrat med snabeln", "dammsugning"},
      {"gjort återvinningen", "pantning"},
      {"varit på maxi", "handling"},
      {"joggat i skogen", "träning"},
  });
  return kPhrases;
}

std::span<const std::string_view> NotDonePhrases() {
  static constexpr auto kPhrases = std::to_array<std::string_view>({
      "Kan någon diska?",
      "Vem diskade senast?",
      "Ska handla efter jobbet",
      "Orkar inte städa idag",
      "När hämtade du barnen?",
      "Måste tvätta imorgon",
      "Glöm inte soporna",
      "Jag borde dammsuga",
      "Vill du laga mat ikväll?",
      "Ingen har vattnat blommorna",
  });
  return kPhrases;
}

std::span<const std::string_view> TalkPhrases() {
  static constexpr auto kPhrases = std::to_array<std::string_view>({
      "God morgon!",
      "På väg hem nu",
      "Bussen är sen igen",
      "👍",
      "Haha",
      "Köp mjölk",
      "Vad blir det till middag?",
      "Puss",
      "Är framme om tio minuter",
      "Mamma ringde",
      "Elsa har match på lördag kl 10",
      "Var är bilnycklarna?",
      "De ligger på hallbordet",
      "Ok!",
      "Det regnar",
      "Trevlig helg allihop",
      "Mötet drog ut på tiden",
      "Grattis på namnsdagen",
      "Kolla den här: https://example.org/katt",
      "Tack ❤️",
  });
  return kPhrases;
}

}  // namespace stator::systems::homeops
