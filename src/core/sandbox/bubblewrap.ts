import { type Access, effective, type SandboxRules } from './rules.js';

/** Signals that end a run reach the program inside; the process of bubblewrap outside waits for it. */
const ENDING = 'TERM,INT,HUP';

/** A sandbox that did not come up is started so often in all. */
const STARTS = 3;

/**
 * Starts bubblewrap, and again when the sandbox did not come up: the program did not begin, and the folder that was not there to
 * mount on, taken by a clean of the work tree in that very moment, is made again. Bubblewrap tells the exit code of a program
 * that began, on descriptor 9. Arguments: the number of folders to mount on, the folders, the arguments of bubblewrap.
 */
const START = `folders=("\${@:2:$1}"); shift $(($1 + 1)); exec 8>&1
for ((start = 0; start < ${STARTS}; start++)); do
  for folder in "\${folders[@]}"; do [ -d "$folder" ] || mkdir -p -m 700 -- "$folder"; done
  told=$(exec bwrap --json-status-fd 9 "$@" 9>&1 >&8 8>&-); code=$?
  [ "$code" = 1 ] && [[ $told != *exit-code* ]] || break
done
exit "$code"`;

/**
 * Words to put before a program and its arguments. Processes keep their numbers, groups and session, so that a run is watched
 * and ended as without it. A user namespace of its own keeps the run from the memory, the environment and the files of
 * processes outside. `root`: kernel settings and devices that root could change are left out.
 */
export function bubblewrapWords({ rules, replacements }: SandboxRules, { root }: { readonly root: boolean }): string[] {
  return [
    // Bash takes no function and no file to begin with from the environment of the run, nor from the home folder.
    ...['env', `--ignore-signal=${ENDING}`, 'bash', '--norc', '-p', '-c', START, 'bubblewrap'],
    ...[String(replacements.length), ...replacements.map(({ path }) => path)],
    ...['--unshare-user', '--ro-bind', '/', '/'],
    ...(root ? ['--dev', '/dev'] : ['--dev-bind', '/dev', '/dev']),
    ...['--bind', '/proc', '/proc', ...(root ? ['--ro-bind', '/proc/sys', '/proc/sys'] : [])],
    ...effective(rules).flatMap(({ path, access }) => MOUNT[access](path)),
    ...replacements.flatMap(({ path, by }) => ['--tmpfs', path, '--bind-try', by, path]),
    // Last, as the folders to mount on are made within.
    ...rules.flatMap(({ path, access }) => (access === 'hidden' ? ['--remount-ro', path] : [])),
    ...['--', 'env', `--default-signal=${ENDING}`],
  ];
}

/** What exists when the arguments are made may be gone when they are used: only what keeps the run out must be there. */
const MOUNT: Readonly<Record<Access, (path: string) => string[]>> = {
  write: (path) => ['--bind-try', path, path],
  read: (path) => ['--ro-bind-try', path, path],
  hidden: (path) => ['--tmpfs', path],
};
