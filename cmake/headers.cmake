# strom_header_check(NAME): adds to the target strom_headers the compilation of each header of the module by itself, so
# that no header relies on what is included before it. Not part of a build; `./dev test` makes it.
add_custom_target(strom_headers)

function(strom_header_check name)
  file(GLOB headers CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/src
       ${CMAKE_CURRENT_SOURCE_DIR}/*.h ${CMAKE_CURRENT_SOURCE_DIR}/*/*.h)
  set(units)
  foreach(header IN LISTS headers)
    set(unit ${CMAKE_BINARY_DIR}/headers/${header}.cc)
    file(CONFIGURE OUTPUT ${unit} CONTENT "#include \"${header}\"\n")
    list(APPEND units ${unit})
  endforeach()
  if(units)
    add_library(strom_${name}_headers OBJECT EXCLUDE_FROM_ALL ${units})
    target_link_libraries(strom_${name}_headers PRIVATE strom_${name} GTest::gtest)
    target_compile_definitions(strom_${name}_headers PRIVATE STROM_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
    target_compile_options(strom_${name}_headers PRIVATE -O0 -g0)
    add_dependencies(strom_headers strom_${name}_headers)
  endif()
endfunction()
