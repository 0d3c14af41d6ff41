// What every chat knows from the start, as data. A form is one or more words that a clause must
// have, in any order, in whatever inflection (pattern.h):
//
//   diska             the verb in all its forms; a noun with its endings
//   klippa gräs*      the verb, and a word that begins so
//   hjälpa *läxa      … or that ends so: läxa, matteläxan
//   tömma|fylla …     one of them
//   hämta @barn       a child, or somebody who writes in the chat
#include "systems/homeops/understanding/classifier.h"

#include <fmt/format.h>

#include <array>

namespace stator::systems::homeops {
namespace {

using Forms = std::vector<std::string>;

constexpr std::string_view kFood =
    "mat|maten|käk|käket|*middag|*lunch|*frukost|kvällsmat|mellis|mellanmål|*soppa|*gryta|*sås|"
    "*pasta|*lasagne|*biff|*bulle|*bullar|köttbull*|*korv|*kyckling|*lax|*fisk|*paj|*pizza|*sallad|"
    "*gröt|*pannkaka|plättar|*våffla|*taco|tacos|*gratäng|*potatis|mos|*ris|*stroganoff|*omelett|"
    "*ägg|*bröd|*kaka|*tårta|*burgare|hamburg*|*wok|*curry|risotto|*smörgås|mackor|*nudlar|"
    "spagetti|spaghetti|carbonara|*färs|*färssås|chili|*stek|*fläsk|*panna|*låda|sushi|falafel|"
    "linser|*röra";

constexpr std::string_view kStore =
    "ica|coop|willys|lidl|hemköp|maxi|konsum|netto|tempo|*affär|*butik|citygross|"
    "stormarknad|supermarket|handlarn*";

constexpr std::string_view kGoods =
    "mat|maten|*mjölk|bröd|ost|*ost|smör|ägg|*frukt|bananer|äpplen|*grönsak|*kött|färs|fisk|"
    "*kaffe|pålägg|yoghurt|*juice|blöj*|toapapper|hushållspapper|*godis|chips|*glass|läsk|"
    "potatis|*varor|matvaror|middag|frukost|lunch|snacks|fredagsmys*";

constexpr std::string_view kPlants =
    "*växt|*blomma|*blommor|*rabatt|orkidé*|*tomat|*gurka|*odling|*planta|*ros|*kruka|*buske|"
    "*gräsmatta|*pelargon|*lök|*ört|*land|*träd|palm*";

constexpr std::string_view kRooms =
    "*rum|*kök|hall|*hall|toa|toan|*toalett|*golv|*trappa|*våning|*hus|*lägenhet|*lya|*garage|"
    "*förråd|*källare|*vind|*altan|*balkong|dusch|*dusch|*handfat|*spis|*ugn|*kyl|*kylskåp|*frys|"
    "*skåp|*garderob|*bord|*bänk|*diskho|*hylla|*spegel|*fönster|*list|*matta|*kakel|*badkar|*låda|"
    "*avlopp|*vask|*filter|*fläkt|*lampa|*dörr|*byrå|*hörn";

constexpr std::string_view kSchoolwork =
    "*läxa|*läxor|*glosa|*glosor|*prov|*tabell|*uppsats|*uppgift|multiplikation*|*matte|matten";

Forms DishForms() {
  return {"diska",
          "disk",
          "diskberg",
          "diskning",
          "*diskberg",
          "tömma|fylla|plocka|köra|starta|sätta|ladda|packa|lasta|dra diskmaskin*",
          "plocka|ställa|sätta|tömma disk|disken ur|i|in|undan",
          "skölja tallrik|glas|kastrull|disk",
          "diska tallrik|kastrull|glas|*glas|stekpanna|porslin|panna|bestick|kopp"};
}

Forms LaundryForms() {
  return {"tvätta",
          "tvätt",
          "*tvätt",
          "tvättstuga",
          "tvättning",
          "hänga|vika|köra|slänga|sätta|lägga|sortera|plocka|ta|starta|dra|trycka|stoppa "
          "tvätt|tvätten|*tvätt",
          "köra|sätta|starta|dra tvättmaskin*",
          "vika|hänga|sortera kläder|lakan|*handduk|strumpor",
          "stryka kläder|*skjorta|*skjortor|*duk|*dukar|tvätt|byxor|*klänning|*blus",
          "mangla",
          "tvätta "
          "kläder|*lakan|handdukar|*tröja|byxor|*overall|tvätt|sängkläder|gardiner|matta|mattor"};
}

Forms CleaningForms() {
  return {"städa",
          "städning",
          "*städning",
          "skura",
          "moppa",
          "damma",
          "våttorka",
          "dammtorka",
          "städ",
          fmt::format("torka {}", kRooms),
          "torka av|ur",
          fmt::format("putsa|polera {}", kRooms),
          "fönsterputs*",
          fmt::format("sopa {}", kRooms),
          "sopa",
          fmt::format("röja|fräscha {}", kRooms),
          "röja upp|undan|ur",
          "plocka undan|ordning|rent|fint",
          "plocka *leksak|*leksaker|*sak|*saker|*grejer|kläder upp|undan|in|bort",
          fmt::format("rensa|tömma|organisera|göra {} ur|ren|rent|i|rena|fint|av", kRooms),
          fmt::format("rensa|skrubba|avfrosta|städa|skura|damma|moppa {}", kRooms),
          "göra rent|ren|fint|rena",
          fmt::format("tvätta {}", kRooms),
          "städa undan|ur|upp"};
}

Forms CookingForms() {
  return {"matlagning",
          "middag",
          "middagen serverad|klar|färdig",
          "tillaga",
          fmt::format("laga|göra|fixa|koka|ordna|svänga|slänga|sno|röra|värma|servera|duka|kirra|"
                      "greja|förbereda {}",
                      kFood),
          "steka",
          "baka",
          "grilla",
          "ugnssteka",
          "wokka",
          fmt::format("lägga|sätta|slänga|stoppa|ställa {} ugn|ugnen|spisen|grillen", kFood)};
}

Forms ShoppingForms() {
  return {
      "handla",
      "handling",
      "storhandling",
      "*handling",
      "matinköp",
      "veckohandling",
      fmt::format("köpa|köra|hämta|bunkra|fixa {} hem|in|affär|affären", kGoods),
      fmt::format("köpa {}", kGoods),
      fmt::format(
          "vara|åka|gå|svänga|kila|sticka|springa|cykla|köra|dra {} på|till|förbi|via|in|om|vid",
          kStore),
      fmt::format("köpa|shoppa {}", kStore)};
}

Forms WasteForms() {
  return {"sopor",
          "soporna",
          "sophantering",
          "sopsortering",
          "sopsortera",
          "källsortera",
          "slänga|bära|ta|kasta|gå|köra|springa|lämna|tömma|sortera|dra "
          "sopor|*sopor|*soppåse|*sopsäck|*skräp|kompost*|"
          "*papperskorg|*papperskorgar|*kartong|återvinning*|*tidning|*avfall|bioavfall|matavfall|*"
          "förpackning|plasten|plast",
          "åka|köra|vara|gå|lämna "
          "återvinning*|tippen|tipp|*sopstation|återbruk*|miljöstation*|sorteringsgård*|soprum*"};
}

Forms LawnForms() {
  return {"klippa gräs*|*gräsmatta|*gräs|tomt|*tomt", "gräsklippning", "gräsklippt",
          "köra|dra gräsklippar*|åkgräsklippar*", "trimma gräs*|kant|kanter"};
}

Forms BedForms() {
  return {"bädda", "bäddning", "byta|sätta|lägga *lakan|sängkläder|*påslakan|örngott",
          "bädda säng|*säng|sängen|soffa"};
}

Forms FetchForms() {
  constexpr std::string_view kFrom =
      "@barn|dagis|dagiset|förskola|förskolan|fritids|fritis|skola|skolan|lekis";
  return {fmt::format("hämta {}", kFrom), "plocka upp @barn från|på|vid", "hämtning", "*hämtning",
          "hämta på|från|vid dagis|förskola|fritids|skola|träning*|kalas*|*match"};
}

Forms HomeworkForms() {
  return {
      "läxhjälp",
      "läxläsning",
      "läxförhör",
      fmt::format("hjälpa|förhöra|stötta {}", kSchoolwork),
      fmt::format("sitta|läsa|göra|plugga|öva|träna|räkna|gå|jobba {} med|ihop|tillsammans|igenom",
                  kSchoolwork),
      "förhöra @barn",
      "läxor|läxorna|läxan är gjorda|gjord|klara|klar",
      "plugga|räkna med @barn"};
}

Forms TrainingForms() {
  constexpr std::string_view kSession =
      "*pass|*gym|gymmet|yoga|spinning|crossfit|styrka|*träning|pilates|zumba|padel|tennis|fotboll|"
      "innebandy|badminton|hockey|boxning|*löpning|löpning|intervaller|intervall|*lopp|löprunda|"
      "*löprunda|joggingtur|jogg|aerobics|simhall";
  return {"träna",
          "träning",
          "gymma",
          "jogga",
          "yoga",
          "*pass",
          "löprunda",
          "joggingtur",
          "styrketräna",
          "springa|löpa|simma|cykla|åka|ro "
          "km|mil|milen|kilometer|*runda|*rundan|*lopp|löpband*|*spår|*varv|*intervaller|längder|"
          "meter|simhall*|bassäng*",
          fmt::format("köra|göra|vara|gå|ta|spela|hinna|avsluta {}", kSession)};
}

Forms WalkForms() {
  return {"promenera",
          "promenad",
          "*promenad",
          "strosa",
          "vandra",
          "flanera",
          "powerwalk*",
          "*prommis",
          "gåtur",
          "ta|gå|vara *promenad|*prommis|*promme|powerwalk*|gåtur|långpromenad",
          "ta|gå|vara sväng|runda|*runda|varv|tur ute|ut|en|hund*|runt",
          "gå|vara|ta|springa ut|ute|långrunda|rundan hund*|*hund|vovv*|valpen",
          "rasta hund*|*hund|vovv*|valp*",
          "gå km|mil|steg|kilometer|milen"};
}

Forms RestForms() {
  return {"vila",
          "slappa",
          "slöa",
          "softa",
          "chilla",
          "*tupplur",
          "powernap",
          "siesta",
          "latmask",
          "ta|sova|få *tupplur|powernap|siesta",
          "sova middag|middagslur|*lur|länge|ut|sovmorgon",
          "ha|ta|få sovmorgon|vilodag",
          "ligga|halvligga|somna|slockna soffa|soffan|*soffa|hängmatta*|solstol*|sängläge",
          "vila middag",
          "ta lugnt"};
}

Forms BathForms() {
  return {"bada",
          "basta",
          "bastu",
          "bubbelbad",
          "ta|få bad|badet|*bad|dopp|bubbelbad|kvällsdopp|morgondopp",
          "ligga|sitta|bada *badkar|*bubbelpool|bubbelpool|*badtunna|badtunna|bastu|*bastu|jacuzzi",
          "bada bastu|badkar|sjö|havet|hav"};
}

}  // namespace

const std::vector<KnownActivity>& BuiltInActivities() {
  static const std::vector<KnownActivity> kActivities = {
      {"diskning", false, 2, DishForms()},
      {"tvätt", false, 3, LaundryForms()},
      {"städning", false, 4, CleaningForms()},
      {"dammsugning",
       false,
       3,
       {"dammsuga", "dammsugning", "köra|dra|ta|gå|använda dammsugar*|dammsugning"}},
      {"matlagning", false, 3, CookingForms()},
      {"handling", false, 3, ShoppingForms()},
      {"pantning",
       false,
       1,
       {"panta", "pantning", "lämna|åka|gå|ta|köra|få pant|panten|*pant|pantburk*|pantflask*",
        "lämna|åka|köra|ta burk|burkar|burkarna|flask* pant*|affär|affären|butik"}},
      {"sopor", false, 1, WasteForms()},
      {"gräsklippning", false, 4, LawnForms()},
      {"bäddning", false, 1, BedForms()},
      {"hämtning", false, 2, FetchForms()},
      {"läxhjälp", false, 2, HomeworkForms()},
      {"snöskottning",
       false,
       5,
       {"skotta", "snöskottning", "*skottning", "ploga",
        "röja|skyffla|slunga|borsta|köra snö*|*snö", "snöröjning", "snöröja"}},
      {"vattning", false, 1, {"vattna", "vattning", fmt::format("ge|få|hälla {} vatten", kPlants)}},
      {"träning", true, 3, TrainingForms()},
      {"promenad", true, 2, WalkForms()},
      {"vila", true, 1, RestForms()},
      {"bad", true, 1, BathForms()},
  };
  return kActivities;
}

std::span<const std::string_view> OtherMeanings() {
  static constexpr auto kForms = std::to_array<std::string_view>({
      "handla om",
      "tvätta händer|*händer|hår|håret|ansikte|bil|*bil|cykel|fötter|hund|sig|mig",
      "torka sig|mig|tårar*|näsa|håret|händerna",
      "bada @barn|hund|katt",
      "städa kalender*|mejl*|mail*|inkorg*|dator*",
      "plocka svamp|bär|lingon|blåbär",
  });
  return kForms;
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
