# What every host program of the documents does: try_host(program): runs it on a mesh in `work`, and on a file that is missing.
function(try_host program)
  file(WRITE "${work}/in.ply" "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
    "property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n0.5 0 0\n1 0 0\n0 1 0\n3 0 1 2\n")
  # Parts of what comes with a message are its parts, too.
  run("${prefix}/${bindir}/polycodec" message pack "${work}/in.ply" -o "${work}/in.msg")
  foreach(file in.ply in.msg)
    run("${program}" "${work}/${file}" "$.vertex.x" "${program}.obj")
    if(NOT output STREQUAL "3 numbers, sum 1.5\n")
      message(FATAL_ERROR "${program} printed of ${file}: ${output}")
    endif()
    file(READ "${program}.obj" written)
    if(NOT written MATCHES "f 1 2 3")
      message(FATAL_ERROR "${program} wrote of ${file}: ${written}")
    endif()
  endforeach()
  # A missing file is an error with a sentence.
  execute_process(COMMAND "${program}" "${work}/none.ply" "$" "${program}.obj" RESULT_VARIABLE status ERROR_VARIABLE errors)
  if(NOT status EQUAL 1 OR NOT errors MATCHES "none.ply")
    message(FATAL_ERROR "${program}, without a file: status ${status}, ${errors}")
  endif()
endfunction()
