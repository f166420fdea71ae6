import { decide } from '#core/coordinator/decide.js';
import type { Decision } from '#core/coordinator/decision.js';
import type { BackOff } from '#core/coordinator/snapshot.js';
import { awaitedOutside, type FileFacts } from '#core/graph/wait.js';
import type { Clock } from '#kernel/clock.js';
import { LIMITS } from '#kernel/limits.js';
import type { GraphStore } from '#ports/graph-store.js';
import type { RunHost } from '#ports/run-host.js';

export interface CoordinatorOptions {
  readonly store: GraphStore;
  readonly runs: RunHost;
  readonly clock: Clock;
  readonly maxAgents: number;
  /** Milliseconds between ticks that nothing asked for. */
  readonly pollMs?: number;
  /** The pause an earlier life was in, and where the present one is kept. */
  readonly backOff?: BackOff;
  readonly saveBackOff?: (backOff: BackOff | undefined) => void;
  /** Facts of files that tasks wait for. */
  readonly files?: (paths: Iterable<string>) => Promise<FileFacts>;
  /** Told what each tick that acted decided, after it was carried out; for a log. Must not throw. */
  readonly onDecisions?: (decisions: readonly Decision[]) => void;
  /** Told when a tick could not be completed; the next one tries again. Must not throw. */
  readonly onError?: (error: unknown) => void;
}

/**
 * Hosts the coordinator: gathers facts, lets core decide, commits, and only then acts. One tick at a time; whatever
 * asks for one meanwhile gets a single following tick.
 */
export class CoordinatorLoop {
  private readonly options: CoordinatorOptions;
  private ticking: Promise<void> | undefined;
  private again = false;
  private poll: NodeJS.Timeout | undefined;
  private soon: NodeJS.Timeout | undefined;
  private paused = false;
  private backOff: BackOff | undefined;
  private stopped = true;
  private ticks = 0;
  private lastTick: number | undefined;
  private idle: (() => void)[] = [];

  constructor(options: CoordinatorOptions) {
    this.options = options;
    this.backOff = options.backOff;
  }

  /** Finds runs of earlier lives and begins. */
  async start(): Promise<void> {
    if (!this.stopped) return;
    this.stopped = false;
    const view = await this.options.store.view();
    const claims: { run: string; taskId: string; fence: number }[] = [];
    if (view.count('in-progress') > 0) {
      for (const node of view.nodes()) {
        const task = view.task(node.id);
        if (task?.status !== 'in-progress' || task.assigned === undefined) continue;
        claims.push({ run: task.assigned, taskId: task.id, fence: task.fence ?? 0 });
      }
    }
    await this.options.runs.adopt(claims);
    this.options.runs.onChange(() => this.trigger());
    await this.tick();
  }

  /** Asks for a tick soon; many askings are one. */
  trigger(): void {
    if (this.stopped) return;
    if (this.ticking) {
      this.again = true;
      return;
    }
    this.soon ??= setTimeout(() => {
      this.soon = undefined;
      this.tick().catch((error) => this.options.onError?.(error));
    }, LIMITS.tickCoalesceMs);
  }

  /** One tick now, or the one under way and one more after it. */
  async tick(): Promise<void> {
    if (this.ticking) {
      this.again = true;
      await this.ticking;
      return;
    }
    this.ticking = this.rounds();
    try {
      await this.ticking;
    } finally {
      this.ticking = undefined;
      await this.schedulePoll();
    }
  }

