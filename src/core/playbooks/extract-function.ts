import { ENVIRONMENT } from '#core/graph/commands.js';
import { isMeta } from '#core/graph/meta.js';
import { REQUIRES } from '#core/graph/resource.js';
import { isIdForm, titleSlug, wholeWords } from '#core/graph/slug.js';
import { isTask, type Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphView } from '#core/graph/view.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { compareText } from '#kernel/order.js';
import { type FunctionInput, mappedGuard, type TaskTemplate, templateCycle } from './function.js';
import { parametrize } from './function-inputs.js';

export interface ExtractOptions extends PickOptions {
  readonly now: number;
  readonly actor: string;
  /** Id of the function; by default the common prefix of the task ids, otherwise the id of the first task. */
  readonly name?: string | undefined;
  /** Role of each team member, for the role hint of a template. */
  readonly roles: ReadonlyMap<string, string>;
}

/** A function file before it is written, with keys in the order of the file. */
export interface FunctionDraft {
  readonly kind: 'trace-function';
  readonly version: 1;
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly extracted_from: readonly { readonly task_id: string; readonly timestamp: string }[];
  readonly extracted_by: string;
  readonly extracted_at: string;
  readonly inputs: readonly FunctionInput[];
  readonly tasks: readonly TaskTemplate[];
}

/** Extracts a function from done tasks: their structure, with variable parts as inputs. Does not change the graph. */
export function extractFunction(view: GraphView, named: readonly string[], options: ExtractOptions): FunctionDraft {
  if (named.length === 0) throw new TroupeError('usage', { what: 'Name the tasks to extract.' });
  const picked = pickTasks(view, named, options);
  const ids = picked.tasks.map((task) => task.id).sort();
  const { inputs, tasks } = parametrize(templatesOf(picked, options.roles));
  const id = options.name === undefined ? defaultId(ids) : givenId(options.name);
  const now = timestamp(options.now);
  return {
    kind: 'trace-function',
    version: 1,
    id,
    name: id,
    description: `Made from ${ids.slice(0, 3).join(', ')}${ids.length > 3 ? ` and ${ids.length - 3} more` : ''}`,
    extracted_from: ids.map((task_id) => ({ task_id, timestamp: now })),
    extracted_by: options.actor,
    extracted_at: now,
    inputs,
    tasks,
  };
}

function defaultId(ids: readonly string[]): string {
  const [first = ''] = ids;
  const words = (commonWords(ids) || first).replace(/-$/, '');
  return isIdForm(words) ? words : titleSlug(words);
}

function givenId(name: string): string {
  if (isIdForm(name)) return name;
  throw new TroupeError('bad_input', {
    what: `Not a name for a function: ${JSON.stringify(name.slice(0, 60))}`,
    hint: 'Use letters, digits, . _ and -, at most 100, starting with a letter or digit.',
  });
}

export interface PickOptions {
  /** Also all transitive dependents of the named tasks. */
  readonly subgraph?: boolean | undefined;
  /** Also tasks that the named ones added to the graph. */
  readonly recursive?: boolean | undefined;
  /** Also tasks that assign or evaluate others. */
  readonly includeEvaluations?: boolean | undefined;
}

const META_TAGS = ['assignment', 'evaluation', 'evolution'];

/**
 * Whether a task is about other tasks: it assigns, evaluates or improves. Recognised by its name from the coordinator,
 * or by a tag from other tools.
 */
function isAboutTasks(view: GraphView, task: Task): boolean {
  return isMeta(view, task) || (task.tags ?? []).some((tag) => META_TAGS.includes(tag));
}

interface PickedTasks {
  /** In order of creation. All are done. */
  readonly tasks: readonly Task[];
  /** Skipped tasks. Their edges are bypassed: a dependent of a skipped task comes after its predecessors. */
  readonly skipped: ReadonlyMap<string, Task>;
}

/**
 * Selects the tasks of a function. Errors: `unknown_task`, `too_large`, `not_done` with all tasks that are not finished
 * successfully.
 */
