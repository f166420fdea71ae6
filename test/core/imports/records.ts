import type { GraphState } from '#core/graph/state.js';
import type { Task } from '#core/graph/task.js';
import type { ImportedTask, ImportFile, ParsedImport, Tracker } from '#core/imports/imported-task.js';
import { type ImportOptions, importTasks } from '#core/imports/plan.js';
import { parseImport, recognised } from '#core/imports/recognise.js';
import { commit, graphOf, NOW } from '../graph/graph.js';

/** A file as a person names it. */
export const file = (text: string, path = 'file', front?: ImportFile['front']): ImportFile => ({
  path,
  text,
  ...(front === undefined ? {} : { front }),
});

/** What an import of one file reads. */
export function parsedFrom(text: string, wanted?: Tracker): ParsedImport & { readonly tracker: Tracker } {
  const found = recognised({ name: 'file', kind: 'file', files: [file(text)] }, wanted);
  return { tracker: found.tracker, ...parseImport(found) };
}

export const OPTIONS: Omit<ImportOptions, 'tracker'> = {
  source: '',
  now: NOW,
  actor: 'ann',
  open: false,
  skipBroken: false,
  latin: new Map(),
  departed: [],
};

/** Imports a text into a graph; returns the answer of the plan. */
export function imported(text: string, graph: GraphState = graphOf(), options: Partial<ImportOptions> = {}) {
  const parsed = parsedFrom(text, options.tracker);
  return commit(graph, importTasks(graph, parsed, { ...OPTIONS, tracker: parsed.tracker, ...options }));
}

/** Each task of a graph without what every imported task has. */
export function tasksOf(graph: GraphState): Record<string, Partial<Task>> {
  return Object.fromEntries(
    [...graph.nodes()].map((node) => {
      const { kind, id, log, created_by, imported: origin, ...rest } = node as Task & { imported: unknown };
      return [id, rest];
    }),
  );
}

/** Records of beads as lines. */
export const jsonl = (...records: readonly object[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');

/** An imported task of which only some fields matter. */
export const record = (key: string, fields: Partial<ImportedTask> = {}): ImportedTask => ({
  ...{ key, wish: key, title: `Task ${key}`, status: 'open', state: 'open', text: '', after: [], labels: [], rest: {} },
  ...fields,
});
