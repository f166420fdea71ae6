import { COMPLETE } from './word.js';

/** Shells with a completion script. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** Output of the program if a path is expected: the shell completes it. */
export const PATHS = ':paths';

/**
 * Scripts that each shell sources. The program decides on the candidates; a script passes the words on and reads lines
 * of a value, a tab and a description. Output is never evaluated: no `compgen -W`, no `eval`. The program is found by
 * name on the PATH, even if `./troupe` was typed: pressing the tab key must not run a program of a repository.
 */
export const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# Completion of troupe for bash 3.2 and later. In ~/.bashrc: source <(troupe completion bash)
_troupe() {
  local word glued='' current='' split='' index
  local -a words
  words=()
  # Readline parts words at = and : too; they are put together again, and what it has parted off is cut away below.
  for ((index = 1; index <= COMP_CWORD; index++)); do
    word=\${COMP_WORDS[index]}
    if [[ \${#words[@]} -gt 0 && ( -n $glued || $word == [=:]* ) ]]; then
      words[\${#words[@]} - 1]+=$word
    else
      words+=("$word")
    fi
    if [[ $word == *[=:] ]]; then glued=1; else glued=''; fi
  done
  [[ \${#words[@]} -gt 0 ]] && current=\${words[\${#words[@]} - 1]}
  split=\${current%"\${current##*[=:]}"}
  COMPREPLY=()
  while IFS= read -r word; do
    if [[ $word == '${PATHS}' ]]; then
      compopt -o default 2>/dev/null
    else
      COMPREPLY+=("\${word#"$split"}")
    fi
  done < <(command troupe ${COMPLETE} bash "\${words[@]}" 2>/dev/null)
}
complete -F _troupe troupe wg
`,
  zsh: `#compdef troupe wg
# Completion of troupe for zsh. In ~/.zshrc, after compinit: source <(troupe completion zsh)
_troupe() {
  local line
  local -a lines values shown
  lines=("\${(@f)$(command troupe ${COMPLETE} zsh "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  for line in "\${lines[@]}"; do
    if [[ $line == '${PATHS}' ]]; then
      _files
      return
    fi
    [[ -n $line ]] || continue
    values+=("\${line%%$'\\t'*}")
    shown+=("\${line/$'\\t'/  -- }")
  done
  compadd -l -d shown -a values
}
if [[ $funcstack[1] == _troupe ]]; then
  _troupe "$@"
else
  compdef _troupe troupe wg
fi
`,
  fish: `# Completion of troupe for fish. In ~/.config/fish/config.fish: troupe completion fish | source
function __troupe_complete
    set -l words (commandline -opc)
    set -e words[1]
    set -l current (commandline -ct)
    set -l lines (command troupe ${COMPLETE} fish $words "$current" 2>/dev/null)
    if test "$lines" = '${PATHS}'
        __fish_complete_path "$current"
    else if test (count $lines) -gt 0
        printf '%s\\n' $lines
    end
end
complete -c troupe -f -a '(__troupe_complete)'
complete -c wg -f -a '(__troupe_complete)'
`,
};
