import { expect } from 'vitest';
import { TroupeError } from '#kernel/errors.js';
import { sha256 } from '#kernel/hash.js';
import type { JsonObject } from '#kernel/json.js';
import { WORKER_LIMITS } from '#kernel/limits/worker.js';
import { DoorAnswers } from '#operations/workers/door-answers.js';
import { Masking } from '#operations/workers/masking.js';
import { verifies } from '../../verifies.js';

const TREE = { task: 'seal', attempt: 1 };
const OWN = { run_token: 'own-token', run: 'agent-1', run_fence: 3 };

/** The door of agent-1 at its third claim of a task, before a leader that answers like this. */
function door(answers: (string | Error)[] = [], { isAlone = false, lost = false, isStale = false } = {}) {
  const [asked, waits, beats, commits]: [unknown[], number[], unknown[], unknown[]] = [[], [], [], []];
  let now = 0;
  const parts = new DoorAnswers({
    desk: {
      ask: async (...words) => {
        asked.push(words);
        const answer = answers.length > 1 ? answers.shift() : answers[0];
        if (answer instanceof Error) throw answer;
        return answer ?? '{"ok":true}';
      },
    },
    runs: {
      beat: async (...words: unknown[]) => {
        beats.push(words);
        return isStale ? undefined : 99;
      },
    } as never,
    folders: {
      identity: async (run: string) => (run === 'agent-1' ? { tokenHash: sha256('own-token') } : undefined),
    } as never,
    masking: new Masking(['hunter2-hunter2']),
    pace: {
      now: () => now,
      wait: async (milliseconds) => {
        waits.push(milliseconds);
        now += milliseconds;
      },
    },
    attemptOf: (run) => (run === 'agent-1' && !lost ? { task: 'seal', fence: 3, tree: TREE as never } : undefined),
    trees: async () => ({
      commit: async (...words: unknown[]) => {
        commits.push(words);
        return { committed: true, commit: 'c1', leftOut: ['sub'] };
      },
    }),
    isAlone: async () => isAlone,
  });
  const say = async (line: JsonObject, run = 'agent-1') =>
    await parts.answer(run, line).catch((error) => {
      if (!(error instanceof TroupeError)) throw error;
      return error.code;
    });
  return { say, asked, waits, beats, commits };
}

const away = () => new TroupeError('database_away');
const LOG = { cmd: 'operation', name: 'task.log', input: { text: 'half' }, request_id: 'r-1' };

verifies('fleet.mail', 'questions about the door itself are answered to every caller', async () => {
  const { say, asked } = door([], { lost: true });
  expect(await say({ cmd: 'identify' })).toEqual({ introduced: false });
  expect(await say({ cmd: 'status' })).toEqual({ pid: process.pid });
  expect(await say({ cmd: 'graph_changed' })).toEqual({ action: 'coordinator_wake_scheduled' });
  expect(asked).toEqual([]);
});

verifies(
  'fleet.mail',
  'a door is opened by the token of its run, or without one where only the run reaches it',
  async () => {
    const { say, asked } = door();
    const { run_token: token, ...who } = OWN;
    expect(await say({ ...LOG, ...OWN })).toEqual({});
    expect(await say({ ...LOG, run_token: token })).toEqual({});
    expect(await say({ ...LOG, ...OWN, run_fence: 2 })).toEqual({});
    expect(asked).toEqual(Array(3).fill(['agent-1', 3, JSON.stringify(LOG)]));
    for (const line of [
      { ...LOG, ...who },
      { ...LOG, ...OWN, run_token: 'other' },
      { ...LOG, ...OWN, run_token: 1 },
      { ...LOG, ...OWN, run: 'agent-2' },
      { ...LOG, ...OWN, run_fence: 4 },
    ])
      expect(await say(line), JSON.stringify(line)).toBe('bad_run_token');
    expect(await say({ ...LOG, run_token: token }, 'agent-2')).toBe('bad_run_token');
    expect(await door([], { lost: true }).say({ ...LOG, ...OWN })).toBe('bad_run_token');
    const alone = { isAlone: true };
    expect(await door([], alone).say(LOG)).toEqual({});
    expect(await door([], alone).say({ ...LOG, run_token: 'other' })).toBe('bad_run_token');
    expect(await door([], { ...alone, lost: true }).say(LOG)).toBe('bad_run_token');
  },
);

