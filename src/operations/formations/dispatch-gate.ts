import { handoffRecordOf } from '#core/formations/crew-line.js';
import { runFolder } from '#core/formations/formation.js';
import { phaseOf } from '#core/formations/hand-in.js';
import { judgeHandoff, PLAN_FILE } from '#core/formations/handoffs.js';
import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { TroupeError } from '#kernel/errors.js';
import type { Context } from '#operations/operation.js';

/**
 * Refuses to begin a phase of a crew that what lies in `folder` does not let begin: the question that the hook of a client asks,
 * with what the graph knows of the run. Of every other task nothing is looked at. Errors: `handoff_denied`.
 */
export async function refuseHeldPhase(context: Context, view: GraphView, task: Task, folder: string): Promise<void> {
  const of = phaseOf(view, task);
  if (of === undefined) return;
  const { record, phase } = of;
  const recorded = handoffRecordOf(record);
  const runs = await (await context.handoffFolders()).around(folder);
  const names = [PLAN_FILE, ...recorded.line.map(({ file }) => file)];
  const files = (await runs?.files(record.run, names)) ?? new Map();
  const verdict = judgeHandoff(files, phase, recorded);
  if (verdict.allowed) return;
  const { code, file, missing, remedy } = verdict;
  throw new TroupeError('handoff_denied', {
    what: `${phase} may not start: ${missing}.`,
    hint: remedy,
    details: { code, file: `${runFolder('crew', record.run)}/${file}` },
  });
}
