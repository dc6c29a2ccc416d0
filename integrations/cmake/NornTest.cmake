# Concurrency tests with Norn in CTest.
#
#   norn_test(NAME queue SOURCES queue_test.c queue.c
#             [OPTIONS --model rc11 --unroll 4] [INCLUDES dir...] [DEFINITIONS N=2...])
#
# passes if Norn verifies the program that the sources make. What is wrong, or not decided, is in the
# output of the test.
#
#   norn_test_folder(NAME concurrency FOLDER tests/concurrency)
#
# passes if all files of the folder are as the `norn:` lines in them say.
#
# NORN_EXECUTABLE is the command; it is looked for if it is not set.

find_program(NORN_EXECUTABLE norn REQUIRED)

function(norn_test)
  cmake_parse_arguments(PARSE_ARGV 0 NORN "" "NAME" "SOURCES;OPTIONS;INCLUDES;DEFINITIONS")
  if(NOT NORN_NAME OR NOT NORN_SOURCES)
    message(FATAL_ERROR "norn_test needs NAME and SOURCES")
  endif()
  if(NORN_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "norn_test does not know ${NORN_UNPARSED_ARGUMENTS}")
  endif()
  set(flags "")
  foreach(include IN LISTS NORN_INCLUDES)
    get_filename_component(include "${include}" ABSOLUTE)
    list(APPEND flags "-I${include}")
  endforeach()
  foreach(definition IN LISTS NORN_DEFINITIONS)
    list(APPEND flags "-D${definition}")
  endforeach()
  add_test(NAME "${NORN_NAME}"
    COMMAND "${NORN_EXECUTABLE}" check ${NORN_SOURCES} ${NORN_OPTIONS} -- ${flags}
    WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
endfunction()

function(norn_test_folder)
  cmake_parse_arguments(PARSE_ARGV 0 NORN "" "NAME;FOLDER" "")
  if(NOT NORN_NAME OR NOT NORN_FOLDER)
    message(FATAL_ERROR "norn_test_folder needs NAME and FOLDER")
  endif()
  add_test(NAME "${NORN_NAME}"
    COMMAND "${NORN_EXECUTABLE}" test "${NORN_FOLDER}"
    WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
endfunction()
