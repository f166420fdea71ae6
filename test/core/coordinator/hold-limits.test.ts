import { expect } from 'vitest';
import {
  commandAfter,
  describeHold,
  describeRetry,
  holdFor,
  isHoldCurrent,
  mayStandIn,
  troubleOf,
} from '#core/coordinator/client-holds.js';
import { decide } from '#core/coordinator/parts.js';
import type { ClientHold, RunFact } from '#core/coordinator/snapshot.js';
import type { Task } from '#core/graph/task.js';
import { TROUBLES, type Trouble } from '#core/runs/provider-trouble.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { verifies } from '../../verifies.js';
import { type Fields, fact, graphOf, held, NOW, snapshot } from './stage.js';

/** Fields of a run; `undefined` takes one away. */
type RunFields = { readonly [Name in keyof RunFact]?: RunFact[Name] | undefined };
const client = (id: string, taskId: string, fields: RunFields = {}) =>
  fact(id, taskId, { executor: 'claude', leaseUntil: NOW + 9e9, timeoutMs: 9e9, ...fields } as Partial<RunFact>);
const failed = (id: string, taskId: string, trouble: Trouble, fields: RunFields = {}) =>
  client(id, taskId, {
    ...{ alive: false, exit: { code: 1 }, result: { outcome: 'failed', reason: 'API Error', trouble } },
    ...fields,
  });
const hold = (fields: Partial<ClientHold> = {}): ClientHold => ({
  ...{ client: 'claude', trouble: 'overloaded', since: NOW - 9, until: NOW - 5, pauseMs: 20_000, run: 'agent-0' },
  ...fields,
});
/** Holds that are decided on, each with its client, its reason, and all of it. */
function holdsAfter(runs: readonly RunFact[], holds: readonly ClientHold[] = [], tasks: readonly object[] = []) {
  const graph = graphOf(
    ...runs.map(({ id, taskId }, at) => {
      const { exec: _, ...task } = held(taskId, id);
      return { ...task, id: taskId, ...tasks[at] };
    }),
  );
  const providers = { holds: new Map(holds.map((one) => [one.client, one])), proven: new Set(['claude']) };
  const fields: Fields = { runs: [...runs], executor: 'claude', providers };
  return decide(snapshot(graph, fields), NOW).flatMap((one) =>
    one.do === 'hold-client' ? [{ client: one.client, hold: one.hold, reason: one.reason }] : [],
  );
}

verifies('hold.provider', 'how long a hold lasts: by the provider, doubled by a probe, or the longest', () => {
  const first = (trouble: Trouble, fields: RunFields = {}, before: readonly ClientHold[] = []) =>
    holdsAfter([failed('agent-1', 'a', trouble, fields)], before)[0]?.hold;
  const made = { client: 'claude', run: 'agent-1', since: NOW };
  const fresh = (trouble: Trouble, pauseMs: number, more: object = {}) => ({
    ...{ ...made, trouble, until: NOW + pauseMs, pauseMs },
    ...more,
  });
  expect(first('overloaded')).toEqual(fresh('overloaded', WORK_LIMITS.holdLeastMs));
  expect(first('key-refused')).toEqual(fresh('key-refused', WORK_LIMITS.holdMostMs));
  const resets = (resetsAt: number) =>
    first('usage-limit', { result: { outcome: 'failed', reason: 'x', trouble: 'usage-limit', resetsAt } });
  expect(resets(NOW)).toEqual(fresh('usage-limit', WORK_LIMITS.holdLeastMs));
  expect(resets(NOW + 1)).toEqual(fresh('usage-limit', WORK_LIMITS.resetMarginMs + 1, { resetsAt: NOW + 1 }));
  const probe = { startedAt: NOW - 5 };
  const since = { since: NOW - 9 };
  expect(first('overloaded', probe, [hold()])).toEqual(fresh('overloaded', 40_000, since));
  expect(first('overloaded', probe, [hold({ pauseMs: WORK_LIMITS.holdMostMs })])).toEqual(
    fresh('overloaded', WORK_LIMITS.holdMostMs, since),
  );
  expect(first('limited', probe, [hold()]), 'another trouble that passes').toEqual(fresh('limited', 40_000));
  expect(first('limited', probe, [hold({ trouble: 'key-refused' })])).toEqual(
    fresh('limited', WORK_LIMITS.holdLeastMs),
  );
  // The report of a run from before the hold, or of the run that caused it, changes nothing unless a person has to act.
  const older = { startedAt: NOW - 6 };
  expect([first('overloaded', older, [hold()]), first('limited', older, [hold()])]).toEqual([undefined, undefined]);
  expect(first('overloaded', probe, [hold({ run: 'agent-1' })])).toBeUndefined();
  expect(first('key-refused', older, [hold()])).toEqual(fresh('key-refused', WORK_LIMITS.holdMostMs));
  expect(first('key-refused', older, [hold({ trouble: 'key-refused' })])).toBeUndefined();
});

