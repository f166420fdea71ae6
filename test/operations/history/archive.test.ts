import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { fieldsOf } from '#core/graph/task-field.js';
import { archive, archiveRestore, archiveSearch, gc } from '#operations/history/archive.js';
import { verifies } from '../../verifies.js';
import { place } from './place.js';

const DAY_MS = 86_400_000;
const coded = (code: string) => expect.objectContaining({ code });
const ids = (output: { tasks: readonly { id: string }[] }) => output.tasks.map(({ id }) => id);

verifies(
  'graph.archive.move',
  'in bulk only with a yes; by age; a dry run changes nothing; the list says what is away',
  async () => {
    const { folder, store, pass, put, call } = await place();
    await put('old', { status: 'done', completed_at: '2026-03-01T09:00:00.000Z' });
    pass(20 * DAY_MS);
    await put('new', { status: 'done', completed_at: '2026-03-21T09:00:00.000Z' });
    await put('later');
    await expect(call(archive)).rejects.toThrow(coded('confirmation_needed'));
    const seq = (await store.view()).seq;
    const preview = await call(archive, { older: '2w', dry_run: true });
    expect(preview).toMatchObject({ action: 'preview', total: 1, seq, events: [] });
    expect(ids(preview)).toEqual(['old']);
    expect((await store.view()).seq).toBe(seq);
    const moved = await call(archive, { older: '2w', yes: true });
    expect([moved.action, ids(moved), moved.events]).toEqual([
      'moved',
      ['old'],
      [{ seq: seq + 1, op: 'archive', task_id: 'old' }],
    ]);
    expect(ids(await call(archive, { ids: ['new'] }))).toEqual(['new']); // named: nobody need say yes
    expect(ids(await call(archive, { list: true }))).toEqual(['new', 'old']);
    expect(ids(await call(archive, { list: true, older: '2w' }))).toEqual(['old']);
    expect((await call(archive, { yes: true })).tasks).toEqual([]);
    const lines = readFileSync(path.join(folder, 'archive.jsonl'), 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(['old', 'new']);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ kind: 'task', title: 'Title of old', rev: seq + 1 });
    await expect(call(archive, { list: true, undo: true })).rejects.toThrow(coded('usage'));
    await expect(call(archive, { older: 'long' })).rejects.toThrow(coded('bad_input'));
    await store.close();
  },
);

verifies('graph.archive.move', 'undo takes back the last batch, and then the one before', async () => {
  const { folder, store, put, call } = await place();
  for (const id of ['a', 'b', 'c']) await put(id, { status: 'done' });
  await call(archive, { ids: ['a'] });
  await call(archive, { yes: true });
  expect(ids(await call(archive, { undo: true, dry_run: true }))).toEqual(['b', 'c']);
  expect(ids(await call(archive, { undo: true }))).toEqual(['b', 'c']);
  expect((await store.view()).task('b')?.status).toBe('done');
  expect(readFileSync(path.join(folder, 'archive.jsonl'), 'utf8').trimEnd().split('\n')).toHaveLength(1);
  expect(ids(await call(archive, { undo: true }))).toEqual(['a']);
  expect((await call(archive, { undo: true })).tasks).toEqual([]);
  await store.close();
});

verifies(
  'graph.archive.move',
  'search finds words in any case, and one task comes back, opened if wanted',
  async () => {
    const { store, put, call } = await place();
    for (let number = 0; number < 25; number++) await put(`part-${number}`, { status: 'done', tags: ['Parser'] });
    await put('other', { status: 'abandoned', description: 'the PARSER of dates', assigned: 'x' });
    await call(archive, { yes: true });
    expect(await call(archiveSearch, { query: 'parser' })).toMatchObject({ total: 26 });
    expect((await call(archiveSearch, { query: 'parser' })).tasks).toHaveLength(20);
    expect(ids(await call(archiveSearch, { query: 'dates parser', limit: 5 }))).toEqual(['other']);
    expect((await call(archiveSearch, { query: 'nothing like it' })).tasks).toEqual([]);
    const back = await call(archiveRestore, { ids: ['other', 'part-3'], reopen: true });
    expect(back.tasks.map(({ id, status }) => [id, status])).toEqual([
      ['other', 'open'],
      ['part-3', 'open'],
    ]);
    expect((await store.view()).task('other')?.assigned).toBeUndefined();
    await expect(call(archiveRestore, { ids: ['other'] })).rejects.toThrow(coded('wrong_status'));
    await expect(call(archiveRestore, { ids: ['nobody'] })).rejects.toThrow(coded('unknown_task'));
    await store.close();
  },
);

verifies(
  ['graph.archive.move', 'graph.store.rotate'],
  'archive.jsonl can be made from the log at any time, also a packed one',
  async () => {
    const { folder, store, put, call } = await place();
    const file = path.join(folder, 'archive.jsonl');
    await put('a', { status: 'done', colour: { shade: 'blue' } });
    await call(archive, { yes: true });
    await store.rotate();
    await put('b', { status: 'done' });
    await call(archive, { yes: true });
    const text = readFileSync(file, 'utf8');
    for (const found of [undefined, '', 'no json\n', text.slice(0, text.length - 9), text.replace('Title', 'Other')]) {
      if (found === undefined) rmSync(file);
      else writeFileSync(file, found);
      const tasks = await store.archived({});
      expect(tasks.map(({ id }) => id)).toEqual(['a', 'b']);
      if (found !== text.replace('Title', 'Other')) expect(fieldsOf(tasks[0])['colour']).toEqual({ shade: 'blue' });
      await put(`c${text.length}`, { status: 'done' });
      await call(archive, { yes: true });
      await call(archive, { undo: true });
      await call(gc, { include_done: true });
      expect(existsSync(file)).toBe(true);
      expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toHaveLength(2);
    }
    await store.close();
  },
);

