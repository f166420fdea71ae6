/**
 * Figures derived from a graph and never stored: why a task does not run, critical path, forecast, checks, simulation;
 * and drawings.
 * @packageDocumentation
 */
import { type Refusal, raiseCommand, roomAgain, waitsForMore } from '#core/coordinator/budget.js';
import { AGREE_TO_LEADER, CHOOSE_REMOTE, type WorkerProblem } from '#core/coordinator/worker-facts.js';
import { acceptedOf } from '#core/graph/acceptance.js';
import { answerCommand, asksPerson, questionOf } from '#core/graph/asks-person.js';
import { failedStartsOf, isConflict } from '#core/graph/attempts.js';
import { gateCommand, isProposed } from '#core/graph/formation-gate.js';
import { outsideText } from '#core/graph/outside.js';
import { type CycleHolds, readiness } from '#core/graph/ready.js';
import { isRunName } from '#core/graph/run-name.js';
import { againCommand } from '#core/graph/take-again.js';
import { isTask, type Task } from '#core/graph/task.js';
import { TaskTable } from '#core/graph/task-table.js';
import { isUnreported } from '#core/graph/unreported.js';
import { UNVERIFIED_EDIT } from '#core/graph/unverified-edit.js';
import { editDifference } from '#core/graph/unverified-moves.js';
import type { GraphView } from '#core/graph/view.js';
import { timestamp } from '#kernel/clock.js';
import { assert } from '#kernel/errors.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { byId } from '#kernel/order.js';
import { plural, shellWord } from '#kernel/text.js';
import { parkedBecause } from './blocking.js';
import { storedMoment } from './brief.js';
import { channelProblems } from './channel-problems.js';
import { type ClientHoldRow, type Coordination, holdText } from './coordination.js';
import { doerOf } from './done-by.js';
import { forgeProblems } from './forge-problems.js';
import { obstacles } from './obstacles.js';
import { PROBLEM_KINDS, type Problem, type ProblemKind } from './problem.js';
import { standstills } from './standstill.js';
import type { AwaitedAnswer } from './waiting-circle.js';
import { type TriggerFact, workflowProblems } from './workflow-problems.js';

/** Facts that are not in the graph. */
export interface ProblemFacts {
  readonly coordination: Coordination;
  /** Tasks with an active run. */
  readonly live: Pick<ReadonlySet<string>, 'has'>;
  /** Tasks in progress without an active run, with the reason. */
  readonly stalled: ReadonlyMap<string, string>;
  /** Attempts whose work is in no kept branch, with the reason. */
  readonly unmerged: readonly { readonly task: string; readonly attempt: number; readonly why: string }[];
  /** Workflows that start automatically. */
  readonly triggers?: readonly TriggerFact[];
  /** Answers that runs owe one another. */
  readonly awaited: readonly AwaitedAnswer[];
  /** Number of commits to be landed. */
  readonly toLand: number;
  /** Problem that prevents the use of teams and messages. */
  readonly teams?: { readonly text: string; readonly command: string } | undefined;
  /** Names of tokens of the HTTP API that have expired. */
  readonly expiredTokens?: readonly string[];
}

