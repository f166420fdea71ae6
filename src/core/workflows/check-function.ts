import { parseGuard } from '#core/graph/guard.js';
import { asTroupeError } from '#kernel/errors.js';
import type { FunctionInput, TaskTemplate } from './function.js';

export interface FunctionProblem {
  readonly field: string;
  readonly text: string;
}

/** What no schema can see: names given twice, edges to nowhere, guards that say nothing. The first of them. */
export function checkStructure(
  inputs: readonly FunctionInput[],
  tasks: readonly TaskTemplate[],
): FunctionProblem | undefined {
  return (
    doubled(
      inputs.map((input) => input.name),
      'inputs',
      'name',
    ) ??
    emptyChoice(inputs) ??
    doubled(
      tasks.map((task) => task.template_id),
      'tasks',
      'template_id',
    ) ??
    looseEdge(tasks) ??
    unreadableGuard(tasks)
  );
}

function doubled(names: readonly string[], list: string, key: string): FunctionProblem | undefined {
  const seen = new Set<string>();
  for (const [index, name] of names.entries()) {
    if (seen.has(name))
      return { field: `${list}.${index}.${key}`, text: `${list}.${index}.${key} ${name} is used twice` };
    seen.add(name);
  }
  return undefined;
}

function emptyChoice(inputs: readonly FunctionInput[]): FunctionProblem | undefined {
  const index = inputs.findIndex((input) => input.type === 'enum' && (input.values ?? []).length === 0);
  if (index === -1) return undefined;
  return { field: `inputs.${index}.values`, text: `inputs.${index}.values is missing: an enum says what it may be` };
}

function looseEdge(tasks: readonly TaskTemplate[]): FunctionProblem | undefined {
  const known = new Set(tasks.map((task) => task.template_id));
  for (const [index, task] of tasks.entries()) {
    const loose = (task.after ?? []).find((id) => !known.has(id));
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
