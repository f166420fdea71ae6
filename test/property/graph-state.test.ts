import fc from 'fast-check';
import { expect } from 'vitest';
import { addTask } from '#core/graph/add.js';
import { withConsequences } from '#core/graph/consequences.js';
import { findCycles } from '#core/graph/cycles.js';
import { editTask } from '#core/graph/edit.js';
import { toEntries } from '#core/graph/entries.js';
import type { Entry, Plan } from '#core/graph/event.js';
import { graphText, parseGraph } from '#core/graph/line.js';
import {
  abandonTask,
  blockTask,
  claimTask,
  doneTask,
  failTask,
  logTask,
  reopenTask,
  retryTask,
  unclaimTask,
} from '#core/graph/moves.js';
import { pauseTask, resumeTask } from '#core/graph/pause.js';
import { readiness } from '#core/graph/ready.js';
import { approveTask, rejectTask } from '#core/graph/review.js';
import { GraphState } from '#core/graph/state.js';
import { isTask, STATUSES, type Task } from '#core/graph/task.js';
import { parseWait, waitTask } from '#core/graph/wait.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { mass } from '../mass.js';
import { verifies } from '../verifies.js';

const START = Date.parse('2026-03-21T10:00:00.000Z');
const by = { name: 'ann' };
const id = fc.integer({ min: 0, max: 9 }).map((number) => `t${number}`);
const ids = fc.array(id, { maxLength: 3 });
/** Also times to come: a clock that was set back leaves such times behind. */
const moment = fc.integer({ min: -50, max: 80 }).map((seconds) => timestamp(START + seconds * 1_000));

const guard = fc.oneof(
  fc.constant('always'),
  fc.integer({ min: 0, max: 3 }).map((most) => `iteration<${most}`),
  fc.tuple(id, fc.constantFrom('done', 'failed')).map(([task, status]) => `task:${task}=${status}`),
);

const command = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      id,
      after: ids,
      success: ids,
      paused: fc.boolean(),
      verify: fc.boolean(),
      cycle: fc.option(fc.record({ most: fc.integer({ min: 1, max: 3 }), guard }), { nil: undefined }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom(
        ...(['claim', 'done', 'fail', 'retry', 'abandon', 'unclaim', 'log', 'approve', 'reject'] as const),
        ...(['pause', 'resume', 'block', 'reopen', 'wait'] as const),
      ),
      other: id,
      converged: fc.boolean(),
      id,
      force: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('edit' as const),
      id,
      add: ids,
      success: ids,
      remove: ids,
      unbound: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('hand' as const),
      id,
      status: fc.constantFrom(...STATUSES),
      at: moment,
      delete: fc.boolean(),
    }),
  },
);
type Command = typeof command extends fc.Arbitrary<infer Value> ? Value : never;

function planOf(state: GraphState, step: Command, now: number): Plan<unknown> {
  const options = { now, by, ...('force' in step ? { force: step.force } : {}) };
  switch (step.do) {
    case 'add':
      return addTask(
        state,
        {
          title: `Task ${step.id}`,
          id: step.id,
          after: step.cycle ? step.after : step.after.filter((other) => other !== step.id),
          after_success: step.success.filter((other) => other !== step.id),
          paused: step.paused,
          ...(step.verify ? { verify: 'read it' } : {}),
          ...(step.cycle ? { max_iterations: step.cycle.most, cycle_guard: step.cycle.guard } : {}),
        },
        { now },
      );
    case 'edit':
      return editTask(
        state,
        step.id,
        {
          add_after: step.add.filter((other) => other !== step.id),
          add_after_success: step.success.filter((other) => other !== step.id),
          remove_after: step.remove,
          ...(step.unbound ? { clear: ['cycle_config'] } : {}),
        },
        { by },
      );
    case 'hand':
      return {
        events: [
          {
            op: 'hand_edit',
            patch: [
              step.delete
                ? { id: step.id, del: true }
                : { id: step.id, set: { status: step.status, not_before: step.at, completed_at: step.at } },
            ],
          },
        ],
        result: undefined,
      };
    case 'claim':
      return claimTask(state, step.id, options);
    case 'done':
      return doneTask(state, step.id, { ...options, converged: step.converged });
    case 'fail':
      return failTask(state, step.id, options);
    case 'retry':
      return retryTask(state, step.id, options);
    case 'abandon':
      return abandonTask(state, step.id, options);
    case 'unclaim':
      return unclaimTask(state, step.id, options);
    case 'approve':
      return approveTask(state, step.id, { ...options, by: { name: 'ben' } });
    case 'reject':
      return rejectTask(state, step.id, { ...options, by: { name: 'ben' }, reason: 'no' });
    case 'pause':
      return pauseTask(state, step.id, options);
    case 'resume':
      return resumeTask(state, step.id, options);
    case 'block':
      return blockTask(state, step.id, options);
    case 'reopen':
      return reopenTask(state, step.id, options);
    case 'wait': {
      const wait = parseWait(state, `task:${step.other}=done`, { now, files: new Map() });
      return waitTask(state, step.id, wait, options);
    }
    default:
      return logTask(state, step.id, 'words', options);
  }
}

