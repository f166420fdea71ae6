import * as z from 'zod/mini';
import { flowOf } from '#core/catalog/workflow-flow.js';
import { triggerText } from '#core/workflows/triggered.js';
import { operation } from '#operations/operation.js';
import { standingShape, triggerStandings } from './triggers.js';
import { commandsOf, findWorkflow } from './workflow-source.js';

/** One workflow: its steps in order, what leads where, its cycles, its commands. */
export const workflowShow = operation({
  name: 'workflow.show',
  input: z.strictObject({ id: z.string() }),
  output: z.object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    version: z.number(),
    source: z.enum(['shipped', 'project']),
    file: z.string(),
    trusted: z.boolean(),
    trigger: z.string(),
    /** How it stands with that; null where only a person begins it. */
    begins: z.nullable(standingShape),
    inputs: z.array(z.object({ name: z.string(), description: z.string(), default: z.optional(z.string()) })),
    nodes: z.array(
      z.object({
        id: z.string(),
        type: z.string(),
        label: z.string(),
        archetypes: z.array(z.string()),
        after: z.array(z.string()),
      }),
    ),
    loops: z.array(z.object({ from: z.array(z.string()), to: z.string(), max: z.number() })),
    commands: z.array(z.object({ node: z.string(), run: z.string() })),
    warnings: z.array(z.string()),
  }),
  async run(context, { id }) {
    const { workflow, source, file, trusted } = await findWorkflow(context, id);
    const flow = flowOf(workflow);
    const nodes = flow.order.flatMap((each) => {
      const node = workflow.nodes.find((other) => other.id === each);
      if (!node) return [];
      const after = flow.forward.filter((edge) => edge.to === each).map((edge) => edge.from);
      return [{ id: each, type: node.type, label: node.label, archetypes: [node.archetype ?? []].flat(), after }];
    });
    const { trigger } = workflow;
    return {
      ...{
        id,
        name: workflow.name,
        description: workflow.description,
        version: workflow.version,
        source,
        file,
        trusted,
      },
      trigger: triggerText(trigger ?? { type: 'manual' }),
      begins: (await triggerStandings(context)).get(id) ?? null,
      inputs: (workflow.inputs ?? []).map((input) => ({
        name: input.name,
        description: input.description ?? '',
        ...(input.default === undefined ? {} : { default: input.default }),
      })),
      nodes,
      loops: flow.loops.map(({ header, gates, max }) => ({ from: [...gates], to: header, max })),
      commands: commandsOf(workflow),
      warnings: [...flow.warnings],
    };
  },
});
