import { NO_ERRANDS } from '#core/coordinator/errand.js';
import { type CoordinatorDecision, type CoordinatorSnapshot, decide, NO_FACTS } from '#core/coordinator/parts.js';
import { type Budget, NOTHING_SPENT, type RunFact, USUAL_TERMS } from '#core/coordinator/snapshot.js';
import { addTask } from '#core/graph/add.js';
import { EVERY_COMMAND } from '#core/graph/commands.js';
import { withConsequences } from '#core/graph/consequences.js';
import { toEntries } from '#core/graph/entries.js';
import type { Entry, Plan } from '#core/graph/event.js';
import { GraphState } from '#core/graph/state.js';
import { type GraphNode, isTask } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { SIMULATION_LIMITS } from '#kernel/limits/simulation.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { numberOf } from '#kernel/numbers.js';
import { randomFrom } from '#kernel/random.js';
import { EventQueue } from './heaps.js';
import { type Rule, ruleFor, type Scenario, timeTaken } from './scenario.js';

export interface SimulationResult {
  /** Duration of the whole simulation, in milliseconds of the simulated clock. */
  readonly tookMs: number;
  readonly ended: 'finished' | 'stuck' | 'until' | 'too-long';
  readonly runs: number;
  readonly deaths: number;
  readonly crashes: number;
  readonly cost: number;
  /** Maximum and average number of concurrent runs. */
  readonly atOnce: { readonly most: number; readonly average: number };
  readonly statuses: Readonly<Record<string, number>>;
  /** Ids of tasks that have not ended; the first hundred. */
  readonly left: readonly string[];
  readonly entries: readonly Entry[];
}

/** Simulated runs write no checkpoints. */
const TERMS = { ...USUAL_TERMS, checkpointTurns: 0, checkpointMs: 0 };

interface Live {
  fact: RunFact;
  readonly rule: Rule;
  /** Cost limit; undefined without a cap. */
  readonly usd: number | undefined;
  readonly endsAt: number;
  readonly dies: boolean;
}

/** Simulates the execution of a graph with the decisions of the service, a clock that jumps, and scripted runs. */
export function simulate(
  nodes: Iterable<GraphNode>,
  scenario: Scenario,
  options: { now: number; untilMs?: number },
): SimulationResult {
  return new Simulation(nodes, scenario, options).play();
}

class Simulation {
  private readonly state = new GraphState();
  private readonly scenario: Scenario;
  private readonly queue = new EventQueue<string>();
  private readonly live = new Map<string, Live>();
  private readonly roll: () => number;
  private readonly entries: Entry[] = [];
  private readonly start: number;
  private readonly until: number;
  /** Facts that stay constant during the simulation. */
  private readonly facts: Omit<CoordinatorSnapshot, 'view' | 'runs'>;
  private now: number;
  private nextRun = 1;
  private counts = { runs: 0, deaths: 0, crashes: 0, cost: 0, most: 0, busyMs: 0 };
  private readonly usdByTask = new Map<string, number>();

  constructor(nodes: Iterable<GraphNode>, scenario: Scenario, options: { now: number; untilMs?: number }) {
    this.state.load(fresh(nodes), 0);
    this.state.settle();
    this.scenario = scenario;
    this.roll = randomFrom(scenario.seed ?? 1);
    this.start = options.now;
    this.now = options.now;
    this.facts = {
      ...NO_FACTS,
      maxAgents: scenario.agents ?? WORK_LIMITS.agentsDefault,
      paused: false,
      trust: EVERY_COMMAND,
      executor: 'simulated',
      errands: NO_ERRANDS,
      terms: TERMS,
      budget: undefined,
    };
    this.until = options.now + (options.untilMs ?? SIMULATION_LIMITS.ms);
  }

  play(): SimulationResult {
    let ended: SimulationResult['ended'] = 'finished';
    this.tick();
    for (let steps = 0; ; steps++) {
      const at = this.queue.nextAt() ?? this.nextDue();
      if (at === undefined) break;
      if (at > this.until || steps >= SIMULATION_LIMITS.steps) {
        ended = at > this.until ? 'until' : 'too-long';
        break;
      }
      this.counts.busyMs += this.live.size * Math.max(0, at - this.now);
      this.now = Math.max(this.now, at);
      for (const run of this.queue.take(this.now)) this.endRun(run);
      this.tick();
    }
    return this.summary(ended);
  }

  /** Ends a run: records its exit, or its death for the coordinator to detect. */
  private endRun(id: string): void {
    const live = this.live.get(id);
    if (!live) return;
    const { rule } = live;
    const { cost, overdrawn } = spentBy(live);
    this.counts.cost += cost;
    this.usdByTask.set(live.fact.taskId, numberOf(this.usdByTask, live.fact.taskId) + cost);
    if (live.dies) {
      this.counts.deaths++;
      live.fact = { ...live.fact, alive: false };
      return;
    }
    for (const { title, exec } of rule.creates ?? []) this.grow(live.fact, title, exec);
    const failed = overdrawn || rule.result === 'failed' || this.roll() < (rule.fails ?? 0);
    live.fact = { ...live.fact, alive: false, exit: { code: failed ? 1 : 0 }, progressAt: this.now };
  }

  private grow(fact: RunFact, title: string, exec: string | undefined): void {
    const by = { name: fact.id, taskId: fact.taskId, fence: fact.fence };
    try {
      this.commit((view) => addTask(view, { title, exec }, { now: this.now, actor: fact.id, by }));
    } catch (error) {
      if (!(error instanceof TroupeError)) throw error; // a limit that applies is a valid result
    }
  }

