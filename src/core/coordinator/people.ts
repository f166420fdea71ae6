import { ErrandKind } from '#core/coordinator/errand.js';
import type { Tick } from '#core/coordinator/tick.js';
import { AGENT } from '#core/graph/assignee.js';
import type { EventDraft, Plan } from '#core/graph/event.js';
import { gateCommand } from '#core/graph/formation-gate.js';
import { claimTask, doneTask, failTask, unclaimTask } from '#core/graph/moves.js';
import { readiness } from '#core/graph/ready.js';
import type { NodeFields, Task } from '#core/graph/task.js';
import { timeOf } from '#core/graph/time.js';
import { afterSend, type Notification, personStep } from '#core/mail/notice.js';
import type { Person } from '#core/mail/person.js';
import { parseTaskReply } from '#core/mail/person.js';
import { timestamp } from '#kernel/clock.js';
import { formatDuration } from '#kernel/duration.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { countUp, numberOf } from '#kernel/numbers.js';
import { compareText } from '#kernel/order.js';
import { plural } from '#kernel/text.js';
import { NOTIFIED_FIELD } from './prompt-time.js';
import type { BaseDecision, Part } from './tick.js';

const COORDINATOR = 'coordinator';
/** Reads the replies in the chat room; only one such errand exists at a time. */
export const REPLIES = new ErrandKind<RoomReplies>('replies');
/** Notifies a person. */
export const NOTIFY_ERRAND = new ErrandKind<{ readonly of: 'told' }>('tell');

/** Replies in the room; `since` is the cursor for the next read. */
export interface RoomReplies {
  readonly of: 'replies';
  readonly since: string;
  readonly replies: readonly { readonly sender: string; readonly text: string }[];
}

export interface PeopleFacts {
  /** Keyed by the id of their agent. */
  readonly byAgent: ReadonlyMap<string, Person>;
  /** Tasks claimed for people that may still be theirs. */
  readonly claimed: Iterable<string>;
  /** Enough time has passed since the last read of the room. */
  readonly lookAgain: boolean;
}

/** Facts about people who do tasks. */
export interface WithPeople {
  readonly people: PeopleFacts;
}

/** Notifies a person of the task that they hold. */
export interface TellDecision extends BaseDecision {
  readonly do: 'tell';
  readonly task: string;
  readonly key: string;
  readonly person: Person;
  readonly number: number;
  readonly claimedAt: number;
}

/** Reads the replies in the room. */
interface ReadDecision extends BaseDecision {
  readonly do: 'read-replies';
  readonly key: string;
}

type PeopleDecision =
  | TellDecision
  | ReadDecision
  /**
   * `hand-over`: claimed in the name of a person. `give-back`: released because the person could not be reached or
   * stayed silent.
   */
  | (BaseDecision & { readonly do: 'hand-over' | 'give-back'; readonly task: string })
  /** The answer of an errand is recorded; `since` is the next read cursor. */
  | (BaseDecision & { readonly do: 'heard'; readonly key: string; readonly since?: string });

type PeopleTick = Tick<WithPeople, PeopleDecision>;

export const people: Part<WithPeople, PeopleDecision> = {
  none: { people: { byAgent: new Map(), claimed: [], lookAgain: false } },
  decide: handlePeopleTasks,
};

/** Notification state of a task, per claim. Times as text. */
interface PersonClaim {
  readonly fence: number;
  readonly sent: number;
  readonly last_sent?: string;
  readonly failures: number;
  readonly last_failed?: string;
}

/** The person a task is assigned to; undefined if a command or a client does it. */
export function personFor(task: Task, people: PeopleFacts): Person | undefined {
  const agent = AGENT.of(task);
  return task.exec === undefined && typeof agent === 'string' ? people.byAgent.get(agent) : undefined;
}

/**
 * Handles the tasks of people: records their answers, releases tasks of people who stay silent or cannot be reached,
 * claims ready tasks for them, and notifies them. None of this takes a slot.
 */
function handlePeopleTasks(tick: PeopleTick): void {
  const facts = tick.facts.people;
  const notices = new Set<string>();
  applyReplies(tick, facts);
  for (const id of [...facts.claimed].sort()) {
    const task = tick.graph.task(id);
    const claim = personClaim(task);
    if (task && claim) notices.add(keyOf(task, claim));
    if (task) notifyOrRelease(tick, task, facts);
  }
  dropStaleNotices(tick, notices);
  if (!tick.facts.paused && facts.byAgent.size > 0)
    for (const { task, person } of readyForPeople(tick, facts)) claimForPerson(tick, task, person);
  if ([...facts.claimed].some((id) => isInRoom(tick.graph.task(id), facts)) && facts.lookAgain)
    ask(tick, { do: 'read-replies', key: REPLIES.key(), reason: 'A person may have answered', events: [] });
}

