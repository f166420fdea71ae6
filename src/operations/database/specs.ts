import { type ArgumentSpec, operationSpecs } from '#operations/operation-spec.js';

const ADDRESS = {
  field: 'address',
  summary: 'postgresql://USER:PASSWORD@HOST:5432/DATABASE (default: TROUPE_DATABASE_URL)',
} as const satisfies ArgumentSpec;

/** Specs of the operations about a project in a database. */
export const DATABASE_SPECS = operationSpecs([
  {
    name: 'database.status',
    command: 'database status',
    group: 'Storage',
    kind: 'read',
    where: 'caller',
    summary: 'Show where the project is kept, and who leads it',
    examples: ['troupe database status', 'troupe database status --json'],
    load: () => import('./database.js').then((module) => module.status),
  },
  {
    name: 'database.move',
    command: 'database move',
    group: 'Storage',
    kind: 'write',
    where: 'caller',
    summary: 'Move the project into a database, to another one, or back into files',
    options: [
      {
        flag: 'to',
        field: 'to',
        type: 'text',
        value: 'ADDRESS',
        summary: 'The address of the database, or `files`',
      },
      {
        flag: 'project',
        field: 'project',
        type: 'text',
        value: 'NAME',
        summary: 'The name of the project in the database (default: that of the folder)',
      },
    ],
    examples: ['troupe database move --to postgresql://ann@localhost/troupe', 'troupe database move --to files'],
    load: () => import('./move.js').then((module) => module.move),
  },
  {
    name: 'database.use',
    command: 'database use',
    group: 'Storage',
    kind: 'write',
    where: 'caller',
    summary: 'Choose the database of this project, on this machine',
    arguments: [ADDRESS],
    options: [{ flag: 'forget', field: 'forget', type: 'switch', summary: 'Forget it' }],
    examples: ['troupe database use postgresql://ann@localhost/troupe', 'troupe database use --forget'],
    load: () => import('./database.js').then((module) => module.use),
  },
  {
    name: 'database.init',
    command: 'database init',
    group: 'Storage',
    kind: 'write',
    where: 'caller',
    graphless: true,
    summary: 'Make the tables of a project in a database',
    arguments: [ADDRESS],
    options: [
      { flag: 'project', field: 'project', type: 'text', value: 'NAME', summary: 'The name of the project there' },
      { flag: 'sql', field: 'sql', type: 'switch', summary: 'Print what an administrator is to run first' },
    ],
    examples: [
      'troupe database init postgresql://ann@localhost/troupe --project shop',
      'troupe database init --project shop --sql',
    ],
    load: () => import('./database.js').then((module) => module.init),
  },
  {
    name: 'database.migrate',
    command: 'database migrate',
    group: 'Storage',
    kind: 'write',
    where: 'caller',
    summary: 'Bring the tables of this project up to this version',
    examples: ['troupe database migrate', 'troupe database migrate --json'],
    load: () => import('./database.js').then((module) => module.migrate),
  },
  {
    name: 'database.check',
    command: 'database check',
    group: 'Storage',
    kind: 'read',
    where: 'caller',
    summary: 'Read everything that the database keeps of this project, and compare it',
    examples: ['troupe database check', 'troupe database check --json'],
    load: () => import('./database.js').then((module) => module.check),
  },
]);