/** Lists everything that waits for a person, one row each. Examines each unfinished task once. */
export function problemsOf(view: GraphView, facts: ProblemFacts, now: number): readonly Problem[] {
  const problems: Problem[] = [];
  const forPeople: Task[] = [];
  const waiting: Waiting = { commands: 0, clients: 0, untrusted: 0, refusals: new Map(), holds: new Map() };
  const cycleHolds: CycleHolds = new Map();
  const lineUps = new Map<string, Task[]>();
  for (const node of view.nodes()) {
    if (!isTask(node)) continue;
    const edit = editDifference(node);
    if (edit !== undefined) problems.push(unverified(node, edit));
    const outside = outsideText(node);
    if (outside !== undefined)
      problems.push(about(node, 'unverified', outside, lastWord(node), `troupe accept-edit ${shellWord(node.id)}`));
    if (node.status === 'done' || node.status === 'abandoned') continue;
    const command = isProposed(node) ? gateCommand(node) : undefined;
    if (command !== undefined) {
      const tasks = lineUps.get(command);
      if (tasks) tasks.push(node);
      else lineUps.set(command, [node]);
      continue;
    }
    const problem = problemWith(view, node, facts, now);
    if (problem) problems.push(problem);
    if (node.status !== 'open' || !readiness(view, node.id, now, cycleHolds).ready) continue;
    if (facts.coordination.waitsForTrust(node)) waiting.untrusted++;
    else if (node.exec !== undefined) waiting.commands++;
    else if (doerOf(node, facts.coordination) === 'person') forPeople.push(node);
    else {
      waiting.clients++;
      const hold = facts.coordination.holdOf?.(node);
      if (hold) waiting.holds.set(hold.client, { hold, tasks: (waiting.holds.get(hold.client)?.tasks ?? 0) + 1 });
      const refusal = facts.coordination.refusal?.(node);
      if (refusal === undefined) continue;
      const others = waiting.refusals.get(refusal.text);
      if (others) others.push({ task: node, refusal });
      else waiting.refusals.set(refusal.text, [{ task: node, refusal }]);
    }
  }
  const ofWorkflows = workflowProblems(facts.triggers ?? [], facts.coordination.running);
  return [
    ...(facts.teams ? [general('store', facts.teams.text, facts.teams.command)] : []),
    ...ofService(facts, waiting, now),
    ...ofWorkflows,
    ...problems,
    ...readyForPeople(forPeople),
    ...unaccepted(lineUps),
    ...[...standstills(new TaskTable(view), facts.awaited), ...obstacles(view, facts.coordination, now)].map(
      ({ task, kind, text, since, command }) => about(task, kind, text, since, command),
    ),
    ...ofWork(view, facts),
    ...channelProblems(view),
    ...(facts.expiredTokens ?? []).map((name) =>
      general('token', `The token ${name} has expired`, `troupe token revoke ${name}`),
    ),
    ...forgeProblems(view),
  ].sort(
    (left, right) =>
      PROBLEM_KINDS.indexOf(left.kind) - PROBLEM_KINDS.indexOf(right.kind) ||
      (storedMoment(left.since) ?? 0) - (storedMoment(right.since) ?? 0) ||
      byId({ id: left.task ?? '' }, { id: right.task ?? '' }),
  );
}

/** Problem for a hand edit made while runs were active. */
function unverified(task: Task, difference: string): Problem {
  const id = shellWord(task.id);
  const text = `Edited in graph.jsonl while runs were active, not applied: ${difference}. Throw it away: \`troupe accept-edit ${id} --discard\``;
  return about(task, 'unverified', text, undefined, `troupe accept-edit ${id}`);
}

/** A proposed line-up is one row, regardless of the number of its tasks. */
function unaccepted(lineUps: ReadonlyMap<string, readonly Task[]>): readonly Problem[] {
  return [...lineUps].map(([command, tasks]) => ({
    ...general('person', `A line-up of ${plural(tasks.length, 'task')} waits to be accepted`, command),
    since: tasks[0]?.created_at ?? null,
  }));
}

/** Ready work is one row, regardless of the number of tasks. */
function readyForPeople(tasks: readonly Task[]): readonly Problem[] {
  const [first] = tasks;
  if (first === undefined) return [];
  if (tasks.length === 1) return [forPerson(first)];
  return [general('person', `${tasks.length} ready tasks wait for a person`, 'troupe ready')];
}

function forPerson(task: Task): Problem {
  const who = task.member === undefined ? 'a person' : task.member;
  const command = gateCommand(task) ?? `troupe claim ${shellWord(task.id)}`;
  return about(task, 'person', `It is ready and for ${who}`, task.created_at, command);
}

