# Run by cpack after it has installed into folders of its own, and before it packs these. Debian wants
# manual pages and changelogs compressed, and its zsh looks for completions elsewhere.
file(GLOB_RECURSE plain ${CPACK_TEMPORARY_DIRECTORY}/odonata*.[157] ${CPACK_TEMPORARY_DIRECTORY}/changelog)
foreach(file ${plain})
  execute_process(COMMAND gzip -9n ${file} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
file(GLOB zsh ${CPACK_TEMPORARY_DIRECTORY}/odonata/usr/share/zsh/site-functions)
if(zsh)
  file(RENAME ${zsh} ${zsh}/../vendor-completions)
endif()
# Whatever the umask is.
execute_process(COMMAND find ${CPACK_TEMPORARY_DIRECTORY} -type d -exec chmod 755 {} + COMMAND_ERROR_IS_FATAL ANY)
