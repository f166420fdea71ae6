import type { CycleConfig } from '#core/graph/task.js';

export const INPUT_TYPES = ['string', 'text', 'file_list', 'file_content', 'number', 'url', 'enum', 'json'] as const;
export type InputType = (typeof INPUT_TYPES)[number];

/** What one has to say to apply a function. */
export interface FunctionInput {
  readonly name: string;
  readonly type: InputType;
  readonly required?: boolean | undefined;
  readonly description?: string | undefined;
  /** Taken when nothing is given. Never taken for `file_content`: nobody asked for that file to be read. */
  readonly default?: unknown;
  readonly example?: unknown;
  /** Bounds of a number. */
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  /** What an `enum` may be. */
  readonly values?: readonly (string | number)[] | undefined;
}

/**
 * A task to be. `{{input.NAME}}` is filled in in its text fields: title, description, verify, skills, inputs,
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

/** The bounds of a cycle as they stand in a file: the guard is text, as on the command line. */
export type TemplateCycle = Omit<CycleConfig, 'guard'> & { readonly guard?: string | undefined };

/** A reusable piece of a graph: templates, and the inputs that make tasks of them. */
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
