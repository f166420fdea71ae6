import { findCycles } from '#core/graph/cycles.js';
import { formatGuard, parseGuard } from '#core/graph/guard.js';
import type { CycleConfig, Guard, Task } from '#core/graph/task.js';

export const INPUT_TYPES = ['string', 'text', 'file_list', 'file_content', 'number', 'url', 'enum', 'json'] as const;
export type InputType = (typeof INPUT_TYPES)[number];

/** An input of a function. */
export interface FunctionInput {
  readonly name: string;
  readonly type: InputType;
  readonly required?: boolean | undefined;
  readonly description?: string | undefined;
  /** Default value. Ignored for `file_content`, because the caller did not ask to read that file. */
  readonly default?: unknown;
  readonly example?: unknown;
  /** Bounds of a number. */
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  /** Allowed values of an `enum`. */
  readonly values?: readonly (string | number)[] | undefined;
}

/**
 * A task template. `{{input.NAME}}` is replaced in its text fields: title, description, verify, skills, inputs,
 * deliverables. Edges name other templates.
 */
export interface TaskTemplate {
  readonly template_id: string;
  readonly title: string;
  readonly description?: string | undefined;
  readonly after?: readonly string[] | undefined;
  readonly after_success?: readonly string[] | undefined;
  readonly skills?: readonly string[] | undefined;
  readonly inputs?: readonly string[] | undefined;
  readonly deliverables?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly requires?: readonly string[] | undefined;
  readonly verify?: string | undefined;
  readonly verify_cmd?: string | undefined;
  readonly exec?: string | undefined;
  readonly exec_mode?: 'full' | 'light' | 'bare' | 'shell' | undefined;
  readonly environment?: Readonly<Record<string, string>> | undefined;
  readonly estimate?: { readonly hours?: number | undefined; readonly cost?: number | undefined } | undefined;
  readonly delay?: string | undefined;
  readonly timeout?: string | undefined;
  readonly max_retries?: number | undefined;
  readonly context_scope?: 'clean' | 'task' | 'graph' | 'full' | undefined;
  readonly role_hint?: string | undefined;
  readonly cycle?: TemplateCycle | undefined;
}

/** Bounds of a cycle as in a file: the guard is text, as on the command line. */
export type TemplateCycle = Omit<CycleConfig, 'guard'> & { readonly guard?: string | undefined };

/** A reusable piece of a graph: templates and the inputs to instantiate them. */
export interface TraceFunction {
  readonly id: string;
  readonly version: number;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly inputs: readonly FunctionInput[];
  readonly tasks: readonly TaskTemplate[];
  /** False for a function whose tasks a model would have to plan first. */
  readonly fixed: boolean;
}

/**
 * Templates that start first: those without predecessors, and the header of a cycle without predecessors outside it.
 */
export function rootsOf(tasks: readonly TaskTemplate[]): string[] {
  const afterOf = new Map(tasks.map((task) => [task.template_id, task.after ?? []]));
  const roots = tasks.filter((task) => (task.after ?? []).length === 0).map((task) => task.template_id);
  for (const cycle of findCycles(tasks.map(asTask)).byHeader.values()) {
    if (cycle.parent !== undefined) continue;
    const inside = new Set(cycle.members);
    const entered = cycle.members.some((id) => afterOf.get(id)?.some((before) => !inside.has(before)));
    if (!entered) roots.push(cycle.header);
  }
  return roots;
}

function asTask({ template_id: id, title, after, cycle }: TaskTemplate): Task {
  const bounds = cycle ? { cycle_config: cycleConfig(cycle) } : {};
  return { kind: 'task', id, title, status: 'open', after: after ?? [], ...bounds };
}

/** Converts the bounds of a template to the format of the graph. */
function cycleConfig({ guard, ...bounds }: TemplateCycle): CycleConfig {
  return { ...bounds, ...(guard === undefined ? {} : { guard: parseGuard(guard) }) };
}

/** Converts the bounds of a task to the format of a file; `change` may rename the task in the guard. */
export function templateCycle({ guard, ...bounds }: CycleConfig, change: (guard: Guard) => Guard): TemplateCycle {
  return { ...bounds, ...(guard === undefined ? {} : { guard: formatGuard(change(guard)) }) };
}

/** Renames the task in a guard if it is one of `ids`; others are tasks of the surrounding graph. */
export function mappedGuard(guard: Guard, ids: ReadonlySet<string>, rename: (id: string) => string): Guard {
  if (typeof guard !== 'object' || !('TaskStatus' in guard)) return guard;
  const { task, status } = guard.TaskStatus;
  return ids.has(task) ? { TaskStatus: { task: rename(task), status } } : guard;
}

/**
 * The template with `change` applied to each text field. Commands, tags, edges and bounds are excluded: a value can
 * describe a task but never change what is executed or how the task is handled.
 */
export function mapTexts(template: TaskTemplate, change: (text: string) => string): TaskTemplate {
  const texts = (values: readonly string[] | undefined) => values?.map(change);
  const { description, verify, skills, inputs, deliverables } = template;
  return {
    ...template,
    title: change(template.title),
    ...(description === undefined ? {} : { description: change(description) }),
    ...(verify === undefined ? {} : { verify: change(verify) }),
    ...(skills === undefined ? {} : { skills: texts(skills) }),
    ...(inputs === undefined ? {} : { inputs: texts(inputs) }),
    ...(deliverables === undefined ? {} : { deliverables: texts(deliverables) }),
  };
}

/** All texts of these templates, in order. */
export function templateTexts(templates: readonly TaskTemplate[]): string[] {
  const texts: string[] = [];
  for (const template of templates) {
    mapTexts(template, (text) => {
      texts.push(text);
      return text;
    });
  }
  return texts;
}

const PLACEHOLDER = /\{\{\s*input\.([A-Za-z0-9_-]{1,64})\s*\}\}/g;

/** Replaces placeholders by values in a single pass: placeholders within a value are not expanded. */
export function fillText(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(PLACEHOLDER, (match, name: string) => values.get(name) ?? match);
}

/** Names of the inputs used in a text, declared or not. */
export function namesIn(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
}

export function placeholder(name: string): string {
  return `{{input.${name}}}`;
}