function problemWith(view: GraphView, task: Task, facts: ProblemFacts, now: number): Problem | undefined {
  const id = shellWord(task.id);
  switch (task.status) {
    case 'pending-validation':
      return about(task, 'review', reviewOf(task), lastWord(task), reviewCommand(task));
    case 'blocked':
      return about(task, 'blocked', 'A person blocked it', lastWord(task), `troupe reopen ${id}`);
    case 'failed': {
      const dependents = view.dependents(task.id).filter((other) => isHeldBy(view.task(other), task.id)).length;
      const text = `${reasonOf(task)}${dependents === 0 ? '' : `; ${dependents} waiting for it to succeed`}`;
      return about(task, 'failed', text, task.completed_at, againCommand(view, task));
    }
    case 'waiting':
      if (asksPerson(task)) {
        const question = questionOf(task);
        const text = question === undefined ? 'It asks a person' : `It asks: ${question}`;
        return about(task, 'person', text, task.wait_condition?.since, answerCommand(task));
      }
      return needsSomebody(task)
        ? about(task, 'parked', parkedBecause(task, now).text, task.wait_condition?.since, `troupe resume ${id}`)
        : undefined;
    case 'in-progress': {
      if (facts.live.has(task.id)) return undefined;
      const reason = facts.stalled.get(task.id);
      if (reason !== undefined) return about(task, 'stalled', reason, task.started_at, `troupe unclaim ${id}`);
      if (isRunName(task.assigned)) return undefined;
      return about(task, 'person', `${task.assigned ?? 'Someone'} holds it`, task.started_at, `troupe show ${id}`);
    }
    case 'open': {
      const starts = failedStartsOf(task);
      if (starts !== undefined && starts.count >= WORK_LIMITS.failedStartsTold) {
        const text = `${plural(starts.count, 'attempt')} in a row could not be started: ${starts.reason}`;
        return about(task, 'executor', text, lastWord(task), `troupe why ${id}`);
      }
      return task.paused === true && !isProposed(task) && UNVERIFIED_EDIT.of(task)?.whole !== 'added'
        ? about(task, 'parked', 'It is paused until a person resumes it', task.created_at, `troupe resume ${id}`)
        : undefined;
    }
    default:
      return undefined;
  }
}

function isHeldBy(task: Task | undefined, id: string): boolean {
  return task?.status === 'open' && task.after_success?.includes(id) === true;
}

/**
 * Whether a wait needs someone to act: timers and other tasks resolve by themselves; an answer, a message and a file do
 * not.
 */
function needsSomebody(task: Task): boolean {
  const conditions = Array.isArray(task.wait_condition?.conditions) ? task.wait_condition.conditions : [];
  return conditions.length === 0 || conditions.some(({ type }) => type !== 'timer' && type !== 'task-status');
}

function reviewOf(task: Task): string {
  const accepted = acceptedOf(task);
  if (accepted) return `${accepted.by} has approved it; the merge is running or was interrupted`;
  const reason = task.failure_reason;
  if (typeof reason === 'string' && reason !== '') return `It needs review: ${reason}`;
  return typeof task.verify === 'string' && task.verify !== '' ? `It needs review: ${task.verify}` : 'It needs review';
}

/**
 * Command for a review. Work with a merge conflict would conflict again, so it is rejected: the next attempt starts
 * from the commit it conflicts with and is informed about the conflict.
 */
function reviewCommand(task: Task): string {
  const id = shellWord(task.id);
  if (isUnreported(task)) return answerCommand(task);
  return isConflict(task)
    ? `troupe reject ${id} --reason "it conflicts with what was merged meanwhile"`
    : `troupe approve ${id}`;
}

function reasonOf(task: Task): string {
  const reason: unknown = task.failure_reason;
  return typeof reason === 'string' && reason !== '' ? reason : 'It failed without a reason';
}

function lastWord(task: Task): string | undefined {
  return task.completed_at ?? task.log?.at(-1)?.timestamp ?? task.started_at ?? task.created_at;
}

interface Waiting {
  commands: number;
  clients: number;
  untrusted: number;
  /** Tasks refused by a budget cap, by the text of the refusal. */
  readonly refusals: Map<string, { readonly task: Task; readonly refusal: Refusal }[]>;
  /** Hold of each client, with the number of ready tasks that wait for it. */
  readonly holds: Map<string, { readonly hold: ClientHoldRow; readonly tasks: number }>;
}

