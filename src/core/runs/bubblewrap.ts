import { type Access, effective, type SandboxRules } from './rules.js';

/** These signals reach the program inside; the outer bubblewrap process waits for it. */
const ENDING = 'TERM,INT,HUP';

/** Maximum number of starts if the sandbox cannot be set up. */
const STARTS = 3;

/**
 * Starts bubblewrap, and starts it again if the sandbox could not be set up: the program has not begun, and a mount
 * folder removed at that moment, by a clean of the work tree, is created again. Bubblewrap reports the exit code of a
 * program that began on descriptor 9. Arguments: number of mount folders, these folders, arguments of bubblewrap.
 */
const START = `folders=("\${@:2:$1}"); shift $(($1 + 1)); exec 8>&1
for ((start = 0; start < ${STARTS}; start++)); do
  for folder in "\${folders[@]}"; do [ -d "$folder" ] || mkdir -p -m 700 -- "$folder"; done
  told=$(exec bwrap --json-status-fd 9 "$@" 9>&1 >&8 8>&-); code=$?
  [ "$code" = 1 ] && [[ $told != *exit-code* ]] || break
done
exit "$code"`;

/**
 * Command line prefix for a program. Process ids, groups and session are kept, which lets a run be watched and ended as
 * usual. A separate user namespace protects memory, environment and files of outside processes. `root`: hides kernel
 * settings and devices that root could change.
 */
export function bubblewrapWords({ rules, replacements }: SandboxRules, { root }: { readonly root: boolean }): string[] {
  return [
    // Bash must read no functions and no startup file from the environment of the run or the home folder.
    ...['env', `--ignore-signal=${ENDING}`, 'bash', '--norc', '-p', '-c', START, 'bubblewrap'],
    ...[String(replacements.length), ...replacements.map(({ path }) => path)],
    ...['--unshare-user', '--ro-bind', '/', '/'],
    ...(root ? ['--dev', '/dev'] : ['--dev-bind', '/dev', '/dev']),
    ...['--bind', '/proc', '/proc', ...(root ? ['--ro-bind', '/proc/sys', '/proc/sys'] : [])],
    ...effective(rules).flatMap(({ path, access }) => MOUNT[access](path)),
    ...replacements.flatMap(({ path, by }) => ['--tmpfs', path, '--bind-try', by, path]),
    // Last, because mount folders are created inside.
    ...rules.flatMap(({ path, access }) => (access === 'hidden' ? ['--remount-ro', path] : [])),
    ...['--', 'env', `--default-signal=${ENDING}`],
  ];
}

/** Paths may disappear between building and using the arguments (`-try`); only the hiding mounts are mandatory. */
const MOUNT: Readonly<Record<Access, (path: string) => string[]>> = {
  write: (path) => ['--bind-try', path, path],
  read: (path) => ['--ro-bind-try', path, path],
  hidden: (path) => ['--tmpfs', path],
};
