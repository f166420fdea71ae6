import { type ArgumentFace, faces } from '#operations/face.js';
import { AGENCY_OPTIONS } from './agency-options.js';

const KEY = { field: 'key', summary: 'Such as coordinator.max_agents', required: true } as const satisfies ArgumentFace;

/** The commands about settings as seen from outside. */
export const SETTINGS_FACES = faces([
  {
    name: 'config.show',
    command: 'config show',
    group: 'Service',
    kind: 'read',
    summary: 'Every setting of this project, and where its value comes from',
    arguments: [],
    options: [],
    examples: ['troupe config show', 'troupe config show --json'],
    load: () => import('./show.js').then((module) => module.show),
  },
  {
    name: 'config.get',
    command: 'config get',
    group: 'Service',
    kind: 'read',
    summary: 'One setting',
    arguments: [KEY],
    options: [],
    examples: ['troupe config get coordinator.max_agents', 'troupe config get notify.smtp.host --json'],
    load: () => import('./get.js').then((module) => module.get),
  },
  {
    name: 'config.set',
    command: 'config set',
    group: 'Service',
    kind: 'write',
    where: 'caller',
    summary: 'Change one setting in .workgraph/config.toml',
    arguments: [KEY, { field: 'value', summary: 'Its new value' }],
    options: [{ flag: 'unset', field: 'unset', type: 'switch', summary: 'Go back to the default' }],
    examples: ['troupe config set coordinator.max_agents 8', 'troupe config set coordinator.max_agents --unset'],
    load: () => import('./set.js').then((module) => module.set),
  },
  {
    name: 'config.agency',
    command: 'config',
    group: 'Service',
    kind: 'write',
    where: 'caller',
    summary: 'Change settings of the agency by their flags, several at once',
    arguments: [],
    options: AGENCY_OPTIONS,
    examples: [
      'troupe config --auto-assign true --auto-evaluate true',
      'troupe config --flip-enabled true --flip-verification-threshold 0.5',
    ],
    load: () => import('./set-agency.js').then((module) => module.setAgency),
  },
]);
