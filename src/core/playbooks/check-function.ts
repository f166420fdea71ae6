import { parseGuard } from '#core/graph/guard.js';
import { asTroupeError } from '#kernel/errors.js';
import type { FunctionInput, TaskTemplate, TemplateCycle } from './function.js';

interface FunctionProblem {
  readonly field: string;
  readonly text: string;
}

/**
 * Finds the first problem that a schema cannot express: duplicate names, edges to unknown templates, invalid guards.
 */
export function checkStructure(
  inputs: readonly FunctionInput[],
  tasks: readonly TaskTemplate[],
): FunctionProblem | undefined {
  return (
    duplicateName(
      inputs.map((input) => input.name),
      'inputs',
      'name',
    ) ??
    emptyChoice(inputs) ??
    duplicateName(
      tasks.map((task) => task.template_id),
      'tasks',
      'template_id',
    ) ??
    looseEdge(tasks) ??
    unreadableGuard(tasks)
  );
}

function duplicateName(names: readonly string[], list: string, key: string): FunctionProblem | undefined {
  const distinct = new Set<string>();
  for (const [index, name] of names.entries()) {
    if (distinct.has(name))
      return { field: `${list}.${index}.${key}`, text: `${list}.${index}.${key} ${name} is used twice` };
    distinct.add(name);
  }
  return undefined;
}

function emptyChoice(inputs: readonly FunctionInput[]): FunctionProblem | undefined {
  const index = inputs.findIndex((input) => input.type === 'enum' && (input.values ?? []).length === 0);
  if (index === -1) return undefined;
  return { field: `inputs.${index}.values`, text: `inputs.${index}.values is missing: an enum says what it may be` };
}

function looseEdge(tasks: readonly TaskTemplate[]): FunctionProblem | undefined {
  const ids = new Set(tasks.map((task) => task.template_id));
  for (const [index, task] of tasks.entries()) {
    const loose = (task.after ?? []).find((id) => !ids.has(id));
    if (loose !== undefined) {
      return {
        field: `tasks.${index}.after`,
        text: `tasks.${index}.after names ${loose}, and there is no such template`,
      };
    }
  }
  return undefined;
}

function unreadableGuard(tasks: readonly TaskTemplate[]): FunctionProblem | undefined {
  for (const [index, task] of tasks.entries()) {
    if (task.cycle?.guard === undefined) continue;
    try {
      parseGuard(task.cycle.guard);
    } catch (error) {
      const { message } = asTroupeError(error);
      return { field: `tasks.${index}.cycle.guard`, text: `tasks.${index}.cycle.guard: ${message}` };
    }
  }
  return undefined;
}

/** A back edge in the older file format: the target is a dependent of this task, and the bounds apply to the target. */
interface Loop {
  readonly target: string;
  readonly max_iterations: number;
  readonly guard?: unknown;
  readonly delay?: string | null | undefined;
}

/** Bounds of a cycle in a file. Switches may be present even if they have no effect. */
interface CycleInFile {
  readonly max_iterations: number;
  readonly guard?: unknown;
  readonly delay?: string | undefined;
  readonly no_converge?: boolean | undefined;
  readonly restart_on_failure?: boolean | undefined;
  readonly max_failure_restarts?: number | undefined;
}

/** A template in a file, including keys of older versions. */
type TemplateInFile = Omit<TaskTemplate, 'cycle'> & {
  readonly blocked_by?: readonly string[] | undefined;
  readonly loops_to?: readonly Loop[] | undefined;
  readonly cycle?: CycleInFile | undefined;
};

/**
 * Converts templates to the current format: edges in `after`, `loops_to` as an edge and bounds. Several bounds for one
 * task are resolved to its own `cycle`, otherwise to the first loop that names it.
 */
export function loopsAsCycles(templates: readonly TemplateInFile[]): TaskTemplate[] {
  const back = new Map<string, string[]>();
  const bounds = new Map<string, TemplateCycle>();
  for (const { template_id: from, loops_to: loops = [] } of templates) {
    for (const loop of loops) {
      back.set(loop.target, [...(back.get(loop.target) ?? []), from]);
      if (bounds.has(loop.target)) continue;
      bounds.set(loop.target, {
        max_iterations: loop.max_iterations,
        ...(loop.guard == null ? {} : { guard: guardText(loop.guard) }),
        ...(loop.delay == null ? {} : { delay: loop.delay }),
      });
    }
  }
  return templates.map(({ blocked_by, loops_to, cycle, ...template }) => {
    const own = [...(template.after ?? []), ...(blocked_by ?? []), ...(template.after_success ?? [])];
    const after = [...new Set([...own, ...(back.get(template.template_id) ?? [])])];
    const bound = cycle ? ownCycle(cycle) : bounds.get(template.template_id);
    const { after: _, ...rest } = template;
    return { ...rest, ...(after.length > 0 ? { after } : {}), ...(bound ? { cycle: bound } : {}) } as TaskTemplate;
  });
}

/** The first loop whose target does not exist. */
export function findDanglingLoop(templates: readonly TemplateInFile[]): FunctionProblem | undefined {
  const ids = new Set(templates.map((template) => template.template_id));
  for (const [index, { loops_to: loops = [] }] of templates.entries()) {
    const loose = loops.find((loop) => !ids.has(loop.target));
    if (loose === undefined) continue;
    return {
      field: `tasks.${index}.loops_to`,
      text: `tasks.${index}.loops_to names ${loose.target}, and there is no such template`,
    };
  }
  return undefined;
}

function ownCycle(cycle: CycleInFile): TemplateCycle {
  return {
    max_iterations: cycle.max_iterations,
    ...(cycle.guard === undefined ? {} : { guard: guardText(cycle.guard) }),
    ...(cycle.delay === undefined ? {} : { delay: cycle.delay }),
    ...(cycle.no_converge === true ? { no_converge: true } : {}),
    ...(cycle.restart_on_failure === false ? { restart_on_failure: false } : {}),
    ...(cycle.max_failure_restarts === undefined ? {} : { max_failure_restarts: cycle.max_failure_restarts }),
  };
}

/** Text of a guard. Other tools write it as data: `{TaskStatus: {task, status}}`, `{IterationLessThan: 3}`. */
function guardText(guard: unknown): string {
  if (typeof guard === 'string') return guard === 'Always' ? 'always' : guard;
  const record = typeof guard === 'object' && guard !== null ? (guard as Record<string, unknown>) : {};
  const awaited = record['TaskStatus'] ?? record['task_status'];
  if (typeof awaited === 'object' && awaited !== null) {
    const { task, status } = awaited as Record<string, unknown>;
    return `task:${String(task)}=${kebab(String(status))}`;
  }
  const most = record['IterationLessThan'] ?? record['iteration_less_than'];
  return most === undefined ? JSON.stringify(guard) : `iteration<${String(most)}`;
}

/** Converts `InProgress` or `in_progress` to `in-progress`. */
function kebab(word: string): string {
  return word
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();
}
