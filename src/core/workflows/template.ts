import { ENVIRONMENT } from '#core/graph/commands.js';
import { REQUIRES } from '#core/graph/resource.js';
import { isIdForm, slugOf } from '#core/graph/slug.js';
import type { Task } from '#core/graph/task.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import type { TaskTemplate } from './function.js';
import type { Picked } from './pick-tasks.js';
import { mappedGuard, templateCycle } from './template-cycle.js';

/** Tags that say where a task stands, not what it is. */
const STATE_TAGS = ['converged', 'eval-gate', 'review-exec'];
const ROLE_TAG = 'role:';

/** Tasks as templates, by id: texts as they are, edges among one another, nothing of how it went. */
export function templatesOf(picked: Picked, roles: ReadonlyMap<string, string>): TaskTemplate[] {
  const names = templateIds(picked.tasks);
  const known = new Set(names.keys());
  return picked.tasks.map((task) => {
    const edges = edgesOf(task, picked, known);
    const inside = (ids: Iterable<string>) => [...ids].map((id) => names.get(id) ?? id);
    const tags = (task.tags ?? []).filter((tag) => !STATE_TAGS.includes(tag) && !tag.startsWith(ROLE_TAG));
    const role = roleOf(task, roles);
    const cycle = task.cycle_config && boundedCycle(task, known, (id) => names.get(id) ?? id);
    const { description, verify, verify_cmd, exec, exec_mode, delay, timeout, max_retries, context_scope } = task;
    const environment = ENVIRONMENT.of(task) as Record<string, string> | undefined;
    return {
      template_id: names.get(task.id) ?? task.id,
      title: task.title,
      ...present({ description }),
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

/** Only what there is. */
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

function boundedCycle(task: Task, known: ReadonlySet<string>, rename: (id: string) => string): TaskTemplate['cycle'] {
  const config = task.cycle_config;
  if (!config) return undefined;
  const { max_iterations: most } = config;
  if (!Number.isInteger(most) || most < 1 || most > LIMITS.cycleIterations) {
    throw new TroupeError('bad_input', {
      what: `The cycle of ${task.id} has no bound that a function could carry.`,
      hint: `Run \`troupe edit ${task.id} --max-iterations N\` first.`,
    });
  }
  return templateCycle(config, (guard) => mappedGuard(guard, known, rename));
}

/** The edges that stay: to picked tasks, also through those left out. */
function edgesOf(
  task: Task,
  { skipped }: Picked,
  known: ReadonlySet<string>,
): { after: Set<string>; success: Set<string> } {
  const after = new Set<string>();
  const seen = new Set<string>();
  const open = [...(task.after ?? [])].reverse();
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    // After itself and without a bound it could never begin.
    if (id === task.id && task.cycle_config === undefined) continue;
    if (known.has(id)) after.add(id);
    else open.push(...(skipped.get(id)?.after ?? []));
  }
  return { after, success: new Set((task.after_success ?? []).filter((id) => after.has(id))) };
}

/** Ids within the function: those of the tasks, without the words they all begin with. */
function templateIds(tasks: readonly Task[]): ReadonlyMap<string, string> {
  const common = commonWords(tasks.map((task) => task.id));
  // Ids of tasks outside that a guard asks for must not be taken for templates.
  const taken = new Set(tasks.flatMap((task) => awaitedBy(task)));
  for (const task of tasks) taken.delete(task.id);
  const names = new Map<string, string>();
  for (const task of tasks) {
    const short = task.id.slice(common.length);
    const base = isIdForm(short) && short.length <= LIMITS.functionTemplateIdCharacters ? short : shortSlug(short);
    let name = base;
    for (let number = 2; taken.has(name); number++) name = `${base}-${number}`;
    taken.add(name);
    names.set(task.id, name);
  }
  return names;
}

function shortSlug(id: string): string {
  return slugOf(id).slice(0, LIMITS.functionTemplateIdCharacters).replace(/-+$/, '');
}

function awaitedBy({ cycle_config: config }: Task): string[] {
  const guard = config?.guard;
  return typeof guard === 'object' && 'TaskStatus' in guard ? [guard.TaskStatus.task] : [];
}

/** The whole words, with their dashes, that several ids have in common at the front; nothing for a single one. */
export function commonWords(ids: readonly string[]): string {
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
