import type { Mover } from '#core/graph/lib/move.js';
import type { NodeFields, Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';

/** How much a mode may do. A shell command can do whatever the person at the keyboard can. */
const POWER = { bare: 0, light: 1, full: 2, shell: 2 } as const;

/** What a task of a run may be, and what it is called after: `parent`, and not too many, not too deep, not more powerful. */
export function seeded(view: GraphView, by: Mover, fields: NodeFields): NodeFields {
  if (by.fence === undefined || by.taskId === undefined) return {};
  const parent = view.task(by.taskId);
  checkPowers(parent, fields);
  if (view.madeBy(by.name) >= LIMITS.childTasksPerAgent) {
    throw new TroupeError('child_limit', {
      what: `${by.name} has made ${view.madeBy(by.name)} tasks; a run may make ${LIMITS.childTasksPerAgent}.`,
      details: { limit: LIMITS.childTasksPerAgent },
    });
  }
  let depth = 1;
  for (let above = parent; above?.parent !== undefined && depth <= LIMITS.taskDepth; depth++)
    above = view.task(above.parent);
  if (depth > LIMITS.taskDepth) {
    throw new TroupeError('depth_limit', {
      what: `${by.taskId} is itself ${depth - 1} tasks below the first; ${LIMITS.taskDepth} are allowed.`,
      details: { limit: LIMITS.taskDepth },
    });
  }
  const mode = parent?.exec_mode;
  return {
    parent: by.taskId,
    ...(fields['exec_mode'] === undefined && mode !== undefined && mode !== 'shell' ? { exec_mode: mode } : {}),
  };
}

/** A run hands on at most what it has itself. */
export function checkPowers(own: Task | undefined, fields: NodeFields): void {
  const mode = own?.exec_mode ?? 'full';
  const wanted = fields['exec_mode'] as keyof typeof POWER | undefined;
  const commands = fields['exec'] !== undefined || fields['verify_cmd'] !== undefined || wanted === 'shell';
  if ((wanted === undefined || POWER[wanted] <= POWER[mode]) && !(commands && POWER[mode] < POWER.full)) return;
  throw new TroupeError('not_yours', {
    what: `A run in mode ${mode} cannot make a task ${commands ? 'with a command' : `in mode ${wanted}`}.`,
    hint: `Ask for mode ${mode} or less, without --exec and --verify-cmd.`,
  });
}
