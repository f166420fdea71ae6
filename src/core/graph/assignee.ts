import { flag, taskField, text } from './task-field.js';

/** The agent of the agency whom a task is for, by its id. */
export const AGENT = taskField('agent', text);
/** A person does it; it is never given to a run. */
export const HUMAN = taskField('human', flag);
