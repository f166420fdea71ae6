import { handoffRecordOf } from '#core/formations/crew-line.js';
import { runFolder } from '#core/formations/formation.js';
import { phaseOf } from '#core/formations/hand-in.js';
import { changedHandoffs, judgeHandoff, type PhaseDenial } from '#core/formations/handoffs.js';
import { PLAN_FILE } from '#core/formations/phases.js';
import { type FormationRecord, stepId } from '#core/formations/record.js';
import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { TroupeError } from '#kernel/errors.js';
import type { Context } from '#operations/operation.js';
import { handedOver } from './hand-in.js';
import { keepForGate } from './keep-for-gate.js';

/**
 * Refuses to begin a phase of a crew that what lies in `folder` does not let begin: the question that the hook of a client asks,
 * with what the graph knows of the run. Of every other task nothing is looked at. Errors: `handoff_denied`.
 */
export async function refuseHeldPhase(context: Context, view: GraphView, task: Task, folder: string): Promise<void> {
  const of = phaseOf(view, task);
  if (of === undefined) return;
  const { record, phase } = of;
  const recorded = handoffRecordOf(record);
  // Whoever starts now, and the check of what they hand over, cannot read the graph.
  await keepForGate(context, record);
  const runs = await (await context.handoffFolders()).around(folder);
  const names = [PLAN_FILE, ...recorded.line.map(({ file }) => file)];
  const files = (await runs?.files(record.run, names)) ?? new Map();
  const verdict = judgeHandoff(files, phase, recorded);
  if (verdict.allowed) return;
  const { code, file, missing } = verdict;
  throw new TroupeError('handoff_denied', {
    what: `${phase} may not start: ${missing}.`,
    hint: remedyIn(record, verdict),
    details: { code, file: `${runFolder('crew', record.run)}/${file}` },
  });
}

/** Says what helps, with the command that opens the phase at fault again. A role that is stuck gets its help by the ladder. */
function remedyIn({ run }: FormationRecord, { code, phase, remedy }: PhaseDenial): string {
  return code === 'blocked_handoff'
    ? remedy
    : `${remedy} \`troupe reopen ${stepId(run, phase)}\` opens that phase again.`;
}

/**
 * Refuses where what phases handed over, and was accepted, was changed or deleted since: as whoever comes next would find it. Errors:
 * `handoff_denied`.
 */
export async function refuseChangedHandoffs(context: Context, record: FormationRecord): Promise<void> {
  const { line, accepted } = handoffRecordOf(record);
  const [changed] = changedHandoffs(await handedOver(context, record), line, accepted);
  if (changed === undefined) return;
  const { phase, file, gone } = changed;
  throw new TroupeError('handoff_denied', {
    what: gone
      ? `${file}, which ${phase} of ${record.run} handed over, is gone.`
      : `${file} is not what ${phase} of ${record.run} handed over.`,
    hint: `Restore it, or open that phase again: \`troupe reopen ${stepId(record.run, phase)}\`.`,
    details: { run: record.run, file: `${runFolder('crew', record.run)}/${file}` },
  });
}
