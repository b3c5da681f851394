# C++ build requirements come from wheels in the build environment: cmeel-eigen and ruckig.
function(fsim_wheel_path out distribution relative)
  execute_process(
    COMMAND ${Python_EXECUTABLE} -c
      "import importlib.metadata as m; print(m.distribution('${distribution}').locate_file('${relative}'))"
    OUTPUT_VARIABLE path OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "The build requirement ${distribution} is not installed in ${Python_EXECUTABLE}")
  endif()
  set(${out} ${path} PARENT_SCOPE)
endfunction()

fsim_wheel_path(FSIM_EIGEN_ROOT cmeel-eigen cmeel.prefix/include/eigen3)
add_library(fsim_eigen INTERFACE)
target_include_directories(fsim_eigen SYSTEM INTERFACE ${FSIM_EIGEN_ROOT})
target_compile_definitions(fsim_eigen INTERFACE EIGEN_NO_MALLOC EIGEN_DONT_PARALLELIZE)

# Not Ruckig's own CMake target: it defines a cloud client that needs a newer libstdc++ than GCC 12's.
fsim_wheel_path(FSIM_RUCKIG_ROOT ruckig "")
add_library(fsim_ruckig STATIC IMPORTED)
find_library(FSIM_RUCKIG_LIB ruckig PATHS ${FSIM_RUCKIG_ROOT}/lib64 ${FSIM_RUCKIG_ROOT}/lib
  NO_DEFAULT_PATH REQUIRED)
set_target_properties(fsim_ruckig PROPERTIES IMPORTED_LOCATION ${FSIM_RUCKIG_LIB})
target_include_directories(fsim_ruckig SYSTEM INTERFACE ${FSIM_RUCKIG_ROOT}/include)
