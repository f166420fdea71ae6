import type { Output } from '#operations/map.js';
import type { StoredTask } from './task-shapes.js';

type Report = Output<'analysis.report'>;
type Section<Name extends keyof Report> = NonNullable<Report[Name]>;

/** The one section of an analysis in the shape of the command of the original that it was. */
export async function shapedSection(
  report: Report,
  limit: number,
  tasks: () => Promise<readonly StoredTask[]>,
): Promise<unknown> {
  const { blocked, why_blocked: why, cycles, resources, aging, workload, parallel } = report;
  if (blocked) return blocked.blockers.map(({ id, title, status }) => ({ id, title, status }));
  if (why) return whyBlocked(why);
  if (cycles) return cyclesOf(cycles);
  if (resources) return resourcesOf(resources);
  if (aging) return { distribution: aging.buckets, oldest_tasks: aging.oldest, stale_in_progress: aging.stale };
  if (workload) return { agents: workload.people, unassigned_count: workload.unassigned.task_ids.length };
  if (parallel) return coordinationOf(parallel, limit, await tasks());
  return Object.values(report)[0];
}

function whyBlocked({
  task,
  is_blocked,
  blocking_chain,
  root_blockers,
  total_blockers,
}: Section<'why_blocked'>): object {
  const { id, title, status } = task;
  return {
    task: { id, title, status },
    is_blocked,
    blocking_chain: chainOf(blocking_chain),
    root_blockers,
    total_blockers,
  };
}

type Chain = Section<'why_blocked'>['blocking_chain'];

/** Its statuses are spelled as types there: `InProgress`. */
function chainOf({ id, status, after }: Chain): object {
  const spelled = status.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
  return { id, status: spelled, after: after.map(chainOf) };
}

function cyclesOf({ cycle_count, cycles, back_edges }: Section<'cycles'>): object {
  const rows = cycles.map(({ header, members, member_count, reducible, member_statuses }) => ({
    ...{ header, members, member_count, reducible },
    member_statuses: members.map((id) => ({ id, status: member_statuses[id] ?? 'unknown' })),
  }));
  return { cycle_count, cycles: rows, back_edges };
}

/** Amounts that unfinished tasks need, of each resource whose amount is known. */
function resourcesOf({ resources }: Section<'resources'>): object {
  const rows = resources
    .filter(({ available }) => available !== null)
    .map(({ id, name, type, unit, available, required, remaining, over, tasks }) => ({
      ...{ id, name, resource_type: type, unit, available, committed: required, remaining },
      ...{ over_budget: over, tasks_at_risk: over ? tasks : [] },
    }));
  return { resources: rows, alerts: rows.filter((row) => row.over_budget) };
}

function coordinationOf(
  { ready, in_progress, next }: Section<'parallel'>,
  limit: number,
  tasks: readonly StoredTask[],
): object {
  const done_count = tasks.filter(({ status }) => status === 'done').length;
  return { ready: ready.slice(0, limit), in_progress, blocked: next, done_count, total_count: tasks.length };
}
