import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { OUTSIDE_MARKS } from '#core/runs/outside-marks.js';
import { PRIVATE_FOLDER, PRIVATE_PROGRAM } from '#kernel/file-modes.js';

/**
 * Hooks that a repository may define itself; each call is forwarded to the repository's own hook. Hooks whose mere
 * presence changes the behaviour of git are left out.
 */
const HOOKS = [
  ...['applypatch-msg', 'pre-applypatch', 'post-applypatch', 'pre-commit', 'pre-merge-commit', 'prepare-commit-msg'],
  ...[
    'commit-msg',
    'post-commit',
    'pre-rebase',
    'post-checkout',
    'post-merge',
    'pre-push',
    'post-rewrite',
    'pre-auto-gc',
  ],
  ...['pre-receive', 'update', 'post-receive', 'post-update', 'reference-transaction'],
];

/**
 * The hook that prevents a run with its own worktree from changing what all worktrees share: other branches, the stash,
 * Troupe's refs below refs/wg, and HEAD of the person's checkout. In other repositories it refuses nothing. Then it
 * runs the repository's own hook of the same name.
 *
 * Git 2.39 changes files before it calls the hook, and calls none when it switches to another branch: both are recorded
 * in the private git folder of the worktree and reported when the run ends. `look` finds that folder (`own`) and the
 * one git acts on (`here`), and fails in another repository; `mark` names its file by the git folder of that checkout.
 */
const SCRIPT = `#!/usr/bin/env bash
name=\${0##*/}

refuse() {
  echo "troupe: $1 is not this run's to change: branches other than \${WG_BRANCH%/*}/*, the stash and refs/wg belong to a person. Commit to $WG_BRANCH instead." >&2
  exit 1
}

look() {
  read -r _ own < "$WG_WORKTREE_PATH/.git" || return
  own=$(cd -P -- "$own" && pwd -P) || return
  common=$(cd -P -- "$(git rev-parse --git-common-dir)" && pwd -P) || return
  [ "\${own%/worktrees/*}" = "$common" ] || return
  here=$(cd -P -- "$(git rev-parse --git-dir)" && pwd -P)
}

mark() {
  : > "$own/$1-\${here##*/}" || true
}

guard() {
  local old new ref
  look || return 0
  while read -r old new ref; do
    case $ref in
      "refs/heads/\${WG_BRANCH%/*}/"*) ;;
      refs/heads/* | refs/stash | refs/wg/*) refuse "$ref" ;;
      refs/*) ;;
      *) [ "$here" = "$own" ] || { mark ${OUTSIDE_MARKS.refused}; refuse "$ref of another worktree"; } ;;
    esac
  done
}

own_hook() { # the one this repository would run without us
  local folder
  folder=$(GIT_CONFIG_COUNT=0 git rev-parse --git-path hooks) || return
  [ -x "$folder/$name" ] && printf '%s' "$folder/$name"
}

if [ "$name" = reference-transaction ]; then
  lines=$(cat)
  [ "$1" = prepared ] && guard <<< "$lines"
  hook=$(own_hook) || exit 0
  "$hook" "$@" <<< "$lines"
else
  [ "$name" = post-checkout ] && [ "$3" = 1 ] && look && [ "$here" != "$own" ] && mark ${OUTSIDE_MARKS.switched}
  hook=$(own_hook) || exit 0
  exec "$hook" "$@"
fi
`;

/** The folder that `core.hooksPath` of runs in a worktree points to. */
export function guardFolder(agentsFolder: string): string {
  return path.join(agentsFolder, 'git-hooks');
}

/** Writes the hooks. Called once per start of the service. */
export function writeGuard(agentsFolder: string): void {
  const folder = guardFolder(agentsFolder);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: PRIVATE_FOLDER });
  for (const name of HOOKS) writeFileSync(path.join(folder, name), SCRIPT, { mode: PRIVATE_PROGRAM });
}

/** Whether the hooks still exist. */
export function hasGuard(agentsFolder: string): boolean {
  return existsSync(path.join(guardFolder(agentsFolder), 'reference-transaction'));
}
