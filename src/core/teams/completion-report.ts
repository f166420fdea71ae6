import { isTask, type Task } from '#core/graph/task.js';
import { isTeamTask } from '#core/graph/team-work.js';
import type { GraphView } from '#core/graph/view.js';
import type { OutboxRow } from '#core/mail/outbox.js';
import type { Queried } from '#kernel/query.js';
import { plural } from '#kernel/text.js';
import { uuidOf } from '#kernel/uuid.js';
import type { TeamsView } from './changes.js';
import type { NewTeamMessage } from './mail.js';
import { canAct, systemMessage } from './say.js';
import { shortTeamId } from './strata.js';
import type { WakeUp } from './talk.js';
import { leaderOf, type Team } from './team.js';
import { memberTaskRow } from './team-tasks.js';

/** Rows written when the last work of a team has ended. */
export interface CompletionReport {
  readonly messages: readonly NewTeamMessage[];
  readonly wakeUps: readonly WakeUp[];
  readonly outbox: readonly OutboxRow[];
}

const TASKS_NAMED = 20;
/** Turn of the leader; its mail contains the list of tasks. */
const TELL =
  'All work of your team has ended. Read the mail, look at what was handed in, and tell the person in one message to the team what came out of it, what failed, and what they should look at. Address no member, and begin no new work.';

/**
 * Reports that all work of a team has ended: a message with the result of each task, and a turn in which the leader, if
 * it can act, informs the person. Undefined while any work is open, or if there was none. `seq` is the log entry that
 * ended it, which makes the report unique.
 */
export function* completionReport(
  view: TeamsView,
  team: Team,
  graph: GraphView,
  { seq, at }: { readonly seq: number; readonly at: number },
): Queried<CompletionReport | undefined> {
  const work = [...graph.nodes()].filter(
    (node): node is Task => isTask(node) && isTeamTask(node) && node.team === team.id,
  );
  const ended = (status: Task['status']) => work.filter((task) => task.status === status);
  const [done, failed, abandoned] = [ended('done'), ended('failed'), ended('abandoned')];
  if (work.length === 0 || done.length + failed.length + abandoned.length < work.length) return undefined;
  const parts = [
    `${plural(done.length, 'task')} done`,
    ...(failed.length === 0 ? [] : [`${failed.length} failed`]),
    ...(abandoned.length === 0 ? [] : [`${abandoned.length} abandoned`]),
  ];
  const named = work.slice(0, TASKS_NAMED).map(({ id, status }) => `${id} ${status}`);
  const more = work.length > TASKS_NAMED ? `, and ${work.length - TASKS_NAMED} more` : '';
  const leader = leaderOf(team);
  const id = uuidOf(`over ${team.id} ${seq}`);
  const body = `All work of ${team.name} has ended: ${parts.join(', ')} (${named.join(', ')}${more}).`;
  const messages = [systemMessage(team, { id, body, at, to: leader === undefined ? [] : [leader.slug] })];
  if (leader === undefined || !canAct(leader)) return { messages, wakeUps: [], outbox: [] };
  const task = `.turn-${shortTeamId(team.id)}-over-${seq}`;
  const previous = yield* view.latestTurn(team.id, leader.slug);
  const wish = {
    id: task,
    title: `${team.name}: tell what came out`,
    description: TELL,
    member: leader,
    after: previous === undefined ? [] : [previous],
  };
  const wakeUp = { task, teamId: team.id, member: leader.slug, origin: id, depth: 1, cause: null, createdAt: at };
  return { messages, wakeUps: [wakeUp], outbox: [memberTaskRow(team, wish, { by: 'system', at })] };
}
