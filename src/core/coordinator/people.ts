import type { Decision } from '#core/coordinator/decision.js';
import type { PeopleFacts } from '#core/coordinator/snapshot.js';
import type { Tick } from '#core/coordinator/tick.js';
import type { EventDraft, Plan } from '#core/graph/event.js';
import { claimTask, doneTask, failTask, unclaimTask } from '#core/graph/moves.js';
import { readiness } from '#core/graph/ready.js';
import type { NodeFields, Task } from '#core/graph/task.js';
import { timeOf } from '#core/graph/time.js';
import { afterSend, personStep, type Told } from '#core/people/flow.js';
import type { Person } from '#core/people/person.js';
import { answerIn } from '#core/people/reply.js';
import { timestamp } from '#kernel/clock.js';
import { formatDuration } from '#kernel/duration.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';

const COORDINATOR = 'coordinator';
/** The errand that reads what people wrote in the room; never more than one at a time. */
export const REPLIES = 'replies';
const TELL = 'tell ';

/** What is kept at a task of who was told of it, under which claim. Times as text. */
interface Kept {
  readonly fence: number;
  readonly sent: number;
  readonly last_sent?: string;
  readonly failures: number;
  readonly last_failed?: string;
}

/** The person a task is given to; undefined where a command or a client does it. */
export function personFor(task: Task, people: PeopleFacts | undefined): Person | undefined {
  const agent = task['agent'];
  return task.exec === undefined && typeof agent === 'string' ? people?.known.get(agent) : undefined;
}

/**
 * Tasks that people do: what they answered is taken down, who is not heard of or cannot be reached gives back, ready
 * ones are claimed for them, and they are told. None of it takes a slot.
 */
export function people(tick: Tick): void {
  const facts = tick.snapshot.people;
  if (!facts) return;
  hear(tick, facts);
  for (const id of [...facts.held].sort()) {
    const task = tick.graph.task(id);
    if (task) attend(tick, task, facts);
  }
  forgetOld(tick);
  if (!tick.snapshot.paused && facts.known.size > 0)
    for (const task of readyForPeople(tick, facts)) hand(tick, task, facts);
  if ([...facts.held].some((id) => isInRoom(tick.graph.task(id), facts)) && facts.lookAgain)
    ask(tick, { do: 'read-replies', key: REPLIES, reason: 'A person may have answered', events: [] });
}

/** Does this claim belong to a person, by a claim of ours that still stands? */
export function keptOf(task: Task | undefined): Kept | undefined {
  const kept = task?.['told'] as Kept | undefined;
  return task?.status === 'in-progress' && typeof kept?.fence === 'number' && kept.fence === task.fence
    ? kept
    : undefined;
}

function isInRoom(task: Task | undefined, facts: PeopleFacts): boolean {
  return task !== undefined && keptOf(task) !== undefined && personFor(task, facts)?.channel === 'matrix';
}

/** An errand, unless it is under way or its answer is there. */
function ask(tick: Tick, decision: Extract<Decision, { do: 'tell' | 'read-replies' }>): void {
  const { errands } = tick.snapshot;
  if (errands?.underWay.has(decision.key) || errands?.answers.has(decision.key)) return;
  tick.decisions.push(decision);
}

/** First come, first served, and nobody gets more at once than they take on. */
function* readyForPeople({ graph, now, held }: Tick, facts: PeopleFacts): Iterable<Task> {
  const found: { task: Task; person: Person; since: number }[] = [];
  for (const id of graph.candidates()) {
    const task = graph.task(id);
    const person = task && personFor(task, facts);
    if (task && person && !held.has(id) && readiness(graph, id, now).ready)
      found.push({ task, person, since: graph.readyAt(id) ?? 0 });
  }
  if (found.length === 0) return;
  const inHand = new Map<string, number>();
  const count = (name: string) => inHand.set(name, (inHand.get(name) ?? 0) + 1);
  for (const id of facts.held) {
    const task = graph.task(id);
    if (keptOf(task) && task?.assigned !== undefined) count(task.assigned);
  }
  found.sort((left, right) => left.since - right.since || (left.task.id < right.task.id ? -1 : 1));
  for (const { task, person } of found) {
    if ((inHand.get(person.name) ?? 0) >= (person.capacity ?? Number.POSITIVE_INFINITY)) continue;
    count(person.name);
    yield task;
  }
}

