import {
  DECISION_STATUSES,
  DECISION_TYPES,
  ENTRY_STATUSES,
  ENTRY_TYPES,
  IMPORTANCES,
  MEMORY_TYPES,
} from '#core/memory/memory.js';
import { type ArgumentSpec, type OptionSpec, operationSpecs } from '#operations/operation-spec.js';

const NUMBER = { field: 'number', summary: 'Its number', required: true } as const satisfies ArgumentSpec;
const LIMIT = {
  flag: 'limit',
  field: 'limit',
  type: 'number',
  value: 'N',
  summary: 'Only the latest N',
} as const satisfies OptionSpec;
const TEXT = {
  flag: 'text',
  field: 'content',
  type: 'text',
  value: 'TEXT',
  summary: 'The text, as Markdown',
} as const satisfies OptionSpec;
const RATIONALE = {
  flag: 'rationale',
  field: 'rationale',
  type: 'text',
  value: 'TEXT',
  summary: 'Why',
} as const satisfies OptionSpec;
const CONTEXT = {
  flag: 'context',
  field: 'context',
  type: 'text',
  value: 'TEXT',
  summary: 'What is needed to continue, as Markdown',
} as const satisfies OptionSpec;

const choiceOption = <const Field extends string>(
  field: Field,
  values: readonly string[],
  summary: string,
): OptionSpec<Field, 'text'> => ({
  flag: field,
  field,
  type: 'text',
  value: 'WORD',
  values,
  summary: `${summary}: ${values.join(', ')}`,
});

