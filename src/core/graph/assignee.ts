import { flagField, taskField, textField } from './task-field.js';

/** The agent of the agency whom a task is for, by its id. */
export const AGENT = taskField('agent', textField);
/** A person does it; it is never given to a run. */
export const HUMAN = taskField('human', flagField);
