import { appendFileSync, copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { doneTask, logTask } from '#core/graph/moves.js';
import { fieldsOf } from '#core/graph/task-field.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { collect } from '../../contract/graph-store.js';
import { verifies } from '../../verifies.js';
import { by, clock, graphPlace } from './graph-place.js';

async function threeTasks() {
  const place = graphPlace();
  for (const title of ['Alpha', 'Beta', 'Gamma']) await place.add(title);
  await place.commit((view) => doneTask(view, 'beta', { now: clock.now(), by }));
  return place;
}

const forget = (folder: string) => rmSync(path.join(folder, 'service'), { recursive: true, force: true });

verifies(
  'graph.store.torn',
  'a damaged line of the log is told by its number, stays, and costs nothing else',
  async () => {
    const { folder, log, lines, view, health, add } = await threeTasks();
    const [one = '', two = '', three = '', four = ''] = lines();
    const damaged = four.slice(0, 40);
    writeFileSync(log, `${[one, two, damaged, three].join('\n')}\n`);
    forget(folder);
    expect(await health()).toMatchObject([{ code: 'corrupt', severity: 'error', line: 3, file: log }]);
    // What the lost line did stands in the snapshot, at a higher `rev` than the log knows.
    expect((await view()).task('beta')?.status).toBe('done');
    expect((await view()).size).toBe(3);
    await add('Delta');
    expect(lines()[2]).toBe(damaged);
    expect((await view()).task('beta')?.status).toBe('done');
  },
);

verifies('graph.store.torn', 'with our own copy at hand a damaged log changes nothing either', async () => {
  const { graph, log, lines, view, add } = await threeTasks();
  const [one = '', two = '', three = ''] = lines();
  writeFileSync(log, `${[one, 'x', two, three].join('\n')}\n`);
  writeFileSync(graph, readFileSync(graph, 'utf8').replace('"Alpha"', '"Alpha by hand"'));
  await add('Delta');
  const seen = await view();
  expect(seen.task('alpha')?.title).toBe('Alpha by hand');
  expect(seen.task('beta')?.status).toBe('done');
  expect(seen.size).toBe(4);
});

verifies('graph.store.every', 'a group that lost one of its lines keeps the others, and says so', async () => {
  const { folder, log, commit, lines, health, view, add } = graphPlace();
  await add('Alpha');
  await commit((seen) => {
    const first = logTask(seen, 'alpha', 'one', { now: clock.now(), by });
    return { events: [...first.events, { op: 'note', patch: [] }], result: undefined };
  });
  await add('Beta');
  const [one = '', two = '', , four = ''] = lines();
  writeFileSync(log, `${[one, two, '{"seq":3', four].join('\n')}\n`);
  forget(folder);
  expect((await view()).task('alpha')?.log?.map((entry) => entry.message)).toEqual(['one']);
  expect((await health()).map((problem) => problem.line)).toEqual([3, 2]);
});

verifies(
  'graph.store.hand',
  'lines that no tool would write are told by number and reason; the old task stays',
  async () => {
    const { graph, view, health, add } = await threeTasks();
    const deep = `{"kind":"task","id":"deep","title":"T","status":"open","x":${'['.repeat(5_000)}${']'.repeat(5_000)}}`;
    const bad: [string, RegExp][] = [
      ['{"kind":"task","id":"alpha","title":"Broken', /not a JSON/],
      ['[1,2]', /not a JSON object/],
      ['{"kind":"task","id":"x1","title":"T"}', /status/],
      ['{"kind":"task","id":"x2","title":5,"status":"open"}', /title/],
      ['{"kind":"task","id":"x3","title":"T","status":"open","after":"alpha"}', /"after" is not a list/],
      ['{"kind":"task","id":"x4","title":"T","status":"open","after":[7]}', /"after" contains/],
      ['{"kind":"task","id":"x5","title":"T","status":"open","log":[{"message":1}]}', /"log" contains/],
      ['{"kind":"task","id":"x6","title":"T","status":"open","paused":"yes"}', /"paused"/],
      ['{"kind":"task","id":"x7","title":"T","status":"open","cycle_config":7}', /"cycle_config"/],
      ['{"kind":"task","id":"x8","title":"A","title":"B","status":"open"}', /twice/],
      ['{"kind":"task","id":"x9","title":"T","status":"open","n":12345678901234567890}', /too large/],
      ['{"kind":"task","id":"xa","title":"T","status":"open","n":1e999}', /too large/],
      ['{"kind":"task","id":"xb","title":"T","status":"open","__proto__":{"paused":true}}', /not a JSON/],
      [deep, /deep/],
      ['{"kind":"task","id":"xc","title":"T","status":"sleeping"}', /status/],
      ['=======', /conflict marker/],
    ];
    const [, ...others] = readFileSync(graph, 'utf8').trimEnd().split('\n');
    writeFileSync(graph, `\ufeff# notes\r\n${[...others, ...bad.map(([line]) => line)].join('\n')}\n`);
    const problems = await health();
    expect(problems.map((problem) => problem.line)).toEqual(bad.map((_, index) => others.length + 2 + index));
    for (const [index, [, reason]] of bad.entries()) expect(problems[index]?.text).toMatch(reason);
    await add('Delta');
    const seen = await view();
    expect([...seen.nodes()].map((node) => node.id).sort()).toEqual(['alpha', 'beta', 'delta', 'gamma']);
    expect(seen.task('alpha')?.title).toBe('Alpha');
    const after = readFileSync(graph, 'utf8').split('\n');
    for (const [line] of bad) expect(after).toContain(line);
  },
);

verifies('graph.store.hand', 'a command that only looks writes down what a hand did, as one event', async () => {
  const { graph, view, ops, lines } = await threeTasks();
  const text = readFileSync(graph, 'utf8');
  writeFileSync(graph, text.replace('"Alpha"', '"Omega"').replace('"Gamma"', '"Last"'));
  await view();
  expect(ops().slice(4)).toEqual(['hand_edit']);
  expect(JSON.parse(lines().at(-1) ?? '').detail).toEqual({
    tasks: ['alpha', 'gamma'],
    snapshot_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  await view();
  expect(ops()).toHaveLength(5);
});

verifies('graph.store.hand', 'more changed by hand than a line may hold is one group', async () => {
  const { graph, view, lines, commit } = graphPlace();
  const filler = 'x'.repeat(WORK_LIMITS.descriptionBytes - 100);
  const count = Math.ceil((WORK_LIMITS.lineBytes * 1.2) / filler.length);
  const rows = Array.from({ length: count }, (_, index) => {
    const id = `t${String(index).padStart(3, '0')}`;
    return JSON.stringify({ kind: 'task', id, title: id, status: 'open', description: filler });
  });
  writeFileSync(graph, '{"kind":"task","id":"t000","title":"t000","status":"open"}\n');
  await commit(() => ({ events: [], result: undefined }));
  writeFileSync(graph, `${rows.join('\n')}\n`);
  const seen = await view();
  expect(seen.size).toBe(count);
  const entries = lines().map((line) => JSON.parse(line) as { op: string; tx?: number[] });
  expect(new Set(entries.slice(1).map((entry) => entry.op))).toEqual(new Set(['hand_edit']));
  expect(entries.length).toBeGreaterThan(2);
  expect(entries.at(-1)?.tx).toEqual([entries.length - 1, entries.length - 1]);
});

verifies(
  ['graph.store.merge', 'graph.store.hand'],
  'sides of a conflict that no log knows are both kept, and nothing between the marks counts as removed',
  async () => {
    const { graph, view, add } = await threeTasks();
    const [alpha = '', beta = '', gamma = ''] = readFileSync(graph, 'utf8').trimEnd().split('\n');
    const mine = alpha.replace('"Alpha"', '"Alpha, mine"');
    const other = alpha.replace('"Alpha"', '"Alpha, theirs"').replace('"open"', '"open","tags":["t"]');
    const news = '{"kind":"task","id":"news","title":"News","status":"open"}';
    const conflict = ['<<<<<<< HEAD', mine, '||||||| base', alpha, '=======', other, news, '>>>>>>> theirs'];
    writeFileSync(graph, `${[...conflict, beta, gamma].join('\n')}\n`);
    await add('Delta');
    const seen = await view();
    expect([...seen.nodes()].map((node) => node.id).sort()).toEqual(['alpha', 'beta', 'delta', 'gamma', 'news']);
    const task = seen.task('alpha');
    expect(task?.tags).toEqual(['t']);
    const told = JSON.stringify([task?.title, task?.log]);
    for (const title of ['Alpha, mine', 'Alpha, theirs']) expect(told).toContain(title);
    expect(readFileSync(graph, 'utf8')).not.toMatch(/<<<<|====|>>>>|\|\|\|\|/);
  },
);

verifies('graph.store.load', 'an older snapshot is merely older, one from beyond the log is believed', async () => {
  const { folder, graph, view, add, commit } = await threeTasks();
  const older = path.join(folder, 'older');
  copyFileSync(graph, older);
  await commit((seen) => doneTask(seen, 'alpha', { now: clock.now(), by }));
  await commit(() => ({ events: [{ op: 'remove', patch: [{ id: 'gamma', del: true }] }], result: undefined }));
  copyFileSync(older, graph);
  forget(folder);
  expect((await view()).task('alpha')?.status).toBe('done');
  expect((await view()).task('gamma')).toBeUndefined();
  writeFileSync(
    graph,
    readFileSync(older, 'utf8')
      .replace('"Alpha"', '"From beyond"')
      .replace(/"rev":1/, '"rev":99'),
  );
  forget(folder);
  await add('Delta');
  expect((await view()).task('alpha')?.title).toBe('From beyond');
});

verifies('graph.store.load', 'a file whose lines have no rev counts as it stands', async () => {
  const { folder, graph, view } = await threeTasks();
  writeFileSync(graph, '{"kind":"task","id":"alpha","title":"Rewritten","status":"open"}\n');
  forget(folder);
  const seen = await view();
  expect([...seen.nodes()].map((node) => node.id)).toEqual(['alpha']);
  expect(seen.task('alpha')?.title).toBe('Rewritten');
});

verifies('graph.store.load', 'a log of a later version is read as far as it goes, and never written', async () => {
  const { log, graph, view, add, health } = await threeTasks();
  const known = (await view()).seq;
  const later = [
    { op: 'ponder', patch: [{ id: 'alpha', set: { mood: 'good' } }] },
    { op: 'move', patch: [{ id: 'beta', shift: { to: 'elsewhere' } }] },
    { op: 'done', format: 2, patch: [{ id: 'gamma', set: { status: 'done' } }] },
  ];
  const lines = later.map((entry, index) => ({
    seq: known + 1 + index,
    id: `z${index}`,
    timestamp: '2026-01-01T00:00:00Z',
    ...entry,
  }));
  appendFileSync(log, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const before = readFileSync(log, 'utf8');
  const snapshot = readFileSync(graph, 'utf8');
  const seen = await view();
  expect(fieldsOf(seen.task('alpha'))['mood']).toBe('good');
  expect(seen.task('gamma')?.status).toBe('done');
  expect(await health()).toMatchObject([{ code: 'newer_format', line: known + 2 }]);
  await expect(add('Delta')).rejects.toMatchObject({ code: 'newer_format', exitCode: 1 });
  expect(readFileSync(log, 'utf8')).toBe(before);
  expect(readFileSync(graph, 'utf8')).toBe(snapshot);
});

verifies('graph.store.load', 'words nobody knows, and numbers that leap, are no hindrance', async () => {
  const { log, view, add, open, lines } = await threeTasks();
  const last = JSON.parse(lines().at(-1) ?? '') as { id: string };
  const entry = {
    seq: 900,
    id: 'leap',
    prev: last.id,
    timestamp: '2026-01-01T00:00:00Z',
    op: 'ponder',
    mood: 'good',
    patch: [],
  };
  appendFileSync(log, `${JSON.stringify(entry)}\n`);
  await add('Delta');
  expect((await view()).seq).toBe(901);
  const store = await open();
  expect((await collect(store.entries(900))).map((item) => item.op)).toEqual(['ponder', 'add_task']);
  await store.close();
  expect(existsSync(log)).toBe(true);
});
