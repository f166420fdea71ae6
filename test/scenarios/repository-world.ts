import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { Entry } from '#core/graph/event.js';
import { commitAll, git, write } from '../repository.js';
import { ownSettings, SILENT, WITH_CLIENT } from './client-world.js';
import { asked, endEverything, project, textOf } from './program.js';

/** A trusted project in a repository, with a line that every task edits. */
export async function repositoryProject(...settings: string[]): Promise<string> {
  const cwd = await project();
  git(cwd, 'init', '--quiet', '--initial-branch=main');
  write(cwd, { 'f.txt': 'one\n', '.gitignore': '.workgraph/\n' });
  commitAll(cwd, 'first');
  await asked(['trust'], { cwd, env: ownSettings() });
  writeFileSync(path.join(cwd, '.workgraph/config.toml'), ['[coordinator]', SILENT, ...settings, ''].join('\n'));
  return cwd;
}

export const addPlay = (cwd: string, id: string, play: string, ...more: string[]) =>
  asked(['add', `Do it play=${play}`, '--id', id, ...more], { cwd, env: ownSettings() });

export async function shownTask(cwd: string, id: string): Promise<Record<string, unknown>> {
  return (await asked<{ readonly task: Record<string, unknown> }>(['show', id], { cwd })).task;
}

/** Entries of the log. A last line that is still being written, or was torn, counts for nobody. */
export const logOf = (cwd: string): Entry[] =>
  textOf(path.join(cwd, '.workgraph/operations.jsonl'))
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Entry);

export const hasBranch = (cwd: string, ref: string) => git(cwd, 'for-each-ref', `refs/heads/${ref}`).trim() !== '';

/** Starts the service of a person who has a client. */
export async function serveClients(cwd: string, ...flags: string[]): Promise<{ pid: number }> {
  onTestFinished(() => endEverything(cwd));
  return asked(['service', 'start', ...flags], { cwd, env: { ...WITH_CLIENT, ...ownSettings() } });
}
