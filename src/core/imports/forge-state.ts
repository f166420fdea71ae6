import * as z from 'zod/mini';
import { FORGE_NODE } from '#core/graph/notice-node.js';
import { type GraphNode, isTask, type Task } from '#core/graph/task.js';
import { taskField } from '#core/graph/task-field.js';
import type { GraphView } from '#core/graph/view.js';
import { FORGES, type ForgeName } from './forges.js';

const text = z.string();
const optionalText = z.optional(text);

/** The pull request with the work of a task, as it was last seen. */
const pullShape = z.object({
  number: z.number(),
  url: text,
  state: z.enum(['open', 'merged', 'closed']),
  /** Commit whose checks these are. */
  head: text,
  checks: z.enum(['none', 'running', 'passed', 'failed']),
  /** Commit whose failed checks were told to the task, and how often that opened it again. */
  told: optionalText,
  reopened: z.number(),
  /** Highest ids of remarks that are in the log of the task, by kind. */
  remarks: z.record(text, z.number()),
});
export type PullFact = z.infer<typeof pullShape>;

const shape = z.object({
  /** Id of our comment at the issue, and the hash of its text. */
  comment: optionalText,
  said: optionalText,
  /** The issue was closed from here. */
  closed: z.optional(z.literal(true)),
  /** The issue no longer exists. */
  gone: z.optional(z.literal(true)),
  pull: z.optional(pullShape),
});
/** Facts about the issue and the pull request of a task. */
export type ForgeFact = z.infer<typeof shape>;

export const FORGE = taskField('forge', (value): ForgeFact | undefined => {
  const parsed = z.safeParse(shape, value);
  return parsed.success ? parsed.data : undefined;
});

const placeShape = z.object({
  forge: z.enum(FORGES),
  /** Id of the repository at the forge, which no renaming changes. */
  id: text,
  /** Name under which it was first seen; part of the keys of its issues. */
  first: text,
  name: text,
});
export type ForgePlace = z.infer<typeof placeShape>;

const bookShape = z.object({
  kind: z.literal('forge'),
  places: z.readonly(z.array(placeShape)),
  /** Reason why the latest exchange failed, and the time of the first failure since one worked, in milliseconds. */
  trouble: z.optional(z.object({ forge: z.enum(FORGES), text, since: z.number() })),
});
/** Repositories whose issues were exchanged, and the present trouble. Stored in one node. */
export type ForgeBook = Omit<z.infer<typeof bookShape>, 'kind'>;

export function forgeBookIn(view: Pick<GraphView, 'node'>): ForgeBook {
  const parsed = z.safeParse(bookShape, view.node(FORGE_NODE));
  if (!parsed.success) return { places: [] };
  const { kind: _, ...book } = parsed.data;
  return book;
}

export function forgeNode(book: ForgeBook): GraphNode {
  return { kind: 'forge', id: FORGE_NODE, ...book };
}

/** The book after an exchange that failed for this reason; without one after it worked. */
export function withTrouble(book: ForgeBook, forge: ForgeName, failure: string | undefined, now: number): ForgeBook {
  const { trouble, ...rest } = book;
  if (failure !== undefined) return { ...rest, trouble: { forge, text: failure, since: trouble?.since ?? now } };
  return trouble === undefined || trouble.forge !== forge ? book : rest;
}

/** Tasks with a pull request that this view knows. */
export function* tasksWithPull(
  view: Pick<GraphView, 'nodes'>,
): Iterable<{ readonly task: Task; readonly pull: PullFact }> {
  for (const node of view.nodes()) {
    const pull = isTask(node) ? FORGE.of(node)?.pull : undefined;
    if (isTask(node) && pull !== undefined) yield { task: node, pull };
  }
}