verifies(
  'fleet.mail',
  'the answer of the leader is its result, its fields or its error; secrets are masked',
  async () => {
    const of = async (answer: string) => await door([answer]).say({ ...LOG, ...OWN });
    expect(await of('{"ok":true,"result":{"id":"seal"}}')).toEqual({ id: 'seal' });
    expect(await of('{"ok":true,"result":null,"more":1}')).toBeNull();
    expect(await of('{"ok":true,"lease":1}')).toEqual({ lease: 1 });
    expect(await of('{"ok":false,"error":{"code":"not_yours","message":"It is not yours."}}')).toBe('not_yours');
    const { say, asked } = door();
    await say({ ...LOG, ...OWN, input: { text: 'hunter2-hunter2' } });
    expect(asked).toEqual([['agent-1', 3, JSON.stringify({ ...LOG, input: { text: '********' } })]]);
  },
);

verifies('fleet.mail', 'a heartbeat is answered by the worker, for the run itself at its present claim', async () => {
  const beat = { cmd: 'heartbeat', agent_id: 'agent-1', fence: 3, ...OWN };
  const { say, beats, asked } = door();
  const lease = { lease_until: '1970-01-01T00:00:00.099Z' };
  expect(await say(beat)).toEqual(lease);
  expect(await say({ cmd: 'heartbeat', ...OWN })).toEqual(lease);
  expect(beats).toEqual(Array(2).fill(['agent-1', 3]));
  expect(await say({ ...beat, agent_id: 'agent-2' })).toBe('not_yours');
  expect(await say({ ...beat, fence: 2 })).toBe('stale_attempt');
  expect([beats.length, asked]).toEqual([2, []]);
  expect(await door([], { isStale: true }).say(beat)).toBe('stale_attempt');
});

verifies('fleet.mail', 'a commit is made by the worker, in the worktree of the task of the run', async () => {
  const commit = { cmd: 'operation', name: 'task.commit', ...OWN };
  const { say, commits, asked } = door();
  expect(await say({ ...commit, input: { id: 'seal', message: 'Seal it' } })).toEqual({
    ...{ id: 'seal', committed: true, commit: 'c1', left_out: ['sub'] },
  });
  expect(commits).toEqual([[TREE, 'Seal it']]);
  expect(await say({ ...commit, input: { id: 'test', message: 'Seal it' } })).toBe('not_yours');
  expect(await say({ ...commit, input: { id: 'seal' } })).toBe('bad_input');
  expect([commits.length, asked]).toEqual([1, []]);
  expect(await say({ ...commit, cmd: 'other', input: { id: 'seal', message: 'Seal it' } })).toEqual({});
  expect(asked).toHaveLength(1);
});

verifies(
  'fleet.mail',
  'a request is asked again while the database is away, unless it may have been done',
  async () => {
    const again = WORKER_LIMITS.askAgainMs;
    const unsure = () => new TroupeError('database_unsure');
    const { request_id: _, ...unnamed } = LOG;
    const of = async (line: JsonObject, ...answers: (string | Error)[]) => {
      const { say, asked, waits } = door(answers);
      return [await say({ ...line, ...OWN }), asked.length, waits];
    };
    const down = () => new TroupeError('service_not_running');
    expect(await of(LOG, away(), down(), '{"ok":true}')).toEqual([{}, 3, [again, again]]);
    expect(await of(unnamed, away(), '{"ok":true}')).toEqual([{}, 2, [again]]);
    expect(await of(LOG, unsure(), '{"ok":true}')).toEqual([{}, 2, [again]]);
    expect(await of(unnamed, unsure(), '{"ok":true}')).toEqual(['database_unsure', 1, []]);
    expect(await of({ cmd: 'messages' }, unsure(), '{"ok":true}')).toEqual([{}, 2, [again]]);
    expect(await of(LOG, new TroupeError('stale_attempt'), '{"ok":true}')).toEqual(['stale_attempt', 1, []]);
    const times = WORKER_LIMITS.askMs / again;
    expect(await of(LOG, away())).toEqual(['database_away', times + 1, Array(times).fill(again)]);
  },
);
