import * as z from 'zod/mini';
import { checkedRunId, runFolder } from '#core/playbooks/formation.js';
import { NO_GATE_RECORD } from '#core/playbooks/gate-record.js';
import { handoffFile, judgeDelivery, judgeHandoff } from '#core/playbooks/handoffs.js';
import { CREW_LINE, PLAN_FILE } from '#core/playbooks/phases.js';
import { isRoleName } from '#core/roles/role-name.js';
import { asTroupeError, TroupeError } from '#kernel/errors.js';
import type { GraphContext } from '#operations/contexts.js';
import { option } from '#operations/fields.js';
import { type Context, operation } from '#operations/operation.js';

export const verdictShape = z.object({
  ok: z.boolean(),
  run: z.string(),
  phase: z.string(),
  /** Reason, if denied. */
  denial: z.optional(z.object({ code: z.string(), file: z.string(), missing: z.string(), remedy: z.string() })),
});

/** Judges the files in the current folder, which for the check of a task is the worktree of its attempt. */
export const checkHandoffs = operation({
  name: 'formation.check-handoffs',
  command: 'roles check-handoffs',
  group: 'Roles',
  kind: 'read',
  where: 'caller',
  place: 'here',
  graphless: true,
  forPrograms: true,
  summary: 'Check the handoff of a crew phase. Exit code 0: passed, 1: failed, 2: unknown',
  examples: [
    'troupe roles check-handoffs --run 20261123-add-csv-export-1f0c --phase dev',
    'troupe roles check-handoffs --run 20261123-add-csv-export-1f0c --phase deployer --before',
  ],
  input: z.strictObject({
    run: option('The run', z.string(), { value: 'RUN' }),
    phase: option('architect, dev, qa, deployer, or the name of another seat', z.string(), { value: 'P' }),
    before: option('Check whether the phase may start; `release` counts as a phase here', z.optional(z.boolean())),
  }),
  output: verdictShape,
  run: async (context: GraphContext, { run, phase, before }) => {
    try {
      return await check(context, run, phase, before === true);
    } catch (error) {
      const { message, why, hint } = asTroupeError(error);
      // Any error means that it could not be decided, which must not count as a pass.
      throw new TroupeError('handoff_unreadable', {
        what: message,
        hint,
        ...(why === undefined ? {} : { why }),
        cause: error,
      });
    }
  },
});

async function check(
  context: Pick<Context, 'projectFolder' | 'handoffFolders'>,
  run: string,
  phase: string,
  before: boolean,
) {
  checkedRunId(run);
  if (!isRoleName(phase))
    throw new TroupeError('bad_input', {
      what: `${JSON.stringify(phase.slice(0, 64))} is not a phase.`,
      hint: `Phases are ${CREW_LINE.map(({ name }) => name).join(', ')}, and the names of other seats.`,
    });
  const runs = await (await context.handoffFolders()).around(context.projectFolder);
  const recorded = (await runs?.record(run)) ?? NO_GATE_RECORD;
  const names = [PLAN_FILE, ...recorded.line.map(({ file }) => file), handoffFile(phase)];
  const files = (await runs?.files(run, [...new Set(names)])) ?? new Map();
  const verdict = before ? judgeHandoff(files, phase, recorded) : judgeDelivery(files, phase, recorded);
  if (verdict.allowed) return { ok: true, run, phase };
  const { code, file, missing, remedy } = verdict;
  const place = `${runFolder('crew', run)}/${file}`;
  if (code === 'handoff_unreadable') throw new TroupeError(code, { what: `${place}: ${missing}.`, hint: remedy });
  return { ok: false, run, phase, denial: { code, file: place, missing, remedy } };
}
