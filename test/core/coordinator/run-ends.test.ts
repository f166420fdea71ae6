import path from 'node:path';
import { expect, test } from 'vitest';
import {
  aboveLimit,
  capped,
  chargeable,
  raiseCommand,
  reservationOf,
  roomAgain,
  spentOf,
} from '#core/coordinator/budget.js';
import { decide } from '#core/coordinator/parts.js';
import {
  checkFailure,
  complete,
  endedAs,
  endingOf,
  exitFailure,
  missedGate,
  taskToCharge,
} from '#core/coordinator/run-end.js';
import { settleOne } from '#core/coordinator/settle.js';
import { type Budget, NOTHING_SPENT, type RunFact } from '#core/coordinator/snapshot.js';
import { throttle } from '#core/coordinator/throttle.js';
import { timestamp } from '#kernel/clock.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { TaskFields } from '../graph/graph.js';
import { fact, graphOf, held, NOW, snapshot } from './stage.js';

const GOLDEN = path.join(import.meta.dirname, 'golden');
const RUN = 'agent-1';
const client = { executor: 'codex', progressAt: NOW, leaseUntil: NOW + 60_000 };
const taskOf = (fields: TaskFields = {}) => graphOf(held('a', RUN, fields)).task('a') ?? expect.unreachable();
const reported = { reported: { at: timestamp(NOW), fence: 1 } } as TaskFields;
const ago = (ms: number) => timestamp(NOW - ms);

const RUNS: Readonly<Record<string, Partial<RunFact>>> = {
  'at work': {},
  'a client at work': client,
  'a client past its lease': { ...client, leaseUntil: NOW - 10 * 60_000 },
  'a client that does nothing': { ...client, progressAt: NOW - 24 * 3_600_000 },
  'at work for too long': { startedAt: NOW - 60_001 },
  'just long enough': { startedAt: NOW - 60_000 },
  'printed as much as it may': { outputBytes: WORK_LIMITS.outputBytes },
  'printed too much': { outputBytes: WORK_LIMITS.outputBytes + 1 },
  'told to end': { ...client, ended: 'timeout' },
  'exited well': { alive: false, exit: { code: 0, durationMs: 7 } },
  'exited badly': { alive: false, exit: { code: 3, lastLines: 'no\n \nspace ' } },
  'a client that ended well': {
    ...{ ...client, alive: false, exit: { code: 0 } },
    result: {
      outcome: 'succeeded',
      reason: 'It ended',
      usage: { input_tokens: 5, cost_usd: 0.5 },
      sessionId: 's',
      lastWords: 'Done.',
    },
  },
  'a client that ended badly': {
    ...client,
    alive: false,
    exit: { code: 1 },
    result: { outcome: 'failed', reason: 'no' },
  },
  'a client that said nothing': { ...client, alive: false, ended: 'silent', exit: { code: 143 } },
  'a client that is asked when silent': {
    ...{ ...client, alive: false, exit: { code: 0 }, silentEnd: 'ask' },
    result: { outcome: 'succeeded', reason: 'It ended' },
  },
  stopped: { alive: false, ended: 'stopped', exit: { code: 143 } },
  'stopped without a record': { alive: false, ended: 'stopped' },
  'over its time': { alive: false, ended: 'timeout', exit: { code: 143 } },
  'over its output': { alive: false, ended: 'output' },
  'over its money': { ...client, alive: false, ended: 'budget', exit: { code: 143 }, usage: { cost_usd: 2 } },
  'a failed check': {
    ...{ ...client, alive: false, exit: { code: 0 } },
    result: { outcome: 'succeeded', reason: 'It ended', check: { code: 2, ms: 9, lastLines: 'red\n' } },
  },
  gone: { alive: false },
  'never begun': { alive: false, started: false },
  'could not start': { alive: false, started: false, startError: 'no program' },
  'ended by a signal': { ...client, alive: false, result: { outcome: 'failed', reason: 'cut', signal: 'SIGKILL' } },
};

