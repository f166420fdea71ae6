import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { addTask } from '#core/graph/add.js';
import { logTask } from '#core/graph/moves.js';
import { TaskTable } from '#core/graph/task-table.js';
import { graphLayout } from '#kernel/graph-folder.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { verifies } from '../../verifies.js';
import { by, clock, graphPlace } from './graph-place.js';

test('a small change of a large graph with a long log writes the log and no snapshot', async () => {
  const { commit, graph, view } = graphPlace();
  const count = WORK_LIMITS.snapshotNodesAtOnce + 1;
  const description = 'x'.repeat(Math.ceil(WORK_LIMITS.snapshotTailBytes / count));
  await commit((seen) => {
    const one = (number: number) =>
      addTask(seen, { title: `Task ${number}`, id: `t-${number}`, description }, { now: clock.now() }).events;
    return { events: Array.from({ length: count }, (_, number) => one(number)).flat(), result: undefined };
  });
  const written = statSync(graph, { bigint: true }).mtimeNs;
  await commit((seen) => logTask(seen, 't-5', 'hello', { now: clock.now(), by }));
  await commit((seen) => addTask(seen, { title: 'More', after: ['t-5'] }, { now: clock.now() }));
  expect(statSync(graph, { bigint: true }).mtimeNs).toBe(written);
  const seen = await view();
  expect(seen.task('t-5')?.log?.at(-1)?.message).toBe('hello');
  expect(seen.dependents('t-5')).toEqual(['more']);
});

verifies(
  'graph.store.load',
  'walks over a large graph read no line of it but those of tasks they look at',
  async () => {
    const { commit, folder, graph, view } = graphPlace();
    const paths = graphLayout(folder);
    const count = WORK_LIMITS.snapshotNodesAtOnce + 1;
    const id = (number: number) => `t-${String(number).padStart(5, '0')}`;
    await commit((seen) => {
      const one = (number: number) => {
        const after = number === 0 ? [] : [id(number - 1)];
        return addTask(seen, { title: `Täsk ${number}`, id: id(number), after }, { now: clock.now() }).events;
      };
      return { events: Array.from({ length: count }, (_, number) => one(number)).flat(), result: undefined };
    });
    const text = readFileSync(graph, 'utf8');
    const looks = async () => {
      const seen = await view();
      const table = new TaskTable(seen);
      return {
        ...{ size: seen.size, free: [...seen.candidates()], open: seen.count('open'), done: seen.count('done') },
        ...{ task: seen.task(id(7)), none: seen.task('t-7'), dependents: seen.dependents(id(6)) },
        ...{ used: seen.wasUsed(id(7)), iterates: seen.mayIterate(), loop: table.hasLoop() },
        last: table.stepsAhead([count - 1])[count - 1],
      };
    };
    const before = await looks();
    expect(before).toMatchObject({ size: count, free: [id(0)], open: count, dependents: [id(7)], last: count - 1 });

    // Every other line is no JSON any more, and the mark takes the file for ours all the same.
    const lines = text.split('\n').map((line) => (/"id":"t-0000[07]"/.test(line) ? line : line.replace('{', '#')));
    writeFileSync(graph, lines.join('\n'));
    const mark = JSON.parse(readFileSync(paths.mark, 'utf8'));
    mark.current.graph_mtime = String(statSync(graph, { bigint: true }).mtimeNs);
    writeFileSync(paths.mark, JSON.stringify(mark));
    expect(await looks()).toEqual(before);
  },
);

test('an outline that is of another snapshot, cut off or gone is told by the lines', async () => {
  const { commit, folder, view } = graphPlace();
  const { outline } = graphLayout(folder);
  const count = WORK_LIMITS.snapshotNodesAtOnce + 1;
  const add = (number: number) =>
    commit((seen) => {
      const one = (at: number) => addTask(seen, { title: `Task ${at}` }, { now: clock.now() }).events;
      return { events: Array.from({ length: number }, (_, at) => one(at)).flat(), result: undefined };
    });
  await add(1);
  expect(statSync(outline, { throwIfNoEntry: false }), 'a small graph has none').toBeUndefined();
  await add(count);
  const kept = readFileSync(outline, 'utf8');
  expect(statSync(outline).mode & 0o777).toBe(0o600);
  const told = async () => [...(await view()).outlines()].map(({ id }) => id).sort();
  const all = await told();
  expect(all).toHaveLength(count + 1);
  const wrong = kept.replace('"task-7"', '"task-x"');
  writeFileSync(outline, wrong);
  expect(await told(), 'it is what is read').not.toEqual(all);
  const others = [
    wrong.replace(/"graph_sha256":"./, '"graph_sha256":"x'),
    wrong.replace('"format":"1 ', '"format":"2 '),
    ...[wrong.slice(0, -9), '', '{}', '7'],
  ];
  for (const text of others) {
    writeFileSync(outline, text);
    expect(await told(), text.slice(0, 40)).toEqual(all);
  }
  rmSync(outline);
  expect(await told()).toEqual(all);
});
