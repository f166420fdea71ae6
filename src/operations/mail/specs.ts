import { type ArgumentSpec, operationSpecs } from '#operations/operation-spec.js';
import { ID } from '#operations/options.js';

const CONVERSATION = {
  field: 'conversation_id',
  summary: 'The id of the conversation',
  required: true,
} as const satisfies ArgumentSpec;

// biome-ignore format: one row an operation reads best
export const BUS_SPECS = operationSpecs([
  {
    name: 'bus.send', command: 'send', group: 'Messages', kind: 'write', forRuns: 'any',
    summary: 'Ask an agent or a person for work: it becomes their task until they reply',
    arguments: [
      { field: 'member', summary: 'A name from your roster, or an id', required: true },
      { field: 'message', summary: 'What to do', required: true },
    ],
    options: [{ flag: 'conversation', field: 'conversation_id', type: 'text', value: 'ID', summary: 'Continue an open conversation' }],
    examples: ['troupe send teaparty/coding/lead "Write the parser."', 'troupe send human/ann "Which grammar?" --json'],
    load: () => import('./conversations.js').then((module) => module.send),
  },
  {
    name: 'bus.reply', command: 'reply', group: 'Messages', kind: 'write', forRuns: 'any',
    summary: 'Answer and close the conversation; this ends your task in it',
    arguments: [
      { field: 'conversation_id', summary: 'The id of the conversation; in a run, `own` is the one it works on', required: true },
      { field: 'message', summary: 'The answer', required: true },
    ],
    examples: ['troupe reply agent:om:human/ann:6f9619ff-8b86-4d01-b42d-00cf4fc964ff "The new one."', 'troupe reply agent:om:human/ann:6f9619ff-8b86-4d01-b42d-00cf4fc964ff "Stop." --json'],
    load: () => import('./conversations.js').then((module) => module.reply),
  },
  {
    name: 'task.answer', command: 'answer', group: 'Messages', kind: 'write',
    summary: 'Answer what the agent of a task asked: its session continues, nothing is rejected',
    arguments: [ID, { field: 'text', summary: 'The answer', required: true }],
    examples: ['troupe answer write-the-parser "The new grammar."', 'troupe answer write-the-parser "Decide yourself, and report how it ends." --json'],
    load: () => import('./answer.js').then((module) => module.answer),
  },
  {
    name: 'bus.escalate', command: 'escalate', group: 'Messages', kind: 'write', forRuns: 'any',
    summary: 'Escalate a decision to your lead, its lead, the office or the person who decides',
    arguments: [{ field: 'question', summary: 'What to decide', required: true }],
    options: [{ flag: 'option', field: 'options', type: 'each', value: 'TEXT', summary: 'A possible answer' }],
    examples: ['troupe escalate "Which grammar?"', 'troupe escalate "Which grammar?" --option "the old one" --option "the new one"'],
    load: () => import('./conversations.js').then((module) => module.escalate),
  },
  {
    name: 'bus.list', command: 'messages list', group: 'Messages', kind: 'read',
    summary: 'Show your conversations, open ones first',
    options: [{ flag: 'all', field: 'all', type: 'switch', summary: 'Show those of everyone' }],
    examples: ['troupe messages list', 'troupe messages list --all --json'],
    load: () => import('./conversations.js').then((module) => module.list),
  },
  {
    name: 'bus.inbox', command: 'messages inbox', group: 'Messages', kind: 'read',
    summary: 'Show your unread messages without marking them read',
    examples: ['troupe messages inbox', 'troupe messages inbox --json'],
    load: () => import('./conversations.js').then((module) => module.inbox),
  },
  {
    name: 'bus.read', command: 'messages read', group: 'Messages', kind: 'write', forRuns: 'any',
    summary: 'Show a conversation and mark your messages as read',
    arguments: [CONVERSATION],
    examples: ['troupe messages read agent:om:human/ann:6f9619ff-8b86-4d01-b42d-00cf4fc964ff', 'troupe messages read agent:om:human/ann:6f9619ff-8b86-4d01-b42d-00cf4fc964ff --json'],
    load: () => import('./conversations.js').then((module) => module.read),
  },
  {
    name: 'bus.ack', command: 'messages ack', group: 'Messages', kind: 'write', forRuns: 'any',
    summary: 'Mark a message and the ones before it as read',
    arguments: [{ field: 'message_id', summary: 'The id of the message', required: true }],
    examples: ['troupe messages ack bVxq0pYk3hTz', 'troupe messages ack bVxq0pYk3hTz --json'],
    load: () => import('./conversations.js').then((module) => module.ack),
  },
  {
    name: 'bus.close', command: 'messages close', group: 'Messages', kind: 'write', forRuns: 'any',
    summary: 'Close a conversation you opened, and those opened from it',
    arguments: [CONVERSATION],
    examples: ['troupe messages close agent:human/ann:om:6f9619ff-8b86-4d01-b42d-00cf4fc964ff', 'troupe messages close agent:human/ann:om:6f9619ff-8b86-4d01-b42d-00cf4fc964ff --json'],
    load: () => import('./conversations.js').then((module) => module.close),
  },
  {
    name: 'bus.undelivered', command: 'messages undelivered', group: 'Messages', kind: 'read',
    summary: 'Show undelivered messages and the reason',
    examples: ['troupe messages undelivered', 'troupe messages undelivered --json'],
    load: () => import('./conversations.js').then((module) => module.undelivered),
  },
]);
