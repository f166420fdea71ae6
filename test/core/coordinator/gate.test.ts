import { expect, test } from 'vitest';
import { ClientGate, holdFor, mayStandIn, troubleOf } from '#core/coordinator/client-holds.js';
import type { ClientHold, RunFact } from '#core/coordinator/snapshot.js';
import { Tick } from '#core/coordinator/tick.js';
import { TROUBLES, type Trouble } from '#core/runs/provider-trouble.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { verifies } from '../../verifies.js';
import { fact, graphOf, NOW, snapshot } from './stage.js';

const hold = (client: string, more: Partial<ClientHold> = {}): ClientHold => ({
  ...{ client, trouble: 'overloaded', since: NOW, until: NOW + 9, pauseMs: 9, run: 'agent-1' },
  ...more,
});
const run = (more: Partial<RunFact> = {}) => fact('agent-2', 'b', { executor: 'claude', startedAt: NOW, ...more });

interface World {
  readonly holds?: readonly ClientHold[];
  readonly proven?: readonly string[];
  readonly runs?: readonly RunFact[];
  readonly task?: object;
  readonly taken?: string;
  readonly executor?: string;
}

function admits({ holds = [], proven = ['claude'], runs = [], task = {}, taken, executor = 'claude' }: World): boolean {
  const view = graphOf({ id: 'a', ...task }, { id: 'b' });
  const kept = new Map(holds.map((one) => [one.client, one]));
  const tick = new Tick(
    snapshot(view, { runs, providers: { holds: kept, proven: new Set(proven) } }),
    NOW,
    () => undefined,
  );
  for (const [client, one] of kept) tick.clientHolds.set(client, one);
  const gate = new ClientGate(tick);
  const one = view.task('a') ?? expect.unreachable();
  if (taken !== undefined) gate.take(one, taken);
  return gate.admits(one, executor);
}

verifies('hold.provider', 'who may start one more run, by what is held, proven and at work', () => {
  const over = hold('claude', { until: NOW });
  const young = run({ startedAt: NOW - WORK_LIMITS.firstRunMs + 1 });
  const rows: readonly [string, World, boolean][] = [
    ['one that was seen at work', { runs: [run()], taken: 'claude' }, true],
    ['one that is held', { holds: [hold('claude')] }, false],
    ['one beside it', { holds: [hold('codex')] }, true],
    ['one with the provider that is held', { holds: [hold('claude (aws)')], task: { provider: 'aws' } }, false],
    ['one with another provider', { holds: [hold('claude (aws)')] }, true],
    ['one with the model that is held', { holds: [hold('claude, opus')], task: { model: 'opus' } }, false],
    ['one with another model', { holds: [hold('claude, opus')], task: { model: 'haiku' } }, true],
    ['a hold that is over', { holds: [over] }, true],
    ['a hold of a clock that was set back', { holds: [hold('claude', { until: NOW + 10, pauseMs: 9 })] }, true],
    ['a hold that is over, and one has just started', { holds: [over], taken: 'claude' }, false],
    ['a hold that is over, and its probe is at work', { holds: [over], runs: [run()] }, false],
    ['a hold that is over, and one of before is at work', { holds: [over], runs: [run({ startedAt: NOW - 1 })] }, true],
    ['a hold that is over, and its probe has ended', { holds: [over], runs: [run({ exit: { code: 0 } })] }, true],
    ['a hold that is over, and its probe is dead', { holds: [over], runs: [run({ alive: false })] }, true],
    ['a hold that is over, and a probe of another', { holds: [over], runs: [run({ executor: 'codex' })] }, true],
    ['one that nobody has seen', { proven: [] }, true],
    ['one that nobody has seen, and one has just started', { proven: [], taken: 'claude' }, false],
    ['one that nobody has seen, and one is young', { proven: [], runs: [young] }, false],
    [
      'one that nobody has seen, and one is old',
      { proven: [], runs: [run({ startedAt: NOW - WORK_LIMITS.firstRunMs })] },
      true,
    ],
    ['one that nobody has seen, beside a young other', { proven: [], runs: [run({ executor: 'codex' })] }, true],
    ['one of the project', { proven: [], executor: 'mine', taken: 'mine', runs: [run({ executor: 'mine' })] }, true],
  ];
  expect(rows.map(([title, world]) => [title, admits(world)])).toEqual(rows.map(([title, , may]) => [title, may]));
});

verifies(
  'hold.provider',
  'a hold is of the client before that of the model, and a stand-in takes what names nothing',
  () => {
    const holds = new Map([
      ['claude', 'client'],
      ['claude, opus', 'model'],
      ['codex, opus', 'model of codex'],
    ]);
    const task = graphOf({ id: 'a', model: 'opus' }).task('a') ?? expect.unreachable();
    const plain = graphOf({ id: 'a' }).task('a') ?? expect.unreachable();
    const of = (one: typeof task, executor: string) => holdFor(holds, one, executor, undefined);
    expect([of(task, 'claude'), of(task, 'codex'), of(plain, 'codex'), of(task, 'gemini')]).toEqual([
      ...['client', 'model of codex', undefined, undefined],
    ]);
    for (const trouble of Object.keys(TROUBLES) as Trouble[]) {
      const may = TROUBLES[trouble].standIn;
      const stands = (more: object) => mayStandIn(more, { trouble });
      expect([stands({}), stands({ model: 'm' }), stands({ provider: 'aws' })], trouble).toEqual([may, false, false]);
    }
  },
);

test('a run that is over says what troubles its provider, unless we ended it for its own sake', () => {
  const result = { outcome: 'failed', reason: 'x', trouble: 'limited' } as const;
  const of = (more: Partial<RunFact>) => troubleOf(run({ exit: { code: 1 }, result, ...more }));
  expect([of({}), of({ ended: 'silent' }), of({ ended: 'idle' })]).toEqual(['limited', 'limited', 'limited']);
  expect([of({ ended: 'timeout' }), of({ ended: 'stopped' }), troubleOf(run({ result })), troubleOf(run())]).toEqual(
    Array(4).fill(undefined),
  );
});
