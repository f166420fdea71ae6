import { isFreeWork } from '#core/graph/team-work.js';
import { type Escalation, USUAL_ESCALATION } from '#core/roster/gates.js';
import { askReview, gateOf, reviewerOf } from '#core/teams/ask-review.js';
import { takerOf, takeWork } from '#core/teams/free-work.js';
import type { Team } from '#core/teams/team.js';
import { countUp } from '#kernel/numbers.js';
import { readyTasks } from './agency.js';
import type { BaseDecision, Part, Tick } from './tick.js';

/** Whose leaders are asked. */
export interface WithReviews {
  /** The teams of work that waits for a review, or for a member to take it, by id. */
  readonly teams: ReadonlyMap<string, Team>;
  /** When a person decides, and no leader is asked. */
  readonly escalation: Escalation;
  /** Up to which entry teams were told of their work; undefined where there is no such work, or nobody who tells. */
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
 * Phase 2.5: what a member handed in goes to the leader once no run is at it any more: until then it may still be written to, and
 * could not be merged.
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

/** Phase 2.6: ready work of a team that is nobody's goes to the member with least in hand. */
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

/** How many tasks of a team that are ready or at work each member has. */
function inHand({ graph, facts }: Tick<WithReviews, ReviewDecision>, team: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const id of [...graph.candidates(), ...facts.runs.map(({ taskId }) => taskId)]) {
    const task = graph.task(id);
    if (task?.team !== team || task.member === undefined || task.id.startsWith('.')) continue;
    countUp(counts, task.member);
  }
  return counts;
}
