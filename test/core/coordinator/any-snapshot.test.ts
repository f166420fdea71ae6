import path from 'node:path';
import { expect, test } from 'vitest';
import { decide } from '#core/coordinator/parts.js';
import { REST } from '#core/coordinator/sessions.js';
import { NOTHING_SPENT, type RunFact } from '#core/coordinator/snapshot.js';
import type { Task } from '#core/graph/task.js';
import { randomFrom } from '#kernel/random.js';
import type { TaskFields } from '../graph/graph.js';
import { type Fields, fact, graphOf, NOW, snapshot } from './stage.js';

const MINUTE = 60_000;
const ago = (minutes: number) => new Date(NOW - minutes * MINUTE).toISOString();

/** Always the same situations that look like any: tasks in every state, runs in every state, with all that may bound them. */
function anySituation(seed: number): { tasks: (TaskFields & { id: string })[]; fields: Fields; now: number } {
  const next = randomFrom(seed);
  const below = (most: number) => Math.floor(next() * most);
  const one = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value;
  const often = (share: number) => next() < share;
  const maybe = <Value extends object>(share: number, make: () => Value): Partial<Value> =>
    often(share) ? make() : {};
  const ids = Array.from({ length: 4 + below(5) }, (_, at) => `t${at}`);
  const runs: RunFact[] = [];
  const tasks = ids.map((id, at): TaskFields & { id: string } => {
    const status = one([
      'open',
      'open',
      'open',
      'in-progress',
      'in-progress',
      'done',
      'failed',
      'waiting',
      'pending-validation',
    ] as const);
    const run = `agent-${at + 1}`;
    const held = status === 'in-progress';
    const client = often(0.6);
    if (held && often(0.9)) runs.push(anyRun(run, id, client));
    else if (often(0.15)) runs.push(anyRun(run, id, client));
    const before = ids.slice(0, at).filter(() => often(0.25));
    return {
      ...{ id, title: `Task ${id}`, status, after: before, created_at: ago(600 - below(20)) },
      ...maybe(0.2, () => ({ after_success: before.slice(0, 1) })),
      ...(client ? maybe(0.2, () => ({ model: 'opus' })) : { exec: 'make' }),
      ...(held
        ? { assigned: often(0.1) ? 'ann' : run, fence: 1, started_at: ago(10) }
        : maybe(0.3, () => ({ fence: 1 }))),
      ...(status === 'done' || status === 'failed' ? { completed_at: ago(below(90)) } : {}),
      ...(status === 'waiting'
        ? {
            wait_condition: {
              mode: 'all',
              since: ago(9),
              conditions: [
                one([{ type: 'message' }, { type: 'timer', resume_after: ago(1) }, { type: 'human-input' }]),
              ],
            } as never,
          }
        : {}),
      ...maybe(0.25, () => ({ max_retries: 1 + below(2), retry_count: below(2) })),
      ...maybe(0.2, () => ({ deaths: [ago(3), ago(2)].slice(below(2)) })),
      ...maybe(0.15, () => ({ silent_runs: 1 })),
      ...maybe(0.2, () => ({ verify: 'Read it' })),
      ...maybe(0.2, () => ({ tags: [one(['night', 'core', 'eval-gate', 'zero-output'])] })),
      ...maybe(0.2, () => ({ ready_after: ago(below(4) - 2) })),
      ...maybe(0.2, () => ({ agent: one(['a-1', 'a-2', 'a-gone']) })),
      ...maybe(0.15, () => ({ estimate: { cost: below(4) } })),
      ...maybe(0.15, () => ({ token_usage: { cost_usd: 1, input_tokens: 10 } })),
      ...maybe(0.1, () => ({ paused: true })),
      ...maybe(0.1, () => ({ unplaced: true })),
      ...maybe(0.1, () => ({ timeout: '5m' })),
    };
  });

  function anyRun(id: string, taskId: string, client: boolean): RunFact {
    const usage = { cost_usd: below(30) / 10, input_tokens: below(900), output_tokens: below(90) };
    return fact(id, taskId, {
      ...(client ? { executor: one(['claude', 'codex']) } : maybe(0.5, () => ({ executor: 'shell' }))),
      ...{
        startedAt: NOW - below(40) * MINUTE,
        timeoutMs: (5 + below(40)) * MINUTE,
        alive: often(0.7),
        outputBytes: below(3) * 90_000_000,
      },
      ...maybe(0.1, () => ({ fence: 2 })),
      ...maybe(0.3, () => ({ branch: `wg/${taskId}/1` })),
      ...maybe(0.5, () => ({ progressAt: NOW - below(20) * MINUTE })),
      ...maybe(0.4, () => ({ leaseUntil: NOW + (below(30) - 20) * MINUTE })),
      ...maybe(0.4, () => ({ turns: below(60) })),
      ...maybe(0.5, () => ({ usage })),
      ...maybe(0.4, () => ({
        result: {
          ...{ outcome: one(['succeeded', 'failed'] as const), reason: 'so it ended' },
          ...maybe(0.6, () => ({ usage })),
          ...maybe(0.4, () => ({ sessionId: 's-1' })),
          ...maybe(0.3, () => ({ trouble: one(['weekly-limit', 'key-refused', 'overloaded'] as const) })),
          ...maybe(0.2, () => ({ resetsAt: NOW + 90 * MINUTE })),
          ...maybe(0.2, () => ({ spent: true as const })),
          ...maybe(0.3, () => ({ lastWords: 'Half of it is there' })),
        } as never,
      })),
      ...maybe(0.4, () => ({
        exit: {
          code: below(3),
          ...maybe(0.3, () => ({ lastLines: 'make: no rule' })),
          ...maybe(0.2, () => ({ check: { lastLines: 'red' } })),
        },
      })),
      ...maybe(0.1, () => ({ silentEnd: 'ask' as const })),
      ...maybe(0.1, () => ({ started: false, startError: 'no bash' })),
      ...maybe(0.2, () => ({
        ended: one(['timeout', 'idle', 'output', 'stopped', 'silent', 'budget', 'lost'] as const),
      })),
    });
  }

  const hold = {
    client: 'claude',
    trouble: one(['weekly-limit', 'key-refused'] as const),
    since: NOW - 9 * MINUTE,
    until: NOW + (below(9) - 4) * MINUTE,
    pauseMs: 9 * MINUTE,
    run: 'agent-1',
  };
  const agent = (executor: string) => ({ human: false, capacity: 1 + below(2), executor });
  const fields: Fields = {
    ...{
      runs,
      maxAgents: 1 + below(5),
      executor: one(['claude', 'codex', undefined]),
      nextRun: 20,
      completed: often(0.5),
      compaction: often(0.2),
    },
    ...maybe(0.15, () => ({ paused: true })),
    ...maybe(0.3, () => ({
      errands: { underWay: new Set<string>(often(0.5) ? ['place t1'] : []), answers: new Map() },
    })),
    ...maybe(0.3, () => ({ placing: true })),
    ...maybe(0.3, () => ({ autoTriage: true })),
    ...maybe(0.4, () => ({
      budget: {
        caps: {
          usdPerDay: below(9),
          ...maybe(0.5, () => ({ tokensPerDay: below(2_000) })),
          ...maybe(0.3, () => ({ usdPerTask: 2 })),
        },
        ...{
          reserve: { usd: 1, tokens: 100 },
          spent: { ...NOTHING_SPENT, usdToday: below(5), usdTotal: 5, tokensToday: below(900) },
        },
        reserved: new Map(runs.slice(0, 2).map(({ id, taskId }) => [id, { taskId, usd: 1, tokens: 100 }])),
      },
    })),
    ...maybe(0.3, () => ({ backOff: { until: NOW + (below(6) - 3) * MINUTE, pauseMs: 2 * MINUTE } })),
    ...maybe(0.3, () => ({
      providers: { holds: new Map([['claude', hold]]), proven: new Set(['codex']) },
      standIns: often(0.5) ? ['codex'] : [],
    })),
    ...maybe(0.3, () => ({
      sessions: [
        { ...REST, id: 1, scope: { tags: ['night'], roots: [] }, executor: 'codex', max_agents: 1 },
        { ...REST, id: 2, scope: { tags: ['core'], roots: ['t0'] }, paused: often(0.5) },
      ],
      ...{ executors: new Set(['codex']), lastSession: 1 },
    })),
    ...maybe(0.4, () => ({
      agency: {
        agents: new Map([
          ['a-1', agent('claude')],
          ['a-2', agent('codex')],
        ]),
        ...{
          autoAssign: often(0.5),
          autoEvaluate: often(0.5),
          autoCreate: often(0.3),
          matches: ({ id }: Task) => id < 't3',
        },
        ...maybe(0.3, () => ({ unjudged: 'There is no model.' })),
        ...maybe(0.3, () => ({ gate: { threshold: 0.5, all: often(0.5) } })),
      },
    })),
    ...maybe(0.3, () => ({
      mail: new Map([[one(ids), { open: below(2), unread: [{ shownTo: often(0.5) ? 1 : null, asked: often(0.5) }] }]]),
    })),
    ...maybe(0.3, () => ({
      conversations: [{ id: 'c-1', task: one(ids), openedBy: often(0.5) ? one(ids) : null, expelled: often(0.3) }],
    })),
    ...maybe(0.4, () => ({
      unread: [
        {
          task: one(ids),
          number: 1,
          at: NOW - MINUTE,
          from: one(['person', 'run', 'coordinator'] as const),
          ...maybe(0.5, () => ({ speaksFor: one(ids) })),
        },
      ],
    })),
    ...maybe(0.3, () => ({ terms: { checkpointTurns: 20, checkpointMs: 10 * MINUTE } })),
  } as Fields;
  return { tasks, fields, now: NOW };
}

