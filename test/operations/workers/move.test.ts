import { expect } from 'vitest';
import { TroupeError } from '#kernel/errors.js';
import { move } from '#operations/workers/move.js';
import type { KeptRow } from '#ports/storage.js';
import { verifies } from '../../verifies.js';
import { KeptInMemory, moving, refused } from './kept-in-memory.js';

const LINES = ['{"seq":1}', '{"seq":2}'];
const row = (values: KeptRow['values'], table = 'messages'): KeptRow => ({ table, values });
const ROWS = [row({ id: 'm1', at: 5, body: new Uint8Array([1, 2]) }), row({ id: 'm2', at: null })];
const NAMED = { key: ['database', 'project'] };
const set = (value?: string) => `set ${JSON.stringify([{ ...NAMED, ...(value === undefined ? {} : { value }) }])}`;
const choose = (project: string, address: string) => `choose ${JSON.stringify({ project, address })}`;

verifies('fleet.db', 'files are left when the database holds the same; then the settings name it', async () => {
  const done: string[] = [];
  const files = new KeptInMemory('the files', done, 'in-use', LINES, [...ROWS]);
  for (const state of ['none', 'empty', 'retired'] as const) {
    done.length = 0;
    const far = new KeptInMemory('far', done, state);
    const { context } = moving({ done, files, databases: { 'postgresql://far': far } });
    expect(await move.run(context, { to: 'postgresql://far', project: 'shop' })).toEqual({
      ...{ from: 'the files', to: 'far', entries: 2, rows: 2 },
    });
    expect(done).toEqual([
      ...['hold the files', 'prepare far', 'receive far'],
      ...[choose('shop', 'postgresql://far'), set('shop'), 'retire the files', 'release the files'],
    ]);
    expect([far.lines, far.rows]).toEqual([LINES, ROWS]);
  }
  expect([files.held?.seize, files.held?.stopWaiting()]).toEqual([false, true]);
});

verifies('fleet.db', 'a database is retired before the settings name the files or another one', async () => {
  const done: string[] = [];
  const chosen = { project: 'shop', address: 'postgresql://near' };
  const near = new KeptInMemory('near', done, 'in-use', LINES, [...ROWS]);
  const files = new KeptInMemory('the files', done, 'none');
  const far = new KeptInMemory('far', done, 'none');
  const databases = { 'postgresql://near': near, 'postgresql://far': far };
  const { context, asked } = moving({ done, named: 'shop', chosen, files, databases });
  expect(await move.run(context, { to: 'files' })).toEqual({ from: 'near', to: 'the files', entries: 2, rows: 2 });
  expect(done).toEqual([
    ...['hold near', 'prepare the files', 'receive the files', 'retire near', set(), 'forget', 'release near'],
  ]);
  expect(asked).toEqual([chosen]);
  done.length = 0;
  expect(await move.run(context, { to: 'postgresql://far' })).toMatchObject({ from: 'near', to: 'far' });
  expect(done).toEqual([
    ...['hold near', 'prepare far', 'receive far', 'retire near'],
    ...[choose('shop', 'postgresql://far'), set('shop'), 'release near'],
  ]);
  done.length = 0;
  await move.run(context, { to: 'postgresql://far', project: 'market' });
  expect(done, 'under another name').toContain(choose('market', 'postgresql://far'));
  for (const [options, code] of [
    [{ done, files }, 'not_in_database'],
    [{ done, named: 'shop', files }, 'database_not_chosen'],
    [{ done, named: 'shop', chosen: { project: 'other' }, files }, 'database_not_chosen'],
  ] as const)
    expect(await refused(move.run(moving(options).context, { to: 'files' }))).toMatchObject({ code });
});

verifies(
  'fleet.db',
  'a project that moves into a database is named after its folder, unless it has a name',
  async () => {
    const done: string[] = [];
    const files = new KeptInMemory('the files', done, 'in-use', LINES);
    const databases = { 'postgresql://far': new KeptInMemory('far', done, 'none') };
    const { context, asked } = moving({ done, files, databases });
    await move.run(context, { to: 'postgresql://far' });
    expect(asked).toEqual([{ project: 'my_shop', address: 'postgresql://far' }]);
    expect(await refused(move.run(context, { to: 'postgresql://far', project: 'My Shop' }))).toMatchObject({
      code: 'bad_input',
    });
  },
);

verifies('fleet.db', 'what is there already is another project unless it holds exactly the same', async () => {
  const onto = async (lines: readonly string[], rows: KeptRow[]) => {
    const done: string[] = [];
    const files = new KeptInMemory('the files', done, 'in-use', LINES, [...ROWS]);
    const far = new KeptInMemory('far', done, 'in-use', lines, rows);
    const work = move.run(moving({ done, files, databases: { far } }).context, { to: 'far', project: 'shop' });
    const refusal = (await refused(work)) as { code?: string };
    return [refusal.code ?? refusal, ...done];
  };
  const arrived = [choose('shop', 'far'), set('shop'), 'retire the files'];
  const otherOrder = [row({ body: new Uint8Array([1, 2]), at: 5, id: 'm1' }), row({ at: null, id: 'm2' })];
  expect(await onto(LINES, otherOrder)).toEqual([
    ...['accepted', 'hold the files', 'hold far', 'release far', ...arrived, 'release the files'],
  ]);
  const [first = row({}), second = row({})] = ROWS;
  for (const [lines, rows] of [
    [LINES.slice(1), ROWS],
    [[...LINES, '{"seq":3}'], ROWS],
    [[...LINES].reverse(), ROWS],
    [LINES, [first]],
    [LINES, [second, first]],
    [LINES, [first, row({ id: 'm2', at: 0 })]],
    [LINES, [first, row({ id: 'm2', au: null })]],
    [LINES, [first, row({ ...second.values }, 'teams')]],
    [LINES, [row({ ...first.values, body: new Uint8Array([1, 3]) }), second]],
  ] as const)
    expect(await onto(lines, [...rows])).toEqual(['store_not_empty', 'hold the files', 'release the files']);
});

