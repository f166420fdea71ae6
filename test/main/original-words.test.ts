import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../verifies.js';
import { original } from './original-project.js';

const GRAPH = '{"kind":"task","id":"a","title":"A","status":"failed"}\n';
const FUNCTION = `
kind: trace-function
version: 1
id: draft-review
name: Draft and review
description: Two steps
inputs: [{ name: topic, type: string, description: About, required: true }]
tasks:
  - { template_id: draft, title: 'Draft {{input.topic}}', description: '' }
  - { template_id: review, title: 'Review {{input.topic}}', description: Read it, after: [draft] }
`;

/** A graph folder of the original with a name of its own, and its commands. */
function named() {
  const { folder, wg, json } = original([]);
  const graph = path.join(folder, 'plans');
  mkdirSync(path.join(graph, 'functions'), { recursive: true });
  writeFileSync(path.join(graph, 'graph.jsonl'), GRAPH);
  writeFileSync(path.join(graph, 'functions/draft-review.yaml'), FUNCTION);
  writeFileSync(path.join(graph, 'notes.md'), 'mine\n');
  return {
    ...{ folder, graph },
    wg: (...words: string[]) => wg('--dir', graph, ...words),
    json: (...words: string[]) => json('--dir', graph, ...words),
  };
}

verifies(
  'in.wg',
  'a graph folder with a name of its own is taken over; its files are found in their places',
  async () => {
    const { graph, wg, json } = named();
    const first = await wg('list');
    expect(first).toMatchObject({ code: 0, err: expect.stringContaining('is in its folder .workgraph now') });
    expect(first.out).toContain('A');
    expect(await json('list')).toMatchObject([{ id: 'a' }]);
    await wg('add', 'B', '--after', 'a');
    expect(readFileSync(path.join(graph, 'graph.jsonl'), 'utf8')).toContain('"id":"b"');
    expect(readlinkSync(path.join(graph, 'functions'))).toBe('.workgraph/functions');
    expect(lstatSync(path.join(graph, 'notes.md')).isFile(), 'what is not of a graph stays').toBe(true);
  },
);

verifies('in.wg', 'the takeover of a folder that was interrupted is completed by the next command', async () => {
  const { graph, wg } = named();
  symlinkSync('/tmp', path.join(graph, '.workgraph.draft'));
  expect((await wg('list')).code, 'a link may lead anywhere').not.toBe(0);
  rmSync(path.join(graph, '.workgraph.draft'));
  mkdirSync(path.join(graph, '.workgraph.draft'));
  renameSync(path.join(graph, 'graph.jsonl'), path.join(graph, '.workgraph.draft/graph.jsonl'));
  expect((await wg('list')).out).toContain('A');
  expect(readlinkSync(path.join(graph, 'graph.jsonl'))).toBe('.workgraph/graph.jsonl');
  expect(readdirSync(graph)).not.toContain('.workgraph.draft');
});

verifies(
  'in.wg',
  'a file that happens to be called graph.jsonl is left alone where the folder was not named',
  async () => {
    const { folder, wg } = original([]);
    writeFileSync(path.join(folder, 'graph.jsonl'), '{"nodes":[]}\n');
    expect((await wg('list', '--dir', folder)).code, 'nor one that is no graph').not.toBe(0);
    expect(lstatSync(path.join(folder, 'graph.jsonl')).isFile()).toBe(true);
    writeFileSync(path.join(folder, 'graph.jsonl'), GRAPH);
    expect((await wg('list')).code).not.toBe(0);
    expect((await wg('init', '--dir', path.join(folder, '.workgraph'))).code).toBe(0);
    expect(lstatSync(path.join(folder, 'graph.jsonl')).isFile()).toBe(true);
  },
);

verifies('in.wg', 'what does not exist is refused in the words that scripts of the original look for', async () => {
  const { wg } = named();
  const refusals = [
    ["Task 'x' not found", 'show', 'x'],
    ["Run 'run-9' not found", 'runs', 'show', 'run-9'],
    ["No function matching 'x' found", 'func', 'show', 'x'],
    ["agent 'x' not found", 'agent', 'rm', 'x'],
    ["Task with ID 'a' already exists", 'add', 'A', '--id', 'a'],
    ['--role is required', 'agent', 'create', 'x'],
    ["Project 'x' not found", 'add', 'A', '--repo', 'x'],
    ['--repo', 'add', 'A', '--repo'],
    ['--max-parallel', 'coordinate', '--max-parallel', 'many'],
  ] as const;
  for (const [said, ...words] of refusals)
    expect(await wg(...words), said).toMatchObject({ out: '', err: expect.stringContaining(said) });
});

