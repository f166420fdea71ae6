import fc from 'fast-check';
import { expect } from 'vitest';
import { addTask } from '#core/graph/add.js';
import { withConsequences } from '#core/graph/consequences.js';
import { decideCycle } from '#core/graph/cycle-decision.js';
import { toEntries } from '#core/graph/entries.js';
import type { Entry, Plan } from '#core/graph/event.js';
import { claimTask, doneTask, failTask } from '#core/graph/moves.js';
import { GraphState } from '#core/graph/state.js';
import { isTask, isTerminal } from '#core/graph/task.js';
import { timestamp } from '#kernel/clock.js';
import { mass } from '../mass.js';
import { verifies } from '../verifies.js';

const START = Date.parse('2026-03-21T10:00:00.000Z');
const by = { name: 'ann' };
const COUNT = 8;
/** Enough for eight tasks, nested cycles and restarts; a graph that never ends would need more. */
const STEPS = 4_000;

const guard = fc.oneof(
  fc.constant('always'),
  fc.integer({ min: 0, max: 3 }).map((most) => `iteration<${most}`),
  fc.tuple(fc.nat(COUNT - 1), fc.constantFrom('done', 'failed')).map(([task, status]) => `task:t${task}=${status}`),
);
const shape = fc.array(
  fc.record({
    after: fc.array(fc.nat(COUNT - 1), { maxLength: 3 }),
    config: fc.option(
      fc.record({
        max_iterations: fc.integer({ min: 1, max: 3 }),
        cycle_guard: guard,
        no_converge: fc.boolean(),
        no_restart_on_failure: fc.boolean(),
      }),
      { nil: undefined },
    ),
  }),
  { minLength: 2, maxLength: COUNT },
);

class World {
  readonly state = new GraphState();
  readonly log: Entry[] = [];
  now = START;

  /** `skew`: how many milliseconds the clock of the commit is ahead of the one that decided, or behind. */
  commit(plan: Plan<unknown>, skew = 0): void {
    this.now += 1_000;
    const now = this.now + skew;
    const whole = withConsequences(this.state, plan, now);
    const at = { seq: this.state.seq, id: this.log.at(-1)?.id };
    for (const entry of toEntries(whole.events, at, timestamp(now), () => `e${this.log.length}`)) {
      this.state.apply(JSON.parse(JSON.stringify(entry)));
      this.log.push(entry);
    }
  }

  get options() {
    return { now: this.now, by };
  }
}

verifies(
  [
    'graph.cycle.bounded',
    'graph.cycle.back-edge',
    'graph.cycle.decide',
    'graph.cycle.restart',
    'graph.ready.held',
    'hold.cycle.once',
  ],
  'whatever ends how, and whatever the clock does, what is configured never stands still, always ends, and nothing done is done again without a reason',
  () => {
    let rounds = 0;
    fc.assert(
      fc.property(shape, fc.infiniteStream(fc.nat(9)), (tasks, dice) => {
        const world = new World();
        tasks.forEach(({ after, config }, index) => {
          const before = after.filter((other) => other < tasks.length && (config !== undefined || other !== index));
          const draft = { title: 'x', id: `t${index}`, after: before.map((other) => `t${other}`), ...config };
          world.commit(addTask(world.state, draft, { now: world.now }));
        });
        let steps = 0;
        for (; steps < STEPS; steps++) {
          const ready = [...world.state.candidates()].sort();
          const roll = dice.next().value ?? 0;
          const id = ready[roll % Math.max(1, ready.length)];
          if (id === undefined) break;
          const skew = ((dice.next().value ?? 0) - 5) * 2_000;
          world.commit(claimTask(world.state, id, world.options), skew);
          const outcome = dice.next().value ?? 0;
          if (outcome < 3) world.commit(failTask(world.state, id, world.options), skew);
          else world.commit(doneTask(world.state, id, { ...world.options, converged: outcome === 9 }), skew);
        }
        rounds += steps;
        expect(steps).toBeLessThan(STEPS);
        const stuck = stuckFor(world.state);
        for (const task of [...world.state.nodes()].filter(isTask)) {
          expect(isTerminal(task.status) || stuck.has(task.id), `${task.id} is ${task.status}`).toBe(true);
        }
        for (const cycle of world.state.cycles()) {
          if (!cycle.configured || cycle.members.some((id) => stuck.has(id))) continue;
          expect(decideCycle(world.state, cycle).do).toBe('ended');
          expect(world.state.task(cycle.header)?.loop_iteration ?? 0).toBeLessThanOrEqual(
            cycle.config?.max_iterations ?? 0,
          );
        }
        expectReasons(world.log);
        expectOneEnd(world.log);
      }),
      { numRuns: mass(100, 300) },
    );
    expect(rounds).toBeGreaterThan(300);
  },
);

/** Tasks in a cycle without a config, and whatever comes after those: the only ones that may stand still. */
function stuckFor(state: GraphState): Set<string> {
  const stuck = new Set<string>();
  for (const cycle of state.cycles()) if (!cycle.configured) for (const id of cycle.members) stuck.add(id);
  const pending = [...stuck];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    for (const later of state.dependents(id)) {
      if (stuck.has(later)) continue;
      stuck.add(later);
      pending.push(later);
    }
  }
  return stuck;
}

/** A pass ends once: between two ends of a cycle lies another pass. */
function expectOneEnd(log: readonly Entry[]): void {
  const over = new Set<string>();
  for (const { op, task_id: header = '', patch } of log) {
    if (op === 'cycle_iterate' || op === 'cycle_restart') for (const { id } of patch) over.delete(id);
    if (op !== 'cycle_end') continue;
    expect(over.has(header), `${header} ended twice`).toBe(false);
    over.add(header);
  }
}

/** What was done is open again only after an event that says why. */
function expectReasons(log: readonly Entry[]): void {
  const statuses = new Map<string, unknown>();
  for (const entry of log) {
    for (const patch of entry.patch) {
      if (!('set' in patch) || patch.set?.['status'] === undefined) continue;
      const next = patch.set['status'];
      if (statuses.get(patch.id) === 'done' && next !== 'done')
        expect(['cycle_iterate', 'cycle_restart']).toContain(entry.op);
      statuses.set(patch.id, next);
    }
  }
}
