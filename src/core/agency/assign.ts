import { type Agent, shortId } from '#core/agency/entities.js';
import { AGENT } from '#core/graph/assignee.js';
import type { Plan } from '#core/graph/event.js';
import { checkFence, type Moved, type MoveOptions, type Mover } from '#core/graph/moves.js';
import { isTerminal, type NodeFields, type Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphView } from '#core/graph/view.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { cut, inert } from '#kernel/text.js';

export interface Assignment {
  readonly agent: Agent;
  readonly reason?: string | undefined;
  readonly exploration?: boolean | undefined;
  readonly exec_mode?: Task['exec_mode'];
  readonly context_scope?: Task['context_scope'];
}

/**
 * Assigns a task to an agent, or removes the assignment if there is none. The status of the task and its current run do
 * not change. Errors: `unknown_task`, `terminal_task`, `not_yours`, `stale_attempt`, `own_work` for a `barred` agent,
 * which would check its own findings.
 */
export function assignTask(
  view: GraphView,
  id: string,
  assignment: Assignment | undefined,
  { barred, ...options }: MoveOptions & { readonly barred: ReadonlySet<string> },
): Plan<Moved> {
  const task = taskOf(view, id);
  checkAssigner(view, task, options.by);
  if (isTerminal(task.status)) {
    throw new TroupeError('terminal_task', { what: `${id} is ${task.status}.`, details: { id, status: task.status } });
  }
  const result = { id, status: task.status, changed: true, warnings: [] };
  const { agent, reason, exploration } = assignment ?? {};
  if (AGENT.of(task) === agent?.id) return { events: [], result: { ...result, changed: false } };
  if (agent && barred.has(agent.id)) {
    throw new TroupeError('own_work', {
      what: `${inert(agent.name)} has another part in this sweep: scouts cannot check their own findings.`,
      hint: 'Assign someone else.',
      details: { id, agent: agent.id },
    });
  }
  const set: NodeFields = {
    ...(agent ? { agent: agent.id } : {}),
    ...(assignment?.exec_mode && task.exec_mode === undefined ? { exec_mode: assignment.exec_mode } : {}),
    ...(assignment?.context_scope && task.context_scope === undefined
      ? { context_scope: assignment.context_scope }
      : {}),
  };
  const why = reason ? `: ${cut(inert(reason), TEAM_LIMITS.assignmentReasonCharacters)}` : '';
  const message = agent ? `Assigned to ${inert(agent.name)} (${shortId(agent.id)})${why}` : 'Unassigned';
  const entry = { timestamp: timestamp(options.now), actor: options.by.name, message };
  return {
    events: [
      {
        op: agent ? 'assign' : 'unassign',
        task_id: id,
        actor: options.by.name,
        detail: { ...(agent ? { agent: agent.id } : {}), ...(exploration ? { exploration: true } : {}) },
        patch: [{ id, ...(agent ? { set } : { unset: ['agent'] }), log_at: task.log?.length ?? 0, log: [entry] }],
      },
    ],
    result,
  };
}

/** A run may assign only as its own task: the assignment task that the coordinator created for this one. */
function checkAssigner(view: GraphView, task: Task, by: Mover): void {
  if (by.fence === undefined) return;
  const own = by.taskId === `assign-${task.id}` ? view.task(by.taskId) : undefined;
  if (own?.tags?.includes('assignment')) {
    checkFence(view, own, by);
    return;
  }
  throw new TroupeError('not_yours', {
    what: `${by.name} may not assign ${task.id}.`,
    details: { id: task.id },
  });
}
