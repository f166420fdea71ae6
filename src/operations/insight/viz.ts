import path from 'node:path';
import * as z from 'zod/mini';
import type { Cycle } from '#core/graph/cycles.js';
import { readiness } from '#core/graph/ready.js';
import { SHOWN_STATES, type ShownState } from '#core/graph/status-look.js';
import type { Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphView } from '#core/graph/view.js';
import { criticalPath } from '#core/insight/critical-path.js';
import { addAt } from '#core/insight/gathering.js';
import { layersOf } from '#core/insight/layout.js';
import {
  inReadingOrder,
  type Picture,
  type PictureEdge,
  type PictureNode,
  pictureNodeShape,
} from '#core/insight/picture.js';
import { selectTasks } from '#core/insight/task-selection.js';
import { dotText, mermaidText } from '#core/insight/text-formats.js';
import { TroupeError } from '#kernel/errors.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { compareText } from '#kernel/order.js';
import { inert } from '#kernel/text.js';
import type { FilesContext, GraphContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { keepOutput } from '#operations/keep-output.js';
import { type Context, operation } from '#operations/operation.js';
import { REPLACE, SHOW_INTERNAL } from '#operations/options.js';
import { notRunningReason, shownTaskState } from './status-shapes.js';

const FORMS = ['tree', 'graph', 'dot', 'mermaid'] as const;
type Form = (typeof FORMS)[number];

const texts = z.optional(z.array(z.string()));
const flag = z.optional(z.boolean());

const output = z.object({
  form: z.enum(FORMS),
  nodes: z.readonly(z.array(pictureNodeShape)),
  edges: z.readonly(z.array(z.object({ from: z.string(), to: z.string(), back: z.optional(z.boolean()) }))),
  /** Ids by the length of the longest path to them. */
  layers: z.readonly(z.array(z.array(z.string()))),
  total: z.number(),
  hidden: z.object({ finished: z.number(), internal: z.number() }),
  critical_path: z.optional(z.array(z.string())),
  /** File of the picture. */
  file: z.optional(z.string()),
});

/** The graph as data for a drawing, or drawn into a file. */
export const viz = operation({
  name: 'graph.viz',
  command: 'viz',
  group: 'Progress',
  kind: 'read',
  // A picture may take long and may be written relative to the caller's folder, so the service is not involved.
  where: 'caller',
  summary: 'Draw the graph: as a tree, boxes or for other programs',
  examples: ['troupe viz', 'troupe viz --graph --critical-path', 'troupe viz write-the-parser --all'],
  input: z.strictObject({
    ids: argument('Only what is connected with these tasks', texts),
    graph: option('Draw boxes in layers', flag),
    dot: option('Print Graphviz text', flag),
    mermaid: option('Print Mermaid text', flag),
    output: option('Write a .png or .svg (needs Graphviz), .dot or .mmd', z.optional(z.string()), {
      short: 'o',
      value: 'FILE',
      path: 'always',
      writes: true,
    }),
    force: REPLACE,
    all: option('Include finished trees', flag),
    show_internal: SHOW_INTERNAL,
    status: option('Only these statuses', z.optional(z.array(z.enum(SHOWN_STATES))), { value: 'STATUS' }),
    tag: option('Only tasks with this tag', texts, { short: 't', value: 'TAG' }),
    critical_path: option('Mark the critical path', flag),
  }),
  output,
  async run(context: GraphContext & FilesContext, input) {
    const form = formOf(input);
    const format = input.output === undefined ? undefined : formatOf(input.output);
    const view = await (await context.graph()).view();
    for (const id of input.ids ?? []) taskOf(view, id);
    const drawn = picturedGraph(view, context.clock.now(), input);
    if (drawn.picture.nodes.length > SURFACE_LIMITS.vizTasks || drawn.picture.edges.length > SURFACE_LIMITS.vizEdges) {
      throw new TroupeError('too_large', {
        what: `${drawn.picture.nodes.length} tasks with ${drawn.picture.edges.length} edges are too many for one drawing.`,
        hint: 'Name some tasks, or filter with --status or --tag.',
      });
    }
    const { picture, ...rest } = drawn;
    const drawing = inReadingOrder(picture);
    const file =
      input.output === undefined || format === undefined
        ? undefined
        : await keepOutput(context, input.output, await drawnAs(context, format, drawing), input);
    return { form, ...picture, ...rest, ...(file === undefined ? {} : { file }) };
  },
});

function formOf(input: {
  graph?: boolean | undefined;
  dot?: boolean | undefined;
  mermaid?: boolean | undefined;
}): Form {
  const forms = (['graph', 'dot', 'mermaid'] as const).filter((form) => input[form] === true);
  if (forms.length > 1)
    throw new TroupeError('usage', { what: `Use one of ${forms.map((form) => `--${form}`).join(' and ')}.` });
  return forms[0] ?? 'tree';
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
    what: `The name ${JSON.stringify(inert(file).slice(0, 80))} has no known extension.`,
    hint: `Use one of ${Object.keys(FORMATS).join(', ')}.`,
  });
}

