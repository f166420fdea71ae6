import path from 'node:path';
import { expect, test } from 'vitest';
import { type PreparedPrompt, type SpawnRequest, spawn, timeoutOf } from '#core/coordinator/dispatch.js';
import { REST, type TaskSession } from '#core/coordinator/sessions.js';
import { type Budget, NOTHING_SPENT } from '#core/coordinator/snapshot.js';
import { TroupeError } from '#kernel/errors.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { verifies } from '../../verifies.js';
import type { TaskFields } from '../graph/graph.js';
import { type Fields, graphOf, NOW, snapshot } from './stage.js';

const budget = (usdTotal: number, spent = 0): Budget => ({
  ...{ caps: { usdTotal }, reserve: { usd: 1, tokens: 9 }, reserved: new Map() },
  spent: { ...NOTHING_SPENT, usdTotal: spent },
});

interface Case extends Fields {
  readonly task?: TaskFields;
  readonly request?: Partial<SpawnRequest>;
  readonly before?: PreparedPrompt;
}

/** The run and its events, or the refusal, whole. */
function spawned(title: string, { task = {}, request = {}, before, ...fields }: Case): string {
  const facts = snapshot(graphOf({ id: 'a', ...task }), { executor: 'claude', paused: true, ...fields });
  try {
    const { events, ...run } = spawn(facts, { task: 'a', ...request }, NOW, before);
    return [`# ${title}`, `  ${JSON.stringify(run)}`, ...events.map((event) => `    ${JSON.stringify(event)}`)].join(
      '\n',
    );
  } catch (error) {
    if (!(error instanceof TroupeError)) throw error;
    return `# ${title}\n  refused ${error.code}: ${error.message} | ${error.hint ?? ''} | ${JSON.stringify(error.details)}`;
  }
}

verifies(
  ['workflow.gate', 'service.spawn-command'],
  'who asks for a run of one task gets it, whole, or hears why not',
  async () => {
    const agents = new Map([
      ['vera', { human: false, capacity: 1, executor: 'codex' }],
      ['ben', { human: true, capacity: 1, executor: 'claude' }],
    ]);
    const sessions = [REST];
    const withSession = (more: Partial<TaskSession>) => [
      { ...REST, id: 1, scope: { tags: ['x'], roots: [] }, ...more },
    ];
    const told = { at: NOW - 5, grant: { reserve: { usd: 0.3, tokens: 9 }, limit: { usd: 0.3 } } };
    const all = [
      spawned('a client', {}),
      spawned('a command', { task: { exec: 'true' } }),
      spawned('a command, in its time', { task: { exec: 'true', timeout: '5m' }, before: { at: 7 } }),
      spawned('as somebody wishes', { request: { executor: 'codex', model: 'm', timeoutMs: 9 } }),
      spawned('a command, whatever client is wished for', { task: { exec: 'true' }, request: { executor: 'codex' } }),
      spawned('within what may be spent', { budget: budget(3) }),
      spawned('a command, whatever may be spent', { task: { exec: 'true' }, budget: budget(1, 1) }),
      spawned('nothing is left to spend', { budget: budget(1, 1) }),
      spawned('with what it was told', { budget: budget(3), before: told }),
      spawned('with what it was told, which is gone', { budget: budget(3, 2.8), before: told }),
      spawned('with what it was told, and nothing is bounded', { before: told }),
      spawned('for a person', { task: { human: true } as TaskFields }),
      spawned('given to a person', { task: { agent: 'ben' }, agency: { agents } }),
      spawned('given to an agent', { task: { agent: 'vera' }, agency: { agents } }),
      spawned('given to an agent, as somebody wishes', {
        ...{ task: { agent: 'vera' }, agency: { agents }, request: { executor: 'gemini' } },
      }),
      spawned('given to an agent, and there is no client', {
        task: { agent: 'vera' },
        agency: { agents },
        executor: undefined,
      }),
      spawned('given to nobody who is there', { task: { agent: 'gone' }, agency: { agents } }),
      spawned('a command given to nobody who is there', { task: { agent: 'gone', exec: 'true' }, agency: { agents } }),
      spawned('no client', { executor: undefined }),
      spawned('no client, but a wish', { executor: undefined, request: { executor: 'codex' } }),
      spawned('a shell without a command', { request: { executor: 'shell' } }),
      spawned('a command mode without a command', { task: { exec_mode: 'shell' } }),
      spawned('not open', { task: { status: 'done' } }),
      spawned('not there', { request: { task: 'b' } }),
      spawned('in the only session', { sessions }),
      spawned('in its session', { task: { tags: ['x'] }, sessions: withSession({ model: 'm' }) }),
      spawned('in its session, by its client', {
        ...{ task: { tags: ['x'] }, executors: new Set(['codex']), sessions: withSession({ executor: 'codex' }) },
      }),
      spawned('in its session, whose client is missing', {
        task: { tags: ['x'] },
        sessions: withSession({ executor: 'codex' }),
      }),
    ];
    await expect(`${all.join('\n')}\n`).toMatchFileSnapshot(path.join(import.meta.dirname, 'golden/spawned.txt'));
  },
);

test('the time box of a task is its own, else the usual one, also where it cannot be read', () => {
  const of = (timeout?: string, otherwise?: number) => {
    const task = graphOf({ id: 'a', ...(timeout === undefined ? {} : { timeout }) }).task('a') ?? expect.unreachable();
    return timeoutOf(task, otherwise);
  };
  expect([of(), of('90s'), of('soon'), of(undefined, 7), of('soon', 7), of('90s', 7)]).toEqual([
    ...[WORK_LIMITS.taskTimeoutMs, 90_000, WORK_LIMITS.taskTimeoutMs, 7, 7, 90_000],
  ]);
});