const TASKS: Readonly<Record<string, TaskFields>> = {
  'its own': {},
  'its own, dead before': { deaths: [ago(1_000)], failed_starts: { count: 2, reason: 'no' } } as TaskFields,
  'its own, silent before': { silent_runs: 1, tags: ['mine'], token_usage: { input_tokens: 4 } } as TaskFields,
  'its own, reported': reported,
  'its own, reported long ago': { reported: { at: ago(WORK_LIMITS.lastWordMs), fence: 1 } } as TaskFields,
  'its own, with a check': { verify_cmd: 'make test' },
  'waiting by itself': { status: 'waiting' },
  'done by itself': { status: 'done', completed_at: ago(1_000) },
  'done by itself long ago': { status: 'done', completed_at: ago(WORK_LIMITS.lastWordMs) },
  'failed by itself': { status: 'failed', log: [{ timestamp: ago(1_000), actor: 'a', message: 'm' }] } as TaskFields,
  'of another try': { fence: 2 },
  'of another run': { assigned: 'agent-2' },
};

test('what becomes of a run and its task, by how the run ended and how the task stands', async () => {
  const told = Object.entries(TASKS).flatMap(([name, fields]) => [
    `# ${name}`,
    ...Object.entries(RUNS).flatMap(([title, run]) => {
      const graph = graphOf(held('a', RUN, fields));
      const decisions = decide(snapshot(graph, { runs: [fact(RUN, 'a', run)], paused: true }), NOW);
      return [
        `  ${title}`,
        ...decisions.flatMap(({ events, ...decision }) => [
          `    ${JSON.stringify(decision)}`,
          ...events.map(
            ({ op, task_id, actor, detail, patch }) =>
              `      ${op} ${task_id} ${actor} ${JSON.stringify(detail ?? {})} ${JSON.stringify(patch)}`,
          ),
        ]),
      ];
    }),
  ]);
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot(path.join(GOLDEN, 'ends-of-runs.txt'));
});

test('a run that ended while no service was up is settled only where its task is still its own', () => {
  const settled = (fields: TaskFields, run: Partial<RunFact> = RUNS['exited badly'] ?? {}) =>
    settleOne(graphOf(held('a', RUN, fields)), fact(RUN, 'a', run), new Map(), NOW, new Map()).map(
      ({ do: what, reason }) => [what, reason].join(': '),
    );
  expect({
    own: settled({}),
    waiting: settled({ status: 'waiting' }),
    done: settled({ status: 'done' }),
    open: settled({ status: 'open' }),
    another: settled({ assigned: 'agent-2' }),
    'another try': settled({ fence: 2 }),
    gone: settled({}, { alive: false }),
    'at work': settled({}, {}),
  }).toEqual({
    own: ['settle-exit: Command exited with code 3: no | space '],
    waiting: ['settle-exit: It set its task to waiting'],
    ...{ done: [], open: [], another: [], 'another try': [] },
    gone: ['mark-dead: It died without a word'],
    'at work': [],
  });
});