/** Runs the commands as a store would; a refusal changes nothing. */
function run(state: GraphState, commands: readonly Command[]): Entry[] {
  const log: Entry[] = [];
  commands.forEach((step, index) => {
    const now = START + index * 1_000;
    try {
      const plan = withConsequences(state, planOf(state, step, now), now);
      const entries = toEntries(
        plan.events,
        { seq: state.seq, id: log.at(-1)?.id },
        timestamp(now),
        () => `e${log.length}-${index}`,
      );
      for (const entry of entries) {
        const redone = JSON.parse(JSON.stringify(entry)) as Entry;
        state.apply(redone);
        log.push(redone);
      }
    } catch (error) {
      if (!(error instanceof TroupeError)) throw error;
    }
  });
  return log;
}

/** Everything the indexes claim, worked out the slow way from the nodes alone. */
function expectSound(state: GraphState, now: number): void {
  const tasks = [...state.nodes()].filter(isTask);
  expect(state.size).toBe(tasks.length);
  for (const status of STATUSES)
    expect(state.count(status), status).toBe(tasks.filter((task) => task.status === status).length);
  for (const of of ['t0', 't1', 't2', 't3', 't4', 't5', 't6', 't7', 't8', 't9']) {
    const dependents = tasks.filter((task) => task.after?.includes(of)).map((task) => task.id);
    expect([...state.dependents(of)].sort(), `after ${of}`).toEqual(dependents.sort());
  }
  const fresh = findCycles(tasks);
  expect(new Map([...state.cycles()].map((cycle) => [cycle.header, cycle]))).toEqual(fresh.byHeader);
  expect(state.mayIterate()).toBe(tasks.some((task) => task.cycle_config !== undefined));
  expect([...state.waiting()].sort()).toEqual(
    tasks
      .filter((task) => task.status === 'waiting')
      .map((task) => task.id)
      .sort(),
  );
  const waitsForNobody = (task: Task) =>
    readiness(state, task.id, now).reasons.every((reason) => reason.code === 'time');
  expect([...state.candidates()].sort()).toEqual(
    tasks
      .filter(waitsForNobody)
      .map((task) => task.id)
      .sort(),
  );
}

const commands = fc.array(command, { maxLength: 60, size: 'max' });

verifies(
  ['graph.ready.predecessors', 'graph.edge.after'],
  'the indexes say what the nodes say, after any sequence of commands',
  () => {
    fc.assert(
      fc.property(commands, fc.nat(60), (sequence, cut) => {
        const state = new GraphState();
        run(state, sequence.slice(0, cut));
        const frozen = state.freeze();
        const before = graphText(frozen.nodes(), [], []);
        const draft = state.fork();
        run(state, sequence.slice(cut));
        expectSound(state, START);
        expectSound(frozen, START);
        expectSound(draft as GraphState, START);
        expect(graphText(frozen.nodes(), [], [])).toBe(before);
        expect(graphText(draft.nodes(), [], [])).toBe(before);
      }),
      { numRuns: mass(50, 150) },
    );
  },
);

verifies(
  ['graph.store.load', 'graph.store.every'],
  'the log alone makes the same state, and redoing it changes nothing',
  () => {
    fc.assert(
      fc.property(commands, (sequence) => {
        const state = new GraphState();
        const log = run(state, sequence);
        const added = log.filter((entry) => entry.op === 'add_task').map((entry) => entry.task_id);
        const gone = log.flatMap((entry) => entry.patch.filter((patch) => 'del' in patch).map((patch) => patch.id));
        for (const id of added)
          if (!gone.includes(id ?? '')) expect(state.task(id ?? '')?.id, 'nothing is lost').toBe(id);
        const replayed = new GraphState();
        for (const entry of log) replayed.apply(entry);
        const text = graphText(state.nodes(), [], []);
        expect(graphText(replayed.nodes(), [], [])).toBe(text);
        expect(replayed.seq).toBe(state.seq);
        for (const entry of log)
          for (const patch of entry.patch) expect(replayed.wasUsed(patch.id)).toBe(state.wasUsed(patch.id));
        for (const entry of log) replayed.apply(entry);
        expect(graphText(replayed.nodes(), [], [])).toBe(text);
      }),
      { numRuns: mass(35, 100) },
    );
  },
);

verifies(
  ['graph.store.load', 'graph.store.lines'],
  'a snapshot read back, with the rest of the log, makes the same state',
  () => {
    fc.assert(
      fc.property(commands, fc.nat(60), (sequence, at) => {
        const whole = new GraphState();
        const log = run(whole, sequence);
        const half = new GraphState();
        const seq = Math.min(at, log.length);
        for (const entry of log.slice(0, seq)) half.apply(entry);
        const loaded = new GraphState();
        loaded.load(parseGraph(graphText(half.nodes(), [], [])).nodes.values(), seq, {
          ...{ retired: half.retiredIds(), lastRun: half.lastRun },
        });
        for (const entry of log.slice(Math.max(0, seq - 3))) if (entry.seq > seq) loaded.apply(entry);
        expect(graphText(loaded.nodes(), [], [])).toBe(graphText(whole.nodes(), [], []));
        expect(loaded.lastRun).toBe(whole.lastRun);
        expectSound(loaded, START);
      }),
      { numRuns: mass(35, 100) },
    );
  },
);
