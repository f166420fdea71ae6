import type { RunFact } from '#core/coordinator/snapshot.js';
import type { Tick } from '#core/coordinator/tick.js';
import { AGENT } from '#core/graph/assignee.js';
import type { Task } from '#core/graph/task.js';
import { CLIENTS } from '#core/runs/plan.js';
import { TROUBLES, type Trouble } from '#core/runs/provider-trouble.js';
import { timestamp } from '#kernel/clock.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { countUp, numberOf } from '#kernel/numbers.js';
import type { AgencyFacts, WithAgency } from './agency.js';
import type { ClientHold } from './snapshot.js';
import type { BaseDecision, Part } from './tick.js';

/** Known state of the providers behind the clients. */
export interface WithProviders {
  readonly providers: {
    /** Keyed by client; survives restarts. */
    readonly holds: ReadonlyMap<string, ClientHold>;
    /** Executors that made progress since this service started. */
    readonly proven: ReadonlySet<string>;
  };
}

interface HoldDecision extends BaseDecision {
  readonly do: 'hold-client';
  readonly client: string;
  /** Undefined ends the hold. */
  readonly hold?: ClientHold;
}

type Facts = WithProviders & WithAgency;

export const providers: Part<WithProviders, HoldDecision, Facts> = {
  none: { providers: { holds: new Map(), proven: new Set() } },
  decide: holdClients,
};

/** Key of a hold: the client's name, with the provider if the task or its agent names one. */
export function clientKey(
  task: Task | undefined,
  executor: string,
  agency: Pick<AgencyFacts, 'agents'> | undefined,
): string {
  const provider = task?.provider ?? agency?.agents.get(String(AGENT.of(task)))?.provider;
  return provider === undefined ? executor : `${executor} (${provider})`;
}

/** Key of a hold for a model that a task names itself; other models of the client are not held. */
function modelKey(task: Task | undefined, client: string): string {
  return task?.model === undefined ? client : `${client}, ${task.model}`;
}

/** The hold that concerns a task: on the client, or on the model that the task names. */
export function holdFor<Hold>(
  holds: { get(client: string): Hold | undefined },
  task: Task,
  executor: string,
  agency: Pick<AgencyFacts, 'agents'> | undefined,
): Hold | undefined {
  const client = clientKey(task, executor, agency);
  return holds.get(client) ?? holds.get(modelKey(task, client));
}

/**
 * Provider failure reported by a run that is over; such a run does not count against its task. Undefined if the
 * coordinator ended the run for another reason.
 */
export function troubleOf({ exit, ended, result }: RunFact): Trouble | undefined {
  const counts = exit !== undefined && (ended === undefined || ended === 'silent' || ended === 'idle');
  return counts ? result?.trouble : undefined;
}

/**
 * Before any start: holds clients whose provider is failing, longer each time a probe fails again. The first progress
 * of a probe ends the hold.
 */
function holdClients(tick: Tick<Facts, HoldDecision>): void {
  const { providers } = tick.facts;
  for (const [client, hold] of providers.holds) tick.clientHolds.set(client, hold);
  for (const run of tick.clientRuns) {
    const trouble = troubleOf(run);
    if (trouble === undefined && tick.clientHolds.size === 0) continue;
    const client = keyOf(tick, run, trouble);
    const hold = tick.clientHolds.get(client);
    if (trouble !== undefined) {
      const next = nextHold(hold, run, { client, trouble, now: tick.now });
      if (!next) continue;
      tick.clientHolds.set(client, next);
      const reason = `${run.id}: ${run.result?.reason ?? TROUBLES[trouble].words}`;
      tick.want({ do: 'hold-client', client, hold: next, reason, events: [] });
    } else if (hold && isProbe(run, hold) && hasWorked(run)) {
      tick.clientHolds.delete(client);
      tick.want({ do: 'hold-client', client, reason: `${run.id} works`, events: [] });
    }
  }
}

/**
 * The new hold; undefined if nothing changes, because the failure is known or the report comes from a run started
 * before the hold.
 */
function nextHold(
  before: ClientHold | undefined,
  run: RunFact,
  { client, trouble, now }: { client: string; trouble: Trouble; now: number },
): ClientHold | undefined {
  const { passes } = TROUBLES[trouble];
  const isSame = before !== undefined && before.trouble === trouble;
  if (before && (before.run === run.id || (!isProbe(run, before) && (isSame || passes)))) return undefined;
  const doubled = before && isProbe(run, before) && TROUBLES[before.trouble].passes;
  const since = isSame ? before.since : now;
  const { resetsAt } = run.result ?? {};
  if (resetsAt !== undefined && resetsAt > now) {
    const until = resetsAt + WORK_LIMITS.resetMarginMs;
    return { client, trouble, since, until, resetsAt, pauseMs: until - now, run: run.id };
  }
  const pauseMs = passes
    ? Math.min(WORK_LIMITS.holdMostMs, doubled ? before.pauseMs * 2 : WORK_LIMITS.holdLeastMs)
    : WORK_LIMITS.holdMostMs;
  return { client, trouble, since, until: now + pauseMs, pauseMs, run: run.id };
}

