import { expect } from 'vitest';
import { aboveLimit, chargeable, spentOf, usedBy, withUse } from '#core/coordinator/budget.js';
import { allSessions, REST } from '#core/coordinator/sessions.js';
import { triageBlocks } from '#core/coordinator/triage.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { verifies } from '../../verifies.js';
import { fact } from './stage.js';

verifies('dispatch.limits', 'usage beyond a limit, in dollars or tokens, and what is charged of it', () => {
  const above = (usage: Parameters<typeof aboveLimit>[0], usd?: number, tokens?: number) =>
    aboveLimit(usage, { ...(usd === undefined ? {} : { usd }), ...(tokens === undefined ? {} : { tokens }) } as never);
  const used = { input_tokens: 600, output_tokens: 400 };
  expect([above(undefined, 1, 1), above({}, 0, 0), above(used), above(used, 0), above(used, undefined, 1_000)]).toEqual(
    Array(5).fill(undefined),
  );
  expect(above({ cost_usd: 1 }, 1)).toBeUndefined();
  expect([
    above({ cost_usd: 1.005 }, 1),
    above({ cost_usd: 0.5 }, 0.1234),
    above({ cost_usd: 2 }, 0),
  ]).toMatchInlineSnapshot(`
    [
      "It has cost $1.00, and $1.00 was reserved for it",
      "It has cost $0.50, and $0.1234 was reserved for it",
      "It has cost $2.00, and $0.00 was reserved for it",
    ]
  `);
  expect(above(used, 9, 999)).toMatchInlineSnapshot(`"It has used 1000 tokens, and 999 were reserved for it"`);
  expect([
    chargeable({ cost_usd: 1, estimated_usd: 0.4 }, true),
    chargeable({ cost_usd: 1, estimated_usd: 0.4 }, false),
    chargeable({ cost_usd: 0.1, estimated_usd: 0.4 }, true),
    chargeable({ estimated_usd: 0.4 }, true),
    chargeable({ cost_usd: 1 }, true),
  ]).toEqual([
    { cost_usd: 0.6, estimated_usd: 0.4 },
    { cost_usd: 1, estimated_usd: 0.4 },
    { cost_usd: 0, estimated_usd: 0.4 },
    { estimated_usd: 0.4 },
    { cost_usd: 1 },
  ]);
  expect([spentOf({ ...used, cost_usd: 2, estimated_usd: 1 }), spentOf(used), spentOf({})]).toEqual([
    { usd: 2, tokens: 1_000, estimated: 1, unpriced: 0 },
    { usd: 0, tokens: 1_000, estimated: 0, unpriced: 1_000 },
    { usd: 0, tokens: 0, estimated: 0, unpriced: 0 },
  ]);
});

verifies('dispatch.limits', 'a reservation grows to what its run has used, and never shrinks', () => {
  const reserved = new Map([
    ['r1', { taskId: 'a', usd: 1, tokens: 10 }],
    ['r2', { taskId: 'b', usd: 1, tokens: 10 }],
  ]);
  const usage = (cost_usd: number | undefined, input_tokens: number) => ({
    ...(cost_usd === undefined ? {} : { cost_usd }),
    input_tokens,
  });
  const runs = [
    fact('r1', 'a', { usage: usage(2, 5) }),
    fact('r2', 'b', { usage: usage(undefined, 20), result: { outcome: 'succeeded', reason: '' } }),
    fact('r3', 'c', { usage: usage(1, 1), result: { outcome: 'succeeded', reason: '', usage: usage(3, 4) } }),
    fact('r4', 'd'),
  ];
  const after = withUse({ reserved } as never, runs);
  expect([...after.reserved]).toEqual([
    ['r1', { taskId: 'a', usd: 2, tokens: 10 }],
    ['r2', { taskId: 'b', usd: 1, tokens: 20 }],
    ['r3', { taskId: 'c', usd: 3, tokens: 4 }],
  ]);
  expect(reserved.get('r1')?.usd).toBe(1);
  expect(runs.map(usedBy)).toEqual([usage(2, 5), usage(undefined, 20), usage(3, 4), undefined]);
});

verifies('session.state', 'all sessions by id, the one for the rest among them once', () => {
  const session = (id: number) => ({ ...REST, id, name: `s${id}` });
  const ids = (...coordinators: ReturnType<typeof session>[]) =>
    allSessions({ coordinators } as never).map(({ id, name }) => `${id} ${name}`);
  expect([ids(), ids(session(2), session(1)), ids(session(3), session(REST.id), session(1))]).toEqual([
    [`${REST.id} ${REST.name}`],
    [`${REST.id} ${REST.name}`, '1 s1', '2 s2'],
    [`${REST.id} s${REST.id}`, '1 s1', '3 s3'],
  ]);
});

verifies('dispatch.limits', 'what a model is shown of a run that died', () => {
  const blocks = (description?: string) =>
    triageBlocks({ title: 'Do it', description }, 'the end').map(({ label, text, most }) => [label, text, most]);
  const output = ['the end of its output', 'the end', WORK_LIMITS.triageOutputBytes];
  expect([blocks(), blocks('In words.\n')]).toEqual([
    [['task', 'Do it', TEAM_LIMITS.promptReasonBytes], output],
    [['task', 'Do it\nIn words.', TEAM_LIMITS.promptReasonBytes], output],
  ]);
});
