import { promptTime } from '#core/coordinator/prompt-time.js';
import type { Task } from '#core/graph/task.js';
import { timeOf } from '#core/graph/time.js';
import type { GraphView } from '#core/graph/view.js';
import type { TeamFacts } from '#core/runs/prompt-facts.js';
import { type EndedTurn, mailFor, withTurnsRead } from '#core/teams/mail.js';
import { strataInForce } from '#core/teams/strata.js';
import { assignedWork, strataBlock } from '#core/teams/strata-plan.js';
import type { WakeUp } from '#core/teams/talk.js';
import { presentMembers } from '#core/teams/team.js';
import { timestamp } from '#kernel/clock.js';
import { TALK_LIMITS } from '#kernel/limits/talk.js';
import type { Context } from '#operations/operation.js';
import { memberOf } from './speaker.js';

/** Returns the team's part of the prompt for an attempt; undefined if the task belongs to no team. Read-only. */
export async function teamFacts(
  context: Pick<Context, 'clock' | 'teams'>,
  view: GraphView,
  task: Task,
): Promise<TeamFacts | undefined> {
  if (task.team === undefined || task.member === undefined) return undefined;
  const store = await context.teams();
  const team = await store.getTeam(task.team);
  const member = team && memberOf(team, task.member);
  if (!team || !member) return undefined;
  const { slug, name, position } = member;
  const plan = strataInForce(await store.strata(team.id));
  const { messages, turns } = await store.mail(team.id, slug, TALK_LIMITS.mailLooked);
  const mail = mailFor(withTurnsRead(messages, slug, endedTurns(view, turns)), slug, context.clock.now());
  const others = presentMembers(team).filter(({ id, position: at }) => id !== member.id && at !== 'observer');
  return {
    id: team.id,
    name: team.name,
    member: name,
    position,
    others: others.map((other) => `@${other.slug}: ${other.name}, ${other.position}`),
    strategy:
      plan?.plan == null || plan.sha256 === null
        ? undefined
        : {
            text: strataBlock(plan.plan),
            sha256: plan.sha256,
            guardrails: plan.plan.guardrails,
            part: assignedWork(plan.plan, slug),
          },
    mail: mail.map(({ senderName, createdAt, body }) => ({ from: senderName, at: timestamp(createdAt), text: body })),
  };
}

function endedTurns(view: GraphView, turns: readonly WakeUp[]): readonly EndedTurn[] {
  return turns.flatMap(({ task: id }) => {
    const task = view.task(id);
    if (task?.status !== 'done') return [];
    return [{ toldAt: promptTime(task), endedAt: timeOf(task.completed_at) }];
  });
}
