# The texts of the rules (src/design/rules/text/*.rule) become part of the program: one generated source holds all of
# them, and is written again when a text changes. This file is both the function that adds that source to a target and
# the script that writes it.

# cmake -DFOLDER=… -DRULES=AP01;AP02;… -DOUTPUT=… -P rule_texts.cmake
if(CMAKE_SCRIPT_MODE_FILE)
  set(entries "")
  foreach(rule IN LISTS RULES)
    file(READ ${FOLDER}/${rule}.rule text)
    string(APPEND entries "      {\"${rule}.rule\", R\"rule(${text})rule\"},\n")
  endforeach()
  file(WRITE ${OUTPUT} "// Written by cmake/rule_texts.cmake from src/design/rules/text/*.rule.
#include <array>

#include \"rules/catalogue.h\"

namespace stator::model {

std::span<const RuleFile> RuleFiles() {
  static constexpr auto kFiles = std::to_array<RuleFile>({
${entries}  });
  return kFiles;
}

}  // namespace stator::model
")
  return()
endif()

function(stator_add_rule_texts target)
  set(folder ${CMAKE_SOURCE_DIR}/src/design/rules/text)
  set(output ${CMAKE_BINARY_DIR}/rules/rule_texts.cc)
  file(GLOB files CONFIGURE_DEPENDS ${folder}/*.rule)
  set(rules "")
  foreach(file IN LISTS files)
    cmake_path(GET file STEM rule)
    list(APPEND rules ${rule})
  endforeach()
  add_custom_command(OUTPUT ${output} VERBATIM
    COMMAND ${CMAKE_COMMAND} -DFOLDER=${folder} "-DRULES=${rules}" -DOUTPUT=${output} -P ${CMAKE_SOURCE_DIR}/cmake/rule_texts.cmake
    DEPENDS ${files} ${CMAKE_SOURCE_DIR}/cmake/rule_texts.cmake
    COMMENT "Writing the texts of the rules")
  target_sources(${target} PRIVATE ${output})
endfunction()