  /** No new runs until `resume`; running ones go on. */
  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
    this.trigger();
  }

  /** Resolves as soon as no run is left and no open task is there that a command could do. */
  whenDrained(): Promise<void> {
    return new Promise((resolve) => {
      this.idle.push(resolve);
      this.trigger();
    });
  }

  facts(): { ticks: number; lastTick: number | undefined; paused: boolean; maxAgents: number; alive: number } {
    const alive = this.options.runs.facts().filter((run) => run.alive).length;
    return {
      ticks: this.ticks,
      lastTick: this.lastTick,
      paused: this.paused,
      maxAgents: this.options.maxAgents,
      alive,
    };
  }

  /** Ends all runs and waits until their tasks are given back. */
  async endRuns(): Promise<void> {
    this.pause();
    for (const run of this.options.runs.facts()) if (run.alive) this.options.runs.end(run.id, 'stopped');
    while (this.options.runs.facts().length > 0) {
      await new Promise<void>((resolve) => {
        this.options.runs.onChange(resolve);
      });
      await this.tick();
    }
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.poll);
    clearTimeout(this.soon);
    await this.ticking;
    await this.options.runs.close();
  }

  private async rounds(): Promise<void> {
    let acted = 0;
    do {
      this.again = false;
      acted = await this.round();
    } while (this.again || acted > 0);
    if (this.options.runs.facts().length === 0 && this.idle.length > 0 && !(await this.nextReady()).any) {
      const waiting = this.idle;
      this.idle = [];
      for (const resolve of waiting) resolve();
    }
  }

  /** Facts, decisions, one commit, effects. Answers how many effects may have changed the facts. */
  private async round(): Promise<number> {
    const { store, runs, clock, maxAgents } = this.options;
    this.ticks++;
    this.lastTick = clock.now();
    const files = await this.awaitedFiles();
    const snapshot = {
      runs: runs.facts(),
      maxAgents,
      nextRun: runs.nextNumber(),
      paused: this.paused || this.stopped,
      files,
      ...(this.backOff ? { backOff: this.backOff } : {}),
    };
    if (snapshot.runs.length === 0 && this.stopped) return 0;
    const { result: decisions } = await store.commit((view) => {
      const decided = decide({ ...snapshot, view }, clock.now());
      return { events: decided.flatMap((decision) => decision.events), result: decided };
    });
    let changed = 0;
    for (const decision of decisions) {
      // What is committed must be carried out: one effect that fails takes no other with it.
      try {
        changed += await this.effect(decision);
      } catch (error) {
        this.options.onError?.(error);
      }
    }
    if (decisions.length > 0) this.options.onDecisions?.(decisions);
    return changed;
  }

  private async awaitedFiles(): Promise<FileFacts> {
    const { store, files } = this.options;
    const view = await store.view();
    if (!files || view.count('waiting') === 0) return new Map();
    return await files(awaitedOutside(view).paths);
  }

  private async effect(decision: Decision): Promise<number> {
    const { runs, store, clock } = this.options;
    switch (decision.do) {
      case 'settle-exit':
      case 'mark-dead':
        runs.forget(decision.run);
        return 1;
      case 'back-off':
        this.backOff = decision.backOff;
        this.options.saveBackOff?.(decision.backOff);
        return 0;
      case 'place':
      case 'settle-due':
      case 'release':
        return 1;
      case 'kill':
        runs.end(decision.run, decision.why);
        return 0;
      case 'dispatch': {
        const task = (await store.view()).task(decision.task);
        await runs.start({
          id: decision.run,
          taskId: decision.task,
          fence: decision.fence,
          command: checked(task?.exec ?? 'false', task?.verify_cmd),
          environment: environmentOf(task?.['environment']),
          timeoutMs: decision.timeoutMs,
          startedAt: clock.now(),
        });
        return 0;
      }
    }
  }

  /** Is anything left that a command could do, and when is the next of it due? */
  private async nextReady(): Promise<{ any: boolean; at: number }> {
    const view = await this.options.store.view();
    let any = false;
    const { paths, at: timer } = awaitedOutside(view);
    let at = paths.size > 0 ? Math.min(timer, this.options.clock.now() + LIMITS.filePollMs) : timer;
    for (const id of view.runnable()) {
      any = true;
      const since = view.readyAt(id) ?? 0;
      if (since > this.options.clock.now()) at = Math.min(at, since);
    }
    return { any, at };
  }

  /** The next tick comes at the poll interval, or when a task's time comes if that is earlier. */
  private async schedulePoll(): Promise<void> {
    const { at } = this.stopped ? { at: 0 } : await this.nextReady();
    clearTimeout(this.poll);
    if (this.stopped) return;
    const pollMs = this.options.pollMs ?? LIMITS.pollIntervalMs;
    this.poll = setTimeout(() => this.trigger(), Math.min(pollMs, Math.max(1, at - this.options.clock.now())));
  }
}

/** A command and then the check of its task: each in a shell of its own, the second only when the first ended well. */
function checked(command: string, check: string | undefined): string {
  return check === undefined ? command : `(\n${command}\n) || exit $?\n(\n${check}\n)`;
}

function environmentOf(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  );
}
