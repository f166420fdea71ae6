import { TroupeError } from '#kernel/errors.js';
import type { ArgumentSpec } from '#operations/operation-spec.js';
import type { CliCommand } from './invocation.js';

const KIND: ArgumentSpec = {
  field: 'kind',
  summary: 'role, tradeoff or agent',
  required: true,
  values: ['role', 'tradeoff', 'agent'],
};

/** Commands that are nothing but their forms: each is an operation that names them in its `instead`. */
const HEADS: readonly Omit<CliCommand, 'isChosen' | 'load'>[] = [
  {
    command: 'agency add',
    group: 'Agency',
    summary: 'Add a role, a trade-off or an agent, or a person',
    arguments: [KIND, { field: 'name', summary: 'The name of it', required: true }],
    examples: [
      'troupe agency add role Tester -d "Finds what breaks." --outcome "Every fault has a way to see it." --skill testing',
      'troupe agency add tradeoff Frugal -d "Prefers little." --accept "Takes longer" --reject "Wastes"',
      'troupe agency add agent "Careful Programmer" --role Programmer --tradeoff Careful --capabilities rust,testing',
    ],
  },
  {
    command: 'agency edit',
    group: 'Agency',
    summary: 'Change a role, a trade-off or an agent; a new description creates a successor',
    arguments: [KIND, { field: 'id', summary: 'Its id, id prefix or name', required: true }],
    examples: ['troupe agency edit role Tester --scope graph', 'troupe agency edit agent Ann --capacity 3'],
  },
  {
    command: 'member edit',
    group: 'Members',
    summary: 'Give a member another role, name or charter, or restore a retired one',
    arguments: [{ field: 'member', summary: 'The name of the member', required: true, names: 'member' }],
    examples: ['troupe member edit Neo --archetype security-engineer', 'troupe member edit Tank --name Dozer'],
  },
];

export const HEAD_COMMANDS: readonly CliCommand[] = HEADS.map((head) => ({
  ...head,
  isChosen: true,
  load: async () => ({
    execute: () => {
      throw new TroupeError('usage', {
        what: `\`troupe ${head.command}\` needs to know what to do.`,
        hint: `Run \`troupe ${head.command} --help\`.`,
      });
    },
  }),
}));
