import { type ArgumentSpec, operationSpecs } from '#operations/operation-spec.js';

const CONVERSATION = {
  field: 'conversation_id',
  summary: 'The id of the conversation',
  required: true,
} as const satisfies ArgumentSpec;

// biome-ignore format: one row an operation reads best
export const BUS_SPECS = operationSpecs([
  {
    name: 'bus.send', command: 'send', group: 'Messages', kind: 'write', forRuns: 'any',
    summary: 'Ask an agent or a person for work: it becomes a task of theirs, and their reply ends it',
    arguments: [
      { field: 'member', summary: 'A name of your roster, or an id', required: true },
      { field: 'message', summary: 'What is to be done', required: true },
    ],
    options: [{ flag: 'conversation', field: 'conversation_id', type: 'text', value: 'ID', summary: 'Go on with one that is open' }],
    examples: ['troupe send teaparty/coding/lead "Write the parser."', 'troupe send human/ann "Which grammar?" --json'],
    load: () => import('./conversations.js').then((module) => module.send),
  },
  {
    name: 'bus.reply', command: 'reply', group: 'Messages', kind: 'write', forRuns: 'any',
    summary: 'Answer, and close the conversation by that; it ends the task of whoever was asked',
    arguments: [
      { field: 'conversation_id', summary: 'The id of the conversation; of a run, `own` is the one it works on', required: true },
      { field: 'message', summary: 'The answer', required: true },
    ],
    examples: ['troupe reply agent:om:human/ann:6f9619ff-8b86-4d01-b42d-00cf4fc964ff "The new one."', 'troupe reply agent:om:human/ann:6f9619ff-8b86-4d01-b42d-00cf4fc964ff "Stop." --json'],
    load: () => import('./conversations.js').then((module) => module.reply),
  },
  {
    name: 'bus.escalate', command: 'escalate', group: 'Messages', kind: 'write', forRuns: 'any',
    summary: 'Ask whoever is above what you cannot decide: the lead, its lead, the office, the person who decides',
    arguments: [{ field: 'question', summary: 'What is to be decided', required: true }],
    options: [{ flag: 'option', field: 'options', type: 'each', value: 'TEXT', summary: 'One of the answers there are' }],
    examples: ['troupe escalate "Which grammar?"', 'troupe escalate "Which grammar?" --option "the old one" --option "the new one"'],
    load: () => import('./conversations.js').then((module) => module.escalate),
  },
  {
    name: 'bus.list', command: 'messages list', group: 'Messages', kind: 'read',
    summary: 'Show your conversations, those that are open first',
    options: [{ flag: 'all', field: 'all', type: 'switch', summary: 'Those of everybody' }],
    examples: ['troupe messages list', 'troupe messages list --all --json'],
    load: () => import('./conversations.js').then((module) => module.list),
  },
  {
    name: 'bus.inbox', command: 'messages inbox', group: 'Messages', kind: 'read',
    summary: 'Show what you have not read; it stays unread',
    examples: ['troupe messages inbox', 'troupe messages inbox --json'],
    load: () => import('./conversations.js').then((module) => module.inbox),
  },
  {
    name: 'bus.read', command: 'messages read', group: 'Messages', kind: 'write', forRuns: 'any',
    summary: 'Show a conversation, and mark what is for you as read',
    arguments: [CONVERSATION],
    examples: ['troupe messages read agent:om:human/ann:6f9619ff-8b86-4d01-b42d-00cf4fc964ff', 'troupe messages read agent:om:human/ann:6f9619ff-8b86-4d01-b42d-00cf4fc964ff --json'],
    load: () => import('./conversations.js').then((module) => module.read),
  },
  {
    name: 'bus.ack', command: 'messages ack', group: 'Messages', kind: 'write', forRuns: 'any',
    summary: 'Mark a message as read, and those before it in its conversation',
    arguments: [{ field: 'message_id', summary: 'The id of the message', required: true }],
    examples: ['troupe messages ack bVxq0pYk3hTz', 'troupe messages ack bVxq0pYk3hTz --json'],
    load: () => import('./conversations.js').then((module) => module.ack),
  },
  {
    name: 'bus.close', command: 'messages close', group: 'Messages', kind: 'write', forRuns: 'any',
    summary: 'End a conversation that you opened, with all that was opened from it',
    arguments: [CONVERSATION],
    examples: ['troupe messages close agent:human/ann:om:6f9619ff-8b86-4d01-b42d-00cf4fc964ff', 'troupe messages close agent:human/ann:om:6f9619ff-8b86-4d01-b42d-00cf4fc964ff --json'],
    load: () => import('./conversations.js').then((module) => module.close),
  },
  {
    name: 'bus.undelivered', command: 'messages undelivered', group: 'Messages', kind: 'read',
    summary: 'Show what nobody has read, and why',
    examples: ['troupe messages undelivered', 'troupe messages undelivered --json'],
    load: () => import('./conversations.js').then((module) => module.undelivered),
  },
]);