test('how a run ended, for its task, its log and its books', () => {
  const of = (run: Partial<RunFact>, fields: TaskFields = {}) => {
    const [task, ended] = [taskOf(fields), fact(RUN, 'a', run)];
    const [{ detail, patch } = { detail: {}, patch: [] }] = complete(ended, 'x', taskToCharge(task, ended)).events;
    return [
      `${endingOf(ended, task)} ${endedAs(task, ended)} ${missedGate(ended, task) ? 'missed' : '-'} ${patch.length}`,
      JSON.stringify(detail),
      checkFailure(ended, task) ?? exitFailure(ended),
    ].join(' / ');
  };
  const check = (code: number, more: object = {}) => ({
    result: { outcome: 'succeeded', reason: 'It ended', check: { code, ms: 1, lastLines: '', ...more } },
  });
  const gate = { verify_cmd: 'gate' };
  expect({
    well: of({ exit: { code: 0 } }),
    'well, done': of({ exit: { code: 0 } }, { status: 'done' }),
    'badly, done': of({ exit: { code: 1 } }, { status: 'done' }),
    'badly, to be checked': of({ exit: { code: 1 } }, { status: 'pending-validation' }),
    'well, failed': of({ exit: { code: 0 } }, { status: 'failed' }),
    'well, waiting': of({ exit: { code: 0 } }, { status: 'waiting' }),
    'badly, waiting for another': of({ exit: { code: 1 } }, { status: 'waiting', fence: 2 }),
    'well, ended': of({ exit: { code: 0 }, ended: 'timeout' }),
    'ended, reported': of({ ended: 'timeout' }, reported),
    'stopped, reported': of({ ended: 'stopped' }, reported),
    'reported, check failed': of(check(1) as Partial<RunFact>, { ...reported, ...gate }),
    'check passed': of(check(0) as Partial<RunFact>, gate),
    'check failed': of(check(2, { lastLines: 'a\n\n b \n' }) as Partial<RunFact>, gate),
    'check failed late': of(check(2, { ms: WORK_LIMITS.verifyMs }) as Partial<RunFact>, gate),
    'check of a command': of({ exit: { code: 4, check: { lastLines: 'x' } } } as Partial<RunFact>, gate),
    'says nothing': of({ silentEnd: 'ask', exit: { code: 0 } }),
    'says nothing, was checked': of({ silentEnd: 'ask', ...(check(0) as Partial<RunFact>) }, gate),
    'usage of its own': of({ usage: { input_tokens: 3 }, executor: 'codex' }),
    'usage of another try': of({ usage: { input_tokens: 3 } }, { fence: 2 }),
    'last words': of({
      result: { outcome: 'succeeded', reason: 'It ended', lastWords: 'w', usage: { cost_usd: 1 } },
      usage: { cost_usd: 9 },
    }),
    'never began': of({ started: false }),
  }).toMatchInlineSnapshot(`
    {
      "badly, done": "failed done - 0 / {"run":"agent-1","outcome":"x"} / Command exited with code 1",
      "badly, to be checked": "failed done - 0 / {"run":"agent-1","outcome":"x"} / Command exited with code 1",
      "badly, waiting for another": "failed failed - 0 / {"run":"agent-1","outcome":"x"} / Command exited with code 1",
      "check failed": "failed failed - 0 / {"run":"agent-1","outcome":"x"} / The check \`gate\` exited with code 2: a |  b ",
      "check failed late": "failed failed - 0 / {"run":"agent-1","outcome":"x"} / The check \`gate\` took longer than 600 s and printed nothing",
      "check of a command": "failed failed - 0 / {"run":"agent-1","outcome":"x"} / The check \`gate\` exited with code 4: x",
      "check passed": "finished failed - 0 / {"run":"agent-1","outcome":"x"} / Command exited with code unknown",
      "ended, reported": "finished failed - 0 / {"run":"agent-1","outcome":"x"} / Command exited with code unknown",
      "last words": "finished failed - 1 / {"run":"agent-1","outcome":"x","usage":{"cost_usd":1}} / Command exited with code unknown",
      "never began": "failed failed - 0 / {"run":"agent-1","outcome":"x","started":false} / Command exited with code unknown",
      "reported, check failed": "failed failed - 0 / {"run":"agent-1","outcome":"x"} / The check \`gate\` exited with code 1 and printed nothing",
      "says nothing": "silent done - 0 / {"run":"agent-1","outcome":"x"} / Command exited with code 0",
      "says nothing, was checked": "finished failed - 0 / {"run":"agent-1","outcome":"x"} / Command exited with code unknown",
      "stopped, reported": "failed failed - 0 / {"run":"agent-1","outcome":"x"} / Command exited with code unknown",
      "usage of another try": "failed failed - 0 / {"run":"agent-1","outcome":"x","usage":{"input_tokens":3}} / Command exited with code unknown",
      "usage of its own": "failed failed - 1 / {"run":"agent-1","outcome":"x","executor":"codex","usage":{"input_tokens":3}} / Agent exited with code unknown",
      "well": "finished done - 0 / {"run":"agent-1","outcome":"x"} / Command exited with code 0",
      "well, done": "finished done - 0 / {"run":"agent-1","outcome":"x"} / Command exited with code 0",
      "well, ended": "failed failed - 0 / {"run":"agent-1","outcome":"x"} / Command exited with code 0",
      "well, failed": "finished failed - 0 / {"run":"agent-1","outcome":"x"} / Command exited with code 0",
      "well, waiting": "finished parked - 0 / {"run":"agent-1","outcome":"x"} / Command exited with code 0",
    }
  `);
});

