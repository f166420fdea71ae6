import { flagField, taskField, textField } from './task-field.js';

/** Id of the agency's agent that the task is assigned to. */
export const AGENT = taskField('agent', textField);
/** Done by a person; never started as a run. */
export const HUMAN = taskField('human', flagField);