verifies(
  'graph.gc.remove',
  'what ended without success goes; the log keeps it, and restore brings it back',
  async () => {
    const { store, put, call } = await place();
    await put('bad', { status: 'failed', failure_reason: 'no', completed_at: '2026-03-01T09:00:00.000Z' });
    await put('evaluate-bad', { status: 'done', after: ['bad'] });
    await put('good', { status: 'done' });
    expect(ids(await call(gc, { dry_run: true }))).toEqual(['bad', 'evaluate-bad']);
    expect(ids(await call(gc, { older: '1d' }))).toEqual([]);
    const removed = await call(gc);
    expect([removed.action, ids(removed)]).toEqual(['moved', ['bad', 'evaluate-bad']]);
    expect(removed.events).toMatchObject([{ op: 'gc' }]);
    await store.rotate();
    expect(ids(await call(gc, { list: true }))).toEqual(['bad', 'evaluate-bad']);
    expect(ids(await call(archive, { list: true }))).toEqual([]);
    expect(ids(await call(gc, { include_done: true }))).toEqual(['good']);
    await call(archiveRestore, { ids: ['bad'] });
    expect((await store.view()).task('bad')).toMatchObject({ status: 'failed', failure_reason: 'no' });
    expect(ids(await call(gc, { list: true }))).toEqual(['evaluate-bad', 'good']);
    await store.close();
  },
);

verifies('say.suggest', 'many tasks that nobody named are removed after a yes only', async () => {
  const { store, put, call } = await place();
  const many = Array.from({ length: 21 }, (_, index) => `bad-${index}`);
  for (const id of many) await put(id, { status: 'failed', failure_reason: 'no' });
  await expect(call(gc)).rejects.toMatchObject({
    code: 'confirmation_needed',
    message: expect.stringMatching(/^21 tasks would be removed: bad-0, /),
    hint: expect.stringContaining('`troupe gc -y`'),
  });
  expect((await store.view()).task('bad-0')).toBeDefined();
  expect(ids(await call(gc, { dry_run: true }))).toHaveLength(21);
  expect(ids(await call(gc, { ids: ['bad-0'] }))).toEqual(['bad-0']);
  expect(ids(await call(gc))).toHaveLength(20);
  for (const id of many) await put(`${id}-again`, { status: 'failed', failure_reason: 'no' });
  expect(ids(await call(gc, { yes: true }))).toHaveLength(21);
  await store.close();
});

verifies(
  ['graph.archive.move', 'graph.gc.remove'],
  'what is named needs no yes; what excludes one another is refused; rows stand by id',
  async () => {
    const { store, put, call } = await place();
    const many = Array.from({ length: 21 }, (_, index) => `bad-${String(index).padStart(2, '0')}`);
    for (const id of [...many].reverse()) await put(id, { status: 'failed', failure_reason: 'no' });
    for (const input of [
      { list: true, dry_run: true },
      { list: true, ids: ['bad-00'] },
    ])
      await expect(call(gc, input)).rejects.toThrow(coded('usage'));
    for (const input of [
      { list: true, dry_run: true },
      { undo: true, ids: ['bad-00'] },
      { list: true, ids: ['bad-00'] },
    ])
      await expect(call(archive, input)).rejects.toThrow(coded('usage'));
    expect(ids(await call(gc, { dry_run: true }))).toEqual(many);
    expect(ids(await call(gc, { ids: [...many].reverse() }))).toEqual(many);
    expect(ids(await call(gc, { list: true }))).toEqual(many);
    for (const id of ['z', 'a', 'm']) await put(id, { status: 'done' });
    await expect(call(archive)).rejects.toMatchObject({
      message: expect.stringMatching(/^3 tasks would be archived: [amz], [amz], [amz]\.$/),
      details: { count: 3 },
    });
    expect(ids(await call(archive, { ids: ['z', 'a'] }))).toEqual(['a', 'z']);
    expect(await call(archive, { undo: true, dry_run: true })).toMatchObject({
      action: 'preview',
      total: 2,
      events: [],
    });
    expect(ids(await call(archive, { list: true }))).toEqual(['a', 'z']);
    expect(await call(archiveRestore, { ids: ['z', 'a', 'z'] })).toMatchObject({
      ...{
        action: 'restored',
        total: 2,
        tasks: [
          { id: 'a', status: 'done' },
          { id: 'z', status: 'done' },
        ],
      },
    });
    await store.close();
  },
);

verifies(['graph.archive.move', 'graph.gc.remove'], 'a run looks, but moves nothing', async () => {
  const { store, put, call, as } = await place();
  await put('a', { status: 'done' });
  as({ kind: 'run', name: 'agent-1', taskId: 'a', fence: 1 });
  for (const [operation, input] of [
    [archive, { yes: true }],
    [archive, { ids: ['a'] }],
    [archive, { undo: true }],
    [gc, { include_done: true }],
    [archiveRestore, { ids: ['a'] }],
  ] as const) {
    await expect(call<unknown, unknown, unknown>(operation, input)).rejects.toThrow(coded('not_yours'));
  }
  expect((await call(archive, { list: true })).tasks).toEqual([]);
  expect((await store.view()).size).toBe(1);
  await store.close();
});