  /** Runs passes until the effects of a pass lead to no further decisions. */
  private tick(): void {
    for (let pass = 0; pass < WORK_LIMITS.consequenceRounds; pass++) {
      const decisions = decide({ ...this.facts, ...this.presentFacts() }, this.now);
      if (decisions.length === 0) return;
      this.write(decisions.flatMap((decision) => decision.events));
      const crashed = this.roll() < (this.scenario.crash ?? 0);
      if (crashed) this.counts.crashes++;
      for (const decision of decisions) this.effect(decision, crashed);
      if (!crashed) return; // otherwise facts have changed
    }
  }

  private presentFacts() {
    const { usd_total: cap } = this.scenario;
    const runs: RunFact[] = [];
    for (const { fact } of this.live.values()) runs.push(fact);
    return { view: this.state, runs, nextRun: this.nextRun, budget: cap === undefined ? undefined : this.budget(cap) };
  }

  /** Carries out a decision. If the service crashes between commit and effect, a claimed task has no live run. */
  private effect(decision: CoordinatorDecision, crashed: boolean): void {
    if (decision.do === 'settle-exit' || decision.do === 'mark-dead') this.live.delete(decision.run);
    if (decision.do !== 'dispatch') return;
    const task = this.state.task(decision.task);
    if (!task) return;
    this.nextRun++;
    this.counts.runs++;
    const rule = ruleFor(this.scenario.script ?? [], task);
    const endsAt = this.now + Math.max(1, timeTaken(rule, task, this.roll));
    const fact: RunFact = {
      id: decision.run,
      taskId: decision.task,
      fence: decision.fence,
      startedAt: this.now,
      timeoutMs: Math.max(decision.timeoutMs, endsAt - this.now + 1),
      alive: !crashed,
      started: !crashed,
      outputBytes: 0,
      executor: decision.executor,
      progressAt: endsAt,
    };
    const usd = decision.grant?.limit.usd;
    this.live.set(decision.run, { fact, rule, usd, endsAt, dies: this.roll() < (rule.dies ?? 0) });
    if (!crashed) this.queue.add(endsAt, decision.run);
    this.counts.most = Math.max(this.counts.most, this.live.size);
  }

  /** Next time at which a task becomes ready. */
  private nextDue(): number | undefined {
    let next: number | undefined;
    for (const id of this.state.candidates()) {
      const at = this.state.readyAt(id) ?? 0;
      if (at > this.now && (next === undefined || at < next)) next = at;
    }
    return next;
  }

  private budget(usdTotal: number): Budget {
    const dearest = Math.max(0, ...(this.scenario.script ?? []).map(({ cost }) => cost ?? 0));
    const reserved = [...this.live.values()]
      .filter(({ fact }) => fact.alive)
      .map(({ fact, usd = 0 }) => [fact.id, { taskId: fact.taskId, usd, tokens: 0 }] as const);
    return {
      caps: { usdTotal },
      reserve: { usd: dearest, tokens: 0 },
      spent: { ...NOTHING_SPENT, usdTotal: this.counts.cost, usdByTask: this.usdByTask },
      reserved: new Map(reserved),
    };
  }

  private commit(plan: (view: GraphView) => Plan<unknown>): void {
    this.write(withConsequences(this.state, plan(this.state), this.now).events);
  }

  private write(events: Plan['events']): void {
    const at = { seq: this.state.seq, id: this.entries.at(-1)?.id };
    for (const entry of toEntries(events, at, timestamp(this.now), () => `s${this.entries.length}`)) {
      this.state.apply(entry);
      this.entries.push(entry);
    }
  }

  private summary(ended: SimulationResult['ended']): SimulationResult {
    const statuses: Record<string, number> = {};
    const unfinished: string[] = [];
    for (const node of this.state.nodes()) {
      if (!isTask(node)) continue;
      statuses[node.status] = (statuses[node.status] ?? 0) + 1;
      if (!['done', 'failed', 'abandoned'].includes(node.status)) unfinished.push(node.id);
    }
    const tookMs = this.now - this.start;
    return {
      tookMs,
      ended: ended === 'finished' && unfinished.length > 0 ? 'stuck' : ended,
      runs: this.counts.runs,
      deaths: this.counts.deaths,
      crashes: this.counts.crashes,
      cost: Math.round(this.counts.cost * 100) / 100,
      atOnce: {
        most: this.counts.most,
        average: tookMs === 0 ? 0 : Math.round((this.counts.busyMs / tookMs) * 10) / 10,
      },
      statuses,
      left: unfinished.sort().slice(0, SIMULATION_LIMITS.left),
      entries: this.entries,
    };
  }
}

/** Resets tasks in progress to open: their runs do not exist in the simulation. */
function* fresh(nodes: Iterable<GraphNode>): Iterable<GraphNode> {
  for (const node of nodes) {
    if (!isTask(node) || node.status !== 'in-progress') yield node;
    else {
      const { assigned: _assigned, started_at: _started, ...rest } = node;
      yield { ...rest, status: 'open' } as GraphNode;
    }
  }
}

/** Cost of a run, which is ended once it has used its reservation. */
function spentBy({ rule: { cost = 0 }, usd = cost }: Live): { cost: number; overdrawn: boolean } {
  return { cost: Math.min(cost, usd), overdrawn: cost > usd };
}
