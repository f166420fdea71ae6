import { deliverableOf } from '#core/graph/deliverable.js';
import type { Entry, Patch } from '#core/graph/event.js';
import { feedbackOf } from '#core/graph/feedback.js';
import type { NodeFields, Task } from '#core/graph/task.js';
import { isTeamTask } from '#core/graph/team-work.js';
import { timeOf } from '#core/graph/time.js';
import { isTurn, UNREPORTED } from '#core/graph/unreported.js';
import type { GraphView } from '#core/graph/view.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { Queried } from '#kernel/query.js';
import { cut } from '#kernel/text.js';
import { uuidOf } from '#kernel/uuid.js';
import type { ArtifactTransition } from './artifacts.js';
import { reviewedBy } from './ask-review.js';
import { EMPTY_TEAM_PLAN, type TeamPlan, type TeamsView } from './changes.js';
import { type CompletionReport, completionReport } from './completion-report.js';
import { systemMessage } from './say.js';
import { NO_TALK } from './talk.js';
import { leaderOf, type Team } from './team.js';
import type { NewTeamEvent, TaskEventKind } from './team-events.js';

/** A range of the graph log: the entries after `from`, up to `to`. */
export interface LogRange {
  readonly from: number;
  readonly to: number;
  readonly entries: readonly Entry[];
}

/**
 * Records log entries about team work as team events and advances the cursor in the same transaction. Each entry is
 * therefore reported once, despite kills and concurrent followers. A requested review also sends a message to the
 * leader.
 */
export function* followTeamWork(
  view: TeamsView,
  { from, to, entries }: LogRange,
  graph: GraphView,
): Queried<TeamPlan<boolean>> {
  if ((yield* view.followed()) !== from) return { ...EMPTY_TEAM_PLAN, result: false };
  const { events, moves, silent } = newsOf(entries, graph);
  const teams = yield* teamsOf(view, [...events.map(({ teamId }) => teamId), ...silent.map(({ teamId }) => teamId)]);
  const own = events.filter(({ teamId }) => teams.has(teamId));
  const messages = own.flatMap((event) => {
    const team = teams.get(event.teamId);
    if (event.kind !== 'review-requested' || !team) return [];
    const { task_id: task, review_id, title, sha256 } = event.payload;
    const hash = sha256 === null ? 'nothing was submitted' : `SHA-256 ${sha256}`;
    const body = `${task} needs review, in ${review_id}: ${title} (${hash}).`;
    const to = leaderOf(team)?.slug;
    const id = uuidOf(`review ${team.id} ${review_id}`);
    return [systemMessage(team, { id, body, task, at: event.at, to: to === undefined ? [] : [to] })];
  });
  const silences = silent.flatMap(({ teamId, task, at }) => {
    const team = teams.get(teamId);
    const member = team?.members.find(({ slug }) => slug === task.member)?.name;
    if (!team || member === undefined) return [];
    const body = `The turn of ${member} has ended without a report.`;
    return [systemMessage(team, { id: uuidOf(`silent ${team.id} ${task.id} ${at}`), body, at, to: [] })];
  });
  const over: CompletionReport[] = [];
  for (const { teamId, at } of teamsWithEnds(own)) {
    const team = teams.get(teamId);
    const told = team?.status === 'active' ? yield* completionReport(view, team, graph, { seq: to, at }) : undefined;
    if (told) over.push(told);
  }
  const talk = {
    ...NO_TALK,
    messages: [...messages, ...silences, ...over.flatMap((one) => one.messages)],
    wakeUps: over.flatMap((one) => one.wakeUps),
  };
  const outbox = over.flatMap((one) => one.outbox);
  return { ...EMPTY_TEAM_PLAN, events: own, moves, followed: to, talk, outbox, result: true };
}

/** Loads each team once; teams that no longer exist are omitted. */
function* teamsOf(view: TeamsView, ids: readonly string[]): Queried<ReadonlyMap<string, Team>> {
  const teams = new Map<string, Team>();
  for (const id of new Set(ids)) {
    const team = yield* view.team(id);
    if (team) teams.set(id, team);
  }
  return teams;
}

const ENDS: ReadonlySet<string> = new Set(['task-completed', 'task-failed', 'task-cancelled']);

/** Last end of work for each team in the events. */
function teamsWithEnds(events: readonly NewTeamEvent[]): readonly NewTeamEvent[] {
  const ends = events.filter(({ kind }) => ENDS.has(kind));
  return [...new Map(ends.map((event) => [event.teamId, event])).values()];
}

