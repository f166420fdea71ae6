import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { handoffRecordOf } from '#core/playbooks/crew-line.js';
import { runFolder } from '#core/playbooks/formation.js';
import { phaseOf } from '#core/playbooks/hand-in.js';
import { changedHandoffs, judgeHandoff, type PhaseDenial } from '#core/playbooks/handoffs.js';
import { PLAN_FILE } from '#core/playbooks/phases.js';
import { type FormationRecord, stepId } from '#core/playbooks/record.js';
import { TroupeError } from '#kernel/errors.js';
import type { FilesContext, GraphContext, MachineContext } from '#operations/contexts.js';
import { handedOver } from './hand-in.js';
import { keepForGate } from './keep-for-gate.js';

/**
 * Refuses to start a phase of a crew if the handoffs in `folder` do not allow it: the same decision as in a client's
 * hook, with the graph's record. Other tasks are not checked. Errors: `handoff_denied`.
 */
export async function refuseHeldPhase(
  context: GraphContext & MachineContext,
  view: GraphView,
  task: Task,
  folder: string,
): Promise<void> {
  const of = phaseOf(view, task);
  if (of === undefined) return;
  const { record, phase } = of;
  const recorded = handoffRecordOf(record);
  // The client about to start, and the check of its handoff, cannot read the graph.
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

/** Remedy, with the command that reopens the phase at fault. A stuck role gets help from the ladder instead. */
function remedyIn({ run }: FormationRecord, { code, phase, remedy }: PhaseDenial): string {
  return code === 'blocked_handoff'
    ? remedy
    : `${remedy} \`troupe reopen ${stepId(run, phase)}\` opens that phase again.`;
}

/**
 * Refuses if accepted handoffs were changed or deleted, as the next phase would find them. Errors: `handoff_denied`.
 */
export async function refuseChangedHandoffs(
  context: GraphContext & FilesContext,
  record: FormationRecord,
): Promise<void> {
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