/** Without what every event of a kind says alike. */
const eventOf = ({
  op,
  task_id: id,
  actor,
  patch,
  ...rest
}: {
  op: string;
  task_id?: string;
  actor?: string;
  patch: unknown;
}) =>
  `${op} ${id ?? ''} ${actor ?? ''} ${JSON.stringify(patch)}${Object.keys(rest).length > 0 ? ` ${JSON.stringify(rest)}` : ''}`.replaceAll(
    '"',
    '',
  );

const FILES = [0, 1, 2, 3, 4];
const TOGETHER = 24;

test.each(FILES)('what a pass decides in any situation is as it was found good (%i)', async (file) => {
  const lines = Array.from({ length: TOGETHER }, (_, at) => file * TOGETHER + at + 1).flatMap((seed) => {
    const { tasks, fields, now } = anySituation(seed);
    const told = decide(snapshot(graphOf(...tasks), fields), now).flatMap(({ events, ...decision }) => [
      `  ${JSON.stringify(decision, (_key, value) => (value instanceof Map ? [...value] : value)).replaceAll('"', '')}`,
      ...events.map((event) => `    ${eventOf(event)}`),
    ]);
    return [`== ${seed}: ${tasks.map(({ id, status }) => `${id} ${status}`).join(', ')}`, ...told];
  });
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(
    path.join(import.meta.dirname, `golden/any-situation.${file}.txt`),
  );
});
