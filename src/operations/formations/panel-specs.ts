import type { PanelStyle } from '#core/formations/panel.js';
import { operationSpecs } from '#operations/operation-spec.js';

const YES = {
  flag: 'yes',
  field: 'yes',
  type: 'switch',
  summary: 'Accept the line-up if the budget covers it',
} as const;

/** Specs of panels, sweeps and chains, and of the operations called by their tasks. */
// biome-ignore format: one row an operation reads best
export const PANEL_SPECS = operationSpecs([
  {
    name: 'formation.panel', command: 'panel', group: 'Formations', kind: 'write',
    summary: 'Have a panel decide a question: independent seats, then one decision',
    arguments: [{ field: 'goal', summary: 'What to decide', required: true }],
    options: [
      { flag: 'seats', field: 'seats', type: 'list', value: 'NAMES', summary: 'The seats, three to six; the skeptic is always included' },
      { flag: 'style', field: 'style', type: 'text', value: 'STYLE', values: ['swarm', 'round-table', 'director', 'relay', 'adversarial'] satisfies PanelStyle[], summary: 'How notes lead to a decision (default: swarm)' },
      { flag: 'rounds', field: 'rounds', type: 'number', value: 'N', summary: 'Rounds before the decision, 1 to 4 (default: 1)' },
      YES,
    ],
    examples: ['troupe panel "drop the queue?"', 'troupe panel "move to SQLite" --seats operator,maintainer --style adversarial --rounds 2'],
    load: () => import('./panel.js').then((module) => module.panel),
  },
  {
    name: 'formation.sweep', command: 'formation sweep', group: 'Formations', kind: 'write',
    summary: 'Research a topic: scouts in slices, merged by code, checked at the source',
    arguments: [{ field: 'goal', summary: 'What to research', required: true }],
    options: [
      { flag: 'slices', field: 'slices', type: 'text', value: 'FILE', path: 'always', summary: 'YAML with slices and the keys they own; default: from the goal' },
      { flag: 'sample', field: 'sample', type: 'number', value: 'N', summary: 'Percentage of entries to check, 10 to 20 (default: 15)' },
      YES,
    ],
    examples: ['troupe formation sweep "how caches of build tools fail"', 'troupe formation sweep "licences of our dependencies" --sample 20'],
    load: () => import('./sweep.js').then((module) => module.sweep),
  },
  {
    name: 'formation.chain', command: 'chain', group: 'Formations', kind: 'write',
    summary: 'Research, decide, deliver: in stages, each waiting for you to accept its line-up',
    arguments: [{ field: 'goal', summary: 'The goal', required: true }],
    options: [
      { flag: 'stages', field: 'stages', type: 'list', value: 'STAGES', summary: 'A subset of research, panel, crew, in this order' },
      YES,
    ],
    examples: ['troupe chain "a cache for builds" --stages research,panel,crew', 'troupe chain "drop the queue" --stages panel,crew --json'],
    load: () => import('./chain.js').then((module) => module.chain),
  },
  {
    name: 'formation.hand-in', command: 'formation hand-in', group: 'Formations', kind: 'write', forRuns: 'own',
    summary: 'Submit a file of a crew, panel or sweep task; an unusable one is refused',
    arguments: [{ field: 'id', summary: 'The task', names: 'task', required: true }],
    options: [
      { flag: 'name', field: 'name', type: 'text', value: 'NAME', summary: 'Which of its files, where it has several' },
      { flag: 'content', field: 'content', type: 'text', value: 'TEXT', summary: 'The content' },
      { flag: 'file', field: 'path', type: 'text', value: 'FILE', path: 'always', summary: 'A file in the working folder' },
    ],
    examples: ['troupe formation hand-in 20261123-drop-the-queue-1f0c-skeptic --file note.md', 'troupe formation hand-in 20261123-drop-the-queue-1f0c-decision --file decision.md'],
    load: () => import('./desk.js').then((module) => module.handIn),
  },
  {
    name: 'formation.read', command: 'formation read', group: 'Formations', kind: 'read',
    summary: 'Show a file of a run, or list its files',
    arguments: [{ field: 'run', summary: 'The run', required: true }, { field: 'file', summary: 'A file in its folder; default: list them' }],
    examples: ['troupe formation read 20261123-drop-the-queue-1f0c', 'troupe formation read 20261123-drop-the-queue-1f0c decision.md'],
    load: () => import('./desk.js').then((module) => module.readFile),
  },
  {
    name: 'formation.step', command: 'formation step', group: 'Formations', kind: 'write', forRuns: 'any',
    summary: 'Run a step of a formation that needs no model',
    arguments: [{ field: 'run', summary: 'The run', required: true }, { field: 'step', summary: 'The step', required: true }],
    examples: ['troupe formation step 20261123-drop-the-queue-1f0c unanimity', 'troupe formation step 20261123-drop-the-queue-1f0c log --quiet'],
    load: () => import('./step.js').then((module) => module.formationStep),
  },
]);
