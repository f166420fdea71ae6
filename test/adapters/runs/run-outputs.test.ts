import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { FileRunFolders } from '#adapters/runs/run-outputs.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { Processes } from '#ports/processes.js';
import { room } from '../../room.js';

const SELF = { host: 'here', boot: 'boot-1', namespace: 'ns-1', pid: 1 };

function place() {
  const project = room('outputs');
  const agents = path.join(project, '.workgraph/agents');
  mkdirSync(agents, { recursive: true });
  const alive = new Map<number, string>();
  const signals: string[] = [];
  const processes = {
    self: () => SELF,
    startOf: (pid: number) => alive.get(pid),
    commandOf: (pid: number) => (alive.has(pid) ? `bash ${agents}/run.sh` : undefined),
    signalGroup: (pid: number, signal: string) => {
      signals.push(`${signal} ${pid}`);
      alive.delete(pid);
    },
    all: () => [],
    list: () => [],
  } as unknown as Processes;
  const write = (id: string, name: string, text: string) => {
    mkdirSync(path.join(agents, id), { recursive: true });
    writeFileSync(path.join(agents, id, name), text);
  };
  const ticket = (id: string, more: object = {}) =>
    JSON.stringify({
      ...{ id, task_id: 'a', fence: 2, started_at: 1_000, timeout_ms: 60_000, command: 'make', pid: 7, start: 's' },
      ...more,
    });
  const registry = (...rows: object[]) =>
    writeFileSync(
      path.join(agents, 'registry.json'),
      JSON.stringify({ agents: Object.fromEntries(rows.map((row, at) => [String(at), row])), next_agent_id: 9 }),
    );
  const row = (id: string, more: object = {}) => ({
    ...{ id, task_id: 'a', status: 'working', started_at: 't', executor: 'shell' },
    ...{ host: 'here', boot_id: 'boot-1', pid_namespace: 'ns-1' },
    ...more,
  });
  return {
    project,
    agents,
    alive,
    signals,
    write,
    ticket,
    registry,
    row,
    runs: new FileRunFolders(agents, async () => processes),
  };
}

test('what a run printed and did, its end or whole lines from a byte on', async () => {
  const { runs, write } = place();
  write('agent-1', 'output.log', 'one\ntwo\nthree');
  write('agent-1', 'stream.jsonl', '{"a":1}\n{"b":2}\n{"c"');
  write('agent-1', 'prompt.txt', 'Do it well');
  expect(await runs.part('agent-1', 'output', { most: 5 })).toEqual({ text: 'three', next: 13, size: 13 });
  expect(await runs.part('agent-1', 'output', { most: 0 })).toEqual({ text: '', next: 13, size: 13 });
  expect(await runs.part('agent-1', 'output', { from: 4, most: 99 })).toEqual({ text: 'two\n', next: 8, size: 13 });
  expect(await runs.part('agent-1', 'events', { most: 99 })).toEqual({
    text: '{"a":1}\n{"b":2}\n',
    next: 16,
    size: 20,
  });
  expect(await runs.prompt('agent-1', 5)).toBe('Do it');
  for (const id of ['agent-2', '../agent-1', 'agent-x'])
    expect([await runs.part(id, 'output', { most: 5 }), await runs.prompt(id, 5)], id).toEqual([undefined, undefined]);
});

test('who a run is, and where it may write: no place but that of worktrees is believed', async () => {
  const { project, agents, runs, write, ticket } = place();
  const tree = path.join(project, '.workgraph/worktrees/a-2');
  mkdirSync(path.join(tree, 'sub'), { recursive: true });
  writeFileSync(path.join(tree, '.git'), 'gitdir: x');
  const within = { branch: 'wg/a/2', folder: path.join(tree, 'sub') };
  write('agent-1', 'run.jsonl', `${ticket('agent-1', { mail: 'send', token_hash: 'h', ...within })}\n`);
  const told = await runs.identity('agent-1');
  expect(told).toMatchObject({ taskId: 'a', fence: 2, tokenHash: 'h' });
  expect((await runs.places('agent-1'))[0]).toBe(path.join(agents, 'agent-1'));
  write('agent-2', 'run.jsonl', `${ticket('agent-2', { mail: 'odd', branch: 'b', folder: '/etc' })}\n`);
  expect(await runs.identity('agent-2')).toEqual({ taskId: 'a', fence: 2, mail: 'none' });
  expect(await runs.places('agent-2')).toEqual([path.join(agents, 'agent-2')]);
  expect([await runs.identity('agent-3'), await runs.identity('x'), await runs.places('x')]).toEqual([
    undefined,
    undefined,
    [],
  ]);
  expect([
    runs.named(path.join(agents, 'agent-1')),
    runs.named(path.join(agents, 'notes')),
    runs.named('/agent-1'),
  ]).toEqual([...['agent-1', undefined, undefined]]);
});