verifies('hold.provider', 'a hold on a model concerns the tasks that name it, and ends by a run of it', () => {
  const [onModel, onClient] = [hold({ client: 'claude, opus', trouble: 'model-limit' }), hold()];
  const working = (fields: RunFields = {}) =>
    client('agent-1', 'a', { startedAt: NOW - 5, progressAt: NOW, ...fields });
  const ended = (holds: readonly ClientHold[], task: object, fields: RunFields = {}) =>
    holdsAfter([working(fields)], holds, [task]).map((one) => [one.client, one.hold, one.reason]);
  const over = (name: string) => [[name, undefined, 'agent-1 works']];
  expect(ended([onModel], { model: 'opus' })).toEqual(over('claude, opus'));
  expect(ended([onModel], {})).toEqual([]);
  expect(ended([onModel], { model: 'haiku' })).toEqual([]);
  expect(ended([onModel, onClient], { model: 'opus' })).toEqual(over('claude'));
  expect(ended([onClient], {}, { startedAt: NOW - 6 }), 'no probe').toEqual([]);
  expect(ended([onClient], {}, { progressAt: undefined }), 'it has not worked').toEqual([]);
  const model = failed('agent-1', 'a', 'model-limit');
  expect(holdsAfter([model], [], [{ model: 'opus' }]).map((one) => one.client)).toEqual(['claude, opus']);
  expect(holdsAfter([model]).map((one) => [one.client, one.reason])).toEqual([['claude', 'agent-1: API Error']]);
  expect(holdsAfter([failed('agent-1', 'a', 'limited')], [], [{ model: 'opus', provider: 'x' }])[0]?.client).toBe(
    'claude (x)',
  );
  const holds = new Map([
    ['claude', 1],
    ['claude, opus', 2],
    ['claude (x), opus', 3],
  ]);
  const found = (task: object, from = holds) => holdFor(from, task as Task, 'claude', undefined);
  holds.delete('none');
  expect([
    found({}),
    found({ model: 'opus' }),
    found({ model: 'opus', provider: 'x' }),
    found({ provider: 'x' }),
  ]).toEqual([...[1, 1, 3, undefined]]);
  expect([found({ model: 'opus' }, new Map([['claude, opus', 2]])), found({}, new Map([['claude, opus', 2]]))]).toEqual(
    [...[2, undefined]],
  );
});

verifies('hold.provider', 'which runs report a failure, and which holds still last', () => {
  const ends = ['silent', 'idle', 'timeout', undefined] as const;
  const told = (fields: RunFields) => troubleOf(failed('agent-1', 'a', 'limited', fields));
  expect(ends.map((ended) => told(ended === undefined ? {} : { ended: ended as never }))).toEqual([
    ...['limited', 'limited', undefined, 'limited'],
  ]);
  expect([told({ exit: undefined }), told({ result: undefined })]).toEqual([undefined, undefined]);
  const lasts = (until: number, pauseMs: number) => isHoldCurrent(hold({ until, pauseMs }), NOW);
  expect([lasts(NOW, 9), lasts(NOW + 1, 9), lasts(NOW + 9, 9), lasts(NOW + 10, 9)]).toEqual([false, true, true, false]);
  const stands = (task: object, trouble: Trouble) => mayStandIn(task, { trouble });
  expect([
    stands({}, 'quota'),
    stands({ model: 'x' }, 'quota'),
    stands({ provider: 'x' }, 'quota'),
    stands({}, 'failing'),
  ]).toEqual([...[true, false, false, false]]);
  const since = Date.parse('2026-03-21T23:59:30.000Z');
  const shown = (more: Partial<ClientHold>) => describeRetry(hold({ since, until: since + 15_000, ...more }));
  expect([
    shown({}),
    shown({ resetsAt: since + 20_000 }),
    shown({ resetsAt: since + 60_000 }),
    shown({ trouble: 'no-credit' }),
    describeHold(hold({ since })),
  ]).toEqual([
    'the next try is at 23:59 UTC',
    'the provider names 23:59 UTC; the next try is then',
    'the provider names 2026-03-22 00:00 UTC; the next try is then',
    'fix it and run `troupe service reload`; the next try is at 23:59 UTC',
    `claude: ${TROUBLES.overloaded.words} since 23:59 UTC`,
  ]);
  expect([commandAfter(hold({ trouble: 'quota' })), commandAfter(hold({ trouble: 'no-credit' }))]).toEqual([
    ...[undefined, 'troupe service reload'],
  ]);
});
