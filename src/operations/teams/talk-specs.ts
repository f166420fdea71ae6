import { SENDABLE_MAIL_TYPES } from '#core/teams/mail.js';
import { type ArgumentSpec, operationSpecs } from '#operations/operation-spec.js';
import { CHAT_OPTIONS, MAYBE_TEAM } from './chat-options.js';

const TEAM = {
  field: 'team',
  summary: 'Its name or id; `.` for your current team',
  required: true,
} as const satisfies ArgumentSpec;
const SESSION = { field: 'session', summary: 'Its id', required: true } as const satisfies ArgumentSpec;

/** Specifications of the operations on team messages and plans. */
// biome-ignore format: one row an operation reads best
export const TEAM_TALK_SPECS = operationSpecs([
  {
    name: 'team.say', command: 'team say', group: 'Team', kind: 'write', forRuns: 'any',
    summary: 'Send a message to a team; on the first one its leader plans before work starts',
    arguments: [TEAM, { field: 'text', summary: 'The message; @NAME calls a member', required: true }],
    options: [
      { flag: 'to', field: 'to', type: 'list', value: 'NAME', summary: 'The recipient (default: the leader, or those mentioned)' },
      { flag: 'cc', field: 'cc', type: 'list', value: 'NAME', summary: 'Who gets a copy, without a turn' },
      { flag: 'reply-to', field: 'reply_to', type: 'text', value: 'ID', summary: 'The message it replies to, in the same thread' },
      { flag: 'task', field: 'task', type: 'text', value: 'ID', names: 'task', summary: 'The task it is about' },
      { flag: 'type', field: 'type', type: 'text', value: 'WORD', values: SENDABLE_MAIL_TYPES, summary: 'The type of message (default: message)' },
    ],
    examples: ['troupe team say airlock "Fix the airlock"', 'troupe team say . "@Hicks, is the seal done?" --cc Ripley'],
    load: () => import('./talk.js').then((module) => module.say),
  },
  {
    name: 'team.chat', command: 'team chat', group: 'Team', kind: 'read', graphless: true,
    summary: 'Show the messages of a team with sender, time, task and thread',
    arguments: [MAYBE_TEAM],
    options: CHAT_OPTIONS,
    examples: ['troupe team chat airlock', 'troupe team chat airlock --after 12 --json'],
    load: () => import('./talk.js').then((module) => module.chat),
  },
  {
    name: 'team.use', command: 'team use', group: 'Team', kind: 'write', graphless: true,
    summary: 'Choose your current team, used where none is named',
    arguments: [{ ...TEAM, summary: 'Its name or id' }],
    examples: ['troupe team use airlock', 'troupe team use airlock --json'],
    load: () => import('./talk.js').then((module) => module.use),
  },
  {
    name: 'team.strata', command: 'team strata', group: 'Team', kind: 'read', graphless: true,
    summary: 'Show the plan that every member of a team gets',
    arguments: [MAYBE_TEAM],
    examples: ['troupe team strata airlock', 'troupe team strata airlock --json'],
    load: () => import('./strata.js').then((module) => module.strata),
  },
  {
    name: 'team.replan', command: 'team replan', group: 'Team', kind: 'write',
    summary: 'Have the leader make a new plan; the current one applies until then',
    arguments: [TEAM],
    examples: ['troupe team replan airlock', 'troupe team replan . --json'],
    load: () => import('./strata.js').then((module) => module.replan),
  },
  {
    name: 'team.plan-work', command: 'team plan-work', group: 'Team', kind: 'write', forRuns: 'any',
    asks: { purpose: 'team_plan' },
    summary: 'Make the plan of a team (run by its planning task)',
    arguments: [
      { field: 'team', summary: 'Its id', required: true },
      { field: 'version', summary: 'The version of the plan', required: true },
      { field: 'tries', summary: 'The number of the try', required: true },
    ],
    examples: ['troupe team plan-work airlock 1 1', 'troupe team plan-work airlock 2 1 --quiet'],
    load: () => import('./strata.js').then((module) => module.planWork),
  },
  {
    name: 'team.session-start', command: 'team session-start', group: 'Team', kind: 'write', forRuns: 'any',
    summary: 'Start a session: members settle a topic in turn',
    arguments: [TEAM, { field: 'topic', summary: 'The topic', required: true }],
    options: [
      { flag: 'with', field: 'with', type: 'list', value: 'NAME', summary: 'The participants, in speaking order' },
      { flag: 'rounds', field: 'rounds', type: 'number', value: 'N', summary: 'Turns for each (default: 10)' },
    ],
    examples: ['troupe team session-start airlock "Which seal?" --with Hicks,Vasquez', 'troupe team session-start . "Which seal?" --with Hicks,Vasquez --rounds 2'],
    load: () => import('./sessions.js').then((module) => module.start),
  },
  {
    name: 'team.session-list', command: 'team session-list', group: 'Team', kind: 'read', graphless: true,
    summary: 'List the sessions of a team, latest first',
    arguments: [MAYBE_TEAM],
    examples: ['troupe team session-list airlock', 'troupe team session-list airlock --json'],
    load: () => import('./sessions.js').then((module) => module.list),
  },
  {
    name: 'team.session-show', command: 'team session-show', group: 'Team', kind: 'read', graphless: true,
    summary: 'Show one session: its topic, messages and conclusion',
    arguments: [TEAM, SESSION],
    examples: ['troupe team session-show airlock 0a1b2c3d', 'troupe team session-show airlock 0a1b2c3d --json'],
    load: () => import('./sessions.js').then((module) => module.show),
  },
  {
    name: 'team.session-turn', command: 'team session-turn', group: 'Team', kind: 'write', forRuns: 'any',
    summary: 'Take your turn in a session',
    arguments: [TEAM, SESSION, { field: 'text', summary: 'Your contribution', required: true }],
    examples: ['troupe team session-turn airlock 0a1b2c3d "Rubber wears out"', 'troupe team session-turn . 0a1b2c3d "I agree"'],
    load: () => import('./sessions.js').then((module) => module.turn),
  },
  {
    name: 'team.session-conclude', command: 'team session-conclude', group: 'Team', kind: 'write', forRuns: 'any',
    summary: 'Conclude a session (leader or person only)',
    arguments: [TEAM, SESSION, { field: 'conclusion', summary: 'The conclusion', required: true }],
    options: [
      { flag: 'agreed', field: 'agreed', type: 'list', value: 'NAME', summary: 'Who agreed' },
      { flag: 'dissent', field: 'dissent', type: 'text', value: 'TEXT', summary: 'Who did not agree, and why' },
    ],
    examples: ['troupe team session-conclude airlock 0a1b2c3d "Rubber" --agreed Hicks', 'troupe team session-conclude . 0a1b2c3d "Rubber" --dissent "Vasquez wants steel"'],
    load: () => import('./sessions.js').then((module) => module.conclude),
  },
  {
    name: 'team.session-cancel', command: 'team session-cancel', group: 'Team', kind: 'write', forRuns: 'any',
    summary: 'Cancel a session without a conclusion',
    arguments: [TEAM, SESSION],
    examples: ['troupe team session-cancel airlock 0a1b2c3d', 'troupe team session-cancel . 0a1b2c3d'],
    load: () => import('./sessions.js').then((module) => module.cancel),
  },
]);