test('what comes too late is kept beside its run, no more than has a bound', async () => {
  const { agents, runs, write } = place();
  const file = path.join(agents, 'agent-1/refused.jsonl');
  write('agent-1', 'x', '');
  await runs.keepRefused('agent-1', { a: 1 });
  await runs.keepRefused('agent-1', { b: 'x'.repeat(WORK_LIMITS.refusedBytes) });
  await runs.keepRefused('agent-1', { c: 3 });
  expect(readFileSync(file, 'utf8')).toBe('{"a":1}\n{"c":3}\n');
  await runs.keepRefused('agent-9', { a: 1 });
  await runs.keepRefused('../agent-1', { a: 1 });
  write('agent-2', 'x', '');
  symlinkSync(file, path.join(agents, 'agent-2/refused.jsonl'));
  await runs.keepRefused('agent-2', { d: 4 });
  expect(readFileSync(file, 'utf8')).toBe('{"a":1}\n{"c":3}\n');
});

test('whether a run is at work, has ended, or is gone', async () => {
  const { alive, runs, write, ticket } = place();
  write('agent-1', 'run.jsonl', `${ticket('agent-1')}\n`);
  expect(await runs.state('agent-1')).toBe('gone');
  alive.set(7, 's');
  expect(await runs.state('agent-1')).toBe('at-work');
  alive.set(7, 'another');
  expect(await runs.state('agent-1')).toBe('gone');
  write('agent-2', 'run.jsonl', '{"void":true}\n');
  write('agent-3', 'run.jsonl', `${ticket('agent-3')}\n{"code":0}\n`);
  expect([
    await runs.state('agent-2'),
    await runs.state('agent-3'),
    await runs.state('agent-4'),
    await runs.state('x'),
  ]).toEqual([...['gone', 'ended', 'gone', 'gone']]);
});

test('runs are listed as they stand, and those at work are known before the list says so', async () => {
  const { alive, runs, write, ticket, registry, row } = place();
  alive.set(7, 's');
  for (const id of ['agent-1', 'agent-10', 'agent-9']) write(id, 'run.jsonl', `${ticket(id)}\n`);
  write('agent-2', 'run.jsonl', `${ticket('agent-2')}\n{"code":0}\n`);
  write('agent-3', 'run.jsonl', `${ticket('agent-3')}\n{"code":1}\n`);
  registry(
    row('agent-1'),
    ...['agent-2', 'agent-3', 'agent-4'].map((id) => row(id)),
    row('agent-5', { status: 'failed' }),
    row('agent-6', { host: 'elsewhere' }),
    row('agent-7', { pid_namespace: 'ns-2' }),
    row('agent-8', { boot_id: 'boot-0' }),
    { id: 7 },
  );
  expect((await runs.listed()).map(({ id, status }) => `${id} ${status}`)).toEqual([
    ...['agent-1 working', 'agent-2 done', 'agent-3 failed', 'agent-4 dead', 'agent-5 failed'],
    ...['agent-6 dead', 'agent-7 dead', 'agent-8 dead'],
  ]);
  const process = { pid: 7, start: 's' };
  expect(await runs.atWork()).toEqual([
    { id: 'agent-1', process },
    { id: 'agent-7' },
    { id: 'agent-10', process },
    { id: 'agent-9', process },
  ]);
  expect(await place().runs.atWork()).toEqual([]);
});

test('a run is ended by its group, told why, and only where it is at work', async () => {
  const { agents, alive, signals, runs, write, ticket } = place();
  write('agent-1', 'run.jsonl', `${ticket('agent-1')}\n`);
  expect([await runs.end('agent-1', false), signals]).toEqual([false, []]);
  alive.set(7, 's');
  expect(await runs.end('agent-1', false)).toBe(true);
  expect(signals).toEqual(['SIGTERM 7']);
  expect(readFileSync(path.join(agents, 'agent-1/run.jsonl'), 'utf8')).toContain('stopped');
});

test('how a run ended is told from its folder', async () => {
  const { runs, write, ticket } = place();
  write('agent-1', 'run.jsonl', `${ticket('agent-1', { executor: undefined })}\n{"code":3}\n`);
  expect(await runs.ended('agent-1')).toMatchObject({
    id: 'agent-1',
    taskId: 'a',
    fence: 2,
    alive: false,
    exit: { code: 3 },
  });
  write('agent-2', 'run.jsonl', `${ticket('agent-2')}\n`);
  expect([await runs.ended('agent-2'), await runs.ended('agent-9'), await runs.ended('x')]).toEqual([
    ...[undefined, undefined, undefined],
  ]);
});