/** The claim in the person's name, and the first notice in the same pass. */
function hand(tick: Tick, task: Task, facts: PeopleFacts): void {
  const person = personFor(task, facts);
  if (!person) return;
  const plan = claimTask(tick.graph, task.id, {
    now: tick.now,
    by: { name: person.name },
    detail: { person: person.name },
  });
  const { fence } = plan.result;
  const told = note(task.id, { fence, sent: 0, failures: 0 });
  tick.decisions.push({
    do: 'hand-over',
    task: task.id,
    reason: `It is ready and given to ${person.name}`,
    events: [...tick.act(plan), ...tick.act(told)],
  });
  const claimed = tick.graph.task(task.id);
  if (claimed) attend(tick, claimed, facts);
}

/** What became of the last notice, and what is to be done about this person now. */
function attend(tick: Tick, before: Task, facts: PeopleFacts): void {
  const answered = takeDown(tick, before);
  const task = tick.graph.task(before.id);
  const kept = keptOf(task);
  if (!task || !kept || answered) return; // a later round goes on
  const { now } = tick;
  const silent = now - lastHeard(task);
  if (silent > LIMITS.personLeaseMs) {
    giveBack(tick, task, `not heard of for ${formatDuration(silent)}`);
    return;
  }
  const person = personFor(task, facts);
  if (!person?.channel) return;
  const step = personStep(toldOf(task, kept), now);
  if (step.do === 'release') giveBack(tick, task, step.note.replace(/^Released: /, ''));
  if (step.do !== 'notify') return;
  ask(tick, {
    do: 'tell',
    task: task.id,
    key: keyOf(task, kept),
    person,
    number: step.number,
    claimedAt: timeOf(task.started_at),
    reason: step.number === 0 ? `${person.name} is told` : `${person.name} is reminded`,
    events: [],
  });
}

/** Answers about claims that are over meanwhile. */
function forgetOld(tick: Tick): void {
  const answers = tick.snapshot.errands?.answers.keys() ?? [];
  const taken = new Set(tick.decisions.flatMap((decision) => (decision.do === 'heard' ? [decision.key] : [])));
  for (const key of answers) {
    if (!key.startsWith(TELL) || taken.has(key)) continue;
    tick.decisions.push({ do: 'heard', key, reason: 'The task had moved on', events: [] });
  }
}

/** The answer of the notice that was under way; true when there was one. */
function takeDown(tick: Tick, task: Task): boolean {
  const kept = keptOf(task);
  const key = kept && keyOf(task, kept);
  const answer = key === undefined ? undefined : tick.snapshot.errands?.answers.get(key);
  if (!kept || key === undefined || answer === undefined) return false;
  const worked = answer.of !== 'error';
  const after = afterSend(toldOf(task, kept), worked, tick.now);
  const log = answer.of === 'error' ? `${task.assigned ?? 'The person'} could not be told: ${answer.text}` : undefined;
  tick.decisions.push({
    do: 'heard',
    key,
    reason: log ?? `${task.assigned ?? 'The person'} was told of ${task.id}`,
    events: tick.act(
      note(task.id, keptFrom(after, kept.fence), log === undefined ? undefined : { task, log, now: tick.now }),
    ),
  });
  return true;
}

