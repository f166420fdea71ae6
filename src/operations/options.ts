import * as z from 'zod/mini';
import { argument, option } from './fields.js';

const text = z.optional(z.string());
const flag = z.optional(z.boolean());

/** Fields that mean the same in many operations. */
export const TASK_ID = argument('The task', z.string(), { names: 'task' });
export const REASON = option('Why', text, { value: 'TEXT' });
export const ACTOR = option('Who does it (default: you)', text, { value: 'NAME' });
export const SHOW_INTERNAL = option('Include internal tasks', flag);
/** Accompanies every flag that names a file to be written. */
export const REPLACE = option('Overwrite an existing file', flag);
