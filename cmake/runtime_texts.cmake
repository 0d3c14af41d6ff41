# The code that every generated TypeScript or Python file contains (src/design/generate/runtime/*) becomes part of the
# program: one generated source holds it, and is written again when a file changes. This file is both the function that
# adds that source to a target and the script that writes it.

# cmake -DFOLDER=… -DFILES=a.ts;b.py;… -DOUTPUT=… -P runtime_texts.cmake
if(CMAKE_SCRIPT_MODE_FILE)
  set(entries "")
  foreach(file IN LISTS FILES)
    file(READ ${FOLDER}/${file} text)
    # Not one literal of any length: compilers may refuse more than 64 KB.
    string(APPEND entries "  if (name == \"${file}\") return R\"code(${text})code\";\n")
  endforeach()
  file(WRITE ${OUTPUT} "// Written by cmake/runtime_texts.cmake from src/design/generate/runtime/*.
#include \"base/check.h\"
#include \"generate/code_names.h\"

namespace stator::model {

std::string_view RuntimeText(std::string_view name) {
${entries}  STATOR_CHECK(false);
  return {};
}

}  // namespace stator::model
")
  return()
endif()

function(stator_add_runtime_texts target)
  set(folder ${CMAKE_SOURCE_DIR}/src/design/generate/runtime)
  set(output ${CMAKE_BINARY_DIR}/generate/runtime_texts.cc)
  file(GLOB paths CONFIGURE_DEPENDS ${folder}/*.ts ${folder}/*.py)
  set(files "")
  foreach(path IN LISTS paths)
    cmake_path(GET path FILENAME file)
    list(APPEND files ${file})
  endforeach()
  add_custom_command(OUTPUT ${output} VERBATIM
    COMMAND ${CMAKE_COMMAND} -DFOLDER=${folder} "-DFILES=${files}" -DOUTPUT=${output} -P ${CMAKE_SOURCE_DIR}/cmake/runtime_texts.cmake
    DEPENDS ${paths} ${CMAKE_SOURCE_DIR}/cmake/runtime_texts.cmake
    COMMENT "Writing the code that generated files contain")
  target_sources(${target} PRIVATE ${output})
endfunction()
