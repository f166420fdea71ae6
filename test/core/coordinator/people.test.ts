import path from 'node:path';
import { expect, test } from 'vitest';
import type { ErrandAnswer } from '#core/coordinator/errand.js';
import { type CoordinatorSnapshot, decide } from '#core/coordinator/parts.js';
import { NOTIFY_ERRAND, REPLIES } from '#core/coordinator/people.js';
import type { Person } from '#core/mail/person.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { TaskFields } from '../graph/graph.js';
import { graphOf, NOW } from '../graph/graph.js';
import { quietSnapshot } from './quiet-snapshot.js';

const GOLDEN = path.join(import.meta.dirname, 'golden');
const at = (ms: number) => new Date(ms).toISOString();
const ago = (ms: number) => at(NOW - ms);
const HOUR = 3_600_000;

const PEOPLE: readonly (readonly [string, Person])[] = [
  ['mail', { name: 'Ann', channel: 'email', contact: 'ann@example.org', capacity: 1 }],
  ['room', { name: 'Bob', channel: 'matrix', contact: '@bob:example.org' }],
  ['desk', { name: 'Cid' }],
];

interface Scene {
  readonly tasks: readonly (TaskFields & { id: string })[];
  readonly claimed?: readonly string[];
  readonly answers?: Readonly<Record<string, ErrandAnswer>>;
  readonly underWay?: readonly string[];
  readonly lookAgain?: boolean;
  readonly paused?: boolean;
  readonly nobody?: boolean;
}

/** A task that Bob holds, or another, under a claim of the coordinator's. */
const held = (told: object = {}, more: object = {}): TaskFields & { id: string } => ({
  ...{ id: 't', status: 'in-progress', agent: 'room', assigned: 'Bob', fence: 2, started_at: ago(HOUR) },
  ...({ told: { fence: 2, sent: 1, failures: 0, last_sent: ago(HOUR), ...told } } as object),
  ...more,
});
const mine = { claimed: ['t'] };
const said = (...texts: readonly string[]): Readonly<Record<string, ErrandAnswer>> => ({
  [REPLIES.key()]: {
    of: 'replies',
    since: 's2',
    replies: texts.map((text) => ({
      sender: text.startsWith('~') ? '@eve:example.org' : '@bob:example.org',
      text: text.replace('~', ''),
    })),
  } as ErrandAnswer,
});
const key = (sent: number, failures = 0) => NOTIFY_ERRAND.key('t', 2, sent, failures);
const ready = (id: string, agent: string, more: object = {}) => ({ id, agent, ...more });

