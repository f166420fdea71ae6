import { expect } from 'vitest';
import type { SpendLimit } from '#core/coordinator/budget.js';
import { Ledger, tokensOf } from '#core/coordinator/budget.js';
import { type Allowance, BudgetBook } from '#core/coordinator/budget-book.js';
import type { CoordinatorSnapshot } from '#core/coordinator/parts.js';
import { decide } from '#core/coordinator/parts.js';
import { PREPARE, type PreparedRun } from '#core/coordinator/preparing.js';
import type { RunFact } from '#core/coordinator/snapshot.js';
import { toEntries } from '#core/graph/entries.js';
import { GraphState } from '#core/graph/state.js';
import { isTask, type Task } from '#core/graph/task.js';
import { timestamp } from '#kernel/clock.js';
import { randomFrom } from '#kernel/random.js';
import { quietSnapshot } from '../core/coordinator/quiet-snapshot.js';
import { mass } from '../mass.js';
import { verifies } from '../verifies.js';

const NOW = Date.parse('2026-03-21T10:00:00.000Z');
/** They spend all they may; they go on whatever they may; they spend something nobody hears of and are gone. */
const MANNERS = ['greedy', 'deaf', 'dying'] as const;

interface Client {
  fact: RunFact;
  readonly manner: (typeof MANNERS)[number];
  limit: SpendLimit;
  spent: { usd: number; tokens: number };
}

/** The coordinator with its book, and clients that cost money; time is counted in steps. */
class World {
  readonly allowance: Allowance;
  readonly maxAgents: number;
  readonly clients = new Map<string, Client>();
  private readonly state = new GraphState();
  private readonly book = new BudgetBook();
  private readonly answers = new Map<string, PreparedRun>();
  private readonly roll: () => number;
  private number = 1;
  private now = NOW;
  private settled = { usd: 0, tokens: 0 };
  private readonly usdByTask = new Map<string, number>();
  /** The largest report since somebody ignored what it may; until then no cap is passed at all. */
  private slack = { usd: 0, tokens: 0 };

  constructor(seed: number) {
    this.roll = randomFrom(seed);
    const amount = (most: number) => Math.round((0.05 + this.roll() * most) * 1_000) / 1_000;
    const caps = {
      ...(this.roll() < 0.5 ? { usdTotal: amount(4) } : { usdPerDay: amount(4) }),
      ...(this.roll() < 0.3 ? { usdPerTask: amount(1) } : {}),
      ...(this.roll() < 0.3 ? { tokensPerDay: Math.round(amount(4) * 1e6) } : {}),
    };
    this.allowance = { caps, reserve: { usd: amount(1.5), tokens: 200_000 } };
    this.maxAgents = 1 + Math.floor(this.roll() * 4);
    const tasks = Array.from({ length: 3 + Math.floor(this.roll() * 6) }, (_, index): Task => {
      const estimate = this.roll() < 0.3 ? { estimate: { cost: amount(2) - 0.05 } } : {};
      return { kind: 'task', id: `t${index}`, title: 'x', status: 'open', ...estimate };
    });
    this.state.load(tasks, 0);
    this.state.settle();
  }

  play(): void {
    this.tick();
    for (let step = 0; this.clients.size > 0; step++) {
      expect(step, 'it comes to an end').toBeLessThan(2_000);
      const all = [...this.clients.values()];
      this.spend(all[Math.floor(this.roll() * all.length)]);
      this.check();
      this.now += 1_000;
      this.tick();
    }
    this.checkNothingLeft();
  }

  /** One of them works on, and says what it has cost by now. */
  private spend(client: Client | undefined): void {
    if (!client?.fact.alive) return;
    const { limit, manner, spent } = client;
    const left = {
      usd: (limit.usd ?? 1) - spent.usd,
      tokens: (limit.tokens ?? 100_000) - spent.tokens,
    };
    const wish = { usd: this.roll() * 0.7, tokens: Math.round(this.roll() * 90_000) };
    const obeys = manner !== 'deaf';
    const part = {
      usd: obeys ? Math.min(wish.usd, left.usd) : wish.usd,
      tokens: obeys ? Math.min(wish.tokens, left.tokens) : wish.tokens,
    };
    if (manner === 'dying' && this.roll() < 0.4) {
      client.fact = { ...client.fact, alive: false }; // and what it spent last nobody heard, so nobody can bound it
      return;
    }
    client.spent = { usd: spent.usd + part.usd, tokens: spent.tokens + part.tokens };
    const { usd, tokens } = this.slack;
    if (!obeys || usd > 0) this.slack = { usd: Math.max(usd, part.usd), tokens: Math.max(tokens, part.tokens) };
    // Tokens of a cache are tokens.
    const usage = { cost_usd: client.spent.usd, cache_creation_input_tokens: client.spent.tokens };
    client.fact = { ...client.fact, usage, progressAt: this.now };
    if (obeys && (part.usd === left.usd || part.tokens === left.tokens))
      client.fact = {
        ...client.fact,
        alive: false,
        exit: { code: 1 },
        result: { outcome: 'failed', reason: '', usage, spent: true },
      };
    else if (this.roll() < 0.2)
      client.fact = {
        ...client.fact,
        alive: false,
        exit: { code: 0 },
        result: { outcome: 'succeeded', reason: '', usage },
      };
  }

