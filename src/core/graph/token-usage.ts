import { record, taskField } from './task-field.js';

/** What all attempts at a task used: tokens by kind, and `cost_usd`. */
export const TOKEN_USAGE = taskField('token_usage', record);
