import { isHiddenTask } from '#core/graph/meta.js';
import { isTask, isTerminal, type Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { compareText } from '#kernel/order.js';
import { slugOf } from '#kernel/slug.js';
import { presentMembers, type Team, type TeamMember } from './team.js';

/** A member with the tasks that name it. */
export interface MemberWork {
  readonly team: Team;
  readonly member: TeamMember;
  readonly tasks: readonly Task[];
}

/**
 * Members of these teams with their tasks. Former members are listed for the cast team only, whose charters are kept. A
 * name in several teams is that of the task's own team, else of the cast team, else of the first one.
 */
export function workOfMembers(view: GraphView | undefined, teams: readonly Team[]): readonly MemberWork[] {
  const rows = teams.flatMap((team) =>
    (team.cast ? team.members : presentMembers(team)).map((member) => ({ team, member, tasks: [] as Task[] })),
  );
  const bySlug = new Map<string | undefined, typeof rows>();
  for (const row of rows) bySlug.set(row.member.slug, [...(bySlug.get(row.member.slug) ?? []), row]);
  for (const node of view?.nodes() ?? []) {
    if (!isTask(node) || node.member === undefined) continue;
    const named = bySlug.get(slugOf(node.member)) ?? [];
    const own = named.find(({ team }) => team.id === node.team) ?? named.find(({ team }) => team.cast) ?? named[0];
    own?.tasks.push(node);
  }
  return rows;
}

/** Tasks of a member by what they mean for it now. */
export interface SortedWork {
  /** In progress, the latest first. */
  readonly now: readonly Task[];
  /** Neither begun nor ended. */
  readonly ahead: readonly Task[];
  /** Submitted or ended, the latest first. */
  readonly results: readonly Task[];
}

/** Sorts tasks by standing; internal tasks count only while they are in progress. */
export function sortedWork(view: GraphView | undefined, tasks: readonly Task[]): SortedWork {
  const seen = tasks.filter((task) => view === undefined || !isHiddenTask(view, task));
  return {
    now: latestFirst(tasks.filter(({ status }) => status === 'in-progress')),
    ahead: seen.filter(({ status }) => status !== 'in-progress' && !isResult(status)),
    results: latestFirst(seen.filter(({ status }) => isResult(status))),
  };
}

/** Time of the last change of a task: its end, its submission, or its start. */
export function lastChangeOf({ completed_at: ended, log, started_at: started }: Task): string | undefined {
  return ended ?? log?.at(-1)?.timestamp ?? started;
}

function isResult(status: Task['status']): boolean {
  return isTerminal(status) || status === 'pending-validation';
}

function latestFirst(tasks: readonly Task[]): Task[] {
  return [...tasks].sort((left, right) => compareText(lastChangeOf(right) ?? '', lastChangeOf(left) ?? ''));
}
