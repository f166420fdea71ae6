/**
 * `crew`, and `formation start|show|edit|stop|go`: a line-up for a person to accept, and the run that follows.
 * @packageDocumentation
 */
import type { CrewMode } from '#core/formations/crew.js';
import { operationSpecs } from '#operations/operation-spec.js';

const RUN = { field: 'run', summary: 'The run', required: true } as const;

// biome-ignore format: one row an operation reads best
export const FORMATION_SPECS = operationSpecs([
  {
    name: 'formation.crew', command: 'crew', group: 'Formations', kind: 'write',
    summary: 'Have a crew deliver a goal: architect, dev, qa, deployer, in sequence',
    arguments: [{ field: 'goal', summary: 'What to deliver', required: true }],
    options: [
      { flag: 'seats', field: 'seats', type: 'list', value: 'NAMES', summary: 'The seats, in this order; default: the four phases' },
      { flag: 'mode', field: 'mode', type: 'text', value: 'MODE', values: ['autopilot', 'checkpoint', 'co-drive'] satisfies CrewMode[], summary: 'Person reviews only the release, after each phase (default), or before each' },
      { flag: 'yes', field: 'yes', type: 'switch', summary: 'Accept the line-up if the budget covers it' },
    ],
    examples: ['troupe crew "add CSV export"', 'troupe crew "fix the login" --seats dev,qa --mode autopilot --yes'],
    load: () => import('./crew.js').then((module) => module.crew),
  },
  {
    name: 'formation.start', command: 'formation start', group: 'Formations', kind: 'write',
    summary: 'Accept a line-up and start its tasks',
    arguments: [RUN],
    examples: ['troupe formation start 20261123-add-csv-export-1f0c', 'troupe formation start 20261123-add-csv-export-1f0c --json'],
    load: () => import('./formation.js').then((module) => module.formationStart),
  },
  {
    name: 'formation.show', command: 'formation show', group: 'Formations', kind: 'read',
    summary: 'Show the state of a run: phases, handoffs, escalations',
    arguments: [{ field: 'run', summary: 'The run; default: all' }],
    options: [{ flag: 'limit', field: 'limit', type: 'number', value: 'N', summary: 'Only the latest N runs' }],
    examples: ['troupe formation show', 'troupe formation show 20261123-add-csv-export-1f0c'],
    load: () => import('./formation.js').then((module) => module.formationShow),
  },
  {
    name: 'formation.edit', command: 'formation edit', group: 'Formations', kind: 'write',
    summary: 'Change a line-up before it is accepted, or steer an active run',
    arguments: [RUN],
    options: [
      { flag: 'add', field: 'add', type: 'list', value: 'NAMES', summary: 'Seats to add' },
      { flag: 'drop', field: 'drop', type: 'list', value: 'NAMES', summary: 'Seats to remove' },
      { flag: 'swap', field: 'swap', type: 'list', value: 'OLD=NEW', summary: 'Put another role in a seat' },
      { flag: 'tier', field: 'tier', type: 'list', value: 'SEAT=MODEL', summary: 'The model of a seat' },
      { flag: 'order', field: 'order', type: 'list', value: 'NAMES', summary: 'All seats in their new order' },
      { flag: 'steer', field: 'steer', type: 'text', value: 'TEXT', summary: 'What the active seats should know' },
    ],
    examples: ['troupe formation edit 20261123-add-csv-export-1f0c --add skeptic --tier dev=opus', 'troupe formation edit 20261123-add-csv-export-1f0c --steer "keep the old format too"'],
    load: () => import('./formation.js').then((module) => module.formationEdit),
  },
  {
    name: 'formation.stop', command: 'formation stop', group: 'Formations', kind: 'write',
    summary: 'Stop a run and abandon its unfinished tasks',
    arguments: [RUN],
    examples: ['troupe formation stop 20261123-add-csv-export-1f0c', 'troupe formation stop 20261123-add-csv-export-1f0c --json'],
    load: () => import('./formation.js').then((module) => module.formationStop),
  },
  {
    name: 'formation.go', command: 'formation go', group: 'Formations', kind: 'write',
    summary: 'Show the commands of a release, and run them after you approve',
    arguments: [RUN],
    options: [
      { flag: 'seen', field: 'seen', type: 'text', value: 'HASH', summary: 'Approve exactly the commands with this hash' },
    ],
    examples: ['troupe formation go 20261123-add-csv-export-1f0c', 'troupe formation go 20261123-add-csv-export-1f0c --json'],
    load: () => import('./formation.js').then((module) => module.formationGo),
  },
]);