  private tick(): void {
    for (let pass = 0; pass < 20; pass++) {
      const decisions = decide(this.snapshot(), this.now);
      if (decisions.length === 0) break;
      const at = { seq: this.state.seq, id: undefined };
      const events = decisions.flatMap((decision) => decision.events);
      for (const entry of toEntries(events, at, timestamp(this.now), () => `e${this.state.seq}`)) {
        this.state.apply(entry);
        this.book.add(entry);
      }
      for (const decision of decisions) {
        if (decision.do === 'prepare') {
          const { run, fence, executor, task, grant } = decision;
          this.number++;
          const ready = { of: 'prepared', run, fence, executor, at: this.now } as const;
          this.answers.set(PREPARE.key(task), grant ? { ...ready, grant } : ready);
        }
        if (decision.do === 'drop-prepared') this.answers.delete(PREPARE.key(decision.task));
        if (decision.do === 'dispatch') this.begin(decision);
        if (decision.do === 'kill') this.end(decision.run);
        if (decision.do === 'top-up') this.allow(decision.run, decision.limit);
        if (decision.do === 'settle-exit' || decision.do === 'mark-dead') this.forget(decision.run);
      }
    }
    expect([...this.clients.values()].filter(({ fact }) => fact.alive).length).toBeLessThanOrEqual(this.maxAgents);
  }

  private snapshot(): CoordinatorSnapshot {
    return {
      ...quietSnapshot(this.state),
      runs: [...this.clients.values()].map(({ fact }) => fact),
      maxAgents: this.maxAgents,
      nextRun: this.number,
      providers: { holds: new Map(), proven: new Set(['claude']) },
      executor: 'claude',
      prepares: true,
      errands: { underWay: new Set(), answers: this.answers },
      budget: this.book.budget(this.allowance, this.now),
    };
  }

  private begin({
    run,
    task,
    fence,
    grant,
  }: {
    run: string;
    task: string;
    fence: number;
    grant?: PreparedRun['grant'];
  }) {
    this.answers.delete(PREPARE.key(task));
    this.clients.set(run, {
      manner: MANNERS[Math.floor(this.roll() * MANNERS.length)] ?? 'deaf',
      limit: grant?.limit ?? {},
      spent: { usd: 0, tokens: 0 },
      fact: {
        ...{ id: run, taskId: task, fence, startedAt: this.now, timeoutMs: 1e9, alive: true, started: true },
        ...{ outputBytes: 0, executor: 'claude', progressAt: this.now },
      },
    });
  }

  private allow(run: string, limit: SpendLimit): void {
    const client = this.clients.get(run);
    if (client) client.limit = limit;
  }

  private end(run: string): void {
    const client = this.clients.get(run);
    if (!client) return;
    const usage = client.fact.usage ?? {};
    const result = { outcome: 'failed', reason: '', usage } as const;
    client.fact = { ...client.fact, alive: false, ended: 'budget', exit: { code: 143 }, result };
  }

  private forget(run: string): void {
    const { spent, fact } = this.clients.get(run) ?? expect.unreachable();
    this.settled = { usd: this.settled.usd + spent.usd, tokens: this.settled.tokens + spent.tokens };
    this.usdByTask.set(fact.taskId, (this.usdByTask.get(fact.taskId) ?? 0) + spent.usd);
    this.clients.delete(run);
  }

  /** What has really been spent, against each cap: above it by no more than the report that passed it. */
  private check(): void {
    const { usdTotal, usdPerDay, usdPerTask, tokensPerDay } = this.allowance.caps;
    let { usd, tokens } = this.settled;
    const ofTasks = new Map(this.usdByTask);
    for (const { spent, fact } of this.clients.values()) {
      usd += spent.usd;
      tokens += spent.tokens;
      ofTasks.set(fact.taskId, (ofTasks.get(fact.taskId) ?? 0) + spent.usd);
    }
    const most = (cap = Number.POSITIVE_INFINITY) => cap + this.slack.usd + 1e-6;
    // What the books hold, with all that is set aside for runs at work, is never above a cap either.
    const { spent: booked, reserved } = this.book.budget(this.allowance, this.now);
    const aside = [...reserved.values()].reduce((sum, one) => sum + one.usd, 0);
    expect(booked.usdTotal + aside).toBeLessThanOrEqual(most(usdTotal ?? usdPerDay));
    expect(usd).toBeLessThanOrEqual(most(usdTotal ?? usdPerDay));
    expect(tokens).toBeLessThanOrEqual((tokensPerDay ?? Number.POSITIVE_INFINITY) + this.slack.tokens);
    expect(Math.max(0, ...ofTasks.values())).toBeLessThanOrEqual(most(usdPerTask));
  }

  /** As long as a cap leaves a run something to do with, no task waits. */
  private checkNothingLeft(): void {
    const ledger = new Ledger(this.book.budget(this.allowance, this.now));
    for (const task of this.state.nodes())
      if (isTask(task) && task.status === 'open' && (this.state.readyAt(task.id) ?? 0) <= this.now)
        expect(ledger.refusal(task)).toBeDefined();
  }
}

verifies(
  ['hold.budget.cap', 'budget.reserve', 'pay.task'],
  'many times over, with runs that get more, end and go on beside one another: no cap is passed by more than one report, and nothing that is left lies idle',
  () => {
    expect(tokensOf({ cache_creation_input_tokens: 7 })).toBe(7);
    for (let seed = 1; seed <= mass(70, 200); seed++) new World(seed).play();
  },
);
