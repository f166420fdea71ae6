import { isFreeWork } from '#core/graph/team-work.js';
import { type Escalation, USUAL_ESCALATION } from '#core/mail/gates.js';
import { askReview, gateOf, reviewerOf } from '#core/teams/ask-review.js';
import { takerOf, takeWork } from '#core/teams/free-work.js';
import type { Team } from '#core/teams/team.js';
import { countUp } from '#kernel/numbers.js';
import { readyTasks } from './agency.js';
import type { BaseDecision, Part, Tick } from './tick.js';

/** Facts for reviews by team leaders. */
export interface WithReviews {
  /** Teams with work that waits for a review or for a member, by id. */
  readonly teams: ReadonlyMap<string, Team>;
  /** Conditions under which a person decides instead of the leader. */
  readonly escalation: Escalation;
  /**
   * Log position up to which teams were informed about their work; undefined if there is no team work, or nothing that
   * informs teams.
   */
  readonly followed: number | undefined;
}

type ReviewDecision =
  | (BaseDecision & { readonly do: 'take-work'; readonly task: string })
  | (BaseDecision & { readonly do: 'ask-review'; readonly task: string; readonly about: string })
  | (BaseDecision & { readonly do: 'follow-work' });

export const reviews: Part<WithReviews, ReviewDecision> = {
  none: { teams: new Map(), escalation: USUAL_ESCALATION, followed: undefined },
  decide: (tick) => {
    askReviews(tick);
    takeFree(tick);
    const { graph, facts } = tick;
    if (facts.followed !== undefined && graph.teamSeq > facts.followed)
      tick.want({ do: 'follow-work', reason: 'Teams are told what became of their work', events: [] });
  },
};

/**
 * Phase 2.5: asks the leader to review submitted work, once no run works on its task any more: until then the run may
 * still get messages, and its work could not be merged.
 */
function askReviews(tick: Tick<WithReviews, ReviewDecision>): void {
  const { facts, graph, now } = tick;
  if (facts.teams.size === 0) return;
  const atWork = new Set(facts.runs.filter((run) => run.alive && run.exit === undefined).map(({ taskId }) => taskId));
  for (const id of [...graph.unreviewed()].sort()) {
    const task = graph.task(id);
    if (!task || facts.escalation[gateOf(task)] === 'always') continue;
    const team = facts.teams.get(task.team ?? '');
    const reviewer = team && !atWork.has(id) ? reviewerOf(team, task) : undefined;
    const plan = reviewer && askReview(graph, task, reviewer, now);
    if (!plan) continue;
    const reason = `${reviewer.name} is asked to review ${id}`;
    tick.want({ do: 'ask-review', task: plan.result.id, about: id, reason, events: tick.act(plan) });
  }
}

/** Phase 2.6: assigns ready free work of a team to the member with the fewest tasks. */
function takeFree(tick: Tick<WithReviews, ReviewDecision>): void {
  const { facts, graph, now } = tick;
  if (facts.teams.size === 0) return;
  for (const task of readyTasks(tick)) {
    const team = isFreeWork(task) ? facts.teams.get(task.team ?? '') : undefined;
    const member = team && takerOf(team, inHand(tick, team.id));
    if (!team || !member) continue;
    const reason = `${member.name} takes ${task.id}`;
    const plan = takeWork(graph, team, task.id, member, { now, by: { name: 'coordinator' } });
    tick.want({ do: 'take-work', task: task.id, reason, events: tick.act(plan) });
  }
}

/** Number of ready or running tasks of each member of a team. */
function inHand({ graph, facts }: Tick<WithReviews, ReviewDecision>, team: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const id of [...graph.candidates(), ...facts.runs.map(({ taskId }) => taskId)]) {
    const task = graph.task(id);
    if (task?.team !== team || task.member === undefined || task.id.startsWith('.')) continue;
    countUp(counts, task.member);
  }
  return counts;
}
