import { number, taskField, text } from './task-field.js';

/** The score that the work has to reach before it counts as done. */
export const EVAL_GATE = taskField('eval_gate', number);
/** Who validates: `external` means a person outside of the graph. */
export const VALIDATION = taskField('validation', text);
