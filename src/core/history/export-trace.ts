import * as z from 'zod/mini';
import type { Entry } from '#core/graph/event.js';
import { sortedById } from '#core/graph/line.js';
import { isTask, type Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import type { Json, JsonObject } from '#kernel/json.js';
import { redact } from '#kernel/secrets.js';
import type { Sieve } from './export-fields.js';
import { actorKind, tasksOfRuns, treeOf } from './task-history.js';
import { evaluationForPeers, functionInZone, isInZone, taskInZone, ZONES, type Zone } from './zone.js';

/** Version of the file format. Other programs read it: a change of meaning needs a new number. */
export const TRACE_VERSION = 1;

export const traceExportShape = z.object({
  metadata: z.object({
    version: z.number(),
    exported_at: z.string(),
    visibility: z.enum(ZONES),
    root_task: z.optional(z.string()),
    source: z.optional(z.string()),
    /** Records in which a secret was masked, with its kind. */
    masked: z.optional(z.readonly(z.array(z.string()))),
  }),
  tasks: z.readonly(z.array(z.record(z.string(), z.unknown()))),
  evaluations: z.readonly(z.array(z.record(z.string(), z.unknown()))),
  operations: z.readonly(z.array(z.record(z.string(), z.unknown()))),
  functions: z.readonly(z.array(z.record(z.string(), z.unknown()))),
});
export type TraceExport = z.infer<typeof traceExportShape>;

export interface ExportFacts {
  readonly view: GraphView;
  readonly entries: readonly Entry[];
  readonly evaluations: readonly JsonObject[];
  readonly functions: readonly JsonObject[];
  readonly zone: Zone;
  /** Exports only this task and its descendants. */
  readonly root?: Task | undefined;
  readonly exportedAt: string;
  /** Name of the project; exported only for `internal`. */
  readonly source: string;
}

const PUBLIC_OPS: ReadonlySet<string> = new Set(['add_task', 'done', 'fail', 'abandon', 'retry']);
const OP_FORM = /^[a-z][a-z0-9_]{0,59}$/;

/** Builds the export for a zone from allowlists; see `zone.ts`. */
export function exportTrace(facts: ExportFacts): TraceExport {
  const { view, root } = facts;
  const all = root
    ? treeOf(view, root, tasksOfRuns(facts.entries)).map((node) => node.task)
    : sortedById(view.nodes()).filter(isTask);
  return facts.zone === 'internal' ? wholeTrace(facts, all) : filteredTrace(facts, facts.zone, all);
}

function wholeTrace(facts: ExportFacts, tasks: readonly Task[]): TraceExport {
  const ids = new Set(tasks.map((task) => task.id));
  const within = (id: Json | undefined) => facts.root === undefined || (typeof id === 'string' && ids.has(id));
  const touched = (entry: Entry) => within(entry.task_id) || entry.patch.some((patch) => ids.has(patch.id));
  return {
    metadata: {
      ...head(facts),
      ...(facts.root ? { root_task: facts.root.id } : {}),
      source: facts.source,
    },
    tasks: tasks,
    evaluations: facts.evaluations.filter((evaluation) => within(evaluation['task_id'])),
    operations: facts.entries.filter(touched).map((entry) => ({ ...entry })),
    functions: facts.functions,
  };
}

function filteredTrace(facts: ExportFacts, zone: 'peer' | 'public', all: readonly Task[]): TraceExport {
  const tasks = all.filter((task) => isInZone(task['visibility'], zone) && redact(task.id) === task.id);
  const ids = new Set(tasks.map((task) => task.id));
  const sieve = sieveOf(facts, ids);
  const before = dependentsWithin(tasks, ids);
  const { root } = facts;
  return {
    metadata: { ...head(facts), ...(root && ids.has(root.id) ? { root_task: root.id } : {}) },
    tasks: tasks.map((task) => taskInZone({ ...task, before: before.get(task.id) ?? [] }, zone, sieve)),
    evaluations:
      zone === 'public'
        ? []
        : facts.evaluations.map((evaluation) => evaluationForPeers(evaluation, sieve)).filter(isThere),
    operations: facts.entries.map((entry) => operationInZone(entry, zone, ids)).filter(isThere),
    functions: facts.functions
      .filter((template) => isInZone(template['visibility'], zone))
      .map((template) => functionInZone(template, zone, sieve)),
  };
}

function isThere<Value>(value: Value | undefined): value is Value {
  return value !== undefined;
}

function head(facts: ExportFacts) {
  return { version: TRACE_VERSION, exported_at: facts.exportedAt, visibility: facts.zone };
}

/** Sieve that hides all other tasks which are or once were in the graph. */
function sieveOf(facts: ExportFacts, ids: ReadonlySet<string>): Sieve {
  const hidden = new HiddenTasks();
  const hide = (id: string | undefined) => {
    if (id !== undefined && !ids.has(id)) hidden.add(id);
  };
  for (const node of facts.view.nodes()) hide(node.id);
  for (const entry of facts.entries) hide(entry.task_id);
  return {
    includes: (id) => ids.has(id),
    clean: (text) => hidden.mask(redact(text)),
    mentions: (text) => hidden.isMentioned(text),
  };
}

/** Reverse edges between the exported tasks. */
function dependentsWithin(tasks: readonly Task[], ids: ReadonlySet<string>): ReadonlyMap<string, string[]> {
  const before = new Map<string, string[]>();
  for (const task of tasks) {
    for (const id of new Set(task.after)) {
      if (!ids.has(id)) continue;
      const list = before.get(id);
      if (list) list.push(task.id);
      else before.set(id, [task.id]);
    }
  }
  return before;
}

function operationInZone(entry: Entry, zone: 'peer' | 'public', ids: ReadonlySet<string>): JsonObject | undefined {
  const { op, task_id: task, timestamp } = entry;
  const at = Date.parse(timestamp);
  if (task === undefined || !ids.has(task) || !OP_FORM.test(op) || Number.isNaN(at)) return undefined;
  if (zone === 'public' && !PUBLIC_OPS.has(op)) return undefined;
  return {
    timestamp: new Date(at).toISOString(),
    op,
    task_id: task,
    ...(zone === 'peer' ? { actor: actorKind(entry) } : {}),
  };
}

/** Pattern of words that look like an id: they contain a digit or separator, so they are not words of a language. */
const DISTINCTIVE = /[-_.\d]/;
const LEAST_CHARACTERS = 4;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}._-]*/gu;
const INSTEAD = '[hidden]';

/**
 * Masks mentions of hidden tasks in exported texts: no field of an export names such a task, but free text may. Ids
 * that are plain words (`tests`) are kept, because they reveal nothing by themselves. Costs the length of the text,
 * independent of the number of tasks.
 */
class HiddenTasks {
  private readonly ids = new Set<string>();

  add(id: string): void {
    if (id.length >= LEAST_CHARACTERS && DISTINCTIVE.test(id)) this.ids.add(id);
  }

  mask(text: string): string {
    return this.ids.size === 0 ? text : text.replace(WORD, (word) => (this.names(word) ? INSTEAD : word));
  }

  isMentioned(text: string): boolean {
    return this.mask(text) !== text;
  }

  /** Whether the word, or its part before a dot, is a hidden id: `secret-plan.md`, or the end of a sentence. */
  private names(word: string): boolean {
    if (this.ids.has(word)) return true;
    for (let dot = word.indexOf('.'); dot !== -1; dot = word.indexOf('.', dot + 1)) {
      if (this.ids.has(word.slice(0, dot))) return true;
    }
    return this.ids.has(word.replace(/[._-]+$/, ''));
  }
}