function pickTasks(view: GraphView, named: readonly string[], picking: PickOptions): PickedTasks {
  const tasks = new Map<string, Task>();
  const skipped = new Map<string, Task>();
  const children = picking.recursive ? childrenIn(view) : undefined;
  const open = named.map((id) => taskOf(view, id));
  for (let task = open.pop(); task; task = open.pop()) {
    if (tasks.has(task.id) || skipped.has(task.id)) continue;
    const meta = isAboutTasks(view, task) && picking.includeEvaluations !== true && !named.includes(task.id);
    (meta ? skipped : tasks).set(task.id, task);
    if (tasks.size > TEAM_LIMITS.functionTasks) {
      throw new TroupeError('too_large', { what: `A function can have at most ${TEAM_LIMITS.functionTasks} tasks.` });
    }
    const more = [...(picking.subgraph ? view.dependents(task.id) : []), ...(children?.get(task.id) ?? [])];
    for (const id of more) {
      const next = view.task(id);
      if (next) open.push(next);
    }
  }
  for (const task of tasks.values()) skipMeta(view, task, tasks, skipped);
  const picked = [...tasks.values()].sort((left, right) => compareText(orderOf(left), orderOf(right)));
  const unfinished = picked.filter((task) => task.status !== 'done');
  if (unfinished.length > 0) {
    const some = unfinished.slice(0, 10).map((task) => `${task.id} (${task.status})`);
    const rest = unfinished.length - some.length;
    throw new TroupeError('not_done', {
      what: `Not done: ${some.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`,
      details: { ids: unfinished.map((task) => task.id) },
    });
  }
  return { tasks: picked, skipped };
}

function orderOf({ id, created_at: at = '' }: Task): string {
  return `${at} ${id}`;
}

/** Skips meta-tasks before a selected task, and follows their edges so that the order is preserved. */
function skipMeta(view: GraphView, task: Task, tasks: ReadonlyMap<string, Task>, skipped: Map<string, Task>): void {
  const open = [...(task.after ?? [])];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const before = view.task(id);
    if (!before || tasks.has(id) || skipped.has(id) || !isAboutTasks(view, before)) continue;
    skipped.set(id, before);
    open.push(...(before.after ?? []));
  }
}

function childrenIn(view: GraphView): ReadonlyMap<string, readonly string[]> {
  const children = new Map<string, string[]>();
  for (const node of view.nodes()) {
    if (!isTask(node) || typeof node.parent !== 'string') continue;
    const list = children.get(node.parent);
    if (list) list.push(node.id);
    else children.set(node.parent, [node.id]);
  }
  return children;
}

/** Tags that describe the state of a task, not the task itself. */
const STATE_TAGS = ['converged', 'eval-gate', 'review-exec'];
const ROLE_TAG = 'role:';

/** Converts tasks to templates, by id: their texts and the edges among them, without results. */
export function templatesOf(picked: PickedTasks, roles: ReadonlyMap<string, string>): TaskTemplate[] {
  const names = templateIds(picked.tasks);
  const ids = new Set(names.keys());
  const rename = (id: string) => names.get(id) ?? id;
  return picked.tasks.map((task) => {
    const edges = edgesOf(task, picked, ids);
    const inside = (edge: Iterable<string>) => [...edge].map(rename);
    const tags = (task.tags ?? []).filter((tag) => !STATE_TAGS.includes(tag) && !tag.startsWith(ROLE_TAG));
    const role = roleOf(task, roles);
    const cycle = task.cycle_config && boundedCycle(task, ids, rename);
    const { description, verify, verify_cmd, exec, exec_mode, delay, timeout, max_retries, context_scope } = task;
    const environment = ENVIRONMENT.of(task) as Record<string, string> | undefined;
    return {
      template_id: rename(task.id),
      title: task.title,
      description: description ?? '', // other tools require it
      ...list('after', inside(edges.after)),
      ...list('after_success', inside(edges.success)),
      ...list('skills', task.skills),
      ...list('inputs', task.inputs),
      ...list('deliverables', task.deliverables),
      ...list('tags', tags),
      ...list('requires', REQUIRES.of(task) as readonly string[] | undefined),
      ...present({ verify, verify_cmd, exec, exec_mode, environment, estimate: task.estimate }),
      ...present({ delay, timeout, max_retries, context_scope, role_hint: role, cycle }),
    };
  });
}

