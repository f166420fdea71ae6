import * as z from 'zod/mini';
import { TroupeError } from '#kernel/errors.js';
import { operation } from '#operations/operation.js';
import { compilerOf } from './compile.js';
import { policyOf } from './policy.js';
import { everyWorkflow, findWorkflow } from './workflow-source.js';

const rowShape = z.object({
  id: z.string(),
  ok: z.boolean(),
  tasks: z.number(),
  warnings: z.array(z.string()),
  problem: z.optional(z.string()),
});

/** Whether workflows compile for this project and its team: one, or all. */
export const workflowCheck = operation({
  name: 'workflow.check',
  input: z.strictObject({ id: z.optional(z.string()) }),
  output: z.object({ ok: z.boolean(), workflows: z.array(rowShape) }),
  async run(context, { id }) {
    const policy = await policyOf(context, undefined);
    const rows: z.infer<typeof rowShape>[] = [];
    for (const found of id === undefined ? await everyWorkflow(context) : [await findWorkflow(context, id)]) {
      if ('error' in found) {
        rows.push({ id: found.id, ok: false, tasks: 0, warnings: [], problem: found.error.message });
        continue;
      }
      const { workflow } = found;
      try {
        const unsaid = (workflow.inputs ?? []).filter((input) => input.default === undefined);
        const inputs = unsaid.map((input) => `${input.name}=`);
        const compiled = (await compilerOf(context, found, { inputs, policy }))(workflow.prefix ?? workflow.id);
        rows.push({ id: workflow.id, ok: true, tasks: compiled.tasks.length, warnings: [...compiled.warnings] });
      } catch (error) {
        if (!(error instanceof TroupeError)) throw error;
        rows.push({ id: workflow.id, ok: false, tasks: 0, warnings: [], problem: error.message });
      }
    }
    return { ok: rows.every((row) => row.ok), workflows: rows };
  },
});
