import * as z from 'zod/mini';
import { asksPerson, questionOf, takeCommand } from '#core/graph/asks-person.js';
import { HUMAN } from '#core/graph/assignee.js';
import { TOKEN_USAGE } from '#core/graph/attempts.js';
import { type CommandTrust, waitsForTrust } from '#core/graph/commands.js';
import { FORMATION_GATE, gateCommand } from '#core/graph/formation-gate.js';
import type { Readiness } from '#core/graph/ready.js';
import { SHOWN_STATES } from '#core/graph/status-look.js';
import type { Task } from '#core/graph/task.js';
import { UNVERIFIED_EDIT } from '#core/graph/unverified-edit.js';
import type { GraphView } from '#core/graph/view.js';
import { actsOn, checkResultOf, ROW_ACTS } from '#core/insight/acts.js';
import { type Coordination, coordinationOf } from '#core/insight/coordination.js';
import { DOERS, doerOf } from '#core/insight/done-by.js';
import type { Standstill } from '#core/insight/standstill.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { cut, shellWord } from '#kernel/text.js';
import type { ClientStanding } from '#operations/settings/usable-executors.js';
import { liveShape } from './live.js';
import { notRunningReason, shownTaskState } from './status-shapes.js';

/** A task in one of the lists of `status`. */
export const nowRow = z.object({
  id: z.string(),
  title: z.string(),
  state: z.enum(SHOWN_STATES),
  member: z.optional(z.string()),
  /** Reason why it is not running, or the decision it needs. */
  reason: z.optional(z.string()),
  /** Command for a decision that is not a move of the task. */
  command: z.optional(z.string()),
  /** Formation whose line-up or release waits for this decision. */
  formation: z.optional(z.string()),
  /** Acts that would be accepted from the caller now, the most useful first; none for runs. */
  acts: z.optional(z.array(z.enum(ROW_ACTS))),
  /** Criterion of submitted work, its check and how that ended, and what its attempts used. */
  criterion: z.optional(z.string()),
  check: z.optional(z.object({ command: z.string(), passed: z.boolean(), text: z.string() })),
  used: z.optional(z.object({ tokens: z.number(), usd: z.optional(z.number()), estimated: z.optional(z.number()) })),
  /** Question that a person has to answer. */
  question: z.optional(z.string()),
  /** Holder of the claim of a task in progress, and whether a run is at work on it. */
  run: z.optional(z.string()),
  live: z.optional(liveShape),
  /** Worker that has its run, if any. */
  worker: z.optional(z.string()),
  since: z.optional(z.string()),
  /** Doer of a ready task: its command, a client or a person; and when, in a few words. */
  done_by: z.optional(z.enum(DOERS)),
  starts: z.optional(z.string()),
});
export type NowTaskRow = z.infer<typeof nowRow>;

/** Facts about tasks at work, and whether a coordinator handles tasks whose run is gone. */
export interface NowFacts {
  readonly live: ReadonlyMap<string, true | 'finishing'>;
  readonly watched: boolean;
  readonly client: ClientStanding;
  readonly trust: CommandTrust;
  /** Name of the person who asks; undefined for a run, which has no acts. */
  readonly person: string | undefined;
  readonly coordination: Coordination;
  readonly now: number;
  /** Standstills that only a person can resolve, by the task they are reported for. */
  readonly stuck: ReadonlyMap<string, Standstill>;
}

/** Whether a task needs a decision of a person: it is assigned to them, its run asked them, or its line was edited. */
export function needsDecision(task: Task, { ready }: Readiness): boolean {
  return (ready && HUMAN.of(task) === true) || asksPerson(task) || isEdited(task);
}

/** Whether the line of a task was edited. A task in progress shows its run instead; `problems` lists it. */
function isEdited(task: Task): boolean {
  return task.status !== 'in-progress' && UNVERIFIED_EDIT.of(task) !== undefined;
}

/** The required decision, with its command. */
function decisionReason(task: Task): string | undefined {
  const gate = gateCommand(task);
  if (gate !== undefined) return `it waits for \`${gate}\``;
  const id = shellWord(task.id);
  if (isEdited(task))
    return `graph.jsonl was edited while runs were active: \`troupe accept-edit ${id}\` or \`troupe accept-edit ${id} --discard\``;
  if (!asksPerson(task)) return undefined;
  const question = questionOf(task);
  return `${question === undefined ? 'it asks a person' : `it asks: ${question}`} (\`troupe answer ${id} "…"\`)`;
}