/** Notification state of the current claim; undefined if the task is not claimed for a person. */
export function personClaim(task: Task | undefined): PersonClaim | undefined {
  const claim = NOTIFIED_FIELD.of(task) as PersonClaim | undefined;
  return task?.status === 'in-progress' && typeof claim?.fence === 'number' && claim.fence === task.fence
    ? claim
    : undefined;
}

function isInRoom(task: Task | undefined, facts: PeopleFacts): boolean {
  return task !== undefined && personClaim(task) !== undefined && personFor(task, facts)?.channel === 'matrix';
}

/** Starts an errand unless it is under way or answered. */
function ask(tick: PeopleTick, decision: TellDecision | ReadDecision): void {
  const { errands } = tick.facts;
  if (errands.underWay.has(decision.key) || errands.answers.has(decision.key)) return;
  tick.want(decision);
}

/** Ready tasks of people, first come, first served, up to the capacity of each person. */
function* readyForPeople(
  { graph, now, awaitingWorkflow }: PeopleTick,
  facts: PeopleFacts,
): Iterable<{ readonly task: Task; readonly person: Person }> {
  const ready: { task: Task; person: Person; since: number }[] = [];
  for (const id of graph.candidates()) {
    const task = graph.task(id);
    const person = task && personFor(task, facts);
    if (
      task &&
      person &&
      !awaitingWorkflow.has(id) &&
      gateCommand(task) === undefined &&
      readiness(graph, id, now).ready
    )
      ready.push({ task, person, since: graph.readyAt(id) ?? 0 });
  }
  const inHand = new Map<string, number>();
  const count = (name: string) => countUp(inHand, name);
  for (const id of facts.claimed) {
    const task = graph.task(id);
    if (personClaim(task) && task?.assigned !== undefined) count(task.assigned);
  }
  ready.sort((left, right) => left.since - right.since || compareText(left.task.id, right.task.id));
  for (const { task, person } of ready) {
    if (numberOf(inHand, person.name) >= (person.capacity ?? Number.POSITIVE_INFINITY)) continue;
    count(person.name);
    yield { task, person };
  }
}

/** Claims a task in the person's name and requests the first notice in the same pass. */
function claimForPerson(tick: PeopleTick, task: Task, person: Person): void {
  const plan = claimTask(tick.graph, task.id, {
    now: tick.now,
    by: { name: person.name },
    detail: { person: person.name },
  });
  const { fence } = plan.result;
  const notice = note(task.id, { fence, sent: 0, failures: 0 });
  tick.want({
    do: 'hand-over',
    task: task.id,
    reason: `It is ready and given to ${person.name}`,
    events: [...tick.act(plan), ...tick.act(notice)],
  });
  const claimed = tick.graph.task(task.id);
  if (claimed) notifyOrRelease(tick, claimed, tick.facts.people);
}

/** Records the result of the last notice, then releases the task or requests the next notice or reminder. */
function notifyOrRelease(tick: PeopleTick, before: Task, facts: PeopleFacts): void {
  const answered = recordNoticeResult(tick, before);
  const task = tick.graph.task(before.id);
  const claim = personClaim(task);
  if (!task || !claim || answered) return; // a later pass continues
  const { now } = tick;
  const silent = now - lastHeard(task);
  if (silent > WORK_LIMITS.personLeaseMs) {
    giveBack(tick, task, `silent for ${formatDuration(silent)}`);
    return;
  }
  const person = personFor(task, facts);
  if (!person?.channel) return;
  const step = personStep(notificationOf(task, claim), now);
  if (step.do === 'release') giveBack(tick, task, step.note.replace(/^Released: /, ''));
  if (step.do !== 'notify') return;
  ask(tick, {
    do: 'tell',
    task: task.id,
    key: keyOf(task, claim),
    person,
    number: step.number,
    claimedAt: timeOf(task.started_at),
    reason: step.number === 0 ? `${person.name} is notified` : `${person.name} is reminded`,
    events: [],
  });
}

/** Discards answers about claims that no longer exist. */
function dropStaleNotices(tick: PeopleTick, present: ReadonlySet<string>): void {
  for (const { key } of NOTIFY_ERRAND.answers(tick.facts.errands)) {
    if (present.has(key)) continue;
    tick.want({ do: 'heard', key, reason: 'The task had moved on', events: [] });
  }
}

/** Records the result of a finished notice; true if there was one. */
function recordNoticeResult(tick: PeopleTick, task: Task): boolean {
  const claim = personClaim(task);
  const key = claim && keyOf(task, claim);
  const answer = key === undefined ? undefined : NOTIFY_ERRAND.answer(tick.facts.errands, key);
  if (!claim || key === undefined || answer === undefined) return false;
  const worked = answer.of !== 'error';
  const after = afterSend(notificationOf(task, claim), worked, tick.now);
  const log =
    answer.of === 'error' ? `${task.assigned ?? 'The person'} could not be notified: ${answer.text}` : undefined;
  tick.want({
    do: 'heard',
    key,
    reason: log ?? `${task.assigned ?? 'The person'} was notified of ${task.id}`,
    events: tick.act(
      note(task.id, claimOf(after, claim.fence), log === undefined ? undefined : { task, log, now: tick.now }),
    ),
  });
  return true;
}

