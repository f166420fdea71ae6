import * as z from 'zod/mini';
import { STATUSES } from '#core/graph/task.js';

export const status = z.enum(STATUSES);
export const ids = z.readonly(z.array(z.string()));
export const hours = z.nullable(z.number());
export const nullableText = z.nullable(z.string());

/** Short form of a task. */
export const brief = z.object({ id: z.string(), title: z.string(), status, hours });
export type Brief = z.infer<typeof brief>;
export const briefs = z.readonly(z.array(brief));

export const list = <Item extends z.core.$ZodType>(item: Item) => z.readonly(z.array(item));
