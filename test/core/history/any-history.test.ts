import path from 'node:path';
import { expect, test } from 'vitest';
import type { Entry } from '#core/graph/event.js';
import { isTask } from '#core/graph/task.js';
import { forArchive, forRemoval, lastBatch, removeTasks, restoreTasks } from '#core/history/departures.js';
import { pickForReplay } from '#core/history/replay.js';
import { advance, type PlayerKey, press, startPlayer } from '#core/history/replay-player.js';
import { operationOf, tasksOfRuns, totalsOf, treeOf } from '#core/history/task-history.js';
import { watchEvent } from '#core/history/watch-event.js';
import { TroupeError } from '#kernel/errors.js';
import { anyTasks } from '../graph/any-tasks.js';
import { commit, graphOf, NOW } from '../graph/graph.js';

const golden = (name: string) => path.join(import.meta.dirname, `golden/${name}.txt`);
const DAY = 86_400_000;

const said = (work: () => unknown): string => {
  try {
    return JSON.stringify(work(), (_key, value) => (value instanceof Map ? [...value] : value)).replaceAll('"', '');
  } catch (error) {
    if (!(error instanceof TroupeError)) throw error;
    return `${error.code}: ${error.message}`;
  }
};
const idsOf = (tasks: readonly { readonly id: string }[]) => tasks.map(({ id }) => id).join(' ');

test('what may leave graphs of any shape, how it leaves and comes back, and what is done again', async () => {
  const lines = Array.from({ length: 24 }, (_, seed) => {
    const tasks = [
      ...anyTasks(seed + 100),
      { id: '.evaluate-t0a', status: seed % 2 === 0 ? ('done' as const) : ('open' as const), after: ['t0a'] },
    ];
    const view = graphOf(...tasks);
    const [one = '', other = ''] = tasks.map(({ id }) => id).slice(seed % 3);
    const scores = new Map(tasks.map(({ id }, at) => [id, ((at * 37) % 100) / 100]));
    const wishes = { endedBefore: NOW - 40 * DAY, ids: [one, other] };
    const removal = forRemoval(view, { includeDone: true });
    const told = [
      `== ${tasks.map(({ id, status, after = [] }) => `${id} ${status}${after.length > 0 ? ` after ${after.join('+')}` : ''}`).join(', ')}`,
      `archive ${said(() => idsOf(forArchive(view, {})))} | old ${said(() => idsOf(forArchive(view, { endedBefore: wishes.endedBefore })))} | ${one} ${said(() => idsOf(forArchive(view, { ids: [one] })))} | both ${said(() => idsOf(forArchive(view, wishes)))}`,
      `remove ${said(() => idsOf(forRemoval(view, { includeDone: false })))} | all ${idsOf(removal)} | ${other} ${said(() => idsOf(forRemoval(view, { includeDone: true, ids: [other] })))}`,
      ...[
        { keep_done: 0.5 },
        { failed_only: true, keep_done: 1 },
        { below_score: 0.6, keep_done: 0.8 },
        { tasks: [one], keep_done: 0.3 },
        { subgraph: one, keep_done: 0.9 },
      ].map((filter) => `again ${said(() => filter)} ${said(() => pickForReplay(view, filter as never, scores))}`),
    ];
    const archived = forArchive(view, {});
    if (archived.length === 0) return told;
    const plan = removeTasks(archived, 'archive', 'ann');
    told.push(`events ${said(() => plan.events.map(({ patch, ...rest }) => [rest, patch.length]))}`);
    commit(view, plan);
    commit(view, removeTasks(forRemoval(view, { includeDone: true }), 'gc', 'ann'));
    told.push(
      `away ${said(() => lastBatch(view, 'archive').map(({ id }) => id))} | ${said(() => lastBatch(view, 'gc').map(({ id }) => id))}`,
      `back ${said(() =>
        restoreTasks(
          view,
          archived.map((task) => ({ ...task, rev: view.departed(task.id)?.seq ?? 0 })),
          {
            ...{ now: NOW, by: 'ann', reopen: seed % 2 === 0 },
          },
        ).events.map(({ op, task_id: id, patch }) => [op, id, patch]),
      )}`,
    );
    return told;
  });
  await expect(`${lines.flat().join('\n')}\n`).toMatchFileSnapshot(golden('any-departures'));
});

