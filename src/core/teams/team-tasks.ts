import type { OutboxRow } from '#core/mail/outbox.js';
import { TALK_LIMITS } from '#kernel/limits/talk.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { cut } from '#kernel/text.js';
import type { TeamCall } from './changes.js';
import { planningTaskId, type StrataAttempt } from './strata.js';
import { leaderOf, type Team, type TeamMember } from './team.js';

/** Input of one task that a team assigns to one of its members. */
export interface MemberTaskInput {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly after: readonly string[];
  readonly member: TeamMember;
}

/** Outbox row that creates the task. The row id is derived from the task id, so each task has one row. */
export function memberTaskRow(
  team: Team,
  { id, title, description, after, member }: MemberTaskInput,
  { by }: TeamCall,
): OutboxRow {
  const task = {
    id,
    title: cut(title, WORK_LIMITS.titleCharacters),
    description,
    team: team.id,
    ...assigneeFields(member),
    tags: ['team'],
    timeout: `${TALK_LIMITS.stormRunMs / 1_000}s`,
    ...(after.length === 0 ? {} : { after: [...after] }),
  };
  return { id: `task ${id}`, op: 'task.add', args: { created_by: by, task } };
}

/**
 * Task of the leader for one planning attempt. Contains only what the graph stores: the model that answers has no
 * tools.
 */
export function planningRow(team: Team, { version, tries }: StrataAttempt, { by }: TeamCall): OutboxRow {
  const id = planningTaskId(team.id, { version, tries });
  const leader = leaderOf(team);
  const task = {
    id,
    title: cut(`Plan the work of ${team.name}`, WORK_LIMITS.titleCharacters),
    team: team.id,
    version,
    tries,
    ...(leader ? assigneeFields(leader) : {}),
  };
  return { id: `task ${id}`, op: 'task.plan-team', args: { created_by: by, task } };
}

/** Assignee fields: the member and its agent. */
function assigneeFields({ slug, agent }: TeamMember): { readonly member: string; readonly agent?: string } {
  return { member: slug, ...(agent === null ? {} : { agent }) };
}
