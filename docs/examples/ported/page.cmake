# docs/porting-to-abi2.md shows the plugin as it is.
file(READ "${PAGE}" page)
file(READ "${SOURCE}" source)
string(FIND "${page}" "${source}" at)
if(at EQUAL -1)
  message(FATAL_ERROR "${PAGE} does not show ${SOURCE} as it is: copy it into the page")
endif()