/** Applies replies from the room. A reply counts only if it comes from the contact of the task's holder. */
function applyReplies(tick: PeopleTick, facts: PeopleFacts): void {
  const answer = REPLIES.answer(tick.facts.errands, REPLIES.key());
  if (answer === undefined) return;
  const events: EventDraft[] = [];
  const contact = (id: string) => {
    const task = tick.graph.task(id);
    return task && personClaim(task) ? personFor(task, facts)?.contact : undefined;
  };
  let count = 0;
  for (const reply of answer.of === 'replies' ? answer.replies : []) {
    const move = parseTaskReply(reply, contact);
    const task = move && tick.graph.task(move.id);
    if (!move || !task) continue;
    count++;
    events.push(...tick.act(moveFor(tick, task, move)));
  }
  tick.want({
    do: 'heard',
    key: REPLIES.key(),
    ...(answer.of === 'replies' ? { since: answer.since } : {}),
    reason:
      answer.of === 'error' ? `The room cannot be read: ${answer.text}` : `${plural(count, 'answer')} in the room`,
    events,
  });
}

type Move = NonNullable<ReturnType<typeof parseTaskReply>>;

/**
 * Applies a reply as if the person had used the command line. A refused move is logged at the task, where the person
 * can see the reason.
 */
function moveFor(tick: PeopleTick, task: Task, move: Move): Plan<unknown> {
  const options = { now: tick.now, by: { name: task.assigned ?? 'person' }, detail: { channel: 'matrix' } };
  const refused = (why: string) =>
    note(task.id, personClaim(task), { task, log: `The answer in the room was ignored: ${why}`, now: tick.now });
  try {
    if (move.do === 'fail') return failTask(tick.graph, task.id, { ...options, reason: move.why });
    if (task.verify_cmd !== undefined || task.require_commit === true)
      return refused(`its work is checked first, by \`troupe done ${task.id}\``);
    return doneTask(tick.graph, task.id, options);
  } catch (error) {
    if (error instanceof TroupeError) return refused(error.message);
    throw error;
  }
}

/** Releases a task for anyone to take; the same person is not notified again within a day. */
function giveBack(tick: PeopleTick, task: Task, reason: string): void {
  const plan = unclaimTask(tick.graph, task.id, { now: tick.now, by: { name: COORDINATOR }, reason });
  const pause: EventDraft = {
    op: 'edit',
    task_id: task.id,
    actor: COORDINATOR,
    patch: [{ id: task.id, set: { ready_after: timestamp(tick.now + TEAM_LIMITS.reminderMs) }, unset: ['told'] }],
  };
  tick.want({
    do: 'give-back',
    task: task.id,
    reason,
    events: tick.act({ events: [...plan.events, pause], result: undefined }),
  });
}

/** Time of the last entry at the task, by anyone: each entry renews the claim of a person. */
function lastHeard(task: Task): number {
  return Math.max(timeOf(task.started_at) || 0, timeOf(task.log?.at(-1)?.timestamp) || 0);
}

function keyOf(task: Task, claim: PersonClaim): string {
  return NOTIFY_ERRAND.key(task.id, claim.fence, claim.sent, claim.failures);
}

function notificationOf(task: Task, claim: PersonClaim): Notification {
  return {
    claimedAt: timeOf(task.started_at),
    sent: claim.sent,
    failures: claim.failures,
    ...(claim.last_sent === undefined ? {} : { lastSentAt: timeOf(claim.last_sent) }),
    ...(claim.last_failed === undefined ? {} : { lastFailedAt: timeOf(claim.last_failed) }),
  };
}

function claimOf({ sent, failures, lastSentAt, lastFailedAt }: Notification, fence: number): PersonClaim {
  return {
    fence,
    sent,
    failures,
    ...(lastSentAt === undefined ? {} : { last_sent: timestamp(lastSentAt) }),
    ...(lastFailedAt === undefined ? {} : { last_failed: timestamp(lastFailedAt) }),
  };
}

function note(
  id: string,
  claim: PersonClaim | undefined,
  line?: { task: Task; log: string; now: number },
): Plan<undefined> {
  const log = line && {
    log_at: line.task.log?.length ?? 0,
    log: [{ timestamp: timestamp(line.now), actor: COORDINATOR, message: line.log }],
  };
  const set: NodeFields = claim ? { told: { ...claim } } : {};
  const event: EventDraft = { op: 'notify', task_id: id, actor: COORDINATOR, patch: [{ id, set, ...log }] };
  return { events: [event], result: undefined };
}
