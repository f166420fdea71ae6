import path from 'node:path';
import { stageInput } from '#core/playbooks/chain.js';
import { type Compiled, runFolder } from '#core/playbooks/formation.js';
import { checkedRecord, type FormationRecord, stepId } from '#core/playbooks/record.js';
import { acceptLineUp, addProposedRun, checkProposed } from '#core/playbooks/run-moves.js';
import { TroupeError } from '#kernel/errors.js';
import { SWEEP_LIMITS } from '#kernel/limits/sweep.js';
import type { MachineContext, WorkContext } from '#operations/contexts.js';
import type { Context } from '#operations/operation.js';
import { lineUpCost } from './cost.js';
import { keepForGate } from './keep-for-gate.js';
import { laneOf } from './lane-of.js';
import { occupantsOf } from './occupants.js';
import { type FormationStanding, standingOf } from './standing.js';

/** Adds the paused tasks of a run; starts it if `accepted` and the budget covers it. */
export async function proposeRun(
  context: WorkContext & MachineContext,
  record: FormationRecord,
  compiled: Compiled,
  accepted: boolean,
): Promise<FormationStanding> {
  const cost = await lineUpCost(context, compiled);
  const store = await context.graph();
  const by = { now: context.clock.now(), actor: context.caller.name };
  const files = await context.formationFiles();
  const folder = runFolder(record.formation, record.run);
  for (const [name, text] of compiled.files) await files.write(folder, name, text);
  const { result } = await store.commit((view) => addProposedRun(view, record, compiled, by), context.request);
  await keepForGate(context, result);
  if (!accepted || cost.over !== undefined) return standingOf(await store.view(), result, by.now, cost);
  return await startRun(context, result.run);
}

/** Accepts the line-up: the lane counts cut seats and adds rows for new ones, and the tasks are unpaused. */
export async function startRun(context: WorkContext & MachineContext, run: string): Promise<FormationStanding> {
  const store = await context.graph();
  const proposed = checkedRecord(await store.view(), run);
  checkProposed(proposed);
  await refuseOtherInput(context, proposed);
  await (await laneOf(proposed.formation)).accept(context, proposed);
  const occupants = await occupantsOf(context, proposed);
  const by = { now: context.clock.now(), actor: context.caller.name };
  const { result } = await store.commit((view) => acceptLineUp(view, checkedRecord(view, run), occupants, by));
  await keepForGate(context, result);
  return standingOf(await store.view(), result, by.now);
}

/**
 * Checks that the input from the previous stage is unchanged since this line-up was proposed. Errors: `input_changed`.
 */
async function refuseOtherInput(context: Pick<Context, 'formationFiles'>, record: FormationRecord): Promise<void> {
  const input = stageInput(record);
  if (input === undefined) return;
  const [folder, name] = [path.posix.dirname(input.file), path.posix.basename(input.file)];
  const file = await (await context.formationFiles()).read(folder, name, SWEEP_LIMITS.handedOnBytes);
  if (file.text !== undefined && file.sha256 === input.sha256) return;
  const before = path.posix.basename(folder);
  throw new TroupeError('input_changed', {
    what: `${input.file} is not what ${before} handed over${file.text === undefined ? `: ${file.problem}` : ''}.`,
    hint: `Restore it, or propose again from the current state: \`troupe reopen ${stepId(before, 'next')}\`.`,
    details: { run: record.run, file: input.file },
  });
}