/** Removes undefined fields. */
function present<Fields extends object>(fields: Fields): { [Key in keyof Fields]?: NonNullable<Fields[Key]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Fields]?: NonNullable<Fields[Key]>;
  };
}

function list(field: string, values: readonly string[] | undefined): object {
  return values && values.length > 0 ? { [field]: values } : {};
}

function roleOf(task: Task, roles: ReadonlyMap<string, string>): string | undefined {
  const tagged = (task.tags ?? []).find((tag) => tag.startsWith(ROLE_TAG))?.slice(ROLE_TAG.length);
  return tagged || (task.member === undefined ? undefined : roles.get(task.member));
}

function boundedCycle(task: Task, ids: ReadonlySet<string>, rename: (id: string) => string): TaskTemplate['cycle'] {
  const config = task.cycle_config;
  if (!config) return undefined;
  const { max_iterations: most } = config;
  if (!Number.isInteger(most) || most < 1 || most > WORK_LIMITS.cycleIterations) {
    throw new TroupeError('bad_input', {
      what: `The cycle of ${task.id} has no iteration limit.`,
      hint: `Run \`troupe edit ${task.id} --max-iterations N\` first.`,
    });
  }
  return templateCycle(config, (guard) => mappedGuard(guard, ids, rename));
}

/** Edges to selected tasks, directly or through skipped ones. */
function edgesOf(
  task: Task,
  { skipped }: PickedTasks,
  ids: ReadonlySet<string>,
): { after: Set<string>; success: Set<string> } {
  const after = new Set<string>();
  const visited = new Set<string>();
  const open = [...(task.after ?? [])].reverse();
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (visited.has(id)) continue;
    visited.add(id);
    // An edge to itself without a bound would prevent it from ever starting.
    if (id === task.id && task.cycle_config === undefined) continue;
    if (ids.has(id)) after.add(id);
    else open.push(...(skipped.get(id)?.after ?? []));
  }
  return { after, success: new Set((task.after_success ?? []).filter((id) => after.has(id))) };
}

/** Template ids: ids of the tasks without their common prefix. */
function templateIds(tasks: readonly Task[]): ReadonlyMap<string, string> {
  const common = commonWords(tasks.map((task) => task.id));
  // Ids of outside tasks that a guard refers to must not collide with templates.
  const reserved = new Set(tasks.flatMap((task) => awaitedBy(task)));
  for (const task of tasks) reserved.delete(task.id);
  const names = new Map<string, string>();
  for (const task of tasks) {
    const short = task.id.slice(common.length);
    const base = isIdForm(short) && short.length <= TEAM_LIMITS.functionTemplateIdCharacters ? short : shortSlug(short);
    let name = base;
    for (let number = 2; reserved.has(name); number++) name = `${base}-${number}`;
    reserved.add(name);
    names.set(task.id, name);
  }
  return names;
}

function shortSlug(id: string): string {
  return wholeWords(titleSlug(id), TEAM_LIMITS.functionTemplateIdCharacters);
}

function awaitedBy({ cycle_config: config }: Task): string[] {
  const guard = config?.guard;
  return typeof guard === 'object' && 'TaskStatus' in guard ? [guard.TaskStatus.task] : [];
}

/** The common prefix of several ids in whole words with their dashes; empty for a single id. */
function commonWords(ids: readonly string[]): string {
  const [first = '', ...others] = ids;
  if (others.length === 0) return '';
  let end = 0;
  for (let at = first.indexOf('-'); at !== -1; at = first.indexOf('-', at + 1)) {
    const front = first.slice(0, at + 1);
    if (!others.every((id) => id.startsWith(front) && id.length > front.length) || first.length === front.length) break;
    end = front.length;
  }
  return first.slice(0, end);
}
