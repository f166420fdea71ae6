import fc from 'fast-check';
import { expect } from 'vitest';
import { STATUSES } from '#core/graph/task.js';
import type { ImportedTask } from '#core/imports/imported-task.js';
import { importTasks } from '#core/imports/plan.js';
import { commit, graphOf } from '../core/graph/graph.js';
import { OPTIONS, parsedFrom, record, tasksOf } from '../core/imports/records.js';
import { mass } from '../mass.js';
import { verifies } from '../verifies.js';

const RUNS = mass(100, 5_000);
const KEYS = ['a', 'b', 'c', 'd', 'e', 'f'];
const key = fc.constantFrom(...KEYS, 'elsewhere');

/** Records of any tracker, of which each may wait for, or be nested in, any other. */
const records = fc
  .uniqueArray(
    fc.record({
      key: fc.constantFrom(...KEYS),
      title: fc.constantFrom('Write', 'Read', 'Überall', '…'),
      wish: fc.constantFrom('', 'x', 'x-2', '../y'),
      status: fc.constantFrom(...STATUSES.filter((status) => status !== 'in-progress' && status !== 'waiting')),
      after: fc.uniqueArray(key, { maxLength: 4 }),
      parent: fc.option(key, { nil: undefined }),
      labels: fc.uniqueArray(fc.constantFrom('label:one', 'label:two'), { maxLength: 2 }),
    }),
    { selector: (fields) => fields.key, maxLength: KEYS.length },
  )
  .map((list) => list.map((fields): ImportedTask => record(fields.key, fields)));

const graph = () => graphOf({ id: 'x' }, { id: 'write' });
const run = (tasks: readonly ImportedTask[], state = graph()) => {
  const plan = importTasks(state, { tasks, broken: [], left: [] }, { ...OPTIONS, tracker: 'beads', open: true });
  return { state, result: commit(state, plan) };
};

verifies('import.order', 'records in any order become the same tasks', () => {
  const inTwoOrders = records.chain((list) =>
    fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
  );
  fc.assert(
    fc.property(inTwoOrders, ([one, other]) => {
      const [left, right] = [run(one), run(other)];
      expect(right.result).toEqual(left.result);
      expect(tasksOf(right.state)).toEqual(tasksOf(left.state));
    }),
    { numRuns: RUNS },
  );
});

verifies('import.again', 'importing twice is importing once, and importing a part first is importing all', () => {
  fc.assert(
    fc.property(records, fc.nat({ max: KEYS.length }), (list, count) => {
      const whole = run(list);
      const before = tasksOf(whole.state);
      expect(run(list, whole.state).result).toMatchObject({ tasks: [], changed: [], present: list.length });
      expect(tasksOf(whole.state)).toEqual(before);
      const inParts = run(list.slice(0, count));
      const { result } = run(list, inParts.state);
      expect(result.changed).toEqual([]);
      expect(Object.keys(tasksOf(inParts.state))).toHaveLength(Object.keys(before).length);
    }),
    { numRuns: RUNS },
  );
});

verifies('import.nested', 'nesting closes no cycle that the tracker does not state', () => {
  fc.assert(
    fc.property(records, (list) => {
      const stated = run(list.map(({ parent: _, ...task }) => task)).state;
      const nested = run(list).state;
      // The headers of nested cycles may differ: only which tasks wait for one another counts.
      const members = (state: typeof nested, id: string) =>
        new Set(state.cyclesOf(id).flatMap((cycle) => cycle.members));
      for (const id of Object.keys(tasksOf(nested))) expect(members(nested, id)).toEqual(members(stated, id));
      for (const [id, { after = [] }] of Object.entries(tasksOf(stated)))
        expect(nested.task(id)?.after ?? []).toEqual(expect.arrayContaining([...after]));
    }),
    { numRuns: RUNS },
  );
});

verifies('import.bounds', 'any text is imported or refused with a reason, in each format', () => {
  const piece = fc.constantFrom(
    ...[
      '{',
      '}',
      '[',
      ']',
      '"id":"a"',
      '"title":"x"',
      ',',
      '\n',
      '- [ ] a',
      '  ',
      '1. [x] b',
      '# H',
      '```',
      '\r\n',
      '\ufeff',
    ],
    ...[
      '"priority":1',
      '"number":3',
      '"tasks":',
      '"__proto__":',
      '\0',
      '\ud800',
      '"kind":"task"',
      '"status":"open"',
      ':',
      '#',
    ],
  );
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(piece, { maxLength: 30 }).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(text, fc.constantFrom('beads', 'task-master', 'checklist', 'github', 'workgraph'), (words, tracker) => {
      const { tasks, broken } = parsedFrom(words, tracker);
      const plan = importTasks(graph(), { tasks, broken, left: [] }, { ...OPTIONS, tracker, skipBroken: true });
      expect(plan.events).toHaveLength(plan.result.tasks.length);
      expect(JSON.stringify(plan.events)).not.toMatch(/\\u0000|__proto__":|\\ud800/);
    }),
    { numRuns: RUNS },
  );
});
