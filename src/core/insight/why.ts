import * as z from 'zod/mini';
import { DEATHS } from '#core/coordinator/throttle.js';
import { acceptedOf } from '#core/graph/acceptance.js';
import { allowance, allowsAnother, failedStartsOf, isConflict } from '#core/graph/attempts.js';
import { gateCommand, isProposed } from '#core/graph/formation-gate.js';
import { awaitsScore } from '#core/graph/moves.js';
import { type ReadinessCode, type ReadinessReason, readiness } from '#core/graph/ready.js';
import { isRunName } from '#core/graph/run-name.js';
import { STATUS_LOOK } from '#core/graph/status-look.js';
import { againCommand, missedBy } from '#core/graph/take-again.js';
import { isTerminal, type Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { timestamp } from '#kernel/clock.js';
import { formatDuration } from '#kernel/duration.js';
import { plural, shellWord } from '#kernel/text.js';
import { blockersIn, blockingOf, parkedBecause, unmetDependencies } from './blocking.js';
import { storedMoment } from './brief.js';
import { type Coordination, coordinationOf } from './coordination.js';
import { ids, nullableText } from './shapes.js';

/** A reason why a task does not run, or a note that it does; a sentence with the command that helps. */
export const factShape = z.object({
  code: z.string(),
  text: z.string(),
  /** Start and end of its validity, if known. */
  since: nullableText,
  until: nullableText,
  /** Ids of the tasks and runs concerned. */
  refs: ids,
});
export type Fact = z.infer<typeof factShape>;

/**
 * Reasons why a task does not run, most important first: decisions for a person, then failures, then unfinished tasks.
 * Never empty: a task that runs or has ended has one as well. Ids are not escaped.
 */
export function whyFacts(view: GraphView, task: Task, now: number, coordination: Coordination): readonly Fact[] {
  switch (task.status) {
    case 'done':
      return [endFact(task, `It is done; reopen it with \`troupe reopen ${shellWord(task.id)}\`.`)];
    case 'failed':
      return [endFact(task, `It failed: ${reasonOf(task)}; ${againWords(view, task)}.`)];
    case 'abandoned':
      return [endFact(task, `It is abandoned; reopen it with \`troupe reopen ${shellWord(task.id)}\`.`)];
    case 'in-progress':
      return [claimFact(task, now, coordination), ...pausedFact(task)];
    case 'pending-validation':
      return [fact('gate', gateText(task, coordination), { since: task.completed_at }), ...pausedFact(task)];
    case 'blocked':
      return [
        fact('status', `A person blocked it; unblock it with \`troupe reopen ${shellWord(task.id)}\`.`),
        ...pausedFact(task),
      ];
    case 'waiting':
      return [...pausedFact(task), parkedFact(task, now)];
    case 'open':
      return openFacts(view, task, now, coordination);
  }
}

/** Reason why submitted work is not accepted yet. */
function gateText(task: Task, { unjudged }: Coordination): string {
  const id = shellWord(task.id);
  if (acceptedOf(task))
    return `It was approved, and its work is being merged; if that was interrupted, continue with \`troupe approve ${id}\`.`;
  if (isConflict(task))
    return `Its work conflicts with what was merged meanwhile (${task.failure_reason}): \`troupe reject ${id} --reason TEXT\` sends it back.`;
  if (!awaitsScore(task)) return `Its work needs review: \`troupe approve ${id}\` or \`troupe reject ${id}\`.`;
  if (unjudged !== undefined)
    return `It waits for its score, and no model can give one: ${unjudged} \`troupe approve ${id}\` skips it.`;
  return `It waits for its score: \`troupe evaluate run ${id}\` asks a model; \`troupe approve ${id}\` skips it.`;
}

function openFacts(view: GraphView, task: Task, now: number, coordination: Coordination): readonly Fact[] {
  const { ready, reasons } = readiness(view, task.id, now);
  if (ready) return coordinationOf(task, coordination, now).map(({ code, text, until }) => fact(code, text, { until }));
  const has = (code: ReadinessCode) => reasons.find((reason) => reason.code === code);
  const facts: Fact[] = [...pausedFact(task), ...haltedFact(reasons)];
  const dead = deadCycle(view, task);
  if (dead) facts.push(dead);
  const needed = has('needs-success')?.ids ?? [];
  for (const id of needed) facts.push(unsuccessful(view, task, id));
  const restarting = has('cycle-restart')?.ids;
  if (restarting) facts.push(restart(restarting));
  const before = has('predecessor')?.ids ?? [];
  if (before.length > 0 && !dead) facts.push(waitsFor(view, task, before, now));
  const until = has('time')?.until;
  if (until !== undefined) facts.push(notBefore(task, until, now));
  if (has('unplaced'))
    facts.push(fact('unplaced', 'It waits for its place in the graph: `troupe service tick` places it.'));
  return facts;
}

function pausedFact(task: Task): Fact[] {
  if (isProposed(task)) return [fact('line-up', `Its line-up is not accepted: \`${gateCommand(task)}\`.`)];
  return task.paused === true
    ? [fact('paused', `It is paused: resume it with \`troupe resume ${shellWord(task.id)}\`.`)]
    : [];
}

/** A pause between two iterations of a cycle also holds its dependents. */
function haltedFact(reasons: readonly ReadinessReason[]): Fact[] {
  const ids = reasons.find((reason) => reason.code === 'paused' && reason.ids !== undefined)?.ids ?? [];
  const [first] = ids;
  if (first === undefined) return [];
  const text = `The cycle it depends on is halted, as ${first} is paused: \`troupe resume ${shellWord(first)}\`.`;
  return [fact('paused', text, { refs: ids })];
}

/** A circular dependency without `cycle_config`: none of its tasks can ever start. */
function deadCycle(view: GraphView, task: Task): Fact | undefined {
  const blockers = blockersIn(readiness(view, task.id, 0).reasons);
  const cycle = view
    .cyclesOf(task.id)
    .find((each) => !each.configured && blockers.some((id) => each.members.includes(id)));
  if (!cycle) return undefined;
  const text =
    cycle.members.length === 1
      ? `It depends on itself without a cycle_config, so it can never start; \`troupe edit ${shellWord(task.id)} --remove-after ${shellWord(task.id)}\` fixes that.`
      : `It is one of ${cycle.members.length} tasks that depend on one another without a cycle_config; \`troupe edit ${shellWord(cycle.header)} --max-iterations 3\` lets ${cycle.header} start.`;
  return fact('predecessor', text, { refs: cycle.members });
}

function unsuccessful(view: GraphView, task: Task, id: string): Fact {
  const before = view.task(id);
  const text =
    before?.status === 'failed'
      ? `It needs ${id} to succeed, but that failed: ${reasonOf(before)}; ${againWords(view, before)}.`
      : `It needs ${id} to succeed, but that is abandoned; \`troupe edit ${shellWord(task.id)} --remove-after ${shellWord(id)}\` removes the dependency.`;
  return fact('needs-success', text, { refs: [id], since: before?.completed_at });
}

function restart(headers: readonly string[]): Fact {
  const name = headers[0] ?? '';
  const text = `A member failed, and the cycle of ${name} restarts when the others have ended: \`troupe analyze --only cycles\`.`;
  return fact('cycle-restart', text, { refs: headers });
}

/** Names the most relevant direct predecessor and, behind it, the root blocker. */
function waitsFor(view: GraphView, task: Task, ids: readonly string[], now: number): Fact {
  const direct = ids.map((id) => view.task(id)).filter((other) => other !== undefined);
  const first = direct.find((other) => other.status === 'in-progress') ?? direct[0];
  if (!first) return fact('predecessor', 'It waits for a task that no longer exists.', { refs: ids });
  const more = ids.length > 1 ? ` and ${ids.length - 1} more` : '';
  const since = first.status === 'in-progress' ? first.started_at : undefined;
  const roots = unmetDependencies(view, first, now).length === 0 ? [] : blockingOf(view, task, now).root_blockers;
  const root = roots.find((other) => other.id !== first.id);
  const text = root
    ? `It waits for ${first.id}${more}, behind ${root.id} (${stateOf(view, root, now)}): \`troupe why ${shellWord(root.id)}\`.`
    : `It waits for ${first.id} (${stateOf(view, first, now)})${more}: \`troupe why ${shellWord(first.id)}\`.`;
  return fact('predecessor', text, { refs: ids, since });
}

function stateOf(view: GraphView, task: Task, now: number): string {
  if (task.status === 'in-progress')
    return task.assigned === undefined ? STATUS_LOOK['in-progress'].word : `held by ${task.assigned}`;
  if (task.paused === true) return 'paused';
  return task.status === 'open' && readiness(view, task.id, now).ready
    ? STATUS_LOOK.ready.word
    : STATUS_LOOK[task.status].word;
}

function notBefore(task: Task, until: string, now: number): Fact {
  const remaining = formatDuration(Math.max(0, (storedMoment(until) ?? now) - now));
  const throttled = isThrottled(task, until);
  const { reason } = failedStartsOf(task) ?? {};
  const what =
    reason === undefined
      ? 'Its last attempts died'
      : `Its last attempt could not be started (${reason.replace(/[.\s]+$/, '')})`;
  const text = throttled
    ? `${what}, so the next starts in ${remaining}; \`troupe reschedule ${shellWord(task.id)} --after 0\` starts it now.`
    : `It starts at ${until}, in ${remaining}; \`troupe reschedule ${shellWord(task.id)} --after 0\` starts it now.`;
  return fact(throttled ? 'throttled' : 'time', text, { until });
}

function parkedFact(task: Task, now: number): Fact {
  const { text, until, refs } = parkedBecause(task, now);
  return fact('status', `${text}; \`troupe resume ${shellWord(task.id)}\` resumes it now.`, {
    refs,
    until,
    since: task.wait_condition?.since,
  });
}

function claimFact(task: Task, now: number, coordination: Coordination): Fact {
  const holder = task.assigned ?? 'somebody';
  const started = storedMoment(task.started_at);
  const time = started === undefined ? '' : ` for ${formatDuration(Math.max(0, now - started))}`;
  const options = { since: task.started_at, refs: task.assigned === undefined ? [] : [task.assigned] };
  if (!isRunName(holder))
    return fact(
      'claimed',
      `${holder} has held it${time}; \`troupe unclaim ${shellWord(task.id)}\` releases it.`,
      options,
    );
  if (coordination.triaged?.has(holder) === true) {
    const text = `${holder} died, and a model is checking its progress: \`troupe output ${shellWord(task.id)}\`.`;
    return fact('triage', text, options);
  }
  if (!coordination.running) {
    const text = `${holder} has held it${time}, and no coordinator is running: \`troupe service start\`.`;
    return fact('service-down', text, options);
  }
  const worker = coordination.workerOf?.(holder);
  const where = worker === undefined ? '' : ` at ${worker}`;
  return fact(
    'claimed',
    `${holder} has been running it${where}${time}: \`troupe output ${shellWord(task.id)}\`.`,
    options,
  );
}

function endFact(task: Task, text: string): Fact {
  const at = storedMoment(task.completed_at);
  return fact('status', text, { since: at === undefined ? undefined : timestamp(at) });
}

/** Counts the remaining attempts like `retry` and the service do. */
function againWords(view: GraphView, task: Task): string {
  const command = `\`${againCommand(view, task)}\``;
  const missed = missedBy(view, task);
  if (missed) return `it misses the file of ${missed.id}: ${command}`;
  const { max_retries: most, retry_count: failures = 0 } = task;
  if (most === undefined) return `retry with ${command}`;
  if (!allowsAnother(task)) return `${allowance(task)}, so a person reopens it with ${command}`;
  return `retry with ${command}, ${plural(most - failures + 1, 'further attempt')} left`;
}

function reasonOf(task: Task): string {
  const reason: unknown = task.failure_reason;
  return typeof reason === 'string' && reason !== '' ? reason.replace(/[.\s]+$/, '') : 'no reason was given';
}

function fact(
  code: Fact['code'],
  text: string,
  more: { since?: string | undefined; until?: string | undefined; refs?: readonly string[] } = {},
): Fact {
  return { code, text, since: more.since ?? null, until: more.until ?? null, refs: more.refs ?? [] };
}

/** A reason without text, for `why-blocked`. */
export type Reason = Omit<ReadinessReason, 'code'> & { readonly code: Fact['code'] };

/**
 * All reasons, those from the graph unchanged. Empty for a task in progress or ended, which nothing blocks; but a task
 * whose dead run is being examined counts as blocked.
 */
export function reasonsOf(view: GraphView, task: Task, now: number, coordination: Coordination): readonly Reason[] {
  if (isTerminal(task.status)) return [];
  if (task.status === 'in-progress') {
    const triaged = whyFacts(view, task, now, coordination).some(({ code }) => code === 'triage');
    return triaged ? [{ code: 'triage' }] : [];
  }
  const { ready, reasons } = readiness(view, task.id, now);
  if (ready) return coordinationOf(task, coordination, now).map(({ code }) => ({ code }));
  return reasons.map((reason) => {
    if (reason.code === 'status' && task.status === 'pending-validation') return { code: 'gate' };
    if (reason.code === 'time' && isThrottled(task, reason.until)) return { ...reason, code: 'throttled' };
    return reason;
  });
}

/** Whether the task waits because its runs died. */
function isThrottled(task: Task, until: string | undefined): boolean {
  return Array.isArray(DEATHS.of(task)) && storedMoment(task.ready_after) === storedMoment(until);
}