verifies(
  'in.wg',
  'of several conditions of a replay the first in its order counts, and its run keeps them as text',
  async () => {
    const { graph, wg, json } = named();
    await wg('add', 'B', '--id', 'b');
    await wg('done', 'b');
    expect((await wg('replay', '--tasks', 'b', '--failed-only', '--below-score', '0.5')).out).toContain(
      'Reset 1 task(s)',
    );
    const { filter, reset_tasks } = await json('runs', 'show', 'run-001');
    expect([filter, reset_tasks]).toEqual(['--tasks b', ['b']]);
    await wg('done', 'b');
    const score = { id: 'e', task_id: 'b', agent_id: 'x', score: 0.2, timestamp: '2026-03-01T10:00:00Z' };
    mkdirSync(path.join(graph, '.workgraph/agency'));
    writeFileSync(path.join(graph, '.workgraph/agency/e.json'), JSON.stringify(score));
    await wg('replay', '--below-score=0.5');
    expect((await json('runs', 'show', 'run-002')).reset_tasks, 'what nobody scored counts as low').toEqual(['a', 'b']);
    writeFileSync(path.join(graph, '.workgraph/runs/run-002/meta.json'), '{');
    const listed = await wg('runs', 'list');
    expect([listed.out, listed.err]).toEqual([
      expect.stringContaining('run-001'),
      expect.stringContaining('run-002: its meta.json cannot be read'),
    ]);
  },
);

verifies('in.wg', 'functions are found by the beginning of their id, told in full, and read from peers', async () => {
  const { folder, wg, json, graph } = named();
  expect((await wg('func', 'show', 'draft')).out).toContain('Function: draft-review\n');
  expect((await wg('func', 'list', '--verbose')).out).toContain(
    '    Inputs: topic (string, required)\n    Tasks: draft, review\n',
  );
  await wg('func', 'apply', 'draft', '--input', 'topic=x');
  expect(await json('show', 'draft-review-draft')).not.toHaveProperty('description');
  const other = original([]);
  await other.troupe('init');
  writeFileSync(
    path.join(other.folder, '.workgraph/federation.yaml'),
    `peers:\n  plans: { path: ${graph} }\n  odd: 7\n`,
  );
  expect(await other.json('func', 'list', '--include-peers')).toMatchObject([
    { id: 'draft-review', source: 'peer:plans' },
  ]);
  const added = await other.wg('add', 'Far', '--repo', 'plans', '--id', 'far');
  expect(added.out).toBe("Added task to 'plans': Far (plans:far)\n");
  expect((await other.wg('add', 'Near', `--repo=${path.join(graph, '.workgraph')}`)).code).toBe(0);
  expect((await json('list')).map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining(['far', 'near']));
  expect(await other.json('list')).toEqual([]);
  expect((await other.troupe('agency', 'remote', 'remove', 'plans')).err).toContain('no remote plans');
  expect(folder).not.toBe(other.folder);
});

verifies('in.wg', 'the log of the project, its settings file, and what is ready at once', async () => {
  const { wg, json, graph } = named();
  await wg('add', 'B', '--id', 'b');
  await wg('add', 'C', '--id', 'c');
  expect((await json('log', '--operations')).map(({ op }: { op: string }) => op)).toEqual([
    'adopt',
    'add_task',
    'add_task',
  ]);
  expect((await wg('log', '--operations')).out).toContain('add_task');
  const coordinated = (await wg('coordinate', '--max-parallel', '1')).out;
  expect(coordinated).toContain('Ready for parallel execution (2 tasks):\n  b - B\n');
  expect(coordinated).not.toContain('c - C');
  expect((await json('coordinate', '--max-parallel=1')).ready).toHaveLength(1);
  expect((await wg('config', '--init')).out).toBe('Created default configuration at .workgraph/config.toml\n');
  expect((await wg('config', '--init')).out).toContain('already exists');
  expect(readFileSync(path.join(graph, '.workgraph/config.toml'), 'utf8')).toContain('config show');
  expect((await wg('aging')).out).toMatch(/^Task Age Distribution:\n\n {2}< 1 day +2\n/);
  expect(await json('check')).toMatchObject({ ok: true, orphan_refs: [], cycles: [] });
  expect(await json('status')).toMatchObject({
    tasks: { ready: 2, in_progress: 0, done_total: 0 },
    agents: { alive: 0 },
  });
  const empty = original([]);
  await empty.troupe('init');
  expect((await empty.wg('status')).out).toBe('No tasks.\n');
});