const SCENES: Readonly<Record<string, Scene>> = {
  'ready: one is given to each, in the order they became ready, and no more than they take': {
    tasks: [
      ready('b', 'mail', { created_at: ago(2) }),
      ready('a', 'mail', { created_at: ago(1) }),
      ready('c', 'room'),
      ready('d', 'room'),
      ready('e', 'desk'),
      ready('f', 'nobody'),
      ready('g', 'room', { exec: 'true' }),
      ready('h', 'room', { after: ['a'] }),
      ready('i', 'room', { formation_gate: { run: 'r', command: 'go' } }),
    ],
  },
  'ready, and she has one already': {
    tasks: [ready('a', 'mail'), held({}, { agent: 'mail', assigned: 'Ann' })],
    ...mine,
  },
  'ready, while the service is paused': { tasks: [ready('a', 'room')], paused: true },
  'ready, and nobody is known': { tasks: [ready('a', 'room')], nobody: true },
  'told for the first time': { tasks: [held({ sent: 0, last_sent: undefined })], ...mine },
  'told already': { tasks: [held()], ...mine },
  'a reminder is due': { tasks: [held({ last_sent: ago(TEAM_LIMITS.reminderMs) })], ...mine },
  'a reminder is not due yet': { tasks: [held({ last_sent: ago(TEAM_LIMITS.reminderMs - 1) })], ...mine },
  'a reminder is under way': { tasks: [held({ last_sent: ago(TEAM_LIMITS.reminderMs) })], ...mine, underWay: [key(1)] },
  'told, and it worked': { tasks: [held()], ...mine, answers: { [key(1)]: { of: 'told' } } },
  'told, and it did not work': {
    tasks: [held({}, { log: [{ timestamp: ago(HOUR), message: 'x' }] })],
    ...mine,
    answers: { [key(1)]: { of: 'error', text: 'no mail' } as ErrandAnswer },
  },
  'after a failure it is tried again': {
    tasks: [held({ failures: 1, last_failed: ago(TEAM_LIMITS.notifyRetryMs), last_sent: ago(TEAM_LIMITS.reminderMs) })],
    ...mine,
  },
  'too many failures': { tasks: [held({ failures: TEAM_LIMITS.notifyFailures, last_failed: ago(1) })], ...mine },
  'silent for as long as she may be': { tasks: [held({}, { started_at: ago(WORK_LIMITS.personLeaseMs) })], ...mine },
  'silent for longer': { tasks: [held({}, { started_at: ago(WORK_LIMITS.personLeaseMs + 1) })], ...mine },
  'silent for longer, but somebody wrote': {
    tasks: [held({}, { started_at: ago(WORK_LIMITS.personLeaseMs + 1), log: [{ timestamp: ago(5), message: 'x' }] })],
    ...mine,
  },
  'nobody tells Cid': { tasks: [held({ sent: 0 }, { agent: 'desk', assigned: 'Cid' })], ...mine },
  'the claim is another by now': { tasks: [held({ fence: 1 })], ...mine, answers: { [key(1)]: { of: 'told' } } },
  'the claim is over': { tasks: [held({}, { status: 'open' })], ...mine, lookAgain: true },
  'the task is gone': { tasks: [], ...mine, answers: { [key(1)]: { of: 'told' } } },
  'the room is to be read': { tasks: [held()], ...mine, lookAgain: true },
  'the room is being read': { tasks: [held()], ...mine, lookAgain: true, underWay: [REPLIES.key()] },
  'the room is not looked at for mail': { tasks: [held({}, { agent: 'mail' })], ...mine, lookAgain: true },
  'done, said in the room': { tasks: [held()], ...mine, answers: said('!done t') },
  'failed, said in the room': { tasks: [held()], ...mine, answers: said('!fail t no time') },
  'what others say, and chatter': {
    tasks: [held()],
    ...mine,
    answers: said('~!done t', '!done x', 'hello', '!done t now'),
  },
  'done, but its work is checked': { tasks: [held({}, { verify_cmd: 'make' })], ...mine, answers: said('!done t') },
  'done, but a commit is asked for': { tasks: [held({}, { require_commit: true })], ...mine, answers: said('!done t') },
  'done, but it may not be yet': {
    tasks: [held({}, { hands_in: true, deliverables: ['a.md'] })],
    ...mine,
    answers: said('!done t'),
  },
  'the room cannot be read': {
    tasks: [held()],
    ...mine,
    answers: { [REPLIES.key()]: { of: 'error', text: 'no room' } as ErrandAnswer },
  },
};

function told({
  tasks,
  claimed = [],
  answers = {},
  underWay = [],
  lookAgain = false,
  paused = false,
  nobody = false,
}: Scene): string[] {
  const snapshot: CoordinatorSnapshot = {
    ...quietSnapshot(graphOf(...tasks)),
    paused,
    people: { byAgent: new Map(nobody ? [] : PEOPLE), claimed, lookAgain },
    errands: { underWay: new Set(underWay), answers: new Map(Object.entries(answers)) },
  };
  return decide(snapshot, NOW).flatMap(({ events, ...decision }) => [
    JSON.stringify(decision),
    ...events.map((event) => `  ${JSON.stringify(event)}`),
  ]);
}

test('people: who is given what, told, reminded and heard, and who gives it back', async () => {
  const lines = Object.entries(SCENES).flatMap(([name, scene]) => [`== ${name}`, ...told(scene)]);
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(path.join(GOLDEN, 'people.txt'));
});
