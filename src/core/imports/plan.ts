import { components } from '#core/graph/cycles.js';
import { deadlockWarning } from '#core/graph/deadlock.js';
import type { EventDraft, Plan } from '#core/graph/event.js';
import { canGetParts } from '#core/graph/part-of.js';
import { isTask, isTerminal, type NodeFields, type Status, type Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { TroupeError } from '#kernel/errors.js';
import { IMPORT_LIMITS } from '#kernel/limits/imports.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { compareText } from '#kernel/order.js';
import { cut, inert } from '#kernel/text.js';
import { chosenIds } from './ids.js';
import type { BrokenRecord, ImportedTask, LeftOut, ParsedImport, Tracker } from './imported-task.js';
import { withNesting } from './nesting.js';
import { importedFrom, originOf, recordDifferences } from './origin.js';
import type { SpokenFor } from './task-node.js';
import { nodeOf } from './task-node.js';

export interface ImportOptions {
  readonly tracker: Tracker;
  /** Distinguishes several trackers of one kind. */
  readonly source: string;
  readonly now: number;
  readonly actor: string;
  /** Unfinished tasks can start at once, instead of being paused. */
  readonly open: boolean;
  /** Broken records are left out; otherwise one of them refuses the import. */
  readonly skipBroken: boolean;
  /** Transliterated words of ids. */
  readonly latin: ReadonlyMap<string, string>;
  /** Tasks that left the graph: they are not imported a second time. */
  readonly departed: readonly Task[];
}

export interface ImportRow {
  readonly id: string;
  readonly key: string;
  readonly title: string;
  readonly status: Status;
  readonly state: string;
  readonly after: readonly string[];
  readonly paused: boolean;
  /** Has a command, which waits for trust. */
  readonly command: boolean;
}

export interface ImportResult {
  readonly tasks: readonly ImportRow[];
  /** Number of records that were imported before and are the same. */
  readonly present: number;
  readonly changed: readonly { readonly id: string; readonly key: string; readonly differs: readonly string[] }[];
  readonly left: readonly LeftOut[];
  readonly broken: readonly BrokenRecord[];
  readonly warnings: readonly string[];
}

/**
 * Plans the tasks of an import: one event each, in one group, in the order of their ids. Commands in them are not
 * agreed to by this. Records that were imported before are compared and left alone, except that an epic waits for a new
 * part. Errors: `bad_input` for broken records, `too_large`.
 */
export function importTasks(view: GraphView, parsed: ParsedImport, options: ImportOptions): Plan<ImportResult> {
  refuseNumber(parsed);
  const broken = [...parsed.broken];
  const records = withoutDoubles(parsed.tasks, broken);
  const { tracker, source } = options;
  const here = importedFrom([...view.nodes()].filter(isTask), tracker, source);
  for (const [key, gone] of importedFrom(options.departed, tracker, source)) if (!here.has(key)) here.set(key, gone);
  const coming = new Map([...records].filter(([key]) => !here.has(key)));
  const ids = chosenIds(coming.values(), (id) => view.wasUsed(id), options.latin);
  const idOf = (key: string) => ids.get(key) ?? here.get(key)?.id;
  const { after, epics, warnings: tooMany } = withNesting(records);
  const warnings = [...tooMany];
  const rows: ImportRow[] = [];
  const nodes = new Map<string, NodeFields>();
  const events: EventDraft[] = [];
  const allIds = new Set(ids.values());
  const growing = new GrowingEpics(view);
  for (const [key, task] of coming) {
    const above = epics.get(key) ?? '';
    const present = growing.room(here.get(above)?.id);
    const epic = ids.get(above) ?? present;
    const own = { id: ids.get(key) ?? key, after: after.get(key) ?? [], epic };
    const spoken: SpokenFor = { ...options, ...own, idOf, view, coming: allIds };
    const made = nodeOf(task, originOf(task, tracker, source), spoken);
    if ('why' in made) {
      broken.push({ place: key, why: made.why });
      continue;
    }
    if (made.missing.length > 0) warnings.push(missingWarning(spoken.id, made.missing));
    nodes.set(spoken.id, made.node);
    events.push(made.event);
    if (present !== undefined) growing.add(present, spoken.id);
    rows.push(rowOf(made.node, task));
  }
  if (broken.length > 0 && !options.skipBroken) throw refusal(broken);
  warnings.push(...deadlocks(nodes));
  const byId = (left: EventDraft, right: EventDraft) => compareText(left.task_id ?? '', right.task_id ?? '');
  return {
    events: [...events.sort(byId), ...growing.events(options.actor)],
    result: {
      tasks: rows.sort((left, right) => compareText(left.id, right.id)),
      ...comparison(records, here, options),
      left: [...parsed.left].sort((left, right) => compareText(left.key, right.key)),
      broken,
      warnings: warnings.sort(compareText),
    },
  };
}

/** Tasks that were imported before, and get new parts: they wait for these, and change in nothing else. */
class GrowingEpics {
  private readonly view: GraphView;
  private readonly after = new Map<string, readonly string[]>();

  constructor(view: GraphView) {
    this.view = view;
  }

  /** The id, if the task is there and can wait for one more. */
  room(id: string | undefined): string | undefined {
    const task = this.view.task(id ?? '');
    const after = this.after.get(id ?? '') ?? task?.after ?? [];
    return task && canGetParts(task) && after.length < WORK_LIMITS.edgesPerTask ? id : undefined;
  }

  add(id: string, part: string): void {
    this.after.set(id, [...(this.after.get(id) ?? this.view.task(id)?.after ?? []), part]);
  }

  events(actor: string): EventDraft[] {
    return [...this.after].map(([id, after]) => ({ op: 'edit', task_id: id, actor, patch: [{ id, set: { after } }] }));
  }
}

function refuseNumber({ tasks }: ParsedImport): void {
  if (tasks.length <= IMPORT_LIMITS.tasks) return;
  throw new TroupeError('too_large', {
    what: `These are ${tasks.length} tasks; an import has at most ${IMPORT_LIMITS.tasks}.`,
    hint: 'Import a part of them.',
  });
}

/**
 * The records by key. Of several records with one key that are the same one counts; if they differ, none does, because
 * nothing tells which one is right.
 */
function withoutDoubles(tasks: readonly ImportedTask[], broken: BrokenRecord[]): Map<string, ImportedTask> {
  const byKey = new Map<string, ImportedTask>();
  const doubtful = new Set<string>();
  for (const task of tasks) {
    const other = byKey.get(task.key);
    if (other === undefined) byKey.set(task.key, task);
    else if (JSON.stringify(other) !== JSON.stringify(task)) doubtful.add(task.key);
  }
  for (const key of doubtful) {
    byKey.delete(key);
    broken.push({ place: key, why: 'the id appears twice, with different content' });
  }
  for (const key of byKey.keys()) {
    if (key.length <= IMPORT_LIMITS.keyCharacters) continue;
    byKey.delete(key);
    broken.push({ place: cut(key, 60), why: `an id of more than ${IMPORT_LIMITS.keyCharacters} characters` });
  }
  return byKey;
}

type Here = ReturnType<typeof importedFrom>;

function comparison(records: ReadonlyMap<string, ImportedTask>, here: Here, { tracker, source }: ImportOptions) {
  let present = 0;
  const changed: ImportResult['changed'][number][] = [];
  for (const [key, task] of records) {
    const known = here.get(key);
    if (known === undefined) continue;
    const differs = recordDifferences(known.origin, originOf(task, tracker, source));
    if (differs.length === 0) present++;
    else changed.push({ id: known.id, key, differs });
  }
  return { present, changed: changed.sort((left, right) => compareText(left.id, right.id)) };
}

function rowOf(node: NodeFields, task: ImportedTask): ImportRow {
  return {
    id: String(node['id']),
    key: task.key,
    title: String(node['title']),
    status: task.status,
    state: task.state,
    after: (node['after'] ?? []) as readonly string[],
    paused: node['paused'] === true,
    command: !isTerminal(task.status) && (node['exec'] !== undefined || node['verify_cmd'] !== undefined),
  };
}

function refusal(broken: readonly BrokenRecord[]): TroupeError {
  const named = broken.slice(0, IMPORT_LIMITS.brokenNamed).map(({ place, why }) => `${inert(place)}: ${inert(why)}`);
  const more = broken.length > named.length ? `; and ${broken.length - named.length} more` : '';
  return new TroupeError('bad_input', {
    what: `Nothing was imported, because of records that cannot be read: ${named.join('; ')}${more}.`,
    hint: 'Fix them, or leave them out with --skip-broken.',
    details: { broken: broken.slice(0, IMPORT_LIMITS.warnings).map(({ place, why }) => ({ place, why })) },
  });
}

function missingWarning(id: string, missing: readonly string[]): string {
  const named = missing.slice(0, WORK_LIMITS.cycleMembersTold).map((key) => inert(cut(key, 80)));
  const more = missing.length > named.length ? ' and others' : '';
  return `${id} depends on ${named.join(', ')}${more}, not among the imported tasks: nothing waits for it. Its description names them.`;
}

/** A warning for each group of new tasks that wait for one another for ever. */
function deadlocks(nodes: ReadonlyMap<string, NodeFields>): string[] {
  const edges = (id: string) => (nodes.get(id)?.['after'] ?? []) as readonly string[];
  return components(nodes.keys(), edges)
    .filter((members) => members.every((id) => nodes.get(id)?.['cycle_config'] === undefined))
    .filter((members) => members.some((id) => !isTerminal(nodes.get(id)?.['status'] as Status)))
    .map((members) => deadlockWarning([...members].sort(compareText)));
}
