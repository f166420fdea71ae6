import { AGENT, HUMAN } from '#core/graph/assignee.js';
import { waitsForTrust } from '#core/graph/commands.js';
import type { Plan } from '#core/graph/event.js';
import { refuseGated } from '#core/graph/formation-gate.js';
import { needsCommits } from '#core/graph/meta.js';
import { claimTask } from '#core/graph/moves.js';
import { needsOf } from '#core/graph/needs.js';
import { nameOfRun } from '#core/graph/run-name.js';
import type { Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import { isFreeWork } from '#core/graph/team-work.js';
import { parseDuration } from '#kernel/duration.js';
import { TroupeError } from '#kernel/errors.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { countUp, numberOf } from '#kernel/numbers.js';
import { compareText } from '#kernel/order.js';
import { busyAgents, hasAgencyWork, missingAgent, type WithAgency } from './agency.js';
import { type Grant, Ledger, raiseCommand, waitsForMore, withUse } from './budget.js';
import type { WithSessions } from './chat.js';
import { ClientGate, type WithProviders } from './client-holds.js';
import { firstRanked, firstReady } from './first-ready.js';
import { personFor, type WithPeople } from './people.js';
import { type DropDecision, Preparations } from './preparing.js';
import { withPromptTime } from './prompt-time.js';
import { Ownership, REST, type SessionCandidate, type SessionShare, type TaskSession, Turns } from './sessions.js';
import type { CommonFacts } from './snapshot.js';
import { type BaseDecision, type Part, Tick } from './tick.js';
import { FreePlaces, machineForRequest, NO_WORKER_FACTS, type RunMachine, type WorkerFacts } from './worker-facts.js';

/** A run of a task: of its own command, or of a client with a prompt. */
export interface RunRequest extends BaseDecision {
  /** Session that owns the task and the model of that session, if there are several sessions. */
  readonly session?: number;
  readonly sessionModel?: string;
  readonly run: string;
  readonly task: string;
  readonly fence: number;
  readonly timeoutMs: number;
  /** `shell` runs the task's own command; any other name is a client. */
  readonly executor: string;
  /** Machine that carries out the run; default: this one. */
  readonly machine?: RunMachine;
  /** Overrides the model of the task and of the settings. */
  readonly model?: string;
  /** Amounts that a run of a client may spend, if there is a ledger. */
  readonly grant?: Grant;
}

export interface DispatchDecision extends RunRequest {
  readonly do: 'dispatch';
}

/** Writes the files of a run, or creates its worktree, for a claim in a later pass. */
export interface PrepareDecision extends RunRequest {
  readonly do: 'prepare';
}

/** Facts for starting runs. */
export interface WithDispatch {
  /** Number of the next run, unless the graph holds one at least as high; numbers are never reused. */
  readonly nextRun: number;
  /** Client for tasks without a command; undefined if there is none. */
  readonly executor: string | undefined;
  /** Clients, in order of preference, that replace a client on hold because of a limit of its provider. */
  readonly standIns: readonly string[];
  /** The session that got the last slot. */
  readonly lastSession: number | undefined;
  /** Runs of clients, and of commands that need a worktree, are prepared before their tasks are claimed. */
  readonly prepares: boolean;
  /** Workers on other machines that may carry out runs. */
  readonly elsewhere: WorkerFacts;
}

type Decision = DispatchDecision | PrepareDecision | DropDecision;
type Facts = WithDispatch & WithSessions & WithProviders & WithAgency & WithPeople;
type DispatchTick = Tick<Facts, Decision>;

export const dispatch: Part<WithDispatch, Decision, Facts> = {
  none: {
    nextRun: 1,
    executor: undefined,
    standIns: [],
    lastSession: undefined,
    prepares: false,
    elsewhere: NO_WORKER_FACTS,
  },
  decide: dispatchReady,
};

/** Phases 5 and 6: starts ready tasks in the free slots, first come, first served. */
function dispatchReady(tick: DispatchTick): void {
  const preparations = tick.facts.prepares ? new Preparations(tick) : undefined;
  fill(tick, preparations);
  preparations?.sweep();
}

function fill(tick: DispatchTick, preparations: Preparations | undefined): void {
  const { facts, now } = tick;
  const places = new FreePlaces(tick.slots, tick.graph, facts.elsewhere);
  if (places.free === 0 || facts.paused || now < tick.backOffUntil) return;
  const ledger = ledgerOf(facts, tick.raised);
  let number = nextRun(tick);
  const busy = busyAgents(tick);
  const gate = new ClientGate(tick);
  for (const { candidate, session, take } of turns(tick, preparations, places)) {
    if (places.free === 0) return;
    const { task } = candidate;
    const client = candidate.executor !== 'shell';
    const agent = AGENT.of(task) ?? '';
    const { capacity = Number.POSITIVE_INFINITY } = facts.agency.agents.get(agent) ?? {};
    if (client && numberOf(busy, agent) >= capacity) continue; // its agent is at capacity
    const executor = client ? gate.clientFor(task, candidate.executor, facts.standIns) : 'shell';
    if (executor === undefined) continue; // its provider is on hold, or may be
    const own = executor === candidate.executor ? session : { ...session, model: null };
    const grant = client ? ledger?.grant(task) : undefined;
    if (client && ledger && !grant) continue; // another task may have its own cap
    const place = places.find(task, executor);
    if (place === undefined) continue; // another task may have one
    place.take();
    take();
    const machine = place.machine === 'here' ? {} : { machine: place.machine };
    countUp(busy, agent);
    if (client) gate.take(task, executor);
    // A command that follows merged work needs a worktree; any other command needs no preparation before its claim.
    const before = client || needsCommits(tick.graph, task) ? preparations : undefined;
    const ready = before?.take(task, { executor, machine: place.machine, ledger: client ? ledger : undefined });
    // The grant in the prompt counts, if the prompt exists already: more of the caps may have become free since.
    const part = ledger && ready?.grant ? ready.grant : grant;
    if (part) ledger?.take(task.id, part.reserve);
    if (before && !ready) {
      if (!before.isPending(task))
        tick.want(toPrepare(tick, task, { run: nameOfRun(number++), executor, ...machine, session: own, grant: part }));
      continue;
    }
    const reason = 'It is ready and a slot is free';
    const start = { run: ready?.run ?? nameOfRun(number++), executor, ...machine, reason, grant: part };
    tick.want(inSession(dispatchRun(tick, task, { ...start, promptAt: ready?.at }), facts, own));
  }
}

function nextRun({ facts, graph }: Tick<WithDispatch>): number {
  return Math.max(facts.nextRun, graph.lastRun + 1);
}

/** The ledger with the usage of running attempts included; undefined if nothing is limited. */
function ledgerOf({ budget, runs }: CommonFacts, raised: Tick['raised']): Ledger | undefined {
  if (!budget) return undefined;
  return new Ledger(withUse({ ...budget, reserved: new Map([...budget.reserved, ...raised]) }, runs));
}

/** Requests the preparation of the run that the next claim of this task would start. Claims nothing. */
function toPrepare(
  { facts }: Tick<WithSessions>,
  task: Task,
  {
    session,
    grant,
    ...start
  }: { run: string; executor: string; machine?: RunMachine; session: TaskSession; grant: Grant | undefined },
): PrepareDecision {
  const request = {
    do: 'prepare' as const,
    ...start,
    task: task.id,
    fence: (task.fence ?? 0) + 1,
    timeoutMs: timeoutOf(task, facts.terms.timeoutMs),
    ...(grant === undefined ? {} : { grant }),
    reason: 'It is ready and a slot is free',
    events: [],
  };
  return inSession(request, facts, session);
}

/** Options of a requested run of one task. */
export interface SpawnRequest {
  readonly task: string;
  readonly executor?: string | undefined;
  readonly model?: string | undefined;
  readonly timeoutMs?: number | undefined;
}

/** State of a prompt prepared before the claim: when its facts were gathered, and the grant that it names. */
export interface PreparedPrompt {
  readonly at: number;
  readonly grant?: Grant | undefined;
}

/**
 * Starts a run on request, regardless of slots and pause, with an ordinary claim. Errors: `unknown_task`, `not_ready`,
 * `wrong_status`, `formation_gate`, `exec_missing`, `untrusted_command`, `budget_spent`.
 */
export function spawn(
  facts: Facts & CommonFacts,
  request: SpawnRequest,
  now: number,
  before?: PreparedPrompt,
): DispatchDecision {
  const tick = new Tick(facts, now, () => undefined);
  const task = taskOf(tick.graph, request.task);
  refuseGated(task);
  if (isForPerson(task, facts)) {
    throw new TroupeError('not_ready', {
      what: `${task.id} is for a person.`,
      hint: `Run \`troupe claim ${task.id}\`.`,
    });
  }
  if (task.exec === undefined && missingAgent(task, facts.agency) !== undefined) {
    throw new TroupeError('not_ready', {
      what: `${task.id} is assigned to an agent that does not exist.`,
      hint: `Run \`troupe assign ${task.id} AGENT\`, or with --clear.`,
    });
  }
  if (waitsForTrust(task, facts.trust)) throw new TroupeError('untrusted_command', { details: { id: task.id } });
  const session = sessionOf(tick, task);
  const usual = clientOf(facts, session);
  const own = usual && (facts.agency.agents.get(String(AGENT.of(task)))?.executor ?? usual);
  const client = task.exec === undefined ? (request.executor ?? own) : undefined;
  if (task.exec === undefined && (client === undefined || client === 'shell' || task.exec_mode === 'shell')) {
    throw new TroupeError('exec_missing', {
      what: `${task.id} has no command, and there is no client to run it.`,
      details: { id: task.id },
    });
  }
  const ledger = client === undefined ? undefined : ledgerOf(facts, tick.raised);
  const grant = ledger && grantFor(ledger, task, before?.grant);
  const run = nameOfRun(nextRun(tick));
  const reason = 'It was requested';
  const options = {
    ...request,
    run,
    executor: client ?? 'shell',
    ...machineForRequest(tick.graph, facts.elsewhere, task, client ?? 'shell'),
    reason,
    grant,
    promptAt: client === undefined ? undefined : before?.at,
  };
  return inSession(dispatchRun(tick, task, options), facts, session);
}

/**
 * The grant named in a prepared prompt, if there is one, else a new grant; either must still fit the caps. Errors:
 * `budget_spent`.
 */
function grantFor(ledger: Ledger, task: Task, before: Grant | undefined): Grant {
  const grant = before ?? ledger.grant(task);
  if (grant && ledger.covers(task, grant)) return grant;
  const refusal = ledger.refusal(task);
  throw new TroupeError('budget_spent', {
    what: `${task.id} cannot start now: ${refusal?.text ?? 'other runs used up its share'}.`,
    hint: refusal === undefined ? 'Try again.' : `Run \`${raiseCommand(refusal)}\`.`,
  });
}

/** Combines the claim, its reservation and the run in one decision. */
function dispatchRun(
  tick: Tick,
  task: Task,
  options: {
    run: string;
    executor: string;
    machine?: RunMachine;
    reason: string;
    model?: string | undefined;
    timeoutMs?: number | undefined;
    promptAt?: number | undefined;
    grant?: Grant | undefined;
  },
): DispatchDecision {
  const { run, executor, machine, reason, model, timeoutMs, promptAt, grant } = options;
  const reserve = grant?.reserve;
  const detail = { run, executor, ...(reserve ? { reserve: { ...reserve } } : {}) };
  const plan = claimTask(tick.graph, task.id, { now: tick.now, by: { name: run }, ...(reserve ? { detail } : {}) });
  const spawned: Plan<undefined> = {
    events: [{ op: 'spawn_agent', task_id: task.id, actor: run, detail, patch: [] }],
    result: undefined,
  };
  return {
    do: 'dispatch',
    run,
    task: task.id,
    fence: plan.result.fence,
    timeoutMs: timeoutMs ?? timeoutOf(task, tick.facts.terms.timeoutMs),
    executor,
    ...(machine === undefined ? {} : { machine }),
    ...(model === undefined ? {} : { model }),
    ...(grant === undefined ? {} : { grant }),
    reason,
    events: [
      ...tick.act(promptAt === undefined ? plan : withPromptTime(plan, task.id, promptAt)),
      ...tick.act(spawned),
    ],
  };
}

/** Adds the owning session and its model, if there are several sessions. */
function inSession<Run extends RunRequest>(run: Run, { sessions }: WithSessions, { id, model }: TaskSession): Run {
  if (sessions.length === 0) return run;
  return { ...run, session: id, ...(model === null ? {} : { sessionModel: model }) };
}

/** The session that owns a task. */
function sessionOf({ graph, facts }: Tick<WithSessions>, task: Task): TaskSession {
  const { sessions } = facts;
  const owner = new Ownership(graph, sessions).ownerOf(task);
  return sessions.find(({ id }) => id === owner) ?? REST;
}

/** Startable tasks in order; with several sessions, in turns. */
function turns(
  tick: DispatchTick,
  preparations: Preparations | undefined,
  places: FreePlaces,
): Iterable<SessionShare<ReadyTask>> {
  const { facts, graph } = tick;
  const { sessions, runs, lastSession: last } = facts;
  return new Turns({ view: graph, sessions, runs, last }, (session, owns) =>
    inOrder(
      tick,
      places,
      clientOf(facts, session),
      (task) => preparations?.mayBegin(task) ?? true,
      sessions.length === 0 ? undefined : owns,
    ),
  );
}

/**
 * Client of a session. The session's own client counts if it can be started here, else there is none; a session without
 * one uses the client of the service.
 */
function clientOf({ executor, executors }: WithDispatch & WithSessions, session: TaskSession): string | undefined {
  if (session.executor === null || session.executor === executor) return executor;
  return executors.has(session.executor) ? session.executor : undefined;
}

interface ReadyTask extends SessionCandidate {
  readonly since: number;
}

/**
 * Ready tasks, longest ready first. Commands are many and cheap to check; tasks for clients are considered only if
 * there is a client.
 */
function inOrder(
  { graph, facts, now, awaitingWorkflow, clientHolds }: DispatchTick,
  places: FreePlaces,
  executor: string | undefined,
  mayBegin: (task: Task) => boolean,
  owned: (task: Task) => boolean = () => true,
): ReadyTask[] {
  const owns = (task: Task) =>
    !awaitingWorkflow.has(task.id) && owned(task) && places.mayHave(needsOf(task)) && !waitsForTrust(task, facts.trust);
  const mayRun = (task: Task) => owns(task) && mayBegin(task);
  // Not every place fits every task: more candidates than places are needed, as some may find none.
  const slots = facts.elsewhere.rooms.length > 0 ? WORK_LIMITS.budgetCandidates : places.free;
  const commands = firstReady(graph, graph.runnable(), slots, now, mayRun).map((ready) => ({
    ...ready,
    executor: 'shell',
  }));
  if (executor === undefined) return commands;
  const asksForClient = (task: Task) =>
    task.exec === undefined &&
    task.exec_mode !== 'shell' &&
    !isForPerson(task, facts) &&
    missingAgent(task, facts.agency) === undefined && // a missing agent is not replaced by an anonymous client
    owns(task) &&
    mayBegin(task);
  const agentOf = (task: Task) => facts.agency.agents.get(String(AGENT.of(task)));
  const most =
    facts.budget || hasAgencyWork(facts.agency) || clientHolds.size > 0 ? WORK_LIMITS.budgetCandidates : slots;
  // A session already begun and paid for comes first; otherwise the budget could end with many half-finished tasks.
  const rankOf = (id: string, readySince: number) => {
    const task = graph.task(id);
    return task && waitsForMore(task) ? 0 : readySince;
  };
  const ready = facts.budget
    ? firstRanked(graph, graph.withoutCommand(), most, now, asksForClient, rankOf)
    : firstReady(graph, graph.withoutCommand(), most, now, asksForClient);
  const clients = ready.map((one) => ({ ...one, executor: agentOf(one.task)?.executor ?? executor }));
  return [...commands, ...clients].sort(
    (left, right) => left.since - right.since || compareText(left.task.id, right.task.id),
  );
}

/** Whether the task is marked for a person, assigned to a person, or has to be taken by a member first. */
function isForPerson(task: Task, { people, agency }: WithPeople & WithAgency): boolean {
  const agent = agency.agents.get(String(AGENT.of(task)));
  return HUMAN.of(task) === true || isFreeWork(task) || personFor(task, people) !== undefined || agent?.human === true;
}

/** Timeout of a task in milliseconds; `otherwise` if it has none or it cannot be parsed. */
export function timeoutOf(task: Task, otherwise: number = WORK_LIMITS.taskTimeoutMs): number {
  if (task.timeout === undefined) return otherwise;
  try {
    return parseDuration(task.timeout);
  } catch {
    return otherwise; // edited by hand into something unreadable; `show` still displays it
  }
}