verifies('fleet.db', 'a project that moves to where it is stays there: the place is held already', async () => {
  const done: string[] = [];
  const here = new KeptInMemory('near', done, 'in-use', LINES, [...ROWS]);
  const again = new KeptInMemory('near', done, 'in-use', LINES, [...ROWS]);
  again.refusesHold = new TroupeError('locked');
  const chosen = { project: 'shop', address: 'postgresql://localhost' };
  const databases = { 'postgresql://localhost': here, 'postgresql://127.0.0.1': again };
  const { context } = moving({ done, named: 'shop', chosen, databases });
  const onto = () => move.run(context, { to: 'postgresql://127.0.0.1' });
  expect(await refused(onto())).toMatchObject({
    ...{ code: 'store_not_empty', message: 'The project is kept in near already: nothing was changed.' },
  });
  expect(done).toEqual(['hold near', 'release near']);
  again.refusesHold = new TroupeError('database_away');
  expect(await refused(onto())).toMatchObject({ code: 'database_away' });
});

verifies('fleet.db', 'a place that does not hold what it received is not moved to', async () => {
  const done: string[] = [];
  const files = new KeptInMemory('the files', done, 'in-use', LINES);
  const far = new KeptInMemory('far', done, 'none');
  far.forgetful = true;
  const { context } = moving({ done, files, databases: { far } });
  expect(await refused(move.run(context, { to: 'far' }))).toMatchObject({
    ...{ code: 'internal', message: 'far does not hold what the files does: nothing was changed.' },
  });
  expect(done).toEqual(['hold the files', 'prepare far', 'receive far', 'release the files']);
});

verifies('fleet.db', 'a move that ended after the old place was retired goes on where it ended', async () => {
  const done: string[] = [];
  const near = new KeptInMemory('near', done, 'retired', LINES, [...ROWS]);
  const chosen = { project: 'shop', address: 'near' };
  const onto = async (files: KeptInMemory) => {
    done.length = 0;
    const { context } = moving({ done, named: 'shop', chosen, files, databases: { near } });
    return await move.run(context, { to: 'files' });
  };
  expect(await onto(new KeptInMemory('the files', done, 'in-use', LINES, [...ROWS]))).toEqual({
    ...{ from: 'near', to: 'the files', entries: 2, rows: 2 },
  });
  expect(done).toEqual([set(), 'forget']);
  for (const state of ['none', 'empty', 'retired'] as const)
    expect(await refused(onto(new KeptInMemory('the files', done, state, LINES, [...ROWS])))).toMatchObject({
      code: 'storage_retired',
    });
  expect(await refused(onto(new KeptInMemory('the files', done, 'in-use', LINES)))).toMatchObject({
    ...{ code: 'store_not_empty', message: 'There is another project in the files already: nothing was changed.' },
  });
  expect(done).toEqual([]);
});

verifies('fleet.db', 'nothing moves while a run is under way, here or at a worker', async () => {
  const done: string[] = [];
  const files = new KeptInMemory('the files', done, 'in-use', LINES);
  const far = new KeptInMemory('far', done, 'none');
  const go = () => move.run(moving({ done, files, databases: { far } }).context, { to: 'far' });
  const { add } = files.own;
  const runs = Array.from({ length: 11 }, (_, index) => `task-${index + 10}`);
  for (const [index, id] of runs.entries())
    await add(id, { status: 'in-progress', assigned: `agent-${index + 1}`, fence: 1 });
  const busy = (await refused(go())) as { code: string; details: { tasks: string[]; runs: string[] } };
  expect(busy).toMatchObject({ code: 'runs_at_work', details: { runs: [] } });
  expect(busy.details.tasks).toHaveLength(10);
  expect([...new Set([...runs, ...busy.details.tasks])], 'no other').toEqual(runs);
  for (const id of runs) await files.own.set(id, { status: 'done' });
  await add('by-hand', { status: 'in-progress', assigned: 'ann', fence: 1 });
  await add('of-nobody', { status: 'in-progress' });
  await add('over', { status: 'failed', assigned: 'agent-20', fence: 1 });
  files.elsewhere = Array.from({ length: 11 }, (_, index) => `agent-${index + 1}`);
  expect(await refused(go())).toMatchObject({ details: { tasks: [], runs: files.elsewhere.slice(0, 10) } });
  expect(done).toEqual(['hold the files', 'release the files', 'hold the files', 'release the files']);
  files.elsewhere = [];
  expect(await refused(go())).toBe('accepted');
});

verifies('fleet.db', 'a graph that another process holds is not moved', async () => {
  const done: string[] = [];
  const files = new KeptInMemory('the files', done, 'in-use', LINES);
  const { context } = moving({ done, files, databases: { far: new KeptInMemory('far', done, 'none') } });
  const go = () => move.run(context, { to: 'far' });
  files.refusesHold = new TroupeError('locked', { what: 'pid 12 holds it.', details: { pid: 12 } });
  expect(await go().catch((error) => error)).toMatchObject({
    ...{ code: 'locked', message: 'pid 12 holds it.', details: { pid: 12 } },
    hint: expect.stringContaining('troupe service stop'),
  });
  files.refusesHold = new TroupeError('corrupt');
  expect(await go().catch((error) => error)).toBe(files.refusesHold);
  expect(done).toEqual([]);
});
