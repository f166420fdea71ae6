import { addTask } from '#core/graph/add.js';
import type { EventDraft } from '#core/graph/event.js';
import { isTerminal, type LogEntry, type NodeFields } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { timestamp } from '#kernel/clock.js';
import { parseDuration } from '#kernel/duration.js';
import { TroupeError } from '#kernel/errors.js';
import type { JsonObject } from '#kernel/json.js';
import { IMPORT_LIMITS } from '#kernel/limits/imports.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { cut } from '#kernel/text.js';
import type { ImportedTask } from './imported-task.js';
import type { ImportOrigin } from './origin.js';
import { sections } from './reading.js';

/** Everything about a task that its record does not tell. */
export interface SpokenFor {
  readonly id: string;
  readonly now: number;
  readonly actor: string;
  readonly open: boolean;
  /** Keys of the tasks it waits for, also those that follow from nesting. */
  readonly after: readonly string[];
  /** Id of the task that it is a part of. */
  readonly epic: string | undefined;
  /** Id of a task of the same tracker; undefined if there is none. */
  idOf(key: string): string | undefined;
  readonly view: GraphView;
  /** Ids of all tasks that come with it. */
  readonly coming: ReadonlySet<string>;
}

/** Name of the events that add imported tasks. */
const IMPORT = 'import';

interface Made {
  readonly node: NodeFields;
  readonly event: EventDraft;
  /** Keys of dependencies that are no tasks here. */
  readonly missing: readonly string[];
}

/** The task as stored, or the reason why it cannot be. Fields that tasks here lack are in its description. */
export function nodeOf(task: ImportedTask, origin: ImportOrigin, spoken: SpokenFor): Made | { readonly why: string } {
  try {
    return made(task, origin, spoken);
  } catch (error) {
    if (error instanceof TroupeError) return { why: error.message };
    throw error;
  }
}

function made(task: ImportedTask, origin: ImportOrigin, spoken: SpokenFor): Made | { readonly why: string } {
  const { after: keys, id, idOf, now, actor } = spoken;
  const after: string[] = [];
  const missing: string[] = [];
  for (const key of keys) {
    const other = idOf(key);
    if (other === undefined || (other === id && task.fields?.max_iterations === undefined)) missing.push(key);
    else after.push(other);
  }
  if (after.length > WORK_LIMITS.edgesPerTask) return { why: `more than ${WORK_LIMITS.edgesPerTask} dependencies` };
  if (task.labels.length > IMPORT_LIMITS.labels) return { why: `more than ${IMPORT_LIMITS.labels} labels` };
  const { artifacts, failure_reason: failure, ...fields } = task.fields ?? {};
  if (fields.timeout !== undefined) parseDuration(fields.timeout);
  const isOver = isTerminal(task.status);
  const past = (time: string | undefined) => timestamp(Math.min(now, time === undefined ? now : Date.parse(time)));
  const created = past(task.created ?? task.ended);
  const title = cut(task.title, WORK_LIMITS.titleCharacters);
  const labels = task.labels.map((label) => cut(label, WORK_LIMITS.titleCharacters));
  const draft = {
    ...fields,
    ...{ id, title, after, description: descriptionOf(task, title, missing, spoken) || undefined, no_place: true },
    after_success: (task.afterSuccess ?? []).map(idOf).filter((other) => other !== undefined),
    tags: [`import:${origin.tracker}`, ...labels],
    ...(isOver ? {} : { not_before: task.notBefore, paused: !spoken.open }),
  };
  const added = addTask(spoken.view, draft, { now, actor, coming: spoken.coming }).events.flatMap(({ patch }) => patch);
  const node: NodeFields = {
    ...added.map((part) => ('put' in part ? part.put : {}))[0],
    status: task.status,
    ...(spoken.epic === undefined ? {} : { epic: spoken.epic }),
    created_at: created,
    ...(isOver ? { completed_at: past(task.ended ?? task.created) } : {}),
    ...(artifacts && artifacts.length > 0 ? { artifacts: [...new Set(artifacts)] } : {}),
    ...(failure ? { failure_reason: failure } : {}),
    log: logOf(task, origin, created, spoken),
    imported: { ...origin },
  };
  if (JSON.stringify(node).length > IMPORT_LIMITS.taskBytes)
    return { why: `larger than ${IMPORT_LIMITS.taskBytes} bytes` };
  return { node, missing, event: { op: IMPORT, task_id: id, actor, patch: [{ id, put: node }] } };
}

function logOf(task: ImportedTask, origin: ImportOrigin, created: string, { now, actor }: SpokenFor): LogEntry[] {
  const entries = (task.log ?? []).map((entry) => (entry.timestamp === '' ? { ...entry, timestamp: created } : entry));
  const message = `Imported from ${origin.tracker}: ${origin.key} (${origin.state})`;
  return [...entries, { timestamp: timestamp(now), actor, message }];
}

/** The text of the task, its whole title if that was too long, and what has no field here, in a fenced block. */
function descriptionOf(task: ImportedTask, title: string, missing: readonly string[], { epic }: SpokenFor): string {
  const kept: JsonObject = {
    ...task.rest,
    ...(task.parent === undefined || epic !== undefined ? {} : { parent: task.parent }),
    ...(missing.length > 0 ? { depends_on: [...missing] } : {}),
  };
  return sections([
    ['', title === task.title ? '' : task.title],
    ['', task.text],
    ['', Object.keys(kept).length === 0 ? '' : `Also in the imported record:\n\n${fencedJson(kept)}`],
  ]);
}

/** A block of code that no text in it can close. */
function fencedJson(value: JsonObject): string {
  const json = JSON.stringify(value, undefined, 2);
  const longest = Math.max(2, ...[...json.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}json\n${json}\n${fence}`;
}
