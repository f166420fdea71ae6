import { SAID_TYPES } from '#core/teams/mail.js';
import { type ArgumentSpec, operationSpecs } from '#operations/operation-spec.js';
import { CHAT_OPTIONS, MAYBE_TEAM } from './chat-options.js';

const TEAM = {
  field: 'team',
  summary: 'Its name or id; a full stop: the one you work with',
  required: true,
} as const satisfies ArgumentSpec;
const SESSION = { field: 'session', summary: 'Its id', required: true } as const satisfies ArgumentSpec;

/** What a team says and plans, as seen from outside. */
// biome-ignore format: one row an operation reads best
export const TEAM_TALK_SPECS = operationSpecs([
  {
    name: 'team.say', command: 'team say', group: 'Team', kind: 'write', forRuns: 'any',
    summary: 'Say something to a team; the first time its leader plans before anybody acts',
    arguments: [TEAM, { field: 'text', summary: 'What is to be said; @NAME calls a member', required: true }],
    options: [
      { flag: 'to', field: 'to', type: 'list', value: 'NAME', summary: 'Whom it is for (default: the leader, or who is mentioned)' },
      { flag: 'cc', field: 'cc', type: 'list', value: 'NAME', summary: 'Who is told as well, and gets no turn' },
      { flag: 'reply-to', field: 'reply_to', type: 'text', value: 'ID', summary: 'The message it answers: it goes on in that thread' },
      { flag: 'task', field: 'task', type: 'text', value: 'ID', names: 'task', summary: 'The task it is about' },
      { flag: 'type', field: 'type', type: 'text', value: 'WORD', values: SAID_TYPES, summary: 'What kind of message (default: message)' },
    ],
    examples: ['troupe team say airlock "Fix the airlock"', 'troupe team say . "@Hicks, is the seal done?" --cc Ripley'],
    load: () => import('./talk.js').then((module) => module.say),
  },
  {
    name: 'team.chat', command: 'team transcript', group: 'Team', kind: 'read', graphless: true,
    summary: 'Show what a team said, with who, when, task and thread',
    arguments: [MAYBE_TEAM],
    options: CHAT_OPTIONS,
    examples: ['troupe team transcript airlock', 'troupe team transcript airlock --after 12 --json'],
    load: () => import('./talk.js').then((module) => module.chat),
  },
  {
    name: 'team.use', command: 'team use', group: 'Team', kind: 'write', graphless: true,
    summary: 'Choose the team you work with: the one meant where none is named',
    arguments: [{ ...TEAM, summary: 'Its name or id' }],
    examples: ['troupe team use airlock', 'troupe team use airlock --json'],
    load: () => import('./talk.js').then((module) => module.use),
  },
  {
    name: 'team.strata', command: 'team strata', group: 'Team', kind: 'read', graphless: true,
    summary: 'Show the plan that every member of a team is told',
    arguments: [MAYBE_TEAM],
    examples: ['troupe team strata airlock', 'troupe team strata airlock --json'],
    load: () => import('./strata.js').then((module) => module.strata),
  },
  {
    name: 'team.replan', command: 'team replan', group: 'Team', kind: 'write',
    summary: 'Have the leader make another plan; the one there is holds until then',
    arguments: [TEAM],
    examples: ['troupe team replan airlock', 'troupe team replan . --json'],
    load: () => import('./strata.js').then((module) => module.replan),
  },
  {
    name: 'team.plan-work', command: 'team plan-work', group: 'Team', kind: 'write', forRuns: 'any',
    asks: { purpose: 'team_plan' },
    summary: 'Make the plan of a team: what its planning task runs',
    arguments: [
      { field: 'team', summary: 'Its id', required: true },
      { field: 'version', summary: 'Which plan', required: true },
      { field: 'tries', summary: 'Which try', required: true },
    ],
    examples: ['troupe team plan-work airlock 1 1', 'troupe team plan-work airlock 2 1 --quiet'],
    load: () => import('./strata.js').then((module) => module.planWork),
  },
  {
    name: 'team.session-start', command: 'team session-start', group: 'Team', kind: 'write', forRuns: 'any',
    summary: 'Have members settle a topic in turn',
    arguments: [TEAM, { field: 'topic', summary: 'What they are to settle', required: true }],
    options: [
      { flag: 'with', field: 'with', type: 'list', value: 'NAME', summary: 'Who takes part, in the order in which they speak' },
      { flag: 'rounds', field: 'rounds', type: 'number', value: 'N', summary: 'Turns of each (default: 10)' },
    ],
    examples: ['troupe team session-start airlock "Which seal?" --with Hicks,Vasquez', 'troupe team session-start . "Which seal?" --with Hicks,Vasquez --rounds 2'],
    load: () => import('./sessions.js').then((module) => module.start),
  },
  {
    name: 'team.session-list', command: 'team session-list', group: 'Team', kind: 'read', graphless: true,
    summary: 'Show the sessions of a team, the latest first',
    arguments: [MAYBE_TEAM],
    examples: ['troupe team session-list airlock', 'troupe team session-list airlock --json'],
    load: () => import('./sessions.js').then((module) => module.list),
  },
  {
    name: 'team.session-show', command: 'team session-show', group: 'Team', kind: 'read', graphless: true,
    summary: 'Show one session: its topic, what was said, what came of it',
    arguments: [TEAM, SESSION],
    examples: ['troupe team session-show airlock 0a1b2c3d', 'troupe team session-show airlock 0a1b2c3d --json'],
    load: () => import('./sessions.js').then((module) => module.show),
  },
  {
    name: 'team.session-turn', command: 'team session-turn', group: 'Team', kind: 'write', forRuns: 'any',
    summary: 'Say what you think in a session, when it is your turn',
    arguments: [TEAM, SESSION, { field: 'text', summary: 'What you think', required: true }],
    examples: ['troupe team session-turn airlock 0a1b2c3d "Rubber wears out"', 'troupe team session-turn . 0a1b2c3d "I agree"'],
    load: () => import('./sessions.js').then((module) => module.turn),
  },
  {
    name: 'team.session-conclude', command: 'team session-conclude', group: 'Team', kind: 'write', forRuns: 'any',
    summary: 'Say what came of a session; its leader does, or a person',
    arguments: [TEAM, SESSION, { field: 'conclusion', summary: 'What was settled', required: true }],
    options: [
      { flag: 'agreed', field: 'agreed', type: 'list', value: 'NAME', summary: 'Who agreed' },
      { flag: 'dissent', field: 'dissent', type: 'text', value: 'TEXT', summary: 'Who did not, and why' },
    ],
    examples: ['troupe team session-conclude airlock 0a1b2c3d "Rubber" --agreed Hicks', 'troupe team session-conclude . 0a1b2c3d "Rubber" --dissent "Vasquez wants steel"'],
    load: () => import('./sessions.js').then((module) => module.conclude),
  },
  {
    name: 'team.session-cancel', command: 'team session-cancel', group: 'Team', kind: 'write', forRuns: 'any',
    summary: 'End a session without a word on its topic',
    arguments: [TEAM, SESSION],
    examples: ['troupe team session-cancel airlock 0a1b2c3d', 'troupe team session-cancel . 0a1b2c3d'],
    load: () => import('./sessions.js').then((module) => module.cancel),
  },
]);
