import fc from 'fast-check';
import { expect } from 'vitest';
import type { Entry } from '#core/graph/event.js';
import { GraphState } from '#core/graph/state.js';
import type { Task } from '#core/graph/task.js';
import { exportTrace } from '#core/history/export-trace.js';
import type { JsonObject } from '#kernel/json.js';
import { verifies } from '../verifies.js';

const AT = '2026-03-21T10:00:00.000Z';
const ZONES = ['internal', 'peer', 'public', undefined] as const;
/** Every text of a task carries its mark, so that a leak of anything is seen as a leak of the mark. */
const mark = (index: number) => `m4rk-${index}-z`;

const words = fc.array(fc.constantFrom(' see ', '/', ' (', ') ', '. ', '"', ', ', ' ~ '), {
  minLength: 1,
  maxLength: 3,
});
const spec = fc.record({
  visibility: fc.constantFrom(...ZONES),
  names: fc.array(fc.nat(7), { maxLength: 4 }),
  words,
  nested: fc.boolean(),
});

function taskOf(index: number, given: typeof spec extends fc.Arbitrary<infer Value> ? Value : never): Task {
  const id = mark(index);
  const others = given.names.map(mark);
  /** The task's own words, and mentions of others between them. */
  const prose = `${id}${others.map((other, at) => `${given.words[at % given.words.length]}${other}`).join('')}`;
  return {
    kind: 'task',
    id,
    title: prose,
    status: 'open',
    ...(given.visibility === undefined ? {} : { visibility: given.visibility }),
    description: prose,
    assigned: id,
    after: others,
    before: others,
    after_success: others,
    requires: others,
    tags: [prose, ...others],
    skills: [prose],
    inputs: [`in/${id}`],
    deliverables: [`out/${id}`, ...others.map((other) => `out/${other}/x.md`)],
    artifacts: [`/abs/${id}`, ...others.map((other) => `${other}.md`)],
    exec: id,
    log: [{ timestamp: AT, message: prose }],
    created_at: given.nested ? id : AT,
    agent: id,
    cycle_config: {
      max_iterations: 3,
      ...(others[0] === undefined ? {} : { guard: { TaskStatus: { task: others[0], status: 'done' } } }),
    },
    superseded_by: others,
    place_near: others,
    created_by: id,
    [id]: id,
    unheard_of: { [id]: others },
  } as Task;
}

verifies(
  ['graph.trace.no-leak', 'graph.zone'],
  'whatever tasks say of one another, nothing of one outside the zone is in the file',
  () => {
    fc.assert(
      fc.property(
        fc.array(spec, { minLength: 1, maxLength: 8 }),
        fc.constantFrom('peer' as const, 'public' as const),
        fc.option(fc.nat(7), { nil: undefined }),
        (specs, zone, rootIndex) => {
          const tasks = specs.map((given, index) => taskOf(index, given));
          const state = new GraphState();
          const entries: Entry[] = tasks.flatMap((task, index): Entry[] => [
            {
              seq: 2 * index + 1,
              id: 'x',
              timestamp: AT,
              op: 'add_task',
              task_id: task.id,
              actor: task.id,
              patch: [{ id: task.id, put: task as never }],
            },
            {
              seq: 2 * index + 2,
              id: 'y',
              timestamp: AT,
              op: 'done',
              task_id: task.id,
              actor: 'agent-1',
              detail: { [task.id]: task.id },
              patch: tasks.map((other) => ({ id: other.id, set: { x: task.id } })),
            },
          ]);
          for (const entry of entries) if (entry.op === 'add_task') state.apply(entry);
          const records = tasks.map(
            (task): JsonObject => ({
              id: `e-${task.id}`,
              task_id: task.id,
              score: 1,
              source: `by ${tasks.map((other) => other.id).join(' ')}`,
              dimensions: { [task.id]: 1 },
              notes: task.id,
            }),
          );
          const functions = tasks.map(
            (task): JsonObject => ({
              id: 'f',
              visibility: 'public',
              extracted_from: tasks.map((other) => ({ task_id: other.id, run_id: other.id })),
              description: task.title,
              memory: task.title,
              [task.id]: task.id,
            }),
          );
          const root = rootIndex === undefined ? undefined : tasks[rootIndex];
          const trace = exportTrace({
            view: state,
            entries,
            evaluations: records,
            functions,
            zone,
            root,
            exportedAt: AT,
            source: mark(0),
          });
          const text = JSON.stringify(trace);
          const kept = new Set(trace.tasks.map((task) => task['id']));
          for (const [index, given] of specs.entries()) {
            const inZone = given.visibility === 'public' || (zone === 'peer' && given.visibility === 'peer');
            if (!inZone) expect(kept.has(mark(index))).toBe(false);
            else if (root === undefined) expect(kept.has(mark(index))).toBe(true);
            if (!kept.has(mark(index))) expect(text).not.toContain(mark(index));
          }
        },
      ),
      { numRuns: 300 },
    );
  },
);
