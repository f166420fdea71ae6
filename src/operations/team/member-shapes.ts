import * as z from 'zod/mini';
import { DRIFTS } from '#core/team/drift.js';
import { DIALECTS, LAYOUTS } from '#core/team/layout.js';
import { memberShape } from './casting-shapes.js';

export const text = z.optional(z.string());
export const memberName = z.string();

export const changedShape = z.object({
  member: memberShape,
  changed: z.boolean(),
  leader: z.string(),
  previous_name: z.optional(z.string()),
  outside: z.readonly(z.array(z.string())),
});

/** The same, with the tasks that the change was about. */
export const withTasksShape = z.object({ ...changedShape.shape, tasks: z.readonly(z.array(z.string())) });

export const layoutShape = z.enum(LAYOUTS);
export const dialectShape = z.nullable(z.enum(DIALECTS));
export const driftShape = z.object({ kind: z.enum(DRIFTS), file: z.string(), message: z.string() });
export const paths = z.readonly(z.array(z.string()));