test('what grew of a task, how long it took, and what is told of each event', async () => {
  const lines = Array.from({ length: 8 }, (_, seed) => {
    const tasks = anyTasks(seed + 200).map((task, at) => ({
      ...task,
      ...(at % 3 === 1 ? { parent: 't0a' } : {}),
      ...(at % 4 === 2 ? { created_by: 'agent-1' } : {}),
    }));
    const view = graphOf(...tasks);
    const [root] = [...view.nodes()].filter(isTask);
    if (!root) return [];
    const event = (
      seq: number,
      op: string,
      task_id: string | undefined,
      actor: string,
      patch: object[],
      detail?: object,
    ) =>
      ({
        seq,
        op,
        id: `e${seq}`,
        timestamp: new Date(NOW + seq).toISOString(),
        actor,
        patch,
        ...(task_id === undefined ? {} : { task_id }),
        ...(detail ? { detail } : {}),
      }) as Entry;
    const entries = [
      event(1, 'add_task', root.id, 'ann', [
        { id: root.id, put: { kind: 'task', title: 'T', status: 'open', after: [] } },
      ]),
      event(2, 'add_task', root.id, 'ann', [{ id: root.id, put: { kind: 'task' } }]),
      event(3, 'spawn_agent', root.id, 'agent-1', [{ id: root.id, set: { status: 'in-progress', fence: 1 } }], {
        run: 'agent-9',
      }),
      event(4, 'spawn_agent', root.id, 'agent-1', []),
      event(5, 'edit', undefined, 'ann', [
        { id: root.id, set: { a: 1 } },
        { id: 'x', set: {} },
        { id: root.id, unset: ['b'] },
      ]),
      event(6, 'edit', root.id, 'ann', [
        {
          id: root.id,
          set: { z: 1, a: 2 },
          unset: ['m'],
          log: [
            { timestamp: '', message: 'first' },
            { timestamp: '', message: 'last' },
          ],
        },
      ]),
      event(7, 'gc', root.id, 'coordinator', [{ id: root.id, del: true }]),
      event(8, 'note', 'other', 'ann', []),
      event(9, 'note', undefined, 'ann', []),
    ];
    const tree = treeOf(view, root, tasksOfRuns(entries));
    return [
      `== ${tasks.map(({ id, after = [] }) => `${id}<${after.join('+')}`).join(' ')}`,
      tree
        .map(({ task, depth, link, above }) => `${'.'.repeat(depth)}${task.id} ${link ?? 'root'} of ${above ?? '-'}`)
        .join(' | '),
      said(() => totalsOf(tree, entries)),
      ...(seed === 0
        ? entries.flatMap((entry) => [said(() => watchEvent(entry)), `  ${said(() => operationOf(entry, root.id))}`])
        : []),
    ];
  });
  await expect(`${lines.flat().join('\n')}\n`).toMatchFileSnapshot(golden('any-trees'));
});

test('each key of a player, at each place, and the time of each frame', () => {
  const keys: PlayerKey[] = ['pause', 'back', 'forward', 'first', 'last', 'faster', 'slower', 'quit'];
  const told = [1, 2, 3].flatMap((count) =>
    Array.from({ length: count }, (_, at) => at).flatMap((at) =>
      [true, false].flatMap((playing) => {
        const player = { ...startPlayer(count, 1), at, playing };
        const short = ({ at: place, playing: plays, speed, ended }: typeof player) =>
          `${place}${plays ? '>' : '='}${speed}${ended ? '!' : ''}`;
        return [
          `${short(player)} of ${count}: ${[...keys.map((key) => short(press(player, key))), short(advance(player))].join(' ')}`,
        ];
      }),
    ),
  );
  expect([...told, ...[0, 1, 2].map((count) => startPlayer(count, 2).playing)]).toMatchInlineSnapshot(`
    [
      "0>1 of 1: 0=1 0=1 0=1 0=1 0=1 0>2 0>0.5 0=1! 0=1",
      "0=1 of 1: 0=1 0=1 0=1 0=1 0=1 0=2 0=0.5 0=1! 0=1",
      "0>1 of 2: 0=1 0=1 1=1 0=1 1=1 0>2 0>0.5 0=1! 1=1",
      "0=1 of 2: 0>1 0=1 1=1 0=1 1=1 0=2 0=0.5 0=1! 0=1",
      "1>1 of 2: 1=1 0=1 1=1 0=1 1=1 1>2 1>0.5 1=1! 1=1",
      "1=1 of 2: 0>1 0=1 1=1 0=1 1=1 1=2 1=0.5 1=1! 1=1",
      "0>1 of 3: 0=1 0=1 1=1 0=1 2=1 0>2 0>0.5 0=1! 1>1",
      "0=1 of 3: 0>1 0=1 1=1 0=1 2=1 0=2 0=0.5 0=1! 0=1",
      "1>1 of 3: 1=1 0=1 2=1 0=1 2=1 1>2 1>0.5 1=1! 2=1",
      "1=1 of 3: 1>1 0=1 2=1 0=1 2=1 1=2 1=0.5 1=1! 1=1",
      "2>1 of 3: 2=1 1=1 2=1 0=1 2=1 2>2 2>0.5 2=1! 2=1",
      "2=1 of 3: 0>1 1=1 2=1 0=1 2=1 2=2 2=0.5 2=1! 2=1",
      false,
      false,
      true,
    ]
  `);
});
