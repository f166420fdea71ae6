import * as z from 'zod/mini';
import { argument, option } from './fields.js';

const text = z.optional(z.string());
const flag = z.optional(z.boolean());

/** Fields that mean the same in many operations. */
export const TASK_ID = argument('The task', z.string(), { names: 'task' });
export const TEAM_NAME = argument('Its name or id', z.string());
export const TEAM_OR_NONE = argument('Its name or id (default: your current team)', text);
export const TEAM_OR_CURRENT = argument('Its name or id; `.` for your current team', z.string());
/** Consent to a line-up that the daily budget covers. */
export const ACCEPT_LINE_UP = option('Accept the line-up if the budget covers it', flag);
export const REASON = option('Why', text, { value: 'TEXT' });
export const ACTOR = option('Who does it (default: you)', text, { value: 'NAME' });
export const SHOW_INTERNAL = option('Include internal tasks', flag);
/** Accompanies every flag that names a file to be written. */
export const REPLACE = option('Overwrite an existing file', flag);
