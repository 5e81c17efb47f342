# An installed tree may be moved: package files and libraries find each other from where they are.
file(REMOVE_RECURSE "${work}")
file(COPY "${prefix}/" DESTINATION "${work}/elsewhere")
set(prefix "${work}/elsewhere")
include("${CMAKE_CURRENT_LIST_DIR}/find_package.cmake")
