import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { graphText } from '#core/graph/line.js';
import { GraphState } from '#core/graph/state.js';
import { mainLine } from '#core/history/log-history.js';
import { room } from '../room.js';
import { verifies } from '../verifies.js';
import { asked, environment, installed, startService, statuses, textOf, troupe, until } from './program.js';

interface Clone {
  readonly cwd: string;
  git(...args: string[]): string;
  wg(...args: string[]): Promise<unknown>;
  entries(): { op: string; seq: number; detail?: Record<string, unknown> }[];
}

/** A repository with a graph of two tasks, as a person keeps one. */
async function repository(...flags: string[]): Promise<Clone> {
  const cwd = path.join(room(), 'project');
  mkdirSync(cwd);
  const env = environment({ GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' });
  env['PATH'] = `${installed()}:${env['PATH']}`;
  const identity = ['-c', 'user.name=Tess', '-c', 'user.email=tess@example.org', '-c', 'core.editor=true'];
  const git = (...args: string[]) => {
    try {
      return execFileSync('git', [...identity, ...args], {
        cwd,
        env,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    } catch (error) {
      return (error as { stdout: string }).stdout; // a conflict is an answer too
    }
  };
  const wg = (...args: string[]) => asked(args, { cwd });
  git('init', '--quiet', '--initial-branch=main');
  await wg('init', ...flags);
  await wg('add', 'A', '--id', 'a');
  await wg('add', 'B', '--id', 'b');
  git('add', '--all');
  git('commit', '--quiet', '-m', 'base');
  const lines = () => textOf(path.join(cwd, '.workgraph/operations.jsonl')).trimEnd().split('\n');
  return { cwd, git, wg, entries: () => lines().map((line) => JSON.parse(line)) };
}

async function twoBranches({ git, wg }: Clone): Promise<void> {
  git('checkout', '--quiet', '-b', 'left');
  await wg('edit', 'a', '--title', 'L');
  await wg('add', 'New x');
  git('commit', '--quiet', '--all', '-m', 'left');
  git('checkout', '--quiet', 'main');
  git('checkout', '--quiet', '-b', 'right');
  await wg('edit', 'a', '--add-tag', 'r');
  await wg('done', 'b');
  git('commit', '--quiet', '--all', '-m', 'right');
  git('checkout', '--quiet', 'left');
}

/** The snapshot is what the log says, byte for byte. */
function expectAgreement(cwd: string): void {
  const state = new GraphState();
  const log = textOf(path.join(cwd, '.workgraph/operations.jsonl')).trimEnd().split('\n');
  for (const entry of mainLine(log.map((line) => JSON.parse(line)))) state.apply(entry);
  expect(textOf(path.join(cwd, '.workgraph/graph.jsonl'))).toBe(graphText(state.nodes(), [], []));
}

async function expectMerged(clone: Clone): Promise<void> {
  expect(await statuses(clone.cwd)).toEqual({ a: 'open', b: 'done', 'new-x': 'open' });
  expect(await clone.wg('show', 'a')).toMatchObject({ task: { title: 'L', tags: ['r'] } });
  expect(clone.entries().at(-1)).toMatchObject({ op: 'merge' });
  expect(clone.entries().filter((entry) => entry.op === 'merge')).toHaveLength(1);
  const rebuilt = await troupe(['rebuild', '-o', '-'], { cwd: clone.cwd });
  expect(rebuilt.stdout).toBe(textOf(path.join(clone.cwd, '.workgraph/graph.jsonl')));
  expectAgreement(clone.cwd);
}

verifies(
  ['graph.store.merge', 'graph.store.git'],
  'two branches merge by the driver that a person asked for',
  async () => {
    const clone = await repository('--merge-driver');
    await twoBranches(clone);
    expect(clone.git('merge', 'right', '-m', 'merge')).not.toContain('CONFLICT');
    const committed = clone.git('show', 'HEAD:.workgraph/graph.jsonl');
    expect(committed).toMatch(/"title":"L".*"tags":\["r"\]/);
    expect(committed).toContain('"new-x"');
    await expectMerged(clone);
    clone.git('commit', '--quiet', '--all', '-m', 'settled');
    expect(await asked(['doctor'], { cwd: clone.cwd })).toMatchObject({ ok: true, findings: [] });
  },
);

verifies(
  'graph.store.merge',
  'without the driver git leaves a conflict, and the log puts both sides together',
  async () => {
    const clone = await repository();
    await twoBranches(clone);
    expect(clone.git('merge', 'right', '-m', 'merge')).toContain('CONFLICT');
    expect(textOf(path.join(clone.cwd, '.workgraph/graph.jsonl'))).toContain('<<<<<<<');
    await expectMerged(clone);
    expect(textOf(path.join(clone.cwd, '.workgraph/graph.jsonl'))).not.toContain('<<<<<<<');
  },
);

verifies(
  'graph.store.git',
  'init writes what git has to know, and touches its configuration only when told to',
  async () => {
    const clone = await repository();
    const read = (name: string) => textOf(path.join(clone.cwd, '.workgraph', name)).split('\n');
    expect(read('.gitattributes')).toEqual([
      '* -text',
      'operations.jsonl merge=union',
      'graph.jsonl merge=workgraph',
      '',
    ]);
    expect(read('.gitignore')).toContain('service/');
    expect(clone.git('config', '--get', 'merge.workgraph.driver')).toBe('');
    expect(clone.git('status', '--short')).toBe('');
    expect(await clone.wg('init')).toMatchObject({ created: false, merge_driver: 'absent' });
    expect(await clone.wg('init', '--merge-driver')).toMatchObject({ merge_driver: 'configured' });
    expect(clone.git('config', '--local', '--get', 'merge.workgraph.driver')).toBe('wg git-merge %O %A %B\n');
    const nowhere = path.join(room(), 'nowhere');
    mkdirSync(nowhere);
    const refused = await troupe(['init', '--merge-driver', '--json'], { cwd: nowhere });
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stderr)).toMatchObject({ error: { code: 'not_a_repository' } });
  },
);

verifies('graph.store.merge', 'a person’s resolution of a line wins', async () => {
  const clone = await repository();
  clone.git('checkout', '--quiet', '-b', 'left');
  await clone.wg('edit', 'a', '--title', 'L');
  clone.git('commit', '--quiet', '--all', '-m', 'left');
  clone.git('checkout', '--quiet', '-b', 'right', 'main');
  await clone.wg('edit', 'a', '--title', 'R');
  clone.git('commit', '--quiet', '--all', '-m', 'right');
  expect(clone.git('merge', 'left', '-m', 'merge')).toContain('CONFLICT');
  const graph = path.join(clone.cwd, '.workgraph/graph.jsonl');
  const lines = readFileSync(graph, 'utf8').split('\n');
  const mine = lines.find((line) => line.includes('"title":"R"'))?.replace('"R"', '"Both of them"') ?? '';
  const other = lines.find((line) => line.includes('"id":"b"')) ?? '';
  writeFileSync(graph, `${mine}\n${other}\n`);
  clone.git('add', '--all');
  clone.git('commit', '--quiet', '-m', 'resolved');
  expect(await clone.wg('show', 'a')).toMatchObject({ task: { title: 'Both of them' } });
  expect(clone.entries().at(-1)).toMatchObject({ op: 'merge', detail: { resolved: ['a'] } });
  expect(clone.entries().at(-1)?.detail?.['lost']).toMatchObject([{ id: 'a', field: 'title', value: 'L' }]);
  expectAgreement(clone.cwd);
});

verifies('graph.store.merge', 'rebased, and pulled crosswise, every change is there', async () => {
  const clone = await repository('--merge-driver');
  await twoBranches(clone);
  clone.git('rebase', 'right');
  expect(await statuses(clone.cwd)).toEqual({ a: 'open', b: 'done', 'new-x': 'open' });
  clone.git('commit', '--quiet', '--all', '-m', 'settled');
  clone.git('checkout', '--quiet', '-b', 'one', 'left');
  await clone.wg('log', 'a', 'from one');
  clone.git('commit', '--quiet', '--all', '-m', 'one');
  clone.git('checkout', '--quiet', '-b', 'two', 'left');
  await clone.wg('log', 'a', 'from two');
  clone.git('commit', '--quiet', '--all', '-m', 'two');
  clone.git('branch', 'two-before');
  clone.git('merge', 'one', '-m', 'two takes one');
  await clone.wg('list');
  clone.git('commit', '--quiet', '--all', '-m', 'two settled');
  clone.git('checkout', '--quiet', 'one');
  clone.git('merge', 'two-before', '-m', 'one takes two');
  await clone.wg('add', 'Meanwhile');
  clone.git('commit', '--quiet', '--all', '-m', 'one settled');
  clone.git('merge', 'two', '-m', 'together');
  expect(clone.git('status', '--short')).toBe('');
  const shown = (await clone.wg('show', 'a')) as { task: { log: { message: string }[] } };
  expect(shown.task.log.map((entry) => entry.message)).toEqual(['from one', 'from two']);
  expect(await statuses(clone.cwd)).toEqual({ a: 'open', b: 'done', meanwhile: 'open', 'new-x': 'open' });
  expectAgreement(clone.cwd);
});

verifies('graph.store.merge', 'a running service notices that git merged, unasked, and goes on', async () => {
  const clone = await repository('--merge-driver');
  await twoBranches(clone);
  await startService(clone.cwd);
  // While the service replaces the snapshot after its start, git finds a changed file and refuses: then it is asked again.
  await until('git to merge', () => clone.git('merge', 'right', '-m', 'merge') !== '');
  await until('the merge to be in the log', () => clone.entries().at(-1)?.op === 'merge');
  await clone.wg('log', 'a', 'after the merge');
  expect(await statuses(clone.cwd)).toEqual({ a: 'open', b: 'done', 'new-x': 'open' });
  await clone.wg('service', 'stop');
  expectAgreement(clone.cwd);
});

verifies('graph.store.merge', 'a log that git merged as text, marks and all, still tells both sides', async () => {
  const clone = await repository();
  writeFileSync(path.join(clone.cwd, '.workgraph/.gitattributes'), '');
  clone.git('commit', '--quiet', '--all', '-m', 'no attributes');
  clone.git('branch', '--force', 'main');
  await twoBranches(clone);
  expect(clone.git('merge', 'right', '-m', 'merge')).toContain('operations.jsonl');
  const log = path.join(clone.cwd, '.workgraph/operations.jsonl');
  expect(textOf(log)).toContain('=======');
  expect(await statuses(clone.cwd)).toEqual({ a: 'open', b: 'done', 'new-x': 'open' });
  const doctor = await troupe(['doctor', '--json'], { cwd: clone.cwd });
  const { findings } = JSON.parse(doctor.stdout) as {
    findings: { code: string; line?: number; repairable: boolean }[];
  };
  expect(findings.filter((finding) => finding.code === 'corrupt' && finding.repairable)).toHaveLength(3);
  expect(await asked(['doctor', '--repair'], { cwd: clone.cwd })).toMatchObject({ ok: true });
  expect(textOf(log)).not.toContain('=======');
  expect(await statuses(clone.cwd)).toEqual({ a: 'open', b: 'done', 'new-x': 'open' });
  expectAgreement(clone.cwd);
});

verifies('graph.store.load', 'changing branches is no edit by hand', async () => {
  const clone = await repository();
  await twoBranches(clone);
  expect(await statuses(clone.cwd)).toEqual({ a: 'open', b: 'open', 'new-x': 'open' });
  clone.git('checkout', '--quiet', 'right');
  expect(await statuses(clone.cwd)).toEqual({ a: 'open', b: 'done' });
  clone.git('checkout', '--quiet', 'main');
  expect(await clone.wg('show', 'a')).toMatchObject({ task: { title: 'A' } });
  expect(clone.git('status', '--short')).toBe('');
  expect(clone.entries().map((entry) => entry.op)).toEqual(['add_task', 'add_task']);
});
