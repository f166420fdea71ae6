import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect } from 'vitest';
import { addTask } from '#core/graph/add.js';
import { editTask } from '#core/graph/edit.js';
import type { EventDraft } from '#core/graph/event.js';
import { abandonTask, claimTask, doneTask, failTask, logTask, retryTask, unclaimTask } from '#core/graph/moves.js';
import type { LogEntry } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { LogHistory, mainLine } from '#core/history/log-history.js';
import { TroupeError } from '#kernel/errors.js';
import { NOW } from '../core/graph/graph.js';
import { Branch } from '../core/history/branches.js';
import { mass } from '../mass.js';
import { verifies } from '../verifies.js';

const by = { name: 'ann' };
const id = fc.integer({ min: 0, max: 5 }).map((number) => `t${number}`);
const step = fc.record({
  do: fc.constantFrom(
    'add',
    'tag',
    'untag',
    'title',
    'log',
    'claim',
    'done',
    'fail',
    'retry',
    'abandon',
    'unclaim',
    'remove',
  ),
  id,
  word: fc.constantFrom('red', 'green', 'blue'),
  second: fc.integer({ min: 0, max: 500 }),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
const steps = fc.array(step, { maxLength: 14 });

/** One side takes a tag away and gives it back, the other removes the task. */
const TAG_AND_REMOVAL: [Step[], Step[], Step[]] = [
  [{ do: 'add', id: 't1', word: 'red', second: 0 }],
  [{ do: 'remove', id: 't1', word: 'red', second: 0 }],
  [
    { do: 'untag', id: 't1', word: 'red', second: 0 },
    { do: 'tag', id: 't1', word: 'red', second: 0 },
  ],
];

let messages = 0;

/** What a step wants; a refusal wants nothing. */
function eventsOf(view: GraphView, { do: what, id, word, second }: Step): readonly EventDraft[] {
  const now = NOW + second * 1_000;
  const options = { now, by, reason: word, force: true };
  const plans = {
    add: () => addTask(view, { id, title: `${id} ${word}`, tags: [word] }, { now }),
    tag: () => editTask(view, id, { add_tags: [word] }, options),
    untag: () => editTask(view, id, { remove_tags: [word] }, options),
    title: () => editTask(view, id, { title: word }, options),
    log: () => logTask(view, id, `m${++messages}`, options),
    claim: () => claimTask(view, id, options),
    done: () => doneTask(view, id, options),
    fail: () => failTask(view, id, options),
    retry: () => retryTask(view, id, options),
    abandon: () => abandonTask(view, id, options),
    unclaim: () => unclaimTask(view, id, options),
    remove: () => ({ events: view.task(id) ? [{ op: 'remove', patch: [{ id, del: true as const }] }] : [] }),
  };
  try {
    return plans[what]().events;
  } catch (error) {
    if (error instanceof TroupeError) return [];
    throw error;
  }
}

function walk(branch: Branch, list: readonly Step[]): Branch {
  for (const item of list) {
    const events = eventsOf(branch.state, item);
    if (events.length > 0) branch.append(events, item.second);
  }
  return branch;
}

const logOf = (branch: Branch) =>
  new Set(
    Object.values(branch.nodes()).flatMap((node) => ((node['log'] as LogEntry[]) ?? []).map((entry) => entry.message)),
  );

verifies('graph.store.merge', 'whatever two branches did, together they have lost nothing', () => {
  fc.assert(
    fc.property(steps, steps, steps, (before, ours, theirs) => {
      const base = walk(new Branch(), [...before, { do: 'add', id: 't0', word: 'red', second: 0 }]);
      const [left, right] = [walk(base.fork(), ours), walk(base.fork(), theirs)];
      const both = left.union(right).settle(600);
      const history = new LogHistory(both.entries);
      expect(history.heads).toHaveLength(1);
      const line = mainLine(both.entries);
      expect(line.map((entry) => entry.seq)).toEqual(line.map((_, index) => index + 1));
      expect(both.fork().settle(700).entries).toHaveLength(both.entries.length);

      // A task is gone only where one side removed it and the other left it as it was.
      const [was, mine, other, now] = [base, left, right, both].map((branch) => branch.nodes());
      const present = new Set(Object.keys(now ?? {}));
      const renamed = (both.entries.at(-1)?.detail?.['renamed'] ?? {}) as Record<string, string>;
      for (const [key, node] of [...Object.entries(mine ?? {}), ...Object.entries(other ?? {})]) {
        const removed = !mine?.[key] || !other?.[key];
        const untouched = isDeepStrictEqual(was?.[key], node); // a tag that went and came again is no change
        const goesOn = present.has(key) || present.has(renamed[key] ?? '');
        expect(goesOn || (removed && untouched), JSON.stringify(node)).toBe(true);
      }
      // Every message either side still has is there, but for tasks that are gone.
      const kept = logOf(both);
      for (const side of [mine, other]) {
        for (const [key, node] of Object.entries(side ?? {})) {
          if (!now?.[key]) continue;
          for (const entry of (node['log'] as LogEntry[] | undefined) ?? []) expect(kept).toContain(entry.message);
        }
      }
    }),
    { numRuns: mass(100, 300), examples: [TAG_AND_REMOVAL] },
  );
});

verifies('graph.store.merge', 'merged here and there at once, and then together, both say the same', () => {
  fc.assert(
    fc.property(steps, steps, steps, (before, ours, theirs) => {
      const base = walk(new Branch(), before);
      const [left, right] = [walk(base.fork(), ours), walk(base.fork(), theirs)];
      if (left.entries.length === base.entries.length || right.entries.length === base.entries.length) return;
      const here = left.union(right).settle(600);
      const there = right.union(left).settle(601);
      const together = here.union(there).settle(602);
      expect(new LogHistory(together.entries).heads).toHaveLength(1);
      // Under which id a task goes on may differ: each side kept its own of two that were new. That it goes on may not.
      const titles = new Set(Object.values(together.nodes()).map((node) => node['title']));
      for (const node of Object.values(here.nodes())) expect(titles).toContain(node['title']);
      const kept = logOf(together);
      for (const message of logOf(here)) expect(kept).toContain(message);
    }),
    { numRuns: mass(80, 200) },
  );
});