/** Whether the run was started after the hold expired, to test the provider. */
function isProbe(run: RunFact, { until }: ClientHold): boolean {
  return run.startedAt >= until;
}

function hasWorked({ progressAt, result }: RunFact): boolean {
  return progressAt !== undefined || result?.outcome === 'succeeded';
}

/**
 * Key that a run's result is about: its client, or the model named by its task if the failure or the hold concerns that
 * model alone.
 */
function keyOf(
  { graph, facts, clientHolds }: Tick<WithAgency>,
  { taskId, executor = 'shell' }: RunFact,
  trouble: Trouble | undefined,
): string {
  const task = graph.task(taskId);
  const client = clientKey(task, executor, facts.agency);
  const model = modelKey(task, client);
  if (trouble === undefined) return clientHolds.has(client) ? client : model;
  return TROUBLES[trouble].scope === 'model' ? model : client;
}

/**
 * Whether a hold still lasts. One that would last longer than its own length is over: the clock was set back meanwhile.
 */
export function isHoldCurrent({ until, pauseMs }: ClientHold, now: number): boolean {
  return now < until && until - now <= pauseMs;
}

/** Whether another client may replace one on hold because of a limit; only for tasks that name no model or provider. */
export function mayStandIn(
  { model, provider }: Partial<Pick<Task, 'model' | 'provider'>>,
  { trouble }: Pick<ClientHold, 'trouble'>,
): boolean {
  return model === undefined && provider === undefined && TROUBLES[trouble].standIn;
}

/**
 * Limits starts per client: none while it is on hold, one probe after the hold expired, and one as long as the client
 * has not yet made progress in this service, because an invalid key fails for all runs.
 */
export class ClientGate {
  private readonly tick: Tick<Facts>;
  private readonly starts = new Map<string, number>();

  constructor(tick: Tick<Facts>) {
    this.tick = tick;
  }

  /** Client for a task: its own, or the first stand-in that may start while its own is on hold because of a limit. */
  clientFor(task: Task, executor: string, standIns: readonly string[]): string | undefined {
    if (this.admits(task, executor)) return executor;
    const { now, clientHolds, facts } = this.tick;
    const hold = holdFor(clientHolds, task, executor, facts.agency);
    if (!hold || !isHoldCurrent(hold, now) || !mayStandIn(task, hold)) return undefined;
    return standIns.find((name) => name !== executor && this.admits(task, name));
  }

  admits(task: Task, executor: string): boolean {
    const { now, clientHolds, facts } = this.tick;
    const client = clientKey(task, executor, facts.agency);
    const hold = holdFor(clientHolds, task, executor, facts.agency);
    if (hold && isHoldCurrent(hold, now)) return false;
    const isNew = CLIENTS.some((name) => name === executor) && !facts.providers.proven.has(executor);
    if (!hold && !isNew) return true;
    if (numberOf(this.starts, client) > 0) return false;
    return !facts.runs.some(
      (run) =>
        run.executor === executor &&
        run.alive &&
        run.exit === undefined &&
        (hold
          ? isProbe(run, hold) && keyOf(this.tick, run, undefined) === hold.client
          : now - run.startedAt < WORK_LIMITS.firstRunMs),
    );
  }

  take(task: Task, executor: string): void {
    const client = clientKey(task, executor, this.tick.facts.agency);
    countUp(this.starts, client);
  }
}

/** Text for people about a hold: `claude: the key is refused since 12:01 UTC`. */
export function describeHold({ client, trouble, since }: ClientHold): string {
  return `${client}: ${TROUBLES[trouble].words} since ${clock(since)}`;
}

/** Text for people: the remedy, and the time of the next automatic try. */
export function describeRetry({ until, trouble, since, resetsAt }: ClientHold): string {
  const again =
    resetsAt === undefined
      ? `the next try is at ${clock(until)}`
      : `the provider names ${day(resetsAt, since)}${clock(resetsAt)}; the next try is then`;
  return TROUBLES[trouble].passes ? again : `fix it and run \`${RELOAD}\`; ${again}`;
}

/** Command to run after the problem is fixed; undefined if it passes by itself. */
export function commandAfter({ trouble }: ClientHold): string | undefined {
  return TROUBLES[trouble].passes ? undefined : RELOAD;
}

const RELOAD = 'troupe service reload';

/** The date, if it differs from that of the hold. */
function day(time: number, since: number): string {
  const [there, here] = [timestamp(time).slice(0, 10), timestamp(since).slice(0, 10)];
  return there === here ? '' : `${there} `;
}

function clock(time: number): string {
  return `${timestamp(time).slice(11, 16)} UTC`;
}
