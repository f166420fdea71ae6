import * as z from 'zod/mini';
import { allows } from '#core/workflows/project-choice.js';
import { operation } from '#operations/operation.js';
import { choiceOf } from './policy.js';
import { standingShape, triggerStandings } from './triggers.js';
import { commandsOf, everyWorkflow } from './workflow-source.js';

const rowShape = z.object({
  id: z.string(),
  name: z.string(),
  source: z.enum(['shipped', 'project']),
  description: z.string(),
  /** Whether its commands may run here; a workflow without commands needs nobody's agreement. */
  trusted: z.boolean(),
  /** Whether the project allows it, and whether it is the one the project begins with. */
  allowed: z.boolean(),
  default: z.boolean(),
  /** When it begins by itself; absent where only a person begins it. */
  begins: z.optional(standingShape),
  /** Of a file that is no workflow. */
  problem: z.optional(z.string()),
});
type Row = z.infer<typeof rowShape>;

/** Every workflow there is, the shipped ones first. */
export const workflowList = operation({
  name: 'workflow.list',
  input: z.strictObject({}),
  output: z.object({ workflows: z.array(rowShape) }),
  async run(context) {
    const choice = await choiceOf(context);
    const chosen = (id: string) => ({ allowed: allows(choice, id), default: id === choice.default_workflow });
    const standings = await triggerStandings(context);
    const workflows = (await everyWorkflow(context)).map((found): Row => {
      if ('error' in found) {
        const { id, error } = found;
        const unread = { id, name: id, source: 'project', description: '', trusted: false } as const;
        return { ...unread, ...chosen(id), problem: error.message };
      }
      const { workflow, source } = found;
      const trusted = found.trusted || commandsOf(workflow).length === 0;
      const { id, name, description } = workflow;
      const begins = standings.get(id);
      return { id, name, source, description, trusted, ...chosen(id), ...(begins ? { begins } : {}) };
    });
    return { workflows };
  },
});