async function drawnAs(
  context: Pick<Context, 'pictures'>,
  format: Format,
  picture: Parameters<typeof dotText>[0],
): Promise<string | Uint8Array> {
  if (format === 'mermaid') return mermaidText(picture);
  const dot = dotText(picture);
  return format === 'dot' ? dot : (await context.pictures()).draw(dot, format);
}

interface Wishes {
  readonly ids?: readonly string[] | undefined;
  readonly all?: boolean | undefined;
  readonly show_internal?: boolean | undefined;
  readonly status?: readonly ShownState[] | undefined;
  readonly tag?: readonly string[] | undefined;
  readonly critical_path?: boolean | undefined;
}

export interface PicturedGraph {
  readonly picture: Picture;
  readonly layers: string[][];
  readonly total: number;
  readonly hidden: { readonly finished: number; readonly internal: number };
  readonly critical_path?: string[];
}

/** Selected tasks with all data of a drawing. */
export function picturedGraph(view: GraphView, now: number, wishes: Wishes): PicturedGraph {
  const stateOf = (task: Task) => shownTaskState(task, readiness(view, task.id, now));
  const { status, tag } = wishes;
  const selection = selectTasks(view, {
    ids: wishes.ids,
    finished: wishes.all === true || status !== undefined,
    internal: wishes.show_internal === true,
    matches: (task) =>
      (status === undefined || status.includes(task.status) || status.includes(stateOf(task))) &&
      (tag ?? []).every((one) => task.tags?.includes(one)),
  });
  const cycles = new Map([...view.cycles()].map((cycle) => [cycle.header, cycle]));
  const isReturn = returnsOf(cycles);
  const tasks = selection.tasks.map((task) => ({ id: task.id, after: task.after ?? [] }));
  const { layerOf, edges } = layersOf(tasks, isReturn);
  const chain = wishes.critical_path === true ? criticalPath(view).critical_path.map((task) => task.id) : undefined;
  const critical = new Set(chain);
  const layers: string[][] = [];
  for (const { id } of tasks) addAt(layers, layerOf.get(id) ?? 0, id);
  return {
    picture: {
      nodes: selection.tasks.map((task) => nodeOf(view, task, now, cycles.get(task.id), critical.has(task.id))),
      edges: edges.map(({ from, to, back }) => (back ? { from, to, back } : { from, to })).sort(byEnds),
    },
    layers,
    total: selection.total,
    hidden: { finished: selection.finished, internal: selection.internal },
    ...(chain === undefined ? {} : { critical_path: chain }),
  };
}

function byEnds(left: PictureEdge, right: PictureEdge): number {
  return compareText(left.from, right.from) || compareText(left.to, right.to);
}

/** Returns a predicate for edges from inside a cycle to its header. */
function returnsOf(cycles: ReadonlyMap<string, Cycle>): (from: string, to: string) => boolean {
  const members = new Map([...cycles.values()].map((cycle) => [cycle.header, new Set(cycle.members)]));
  return (from, to) => members.get(to)?.has(from) === true;
}

function nodeOf(view: GraphView, task: Task, now: number, cycle: Cycle | undefined, critical: boolean): PictureNode {
  const ready = readiness(view, task.id, now);
  const missing = [...new Set(task.after)].filter((id) => view.node(id) === undefined);
  const edgesSayWhy = ready.reasons.every((reason) => reason.code === 'predecessor') && task.status === 'open';
  const note = edgesSayWhy || task.status === 'abandoned' ? undefined : notRunningReason(view, task, ready, true);
  return {
    id: task.id,
    title: task.title,
    state: shownTaskState(task, ready),
    ...(cycle === undefined
      ? {}
      : {
          loop: {
            iteration: task.loop_iteration ?? 0,
            ...(cycle.config === undefined ? {} : { most: cycle.config.max_iterations }),
          },
        }),
    ...(missing.length === 0 ? {} : { missing }),
    ...(critical ? { critical } : {}),
    ...(note === undefined ? {} : { note }),
    ...(task.created_at === undefined ? {} : { created_at: task.created_at }),
    ...(task.epic === undefined ? {} : { epic: task.epic }),
  };
}
