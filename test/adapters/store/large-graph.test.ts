import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { addTask } from '#core/graph/add.js';
import { logTask } from '#core/graph/moves.js';
import { LIMITS } from '#kernel/limits.js';
import { by, clock, graphPlace } from './graph-place.js';

test('a small change of a large graph with a long log writes the log and no snapshot', async () => {
  const { commit, graph, view } = graphPlace();
  const count = LIMITS.snapshotNodesAtOnce + 1;
  const description = 'x'.repeat(Math.ceil(LIMITS.snapshotTailBytes / count));
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
