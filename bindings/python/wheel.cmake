# All that a wheel has beside the extension (scripts/packaging/wheel.cmake), from the build tree that POLYCODEC_ROOT names,
# or from build/release: what is tested there is what the wheel has. Without both it is built here. Included by
# CMakeLists.txt for scikit-build-core.
if(NOT POLYCODEC_ROOT)
  set(root "${source}/build/release")
endif()
if(NOT POLYCODEC_ROOT AND NOT EXISTS "${root}/CMakeCache.txt")
  set(root "${CMAKE_BINARY_DIR}/polycodec")
  execute_process(COMMAND "${CMAKE_COMMAND}" -S "${source}" -B "${root}" -G "${CMAKE_GENERATOR}"
    -D "CMAKE_MAKE_PROGRAM=${CMAKE_MAKE_PROGRAM}" -D CMAKE_BUILD_TYPE=Release -D CMAKE_UNITY_BUILD=ON -D CMAKE_INSTALL_LIBDIR=lib
    -D POLYCODEC_DEVELOPER_MODE=OFF -D POLYCODEC_BUILD_KIT=OFF -D POLYCODEC_BUILD_EXAMPLES=OFF -D POLYCODEC_WITH_HDF5=OFF
    COMMAND_ERROR_IS_FATAL ANY)
endif()
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${root}" --target polycodec_wheel COMMAND_ERROR_IS_FATAL ANY)
install(CODE "execute_process(COMMAND \"${CMAKE_COMMAND}\" --install \"${root}\" --component wheel
  --prefix \"\${CMAKE_INSTALL_PREFIX}\" COMMAND_ERROR_IS_FATAL ANY)")
set(POLYCODEC_LIBRARY "${root}/lib/bundled/libpolycodec.so")