/** Specifications of the memory operations. */
// biome-ignore format: one row an operation reads best
export const MEMORY_SPECS = operationSpecs([
  {
    name: 'memory.import', command: 'memory import', group: 'Memory', kind: 'write', graphless: true,
    summary: 'Import the files in .squad/decisions/inbox',
    examples: ['troupe memory import', 'troupe memory import --json'],
    load: () => import('./memory-files.js').then((module) => module.importMemory),
  },
  {
    name: 'memory.export', command: 'memory export', group: 'Memory', kind: 'write', graphless: true, writesOutside: true,
    summary: 'Write the team memory to its files',
    examples: ['troupe memory export', 'troupe memory export --json'],
    load: () => import('./memory-files.js').then((module) => module.exportMemory),
  },
  {
    name: 'memory.list', command: 'memory list', group: 'Memory', kind: 'read', graphless: true,
    summary: 'List the memories of the members',
    options: [
      { flag: 'agent', field: 'agent', type: 'text', value: 'NAME', summary: 'Only of this member' },
      choiceOption('type', MEMORY_TYPES, 'Only of this type'),
      LIMIT,
    ],
    examples: ['troupe memory list', 'troupe memory list --agent Neo --type learning'],
    load: () => import('./memories.js').then((module) => module.list),
  },
  {
    name: 'memory.add', command: 'memory add', group: 'Memory', kind: 'write', graphless: true,
    summary: 'Add a memory to a member',
    arguments: [
      { field: 'agent', summary: 'The name of the member', required: true },
      { field: 'content', summary: 'What to remember', required: true },
    ],
    options: [
      choiceOption('type', MEMORY_TYPES, 'What it is (default: learning)'),
      choiceOption('importance', IMPORTANCES, 'How much it matters (default: medium)'),
    ],
    examples: ['troupe memory add Neo "The tests need Node 20."', 'troupe memory add trinity "Retry once, then say so." --type pattern --importance high'],
    load: () => import('./memories.js').then((module) => module.add),
  },
  {
    name: 'decision.list', command: 'decision list', group: 'Memory', kind: 'read', graphless: true,
    summary: 'List the decisions of the team',
    options: [choiceOption('status', DECISION_STATUSES, 'Only of this status'), LIMIT],
    examples: ['troupe decision list', 'troupe decision list --status active --json'],
    load: () => import('./decisions.js').then((module) => module.decisionList),
  },
  {
    name: 'decision.add', command: 'decision add', group: 'Memory', kind: 'write', graphless: true,
    summary: 'Record a decision',
    arguments: [{ field: 'title', summary: 'The decision in one line', required: true }],
    options: [
      choiceOption('type', DECISION_TYPES, 'What it is about (default: process)'), TEXT, RATIONALE,
      { flag: 'agent', field: 'agent', type: 'text', value: 'NAME', names: 'member', summary: 'The member who proposed it' },
      { flag: 'supersedes', field: 'supersedes', type: 'number', value: 'N', summary: 'The decision that it replaces' },
    ],
    examples: ['troupe decision add "Messages are kept in SQLite" --type architectural --rationale "One file, no server."', 'troupe decision add "Reviews take one day at most" --supersedes 3'],
    load: () => import('./decisions.js').then((module) => module.decisionAdd),
  },
  {
    name: 'decision.archive', command: 'decision archive', group: 'Memory', kind: 'write', graphless: true,
    summary: 'Archive a decision that no longer applies',
    arguments: [NUMBER],
    examples: ['troupe decision archive 3', 'troupe decision archive 12 --json'],
    load: () => import('./decisions.js').then((module) => module.decisionArchive),
  },
  {
    name: 'inbox.list', command: 'decision inbox', group: 'Memory', kind: 'read', graphless: true,
    summary: 'List the proposals in the inbox',
    options: [choiceOption('status', [...ENTRY_STATUSES, 'all'], 'Entries of this status (default: pending)'), LIMIT],
    examples: ['troupe decision inbox', 'troupe decision inbox --status rejected'],
    load: () => import('./inbox.js').then((module) => module.inboxList),
  },
  {
    name: 'inbox.add', command: 'decision propose', group: 'Memory', kind: 'write', forRuns: 'any', graphless: true,
    summary: 'Propose a decision or memory on behalf of a member',
    arguments: [
      { field: 'agent', summary: 'The name of the member', required: true },
      { field: 'title', summary: 'The proposal in one line', required: true },
    ],
    options: [
      choiceOption('type', ENTRY_TYPES, 'What it is (default: process)'), TEXT, RATIONALE,
      { flag: 'slug', field: 'slug', type: 'text', value: 'WORD', summary: 'Its short name (default: from the title)' },
    ],
    examples: ['troupe decision propose Neo "Keep the parser pure" --type architectural', 'troupe decision propose trinity "Name tests after what holds" --type pattern --text "A reader then knows what broke."'],
    load: () => import('./inbox.js').then((module) => module.inboxAdd),
  },
  {
    name: 'inbox.merge', command: 'decision merge', group: 'Memory', kind: 'write', graphless: true,
    summary: 'Accept a proposal from the inbox',
    arguments: [NUMBER],
    examples: ['troupe decision merge 4', 'troupe decision merge 12 --json'],
    load: () => import('./inbox.js').then((module) => module.inboxMerge),
  },
  {
    name: 'inbox.reject', command: 'decision reject', group: 'Memory', kind: 'write', graphless: true,
    summary: 'Reject a proposal from the inbox',
    arguments: [NUMBER],
    options: [{ flag: 'reason', field: 'reason', type: 'text', value: 'TEXT', summary: 'Why' }],
    examples: ['troupe decision reject 4', 'troupe decision reject 5 --reason "We tried that in May."'],
    load: () => import('./inbox.js').then((module) => module.inboxReject),
  },
  {
    name: 'teamsession.show', command: 'session show', group: 'Memory', kind: 'read', graphless: true,
    summary: 'Show the open session of the team',
    examples: ['troupe session show', 'troupe session show --json'],
    load: () => import('./work-sessions.js').then((module) => module.sessionShow),
  },
  {
    name: 'teamsession.list', command: 'session list', group: 'Memory', kind: 'read', graphless: true,
    summary: 'List the sessions of the team',
    options: [LIMIT],
    examples: ['troupe session list', 'troupe session list --limit 5'],
    load: () => import('./work-sessions.js').then((module) => module.sessionList),
  },
  {
    name: 'teamsession.start', command: 'session start', group: 'Memory', kind: 'write', graphless: true,
    summary: 'Start a team session',
    arguments: [{ field: 'focus', summary: 'Its focus, in one line', required: true }],
    options: [CONTEXT],
    examples: ['troupe session start "The first release"', 'troupe session start "The parser" --context "The grammar is in docs/grammar.md."'],
    load: () => import('./work-sessions.js').then((module) => module.sessionStart),
  },
  {
    name: 'teamsession.change', command: 'session change', group: 'Memory', kind: 'write', graphless: true,
    summary: 'Change or end the open team session',
    options: [
      { flag: 'focus', field: 'focus', type: 'text', value: 'TEXT', summary: 'Its new focus' },
      CONTEXT,
      { flag: 'end', field: 'end', type: 'switch', summary: 'End the session' },
    ],
    examples: ['troupe session change --focus "The second release"', 'troupe session change --end'],
    load: () => import('./work-sessions.js').then((module) => module.sessionChange),
  },
]);