test('deaths in a row make the pause longer, those far apart do not, and too many end it', () => {
  const minutes = (...ago: number[]) => ago.map((minute) => timestamp(NOW - minute * 60_000));
  const told = (earlier: unknown) => {
    const { deaths, until, spent } = throttle(earlier, NOW);
    return [deaths.length, until === undefined ? 0 : (until - NOW) / WORK_LIMITS.deathPauseMs, spent];
  };
  expect({
    first: told(undefined),
    second: told(minutes(1)),
    third: told(minutes(2, 1)),
    fourth: told(minutes(3, 2, 1)),
    'far apart': told(minutes(3 * 24 * 60)),
    'a row, then far apart': told(minutes(4_000, 3_999, 3_998)),
    'as many as may be': told(
      minutes(...Array.from({ length: WORK_LIMITS.maxDeaths - 1 }, (_, index) => WORK_LIMITS.maxDeaths - index)),
    ),
    'one fewer': told(
      minutes(...Array.from({ length: WORK_LIMITS.maxDeaths - 2 }, (_, index) => WORK_LIMITS.maxDeaths - index)),
    ),
    'in all': told(
      minutes(
        ...Array.from({ length: WORK_LIMITS.deathsInAll - 1 }, (_, index) => (WORK_LIMITS.deathsInAll - index) * 5_000),
      ),
    ),
    'one fewer in all': told(
      minutes(
        ...Array.from({ length: WORK_LIMITS.deathsInAll - 2 }, (_, index) => (WORK_LIMITS.deathsInAll - index) * 5_000),
      ),
    ),
    'no list': told('x'),
    'no times': told([1, null, ...minutes(1)]),
  }).toMatchInlineSnapshot(`
    {
      "a row, then far apart": [
        4,
        0,
        false,
      ],
      "as many as may be": [
        5,
        0,
        true,
      ],
      "far apart": [
        2,
        0,
        false,
      ],
      "first": [
        1,
        0,
        false,
      ],
      "fourth": [
        4,
        4,
        false,
      ],
      "in all": [
        20,
        0,
        true,
      ],
      "no list": [
        1,
        0,
        false,
      ],
      "no times": [
        2,
        1,
        false,
      ],
      "one fewer": [
        4,
        4,
        false,
      ],
      "one fewer in all": [
        19,
        0,
        false,
      ],
      "second": [
        2,
        1,
        false,
      ],
      "third": [
        3,
        2,
        false,
      ],
    }
  `);
});

