import type { SpendDimension } from './spend.js';

/** Names of the spending that has no member, client, model, playbook or task. */
export const SPENT_WITHOUT: Readonly<Record<SpendDimension, string>> = {
  member: 'Troupe itself',
  client: 'a model that Troupe asked',
  model: 'the default model of the client',
  playbook: 'single tasks',
  task: 'no task',
};
