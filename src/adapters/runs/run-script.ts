/**
 * What runs commands and records how they end: one bash script, no Node. By hand, `bash run.sh agent-7` runs one folder;
 * with `--serve FOLDER` it is the launcher the service keeps, which forks a run for each request it reads. Forking a
 * small shell costs a tenth of starting a process from Node, whose memory the kernel would have to duplicate each time.
 *
 * - `pid.json` is created exclusively and is the ticket: whoever finds it taken does not run. A coordinator that finds a
 *   claim without a running process takes the ticket itself, and the run can never begin behind its back.
 * - Every run is its own process group (`set -m`), so that it ends as a whole. TERM ends the command but not the shell
 *   around it, so that the end is recorded; the record is written by the shell itself.
 * - Descriptor 3 of a command is its own file: a shell it forks has our environment, not the run's, and is known by that.
 * - Requests are NUL-ended fields: id, number of variables, `NAME=value` each. They are data from first to last: nothing
 *   of them is ever read as shell text. The command alone is, from its own file.
 * - When the service goes away the launcher reads the end of its input and goes too; runs go on.
 */
export const RUN_SCRIPT = `#!/usr/bin/env bash
unset CLAUDECODE CLAUDE_CODE_ENTRYPOINT

run() {
  local folder=$1 start= line
  if [ -r "/proc/$BASHPID/stat" ]; then
    read -r line < "/proc/$BASHPID/stat"
    line=\${line##*) }
    set -f; set -- $line; set +f
    start=\${20}
  fi
  set -C
  { printf '{"pid":%s,"start":"%s"}\\n' "$BASHPID" "$start" > "$folder/pid.json"; } 2>/dev/null || return 0
  set +C
  trap : TERM INT HUP
  ( trap - TERM INT HUP; . "$folder/command.sh" ) > "$folder/output.log" 2>&1 < /dev/null 3< "$folder/command.sh"
  code=$?
  printf '{"code":%s}\\n' "$code" > "$folder/exit.json"
}

serve() {
  local agents=$1 id count pair pairs
  set -m
  while IFS= read -r -d '' id && IFS= read -r -d '' count; do
    pairs=()
    while [ "$count" -gt 0 ]; do
      IFS= read -r -d '' pair || return
      pairs+=("$pair")
      count=$((count - 1))
    done
    ( export "\${pairs[@]}"; code=; run "$agents/$id"; printf '%s %s %s\\n' "$id" "$BASHPID" "$code" >&3 ) < /dev/null &
    disown
  done
}

if [ "$1" = --serve ]; then
  serve "$2"
else
  cd "$1" && folder=$PWD && cd ../../.. && run "$folder"
fi
`;
