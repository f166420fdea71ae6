import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { parse } from 'yaml';
import { verifies } from '../verifies.js';
import { wordsOf, wrongCommand } from './quoted-commands.js';

const FOLDER = path.resolve(import.meta.dirname, '../../docs/deploy');
const textOf = (name: string) => readFileSync(path.join(FOLDER, name), 'utf8');

/** Every list of words below a `command` of a document. */
function commandsIn(value: unknown): string[][] {
  if (Array.isArray(value)) return value.flatMap(commandsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) =>
    name === 'command' && Array.isArray(part) ? [part.map(String)] : commandsIn(part),
  );
}

/** The lines of a unit, by section and name. */
function unitIn(text: string): Map<string, string> {
  const settings = new Map<string, string>();
  let section = '';
  for (const line of text.split('\n')) {
    const [, head] = /^\[(\w+)\]$/.exec(line) ?? [];
    const [, name, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
    if (head !== undefined) section = head;
    else if (name !== undefined) settings.set(`${section}.${name}`, value ?? '');
    else expect(line).toMatch(/^(?:#.*)?$/);
  }
  return settings;
}

verifies(
  'fleet.worker',
  'each file for deployments can be read, and the commands in it are those of the program',
  async () => {
    expect(readdirSync(FOLDER).sort()).toEqual([
      'compose.yaml',
      'git-update-hook',
      'github-review.yaml',
      'troupe-worker.service',
      'worker.yaml',
    ]);
    const unit = unitIn(textOf('troupe-worker.service'));
    expect(unit.get('Service.KillMode'), 'the runs are told by the worker, not by systemd').toBe('mixed');
    const typed = [wordsOf((unit.get('Service.ExecStart') ?? '').replace('/usr/bin/env ', ''))];
    for (const name of ['compose.yaml', 'worker.yaml']) typed.push(...commandsIn(parse(textOf(name))));
    const own = typed.filter(([program]) => program === 'troupe').map(([, ...words]) => words);
    expect(own.map((words) => words.slice(0, 2).join(' ')).sort()).toEqual([
      'database use',
      'worker start',
      'worker start',
      'worker start',
    ]);
    for (const words of own) expect(await wrongCommand(words), words.join(' ')).toBeUndefined();
  },
);

verifies('fleet.worker', 'what stops a worker waits longer than its grace', () => {
  const unit = unitIn(textOf('troupe-worker.service'));
  const [, minutes] = /--grace (\d+)m/.exec(unit.get('Service.ExecStart') ?? '') ?? [];
  const seconds = Number(minutes) * 60;
  expect(Number(unit.get('Service.TimeoutStopSec'))).toBeGreaterThan(seconds + 60);
  const compose = parse(textOf('compose.yaml')) as { services: { worker: { stop_grace_period: string } } };
  expect(Number.parseInt(compose.services.worker.stop_grace_period, 10) * 60).toBeGreaterThan(seconds + 60);
  expect(textOf('worker.yaml')).toContain('terminationGracePeriodSeconds: 420');
});

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<
    Record<string, { readonly steps: readonly { readonly uses?: string; readonly run?: string }[] }>
  >;
}

verifies('pack.action', 'the workflow for GitHub reviews with commands of the program, and may only read', async () => {
  const { on, permissions, jobs } = parse(textOf('github-review.yaml')) as Workflow;
  expect(Object.keys(on), 'never with the rights of the repository for the code of a stranger').toEqual([
    'pull_request',
    'schedule',
  ]);
  expect(permissions).toEqual({ contents: 'read' });
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  const own = steps.flatMap(({ run = '' }) => run.split('\n')).filter((line) => line.startsWith('troupe '));
  expect(own.length).toBeGreaterThan(0);
  for (const line of own) expect(await wrongCommand(wordsOf(line).slice(1)), line).toBeUndefined();
  // What somebody else wrote, such as a title, never becomes a part of a shell line.
  expect(steps.filter(({ run = '' }) => run.includes('${{'))).toEqual([]);
});
