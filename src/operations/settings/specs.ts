import { type ArgumentSpec, operationSpecs } from '#operations/operation-spec.js';
import { AGENCY_OPTIONS, OTHER_OPTIONS } from './agency-options.js';

const KEY = {
  field: 'key',
  summary: 'The key, such as coordinator.max_agents',
  required: true,
} as const satisfies ArgumentSpec;

/** Commands about settings. */
export const SETTINGS_SPECS = operationSpecs([
  {
    name: 'config.show',
    command: 'config show',
    group: 'Settings',
    kind: 'read',
    summary: 'Show every setting of this project and where its value comes from',
    arguments: [],
    options: [],
    examples: ['troupe config show', 'troupe config show --json'],
    load: () => import('./config.js').then((module) => module.show),
  },
  {
    name: 'config.get',
    command: 'config get',
    group: 'Settings',
    kind: 'read',
    summary: 'Show one setting',
    arguments: [KEY],
    options: [],
    examples: ['troupe config get coordinator.max_agents', 'troupe config get notify.smtp.host --json'],
    load: () => import('./config.js').then((module) => module.get),
  },
  {
    name: 'config.set',
    command: 'config set',
    group: 'Settings',
    kind: 'write',
    where: 'caller',
    summary: 'Change one setting in .workgraph/config.toml',
    arguments: [KEY, { field: 'value', summary: 'Its new value' }],
    options: [{ flag: 'unset', field: 'unset', type: 'switch', summary: 'Restore the default' }],
    examples: ['troupe config set coordinator.max_agents 8', 'troupe config set coordinator.max_agents --unset'],
    load: () => import('./config.js').then((module) => module.set),
  },
  {
    name: 'config.apply',
    command: 'config apply',
    group: 'Settings',
    kind: 'write',
    where: 'caller',
    summary: 'Change several settings at once, all or none',
    arguments: [
      {
        field: 'settings',
        many: true,
        required: true,
        summary: 'KEY=VALUE; an empty value restores the default',
      },
    ],
    options: [],
    examples: [
      'troupe config apply coordinator.max_agents=2 budget.usd_per_day=5',
      'troupe config apply budget.usd_per_day= --json',
    ],
    load: () => import('./config.js').then((module) => module.apply),
  },
  {
    name: 'config.agency',
    command: 'config',
    group: 'Settings',
    kind: 'write',
    where: 'caller',
    summary: 'Change settings of the agency and the coordinator by flag, several at once',
    arguments: [],
    options: [...AGENCY_OPTIONS, ...OTHER_OPTIONS],
    examples: [
      'troupe config --auto-assign true --auto-evaluate true',
      'troupe config --flip-enabled true --flip-verification-threshold 0.5',
    ],
    load: () => import('./config.js').then((module) => module.setAgency),
  },
  {
    name: 'notify.test',
    command: 'notify test',
    group: 'Settings',
    kind: 'write',
    summary: 'Send one notice to each configured channel and show which arrived',
    examples: ['troupe notify test', 'troupe notify test --json'],
    load: () => import('./notify-test.js').then((module) => module.notifyTest),
  },
]);

/** Commands about executors. */
export const EXECUTOR_SPECS = operationSpecs([
  {
    name: 'executor.list',
    command: 'executor list',
    group: 'Settings',
    kind: 'read',
    where: 'caller',
    summary: 'List the clients and programs that can run tasks, and their trust',
    examples: ['troupe executor list', 'troupe executor list --json'],
    load: () => import('./executors.js').then((module) => module.list),
  },
  {
    name: 'executor.trust',
    command: 'executor trust',
    group: 'Settings',
    kind: 'write',
    where: 'caller',
    trusts: true,
    summary: 'Trust an executor of the project on this machine, as its file is now',
    arguments: [{ field: 'name', summary: 'Its file name in .workgraph/executors, without .toml', required: true }],
    options: [
      { flag: 'show', field: 'show', type: 'switch', summary: 'Only show what it would start' },
      { flag: 'withdraw', field: 'withdraw', type: 'switch', summary: 'Revoke the trust' },
    ],
    examples: ['troupe executor trust sandbox --show', 'troupe executor trust sandbox'],
    load: () => import('./executors.js').then((module) => module.trust),
  },
]);

/** Commands about file formats. */
export const FORMAT_SPECS = operationSpecs([
  {
    name: 'format.schema',
    command: 'schema',
    group: 'Settings',
    kind: 'read',
    where: 'caller',
    place: 'here',
    summary: 'Show the JSON Schema of a file format, or list the formats',
    arguments: [{ field: 'name', summary: 'The format (default: list them)' }],
    examples: ['troupe schema', 'troupe schema task --json'],
    load: () => import('./formats.js').then((module) => module.schema),
  },
]);
