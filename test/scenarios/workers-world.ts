import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { freshProject } from '../postgres.js';
import { git, write } from '../repository.js';
import { room } from '../room.js';
import { asked, endEverything, project, type Running, start, textOf } from './program.js';

export interface WorkersWorld {
  readonly name: string;
  /** Folder in which the project was created. */
  readonly cwd: string;
  /** Clone of another person. */
  readonly clone: string;
  readonly remote: string;
  /** Environment of that person. */
  readonly env: Readonly<Record<string, string>>;
}

/** A project in a database, a bare remote, and a clone of a person with another home who chose the database. */
export async function workersWorld(address: string, settings: string): Promise<WorkersWorld> {
  const cwd = realpathSync(await project());
  git(cwd, 'init', '--quiet', '--initial-branch=main');
  write(cwd, { 'f.txt': 'one\n' });
  const name = freshProject(address);
  await asked(['database', 'move', '--to', address, '--project', name], { cwd });
  const config = path.join(cwd, '.workgraph/config.toml');
  writeFileSync(config, settings === '' ? textOf(config) : settings.replace('[database]\n', textOf(config)));
  git(cwd, 'add', '--all');
  git(cwd, 'commit', '--quiet', '-m', 'first');
  const above = realpathSync(room('fleet'));
  const remote = path.join(above, 'hub.git');
  git(above, 'clone', '--quiet', '--bare', '--', cwd, remote);
  git(cwd, 'remote', 'add', 'origin', remote);
  const clone = path.join(above, 'clone');
  git(above, 'clone', '--quiet', '--', remote, clone);
  const home = path.join(above, 'home');
  mkdirSync(home);
  const env = { HOME: home, XDG_RUNTIME_DIR: home, USER: 'ben' };
  await asked(['database', 'use', address], { cwd: clone, env });
  return { name, cwd, clone, remote, env };
}

/** A worker in the clone, ended with everything it runs when the test ends. */
export function worker(
  { clone, env }: Pick<WorkersWorld, 'clone' | 'env'>,
  ...flags: string[]
): Running & { events(): { event: string; run?: string; text: string }[] } {
  const running = start(['worker', 'start', '--json', '--yes', ...flags], { cwd: clone, env });
  onTestFinished(async () => {
    running.child.kill('SIGKILL');
    await running.finished;
    await endEverything(clone);
  });
  const events = () =>
    running
      .stdout()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  return { ...running, events };
}
