import { LAUNCHER_FLAG } from '#core/runs/launcher-flag.js';

/**
 * What runs commands and records how they end: one bash script, no Node. `bash run.sh --serve FOLDER ENDS` is the launcher the
 * service keeps, which forks a run for each request it reads. Forking a small shell costs a tenth of starting a process
 * from Node, whose memory the kernel would have to duplicate each time.
 *
 * - `run.jsonl` is created exclusively and is the ticket: whoever finds it taken does not run. A coordinator that finds a
 *   claim without a running process takes the ticket itself, and the run can never begin behind its back.
 * - Every run is its own process group (`set -m`), so that it ends as a whole. TERM ends the command but not the shell
 *   around it, so that the end is recorded; the record is written by the shell itself.
 * - The command, and after its good end the check of the task, each are a bash of their own: they see no function, variable,
 *   option, trap or descriptor of ours, and whatever they start carries the mark of the run in its environment.
 *   Only what a bash answers without doing anything (`true`, `false`, `:`) is answered without starting one.
 * - A run is marked by a hard limit lower than ours, of file locks, which Linux never looks at: no process below it can raise that
 *   again, whatever else it takes off, so that none of them passes for a person.
 * - The end is told in three places: on descriptor 3 to the service, on descriptor 4 in a file outside of the work tree, and in
 *   the record. A run whose folder is gone before it could open its output never begins.
 * - Requests are NUL-ended fields: id, record, attempt, command, where it runs, check, number of words of the sandbox and
 *   these words, number of variables, `NAME=value` each. They are data from first to last: nothing of them is ever read as text of this shell. Each is acknowledged by its id on descriptor 3.
 * - What we write is for its owner; the command makes its files as the person does who started the service.
 * - When the service goes away the launcher reads the end of its input and goes too; runs go on. A run that then ends finds
 *   nobody to tell: it starts our own program, which settles it.
 */
export function runScript(node: string, runProgram: string): string {
  return `#!/usr/bin/env bash

# run FOLDER RECORD ATTEMPT COMMAND PLACE CHECK: the record and the attempt are JSON objects, the one without its opening
# brace, the other without its closing one.
run() {
  local folder=$1 record=$2 attempt=$3 command=$4 place=$5 check=$6 ticket= start= ended= line
  ulimit -x "$limit" 2> /dev/null
  if [ -r "/proc/$BASHPID/stat" ]; then
    read -r line < "/proc/$BASHPID/stat"
    line=\${line##*) }
    set -f; set -- $line; set +f
    start=\${20}
  fi
  trap ended=1 TERM INT HUP # before anybody can know whom to tell
  set -C
  printf -v ticket '{"pid":%s,"start":"%s",%s' "$BASHPID" "$start" "$record"
  { printf '%s\\n' "$ticket" > "$folder/run.jsonl"; } 2>/dev/null || return 0
  set +C --
  { exec 5> "$folder/output.log"; } 2>/dev/null || return 0
  if [ -n "$ended" ]; then
    code=143 # told to end before it began
  else
    case $command in
      true | : | false) [ -d "$place" ] && $command; code=$? ;;
      *) ( become "$command" ) >&5 2>&1 < /dev/null 3>&- 4>&- 5>&-; code=$? ;;
    esac
  fi
  if [ "$code" = 0 ] && [ -n "$check" ] && [ -z "$ended" ]; then
    checked=',"checked":true'
    { echo '${CHECK_BEGINS}'; ( become "$check" ); } >&5 2>&1 < /dev/null 3>&- 4>&- 5>&-
    code=$?
  fi
  printf '%s,"code":%s%s}\\n' "$attempt" "$code" "$checked" 2> /dev/null >&4
  ours "$folder" "$ticket" && printf '{"code":%s%s}\\n' "$code" "$checked" >> "$folder/run.jsonl"
}

# become COMMAND: from here on another bash in the folder of the run, with its variables and nothing of this one, within the
# sandbox where there is one.
become() {
  local bash=$BASH
  umask "$mask"
  [ "$place" = "$PWD" ] || cd -- "$place" || exit 1
  unset OLDPWD
  export "\${pairs[@]}"
  [ "\${#sandbox[@]}" = 0 ] || exec "\${sandbox[@]}" bash --norc -c -- "$1"
  exec -a bash "$bash" --norc -c -- "$1"
}

# ours FOLDER TICKET: whether the record there is still ours. Where somebody removed it, it is written again: what became of
# the task must not be lost with it. That of another run is left alone.
ours() {
  local line=
  { IFS= read -r line < "$1/run.jsonl"; } 2> /dev/null
  [ "$line" = "$2" ] && return
  [ -e "$1/run.jsonl" ] || [ -L "\${1%/*}" ] && return 1
  { mkdir -p "$1" && printf '%s\\n' "$2" > "$1/run.jsonl"; } 2> /dev/null
}

# settle FOLDER: nobody heard of the end. It keeps the mark of the run: a service that finds it ends it and settles itself.
settle() {
  [ -d "$1" ] || return
  umask "$mask"
  WG_RUN=$1 '${quoted(node)}' '${quoted(runProgram)}' --settle "$1" < /dev/null > /dev/null 2>&1 3>&- 4>&- 5>&-
}

field() { IFS= read -r -d '' "$1"; }

# fields COUNT: so many fields, as the array \`list\`.
fields() {
  local count=$1 item
  list=()
  while [ "$count" -gt 0 ]; do
    field item || return
    list+=("$item")
    count=$((count - 1))
  done
}

serve() {
  local agents=$1 id record attempt command place check count list sandbox pairs mask code checked limit
  limit=$(ulimit -H -x 2> /dev/null)
  case $limit in unlimited) limit=${RUN_LIMIT} ;; *) limit=$((limit - 1)) ;; esac
  mask=$(umask)
  umask 077
  set -m
  trap : PIPE
  exec 4>> "$2" || exec 4> /dev/null
  while field id && field record && field attempt && field command && field place && field check && field count; do
    fields "$count" || return
    sandbox=("\${list[@]}")
    field count && fields "$count" || return
    pairs=("\${list[@]}")
    ( run "$agents/$id" "$record" "$attempt" "$command" "$place" "$check"
      trap '' PIPE
      printf '%s %s %s %s\\n' "$id" "$BASHPID" "$code" "$checked" 2> /dev/null >&3 || { trap - PIPE; settle "$agents/$id"; } ) < /dev/null &
    disown
    printf '%s\\n' "$id" 2> /dev/null >&3
  done
}

[ "$1" = ${LAUNCHER_FLAG} ] && serve "$2" "$3"
`;
}

/** Whether a run of this command starts no process: such a run leaves nothing running. */
export function startsNothing(command: string): boolean {
  return command === 'true' || command === ':' || command === 'false';
}

/** The hard limit that marks runs where we have none ourselves. */
const RUN_LIMIT = 1_048_576;

/** The line in the output of a run after which its check speaks. */
export const CHECK_BEGINS = '--- check';

function quoted(word: string): string {
  return word.replaceAll("'", `'\\''`);
}