test('amounts: what is reserved, what it cost, what is above a limit, and how a cap is raised', () => {
  const budget: Budget = { caps: {}, reserve: { usd: 1, tokens: 100 }, spent: NOTHING_SPENT, reserved: new Map() };
  const reserve = (fields: object) => {
    const { usd, tokens } = reservationOf(taskOf(fields as TaskFields), budget);
    return [usd, tokens];
  };
  expect([
    reserve({}),
    reserve({ reserve: { usd: 2 } }),
    reserve({ reserve: { tokens: 7 } }),
    reserve({ reserve: { usd: 0, tokens: 0 } }),
    reserve({ reserve: { usd: -1, tokens: Number.NaN } }),
    reserve({ reserve: { usd: '2', tokens: Number.POSITIVE_INFINITY } }),
    reserve({ estimate: { cost: 3 } }),
    reserve({ estimate: { cost: -3 } }),
    reserve({ reserve: { usd: 2 }, estimate: { cost: 3 }, reserve_next: { usd: 4, tokens: 50 } }),
    reserve({ reserve_next: { usd: 0.5, tokens: 500 } }),
  ]).toEqual([
    ...[
      [1, 100],
      [2, 100],
      [1, 7],
      [0, 0],
      [1, 100],
      [1, 100],
      [3, 100],
      [1, 100],
      [4, 100],
      [1, 500],
    ],
  ]);
  const above = (usage: Parameters<typeof aboveLimit>[0], limit: Parameters<typeof aboveLimit>[1]) =>
    aboveLimit(usage, limit) ?? '-';
  expect([
    above(undefined, { usd: 0, tokens: 0 }),
    above({ cost_usd: 2 }, {}),
    above({ cost_usd: 1 }, { usd: 1 }),
    above({}, { usd: 0 }),
    above({ cost_usd: 0.123 }, { usd: 0.12 }),
    above({ cost_usd: 1.006 }, { usd: 1 }),
    above({ cost_usd: 12.3456 }, { usd: 0.99995 }),
    above({ input_tokens: 5, output_tokens: 1 }, { tokens: 6 }),
    above({ input_tokens: 5, output_tokens: 1, cache_read_input_tokens: 1 }, { tokens: 6.5 }),
  ]).toMatchInlineSnapshot(`
    [
      "-",
      "-",
      "-",
      "-",
      "It has cost $0.1230, and $0.12 was reserved for it",
      "It has cost $1.01, and $1.00 was reserved for it",
      "It has cost $12.35, and $1.00 was reserved for it",
      "-",
      "It has used 7 tokens, and 6.5 were reserved for it",
    ]
  `);
  expect([
    spentOf({}),
    spentOf({ input_tokens: 3 }),
    spentOf({ input_tokens: 3, cost_usd: 2, estimated_usd: 1 }),
    chargeable({ cost_usd: 2, estimated_usd: 1.5 }, true),
    chargeable({ cost_usd: 2, estimated_usd: 3 }, true),
    chargeable({ cost_usd: 2, estimated_usd: 1.5 }, false),
    chargeable({ estimated_usd: 1.5 }, true),
  ]).toEqual([
    { usd: 0, tokens: 0, estimated: 0, unpriced: 0 },
    { usd: 0, tokens: 3, estimated: 0, unpriced: 3 },
    { usd: 2, tokens: 3, estimated: 1, unpriced: 0 },
    { cost_usd: 0.5, estimated_usd: 1.5 },
    { cost_usd: 0, estimated_usd: 3 },
    { cost_usd: 2, estimated_usd: 1.5 },
    { estimated_usd: 1.5 },
  ]);
  const names = ['usdPerDay', 'usdTotal', 'usdByOption', 'usdPerTask', 'tokensPerDay', 'tokensTotal'] as const;
  expect(names.map((name) => [capped({ [name]: 1 }, 'usd'), capped({ [name]: 1 }, 'tokens')])).toEqual([
    ...[
      [true, false],
      [true, false],
      [true, false],
      [true, false],
      [false, true],
      [false, true],
    ],
  ]);
  const caps = ['usd_per_day', 'usd_total', 'tokens_per_day', '--budget-usd', '--budget-tokens'] as const;
  const wanted = WORK_LIMITS.reserveTokensLeast + 0.5;
  expect(caps.map((cap) => `${raiseCommand({ cap, wanted })}${roomAgain({ cap })}`)).toMatchInlineSnapshot(`
    [
      "troupe config set budget.usd_per_day 10001; more at 00:00 UTC",
      "troupe config set budget.usd_total 10001",
      "troupe config set budget.tokens_per_day 20000; more at 00:00 UTC",
      "troupe service restart --budget-usd 10001",
      "troupe service restart --budget-tokens 20000",
    ]
  `);
});
