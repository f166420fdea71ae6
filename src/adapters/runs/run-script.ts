import { LAUNCHER_FLAG } from '#core/runs/launcher-flag.js';

/**
 * The bash script that runs commands and records their ends, without Node. `bash run.sh --serve FOLDER ENDS` is the
 * launcher kept by the service; it forks a run for each request it reads. Forking a small shell costs a tenth of
 * starting a process from Node, whose memory the kernel would have to duplicate each time.
 *
 * - `run.jsonl` is created exclusively and serves as the ticket: a run that finds it taken does not start. A
 *   coordinator that finds a claim without a process takes the ticket itself, so the run can never begin unnoticed.
 * - Every run has its own process group (`set -m`), so it ends as a whole. SIGTERM ends the command but not the shell
 *   around it, which writes the record.
 * - The command, and after its success the check of the task, run in a separate bash: they inherit no function,
 *   variable, option, trap or descriptor of this script, and all their descendants carry the mark of the run in their
 *   environment. Only commands without effect (`true`, `false`, `:`) are evaluated without starting a process.
 * - A run is marked by a lower hard limit on file locks (which Linux does not enforce) than that of the service. No
 *   process of the run can raise it again, even after removing all other marks, so none can pass for a person.
 * - The end is reported in three places: on descriptor 3 to the service, on descriptor 4 to a file outside the work
 *   tree, and in the record. A run whose folder disappears before it opens its output never begins.
 * - Requests are NUL-terminated fields: id, record, attempt, command, working folder, check, number of words of the
 *   sandbox and these words, number of variables, `NAME=value` each. They are data: the script never evaluates them as
 *   its own text. Each request is acknowledged by its id on descriptor 3.
 * - Files of the script are private to the owner; the command has the umask of the person who started the service.
 * - When the service exits, the launcher reads the end of its input and exits too; runs continue. A run that ends later
 *   finds no reader and starts our own program, which settles it.
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

/** Whether this command starts no process, so that its run cannot leave one behind. */
export function startsNothing(command: string): boolean {
  return command === 'true' || command === ':' || command === 'false';
}

/** Hard limit that marks runs if the service itself has none. */
const RUN_LIMIT = 1_048_576;

/** Line in the output of a run that separates the output of the command from that of its check. */
export const CHECK_BEGINS = '--- check';

function quoted(word: string): string {
  return word.replaceAll("'", `'\\''`);
}