function ofService(facts: ProblemFacts, waiting: Waiting, now: number): Problem[] {
  const { running, paused, executor, missing, unjudged, backOffUntil = 0 } = facts.coordination;
  const { commands, clients, untrusted, refusals } = waiting;
  const served = commands + (executor === undefined ? 0 : clients);
  const [ready, wait] = [plural(served, 'ready task'), served === 1 ? 'waits' : 'wait'];
  const problems: Problem[] = [];
  if (untrusted > 0) {
    const text = `${plural(untrusted, 'ready task')} would run a command that is not trusted`;
    problems.push(general('trust', text, 'troupe trust --show'));
  }
  if (!running && (served > 0 || facts.stalled.size > 0))
    problems.push(general('service', `No service is running, and ${ready} could run`, 'troupe service start'));
  if (running && paused && commands + clients > 0)
    problems.push(general('service', `The service is paused, and ${ready} ${wait}`, 'troupe service resume'));
  if (now < backOffUntil)
    problems.push(
      general(
        'service',
        `Too many clients were silent: none starts before ${timestamp(backOffUntil)}`,
        'troupe agents --all',
      ),
    );
  for (const { name, since } of facts.coordination.silentWorkers ?? []) {
    const text = `The worker ${name} is silent: what it had is given to others`;
    problems.push({ ...general('service', text, 'troupe machines --workers'), since: timestamp(since) });
  }
  const unused = facts.coordination.unusedWorkers ?? [];
  if (unused.length > 0) {
    const text = `${plural(unused.length, 'worker')} ${unused.length === 1 ? 'gets' : 'get'} nothing: no remote is chosen by which their work could come here`;
    problems.push(general('service', text, CHOOSE_REMOTE.command));
  }
  for (const worry of facts.coordination.workerWorries ?? []) problems.push(workerProblem(worry));
  for (const { hold, tasks } of waiting.holds.values())
    problems.push({
      ...general('client', `${holdText(hold, tasks)}: ${hold.remedy}`, 'troupe service reload'),
      since: timestamp(hold.since),
    });
  if (missing !== undefined && clients > 0)
    problems.push(
      general('client', `No client can run ${plural(clients, 'ready task')}: ${missing.text}`, missing.command),
    );
  if (unjudged !== undefined) {
    const text = `auto_evaluate is on, but no model can score anything: ${unjudged} Nothing is evaluated until then`;
    problems.push(general('executor', text, 'troupe config set agency.auto_evaluate false'));
  }
  for (const held of refusals.values()) problems.push(budgetProblem(held));
  return problems;
}

function workerProblem(worry: WorkerProblem): Problem {
  const worker = `The worker ${worry.name}`;
  switch (worry.kind) {
    case 'unagreed': {
      const text = `${worker} has not agreed to this leader and takes nothing; on its machine, in its clone, a person can`;
      return general('service', text, AGREE_TO_LEADER);
    }
    case 'garbled': {
      const text = `${worker} reports on ${worry.run} in a form that is not valid (${worry.why}): what that run uses is not known`;
      return general('service', text, 'troupe machines --workers');
    }
  }
}

/**
 * Problem for the tasks that one cap refuses, new ones and those with a session to continue. The command raises the cap
 * enough for the most expensive of them.
 */
export function budgetProblem(held: readonly { readonly task: Task; readonly refusal: Refusal }[]): Problem {
  const [first] = held.toSorted((left, right) => right.refusal.wanted - left.refusal.wanted);
  assert(first, 'a refusal is of a task');
  const begun = held.filter(({ task }) => waitsForMore(task)).length;
  const which = begun === 0 ? '' : `, ${begun === held.length ? 'all' : begun} of them begun`;
  const text = `The budget holds ${plural(held.length, 'ready task')}${which}: ${first.refusal.text}${roomAgain(first.refusal)}`;
  return general('budget', text, raiseCommand(first.refusal));
}

function ofWork(view: GraphView, { unmerged, toLand }: ProblemFacts): Problem[] {
  const problems = unmerged.map(({ task, attempt, why }): Problem => {
    const title = view.task(task)?.title ?? null;
    const text = `Attempt ${attempt} left unmerged work: ${why}`;
    return { kind: 'unmerged', task, title, text, since: null, command: `troupe worktree show ${shellWord(task)}` };
  });
  if (toLand > 0)
    problems.push(general('unlanded', `${plural(toLand, 'commit')} on wg/integration to land`, 'troupe worktree land'));
  return problems;
}

function general(kind: ProblemKind, text: string, command: string): Problem {
  return { kind, task: null, title: null, text, since: null, command };
}

function about(task: Task, kind: ProblemKind, text: string, since: string | undefined, command: string): Problem {
  const moment = storedMoment(since);
  return {
    kind,
    task: task.id,
    title: task.title,
    text,
    since: moment === undefined ? null : timestamp(moment),
    command,
  };
}
