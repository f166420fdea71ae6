import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { TroupeError } from '#kernel/errors.js';
import { room } from '../../room.js';

const RETRY_MS = 20;
const PATIENCE_MS = 20_000;

/**
 * Environment with a git that kills its caller with SIGKILL before the given step (`steps`: the counted verbs,
 * separated by `|`). With `outlives`, it then continues as git does.
 */
export function killingGit(steps: string, step: number, outlives: boolean): NodeJS.ProcessEnv {
  const folder = room('git');
  const real = process.env['PATH']?.split(':').find((at) => existsSync(path.join(at, 'git'))) ?? '/usr/bin';
  const script = `#!/bin/bash
for word in "$@"; do
  case "$word" in -c|--no-pager) ;; *=*) ;; *) verb="$word"; break;; esac
done
if [[ "$verb" =~ ^(${steps})$ && "$*" != *"worktree list"* ]]; then
  echo x >> ${folder}/steps
  if [ "$(wc -l < ${folder}/steps)" -eq ${step} ]; then
    kill -9 $PPID
    ${outlives ? '' : 'exit 1'}
  fi
fi
exec ${real}/git "$@"
`;
  mkdirSync(path.join(folder, 'bin'));
  writeFileSync(path.join(folder, 'bin/git'), script, { mode: 0o755 });
  return { ...process.env, PATH: `${path.join(folder, 'bin')}:${process.env['PATH']}` };
}

/** Resolves to true if the program was killed, false if it ended by itself. */
export function killed(program: string, args: readonly string[], environment: NodeJS.ProcessEnv): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = execFile(process.execPath, [program, ...args], { env: environment }, (error) => {
      if (child.signalCode === 'SIGKILL') resolve(true);
      else if (error) reject(error);
      else resolve(false);
    });
  });
}

/** Retries an action; a git that outlived its caller may still hold a lock for a moment. */
export async function again<Result>(act: () => Promise<Result>): Promise<Result> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await act();
    } catch (error) {
      const passing = error instanceof TroupeError && (error.code === 'locked' || /lock/.test(error.why ?? ''));
      if (!passing || Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}
