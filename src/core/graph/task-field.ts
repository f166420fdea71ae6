import { isJsonObject, type JsonObject } from '#kernel/json.js';
import type { GraphNode, NodeFields, Task } from './task.js';

/** A field of a task that only the module which declares it understands. Files and other tools may have put anything there. */
export interface TaskField<Value> {
  readonly name: string;
  /** Undefined where the task has none, or one of another form. */
  of(task: Task | undefined): Value | undefined;
}

export function taskField<Value>(name: string, read: (value: unknown) => Value | undefined): TaskField<Value> {
  return { name, of: (task) => read(fieldsOf(task)[name]) };
}

/** All fields of a node by their names: those of other tools and of later versions too, which every rewrite keeps. */
export function fieldsOf(node: GraphNode | undefined): NodeFields {
  return node ?? NO_FIELDS;
}

const NO_FIELDS: NodeFields = {};

// How values are read.
export const textField = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
export const numberField = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
export const flagField = (value: unknown): true | undefined => (value === true ? true : undefined);
export const record = (value: unknown): JsonObject | undefined => (isJsonObject(value) ? value : undefined);
/** As it stands: whoever asks looks at it. */
export const anything = (value: unknown): unknown => value;
