import { isJsonObject, type JsonObject } from '#kernel/json.js';
import type { GraphNode, NodeFields, Task } from './task.js';

/** A task field that only the declaring module interprets. Files and other tools may have stored any value in it. */
export interface TaskField<Value> {
  readonly name: string;
  /** Undefined if the task has no such field, or an invalid value. */
  of(task: Task | undefined): Value | undefined;
}

export function taskField<Value>(name: string, read: (value: unknown) => Value | undefined): TaskField<Value> {
  return { name, of: (task) => read(fieldsOf(task)[name]) };
}

/** All fields of a node by name, including those of other tools and later versions, which every rewrite keeps. */
export function fieldsOf(node: GraphNode | undefined): NodeFields {
  return node ?? NO_FIELDS;
}

const NO_FIELDS: NodeFields = {};

// Readers of field values.
export const textField = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
export const numberField = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
export const flagField = (value: unknown): true | undefined => (value === true ? true : undefined);
export const record = (value: unknown): JsonObject | undefined => (isJsonObject(value) ? value : undefined);
/** Returns the value unchecked; the caller validates it. */
export const anything = (value: unknown): unknown => value;