/** Number of open tasks that wait for the success of this failed task. */
export function waitsForSuccessOf(view: GraphView, id: string): number {
  return view.dependents(id).filter((other) => {
    const task = view.task(other);
    return task?.status === 'open' && task.after_success?.includes(id) === true;
  }).length;
}

const UNTRUSTED = 'its command comes from elsewhere: review it with `troupe trust --show`';

export function nowRowOf(view: GraphView, task: Task, ready: Readiness, work: NowFacts): NowTaskRow {
  const live = work.live.get(task.id) ?? false;
  const dependents = task.status === 'failed' ? waitsForSuccessOf(view, task.id) : 0;
  const untrusted = ready.ready && task.status === 'open' && waitsForTrust(task, work.trust);
  const stuck = work.stuck.get(task.id);
  const owed = stuck ? `${stuck.text}: \`${stuck.command}\`` : decisionReason(task);
  const reason = untrusted ? UNTRUSTED : (owed ?? notRunningReason(view, task, ready, live));
  const isQuestion = needsDecision(task, ready) && task.conversation !== undefined;
  const command =
    stuck?.command ?? gateCommand(task) ?? (isQuestion ? takeCommand(task.id, task.conversation) : undefined);
  const formation = FORMATION_GATE.of(task)?.run;
  const worker = task.status === 'in-progress' ? work.coordination.workerOf?.(task.assigned ?? '') : undefined;
  const since =
    task.status === 'in-progress'
      ? task.started_at
      : asksPerson(task)
        ? (task.wait_condition?.since ?? task.started_at)
        : (task.completed_at ?? task.started_at);
  return {
    id: task.id,
    title: task.title,
    state: shownTaskState(task, ready),
    ...(task.member === undefined ? {} : { member: task.member }),
    ...(reason === undefined
      ? {}
      : { reason: dependents === 0 ? reason : `${reason}; ${dependents} waiting for it to succeed` }),
    ...(command === undefined ? {} : { command }),
    ...(formation === undefined ? {} : { formation }),
    ...actsField(view, task, ready, work, untrusted),
    ...(task.status === 'pending-validation' ? verdictFields(task) : {}),
    ...(asksPerson(task) ? questionField(task) : {}),
    ...(task.status === 'in-progress' && task.assigned !== undefined ? { run: task.assigned } : {}),
    ...(task.status === 'in-progress' ? { live } : {}),
    ...(worker === undefined ? {} : { worker }),
    ...(since === undefined ? {} : { since }),
    ...(task.status === 'open' && ready.ready ? beginningOf(task, work) : {}),
  };
}

/** Doer of a ready task, and when it is started. */
function beginningOf(task: Task, { client, coordination, now }: NowFacts) {
  const [{ brief }] = coordinationOf(task, coordination, now);
  return { done_by: doerOf(task, client), starts: brief };
}

/** Acts of a row, if the caller is a person and something can be done there. */
function actsField(view: GraphView, task: Task, { ready }: Readiness, work: NowFacts, untrusted: boolean) {
  const { person, watched } = work;
  if (person === undefined || untrusted || (work.stuck.has(task.id) && !asksPerson(task))) return {};
  const acts = actsOn(view, task, { ready, live: work.live.get(task.id) ?? false, watched }, person);
  return acts.length === 0 ? {} : { acts: [...acts] };
}

/** Facts for a verdict, as far as they are recorded on the task itself. */
function verdictFields(task: Task) {
  const check = checkResultOf(task);
  const usage = TOKEN_USAGE.of(task);
  const numberOf = (field: string) => (typeof usage?.[field] === 'number' ? Number(usage[field]) : undefined);
  const tokens = (numberOf('input_tokens') ?? 0) + (numberOf('output_tokens') ?? 0);
  const [usd, estimated] = [numberOf('cost_usd'), numberOf('estimated_usd')];
  return {
    ...(typeof task.verify === 'string' && task.verify !== ''
      ? { criterion: cut(task.verify.replace(/\s+/g, ' ').trim(), TEAM_LIMITS.executorReasonCharacters) }
      : {}),
    ...(check === undefined ? {} : { check }),
    ...(usage === undefined
      ? {}
      : { used: { tokens, ...(usd === undefined ? {} : { usd }), ...(estimated === undefined ? {} : { estimated }) } }),
  };
}

function questionField(task: Task) {
  const question = questionOf(task);
  return question === undefined ? {} : { question };
}