/** Effects of log entries on the teams that own the tasks. */
interface TeamEffects {
  readonly events: readonly NewTeamEvent[];
  readonly moves: readonly ArtifactTransition[];
  /** Turns that ended without a report, with their end times. */
  readonly silent: readonly { readonly teamId: string; readonly task: Task; readonly at: number }[];
}

/** Processes entries in order and reports each once. Tasks that have left the graph are skipped. */
function newsOf(entries: readonly Entry[], view: GraphView): TeamEffects {
  const events: NewTeamEvent[] = [];
  const moves: ArtifactTransition[] = [];
  const silent: { teamId: string; task: Task; at: number }[] = [];
  for (const entry of entries) {
    for (const patch of entry.patch) {
      const fields = 'put' in patch ? patch.put : 'set' in patch ? patch.set : undefined;
      const task = view.task(patch.id);
      if (fields === undefined || task?.team === undefined) continue;
      const { team: teamId } = task;
      const about = 'put' in patch ? reviewedBy(task) : undefined;
      if (about) {
        const work = view.task(about.task);
        const { title = work?.title ?? '', sha256 = null } = deliverableOf(work) ?? {};
        const payload = { task_id: about.task, review_id: task.id, title, sha256 };
        events.push(eventOf(entry, teamId, 'review-requested', payload));
      }
      if (isTurn(task) && fields['status'] === 'done' && entry.detail?.['reason'] === UNREPORTED)
        silent.push({ teamId, task, at: timeOf(entry.timestamp) });
      if (!isTeamTask(task)) continue;
      const kind = kindOf(entry, patch, fields);
      if (kind === undefined) continue;
      events.push(eventOf(entry, teamId, kind, payloadOf(kind, task, fields)));
      const move = moveOf(kind, task, fields);
      if (move) moves.push(move);
    }
  }
  return { events, moves, silent };
}

const BY_STATUS: Readonly<Record<string, TaskEventKind>> = {
  open: 'task-reopened',
  'in-progress': 'task-started',
  'pending-validation': 'task-submitted',
  done: 'task-completed',
  failed: 'task-failed',
  abandoned: 'task-cancelled',
};

type AboutTask = { readonly task_id: string } & NodeFields;

function kindOf(entry: Entry, patch: Patch, fields: NodeFields): TaskEventKind | undefined {
  if ('put' in patch) return 'task-created';
  if (fields['status'] === undefined) return undefined;
  if (entry.op === 'reject' && fields['status'] === 'open') return 'task-rejected';
  return BY_STATUS[String(fields['status'])];
}

function eventOf(entry: Entry, teamId: string, kind: TaskEventKind, payload: AboutTask): NewTeamEvent {
  const { timestamp, actor = null } = entry;
  return { teamId, at: timeOf(timestamp), by: actor, kind, payload };
}

/** Payload from the entry's fields; other fields have the task's current values. */
function payloadOf(kind: TaskEventKind, task: Task, fields: NodeFields): AboutTask {
  const said = { ...task, ...fields } as Task;
  const about = { task_id: task.id, title: cut(task.title, TEAM_LIMITS.promptNameBytes) };
  switch (kind) {
    case 'task-created':
      return { ...about, member: task.member ?? null };
    case 'task-submitted': {
      const { artifact = null, sha256 = null } = deliverableOf(said) ?? {};
      return { ...about, artifact, sha256 };
    }
    case 'task-rejected':
      return { ...about, feedback: feedbackOf(said)?.text ?? '' };
    case 'task-failed':
      return { ...about, reason: said.failure_reason ?? '' };
    default:
      return about;
  }
}

function moveOf(kind: TaskEventKind, task: Task, fields: NodeFields): ArtifactTransition | undefined {
  if (kind === 'task-submitted') {
    const artifact = deliverableOf({ ...task, ...fields } as Task)?.artifact;
    return artifact === undefined ? undefined : { task: task.id, to: 'staged', artifact };
  }
  if (kind === 'task-completed') {
    const artifact = deliverableOf(task)?.artifact;
    return artifact === undefined ? undefined : { task: task.id, to: 'current', artifact };
  }
  const over: readonly TaskEventKind[] = ['task-rejected', 'task-failed', 'task-cancelled'];
  return over.includes(kind) ? { task: task.id, to: 'orphan' } : undefined;
}
