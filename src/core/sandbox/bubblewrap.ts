import { type Access, effective, type SandboxRules } from './rules.js';

/** Signals that end a run reach the program inside; the process of bubblewrap outside waits for it. */
const ENDING = 'TERM,INT,HUP';

/**
 * Words to put before a program and its arguments. Processes keep their numbers, groups and session, so that a run is watched
 * and ended as without it. A user namespace of its own keeps the run from the memory, the environment and the files of
 * processes outside. `root`: kernel settings and devices that root could change are left out.
 */
export function bubblewrapWords({ rules, replacements }: SandboxRules, { root }: { readonly root: boolean }): string[] {
  return [
    ...['env', `--ignore-signal=${ENDING}`, 'bwrap', '--unshare-user', '--ro-bind', '/', '/'],
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
