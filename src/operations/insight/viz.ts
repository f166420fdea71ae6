import path from 'node:path';
import * as z from 'zod/mini';
import { SHOWN_STATES } from '#core/graph/status-look.js';
import { taskOf } from '#core/graph/task-of.js';
import { inReadingOrder } from '#core/insight/picture.js';
import { dotText, mermaidText } from '#core/insight/text-formats.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import { inert } from '#kernel/text.js';
import { keepOutput } from '#operations/keep-output.js';
import { type Context, operation } from '#operations/operation.js';
import { picturedGraph } from './pictured-graph.js';

export const FORMS = ['tree', 'graph', 'dot', 'mermaid'] as const;
type Form = (typeof FORMS)[number];

const texts = z.optional(z.array(z.string()));
const flag = z.optional(z.boolean());

const node = z.object({
  id: z.string(),
  title: z.string(),
  state: z.enum(SHOWN_STATES),
  /** On the header of a cycle: the pass it is in, and how many re-openings are allowed. */
  loop: z.optional(z.object({ iteration: z.number(), most: z.optional(z.number()) })),
  /** Predecessors that are no tasks of this graph. */
  missing: z.optional(z.readonly(z.array(z.string()))),
  critical: z.optional(z.boolean()),
  note: z.optional(z.string()),
  created_at: z.optional(z.string()),
});

const output = z.object({
  form: z.enum(FORMS),
  nodes: z.readonly(z.array(node)),
  edges: z.readonly(z.array(z.object({ from: z.string(), to: z.string(), back: z.optional(z.boolean()) }))),
  /** Ids by the length of the longest way to them. */
  layers: z.readonly(z.array(z.array(z.string()))),
  total: z.number(),
  hidden: z.object({ finished: z.number(), internal: z.number() }),
  critical_path: z.optional(z.array(z.string())),
  /** Where the picture was written. */
  file: z.optional(z.string()),
});

/** The graph as data for a drawing, or drawn into a file. */
export const viz = operation({
  name: 'graph.viz',
  input: z.strictObject({
    ids: texts,
    graph: flag,
    dot: flag,
    mermaid: flag,
    output: z.optional(z.string()),
    force: flag,
    all: flag,
    show_internal: flag,
    status: z.optional(z.array(z.enum(SHOWN_STATES))),
    tag: texts,
    critical_path: flag,
  }),
  output,
  async run(context, input) {
    const form = formOf(input);
    const format = input.output === undefined ? undefined : formatOf(input.output);
    const view = await (await context.graph()).view();
    for (const id of input.ids ?? []) taskOf(view, id);
    const drawn = picturedGraph(view, context.clock.now(), input);
    if (drawn.picture.nodes.length > LIMITS.vizTasks || drawn.picture.edges.length > LIMITS.vizEdges) {
      throw new TroupeError('too_large', {
        what: `These ${drawn.picture.nodes.length} tasks with ${drawn.picture.edges.length} edges are too many for one picture.`,
        hint: 'Name some tasks, or choose with --status or --tag.',
      });
    }
    const { picture, ...rest } = drawn;
    const shown = inReadingOrder(picture);
    const file =
      input.output === undefined || format === undefined
        ? undefined
        : await keepOutput(context, input.output, await drawnAs(context, format, shown), input);
    return { form, ...picture, ...rest, ...(file === undefined ? {} : { file }) };
  },
});

function formOf(input: {
  graph?: boolean | undefined;
  dot?: boolean | undefined;
  mermaid?: boolean | undefined;
}): Form {
  const asked = (['graph', 'dot', 'mermaid'] as const).filter((form) => input[form] === true);
  if (asked.length > 1)
    throw new TroupeError('usage', { what: `Say one of ${asked.map((form) => `--${form}`).join(' and ')}.` });
  return asked[0] ?? 'tree';
}

type Format = 'png' | 'svg' | 'dot' | 'mermaid';
const FORMATS: Readonly<Record<string, Format>> = {
  '.png': 'png',
  '.svg': 'svg',
  '.dot': 'dot',
  '.gv': 'dot',
  '.mmd': 'mermaid',
  '.mermaid': 'mermaid',
};

function formatOf(file: string): Format {
  const format = FORMATS[path.extname(file).toLowerCase()];
  if (format !== undefined) return format;
  throw new TroupeError('usage', {
    what: `The name ${JSON.stringify(inert(file).slice(0, 80))} does not say what to write.`,
    hint: `Let it end with one of ${Object.keys(FORMATS).join(', ')}.`,
  });
}

async function drawnAs(
  context: Context,
  format: Format,
  picture: Parameters<typeof dotText>[0],
): Promise<string | Uint8Array> {
  if (format === 'mermaid') return mermaidText(picture);
  const dot = dotText(picture);
  return format === 'dot' ? dot : (await context.pictures()).draw(dot, format);
}
