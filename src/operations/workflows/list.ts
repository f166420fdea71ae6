import * as z from 'zod/mini';
import { operation } from '#operations/operation.js';
import { commandsOf, everyWorkflow } from './source.js';

/** Every workflow there is, the shipped ones first. */
export const workflowList = operation({
  name: 'workflow.list',
  input: z.strictObject({}),
  output: z.object({
    workflows: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        source: z.enum(['shipped', 'project']),
        description: z.string(),
        /** Whether its commands may run here; a workflow without commands needs nobody's agreement. */
        trusted: z.boolean(),
        /** Of a file that is no workflow. */
        problem: z.optional(z.string()),
      }),
    ),
  }),
  async run(context) {
    const workflows = (await everyWorkflow(context)).map((found) => {
      if ('error' in found) {
        const { id, error } = found;
        return { id, name: id, source: 'project' as const, description: '', trusted: false, problem: error.message };
      }
      const { workflow, source } = found;
      const trusted = found.trusted || commandsOf(workflow).length === 0;
      return { id: workflow.id, name: workflow.name, source, description: workflow.description, trusted };
    });
    return { workflows };
  },
});
