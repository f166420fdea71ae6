// `formation step`: run by the code tasks of a formation, between those of models.

import * as z from 'zod/mini';
import { checkClaim } from '#core/graph/moves.js';
import { missesFileOf } from '#core/graph/take-again.js';
import { CODE_STEPS, type CodeStep } from '#core/playbooks/code-step.js';
import { checkedRecord, type FormationRecord, stepId } from '#core/playbooks/record.js';
import { TroupeError } from '#kernel/errors.js';
import type { ProjectContext } from '#operations/contexts.js';
import { argument } from '#operations/fields.js';
import { type Context, operation } from '#operations/operation.js';
import { moverOf } from '#operations/shapes.js';
import type { Step } from './step-call.js';

const STEPS: Readonly<Record<CodeStep, (record: FormationRecord) => Promise<Step>>> = {
  unanimity: async () => (await import('./panel-step.js')).unanimity,
  merge: async () => (await import('./sweep-step.js')).merge('merge'),
  'merge-again': async () => (await import('./sweep-step.js')).merge('merge-again'),
  settle: async () => (await import('./sweep-step.js')).settle,
  log: async ({ formation }) =>
    formation === 'panel' ? (await import('./panel-step.js')).panelLog : (await import('./sweep-step.js')).sweepLog,
  next: async () => (await import('./chain.js')).nextStage,
};

/** Runs one code step. Allowed only for the run of that step's task, while it holds the claim. */
export const formationStep = operation({
  name: 'formation.step',
  command: 'formation step',
  group: 'Plans',
  kind: 'write',
  forRuns: 'any',
  forPrograms: true,
  summary: 'Run a step of a formation that needs no model',
  examples: [
    'troupe formation step 20261123-drop-the-queue-1f0c unanimity',
    'troupe formation step 20261123-drop-the-queue-1f0c log --quiet',
  ],
  input: z.strictObject({ run: argument('The run', z.string()), step: argument('The step', z.enum(CODE_STEPS)) }),
  output: z.object({
    run: z.string(),
    step: z.enum(CODE_STEPS),
    added: z.readonly(z.array(z.string())),
    said: z.readonly(z.array(z.string())),
  }),
  async run(context: ProjectContext, { run, step }) {
    const view = await (await context.graph()).view();
    const record = checkedRecord(view, run);
    const by = moverOf(context);
    if (by.taskId !== stepId(run, step) || by.fence === undefined || !record.tasks.includes(by.taskId)) {
      throw new TroupeError('not_yours', {
        what: 'A formation step runs only in the run of its own task.',
        hint: `Retry it with \`troupe retry ${stepId(run, step)}\`.`,
      });
    }
    checkClaim(view, by);
    const act = await STEPS[step](record);
    try {
      return { run, step, ...(await act(context, record, { now: context.clock.now(), by })) };
    } catch (error) {
      await keepMissed(context, by.taskId, error);
      throw error;
    }
  },
});

/** Records which task has to hand in its file again, since a retry of the step alone would fail the same way. */
async function keepMissed(context: Pick<Context, 'caller' | 'graph'>, step: string, error: unknown): Promise<void> {
  const misses = error instanceof TroupeError ? error.details['misses'] : undefined;
  if (typeof misses !== 'string') return;
  await (await context.graph()).commit((view) => missesFileOf(view, step, misses, context.caller.name));
}
