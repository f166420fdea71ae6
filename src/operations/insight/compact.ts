import * as z from 'zod/mini';
import { isTask } from '#core/graph/task.js';
import { graphSummary } from '#core/insight/summary.js';
import { bytesOf, cutBytes, visible } from '#kernel/fence.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { redact } from '#kernel/secrets.js';
import type { FilesContext, GraphContext, MachineContext, ModelContext } from '#operations/contexts.js';
import { option } from '#operations/fields.js';
import { operation } from '#operations/operation.js';
import { ask } from '#operations/settings/ask.js';

/** Writes a summary of the graph to `.workgraph/context.md`, which prompts with a wide scope include. */
export const compact = operation({
  name: 'graph.compact',
  command: 'compact',
  group: 'Storage',
  kind: 'write',
  forRuns: 'any',
  asks: { purpose: 'compact', unless: [['narrative', 'never']], without: '--narrative never' },
  summary: 'Summarize the graph in .workgraph/context.md',
  examples: ['troupe compact', 'troupe compact --narrative never --json'],
  input: z.strictObject({
    narrative: option(
      'Add a summary by a model: auto or never (default: auto)',
      z.optional(z.enum(['auto', 'never'])),
      { value: 'WHEN' },
    ),
  }),
  output: z.object({
    file: z.string(),
    seq: z.number(),
    bytes: z.number(),
    tasks: z.number(),
    /** Whether a model added a narrative; if it was asked without success, `warnings` has the reason. */
    narrative: z.boolean(),
    warnings: z.array(z.string()),
  }),
  async run(context: GraphContext & FilesContext & ModelContext & MachineContext, { narrative: mode = 'auto' }) {
    const view = await (await context.graph()).view();
    const summary = redact(graphSummary(view, context.clock.now()));
    const warnings: string[] = [];
    const mayAsk = mode === 'auto' && context.caller.kind === 'person'; // a run spends nothing beyond its own budget
    const prose = mayAsk ? await narrative(context, summary, warnings) : undefined;
    const text = prose === undefined ? summary : `${summary}\n## In other words\n\n${prose}\n`;
    const file = await (await context.files()).writeContext(text);
    let tasks = 0;
    for (const node of view.nodes()) if (isTask(node)) tasks++;
    return { file, seq: view.seq, bytes: bytesOf(text), tasks, narrative: prose !== undefined, warnings };
  },
});

/** Narrative of a model. Undefined without a model, and also if it fails, which adds a warning. */
async function narrative(
  context: ModelContext & MachineContext,
  summary: string,
  warnings: string[],
): Promise<string | undefined> {
  const { answer, failure } = await ask(context, {
    purpose: 'compact',
    name: 'summary',
    blocks: [{ label: 'summary', text: summary, most: TEAM_LIMITS.summaryBytes }],
    take: (text) => redact(cutBytes(visible(text.trim()), TEAM_LIMITS.summaryNarrativeBytes)),
  });
  if (failure && failure.code !== 'no_model') warnings.push(`narrative: ${failure.reason}`);
  return answer;
}