/** What was written in the room counts only from the contact of who holds the task. */
function hear(tick: Tick, facts: PeopleFacts): void {
  const answer = tick.snapshot.errands?.answers.get(REPLIES);
  if (answer === undefined) return;
  const events: EventDraft[] = [];
  const contact = (id: string) => {
    const task = tick.graph.task(id);
    return task && keptOf(task) ? personFor(task, facts)?.contact : undefined;
  };
  let counted = 0;
  for (const reply of answer.of === 'replies' ? answer.replies : []) {
    const said = answerIn(reply, contact);
    const task = said && tick.graph.task(said.id);
    if (!said || !task) continue;
    counted++;
    events.push(...tick.act(moveFor(tick, task, said)));
  }
  tick.decisions.push({
    do: 'heard',
    key: REPLIES,
    ...(answer.of === 'replies' ? { since: answer.since } : {}),
    reason: answer.of === 'error' ? `The room could not be read: ${answer.text}` : `${counted} answers in the room`,
    events,
  });
}

type Said = NonNullable<ReturnType<typeof answerIn>>;

/** As the person would by the command line. What the move does not allow is written down, so that they find out. */
function moveFor(tick: Tick, task: Task, said: Said): Plan<unknown> {
  const options = { now: tick.now, by: { name: task.assigned ?? 'person' }, detail: { channel: 'matrix' } };
  const refused = (why: string) =>
    note(task.id, keptOf(task), { task, log: `The answer in the room did not count: ${why}`, now: tick.now });
  try {
    if (said.do === 'fail') return failTask(tick.graph, task.id, { ...options, reason: said.why });
    if (task.verify_cmd !== undefined || task.require_commit === true)
      return refused(`its work is checked first, by \`troupe done ${task.id}\``);
    return doneTask(tick.graph, task.id, options);
  } catch (error) {
    if (error instanceof TroupeError) return refused(error.message);
    throw error;
  }
}

/** Open again, for whoever takes it; the same person is not asked again before a day has passed. */
function giveBack(tick: Tick, task: Task, reason: string): void {
  const plan = unclaimTask(tick.graph, task.id, { now: tick.now, by: { name: COORDINATOR }, reason });
  const pause: EventDraft = {
    op: 'edit',
    task_id: task.id,
    actor: COORDINATOR,
    patch: [{ id: task.id, set: { ready_after: timestamp(tick.now + LIMITS.reminderMs) }, unset: ['told'] }],
  };
  tick.decisions.push({
    do: 'give-back',
    task: task.id,
    reason,
    events: tick.act({ events: [...plan.events, pause], result: undefined }),
  });
}

/** A claim is renewed by whatever anybody writes at the task. */
function lastHeard(task: Task): number {
  return Math.max(timeOf(task.started_at) || 0, timeOf(task.log?.at(-1)?.timestamp) || 0);
}

function keyOf(task: Task, kept: Kept): string {
  return `${TELL}${task.id} ${kept.fence} ${kept.sent} ${kept.failures}`;
}

function toldOf(task: Task, kept: Kept): Told {
  return {
    claimedAt: timeOf(task.started_at),
    sent: kept.sent,
    failures: kept.failures,
    ...(kept.last_sent === undefined ? {} : { lastSentAt: timeOf(kept.last_sent) }),
    ...(kept.last_failed === undefined ? {} : { lastFailedAt: timeOf(kept.last_failed) }),
  };
}

function keptFrom({ sent, failures, lastSentAt, lastFailedAt }: Told, fence: number): Kept {
  return {
    fence,
    sent,
    failures,
    ...(lastSentAt === undefined ? {} : { last_sent: timestamp(lastSentAt) }),
    ...(lastFailedAt === undefined ? {} : { last_failed: timestamp(lastFailedAt) }),
  };
}

function note(id: string, kept: Kept | undefined, line?: { task: Task; log: string; now: number }): Plan<undefined> {
  const log = line && {
    log_at: line.task.log?.length ?? 0,
    log: [{ timestamp: timestamp(line.now), actor: COORDINATOR, message: line.log }],
  };
  const set: NodeFields = kept ? { told: { ...kept } } : {};
  const event: EventDraft = { op: 'notify', task_id: id, actor: COORDINATOR, patch: [{ id, set, ...log }] };
  return { events: [event], result: undefined };
}
