import { expect, test } from 'vitest';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { send } from '#operations/mail/task-talk.js';
import type { Context } from '#operations/operation.js';
import { type KnownAttempt, promptOf } from '#operations/runs/prompt-of.js';
import type { AttemptKey } from '#ports/attempt-trees.js';
import { bothPorts } from '../../both-ports.js';
import { sectionOf } from '../../core/runs/facts.js';
import { world } from '../../e2e/world.js';
import { NO_RUNS } from '../../no-runs.js';
import { verifies } from '../../verifies.js';
import { PLAIN_ATTEMPT } from './plain-attempt.js';

const NARROW: Partial<KnownAttempt> = { scope: 'clean', mayAdd: false, tree: 'own' };
const said = (task_id: string, notes: string, more: object = {}) => ({
  ...{ id: `e-${task_id}-${notes}`, task_id, score: 0.25, evaluator: 'ann', source: 'manual', notes },
  ...{ timestamp: '2026-03-01T09:00:00.000Z', ...more },
});

/** A graph in memory, worktrees of which only patches are known, and a record of scores. */
function place() {
  const own = world();
  const patches = new Map<string, string>();
  const asked: [string, number][] = [];
  const patch = (name: string, most: number) => {
    asked.push([name, most]);
    return patches.get(name) ?? '';
  };
  const worktrees: object = {
    placeOf: async ({ task, attempt }: AttemptKey) => ({ path: '/t', folder: '/t', branch: `wg/${task}/${attempt}` }),
    patch: async ({ task, attempt }: AttemptKey, most: number) => patch(`${task}/${attempt}`, most),
    patchOf: async (commit: string, most: number) => patch(commit, most),
  };
  let scores: () => unknown = () => ({ records: [] });
  const context: Context = {
    ...own.context,
    freshId: () => 'fresh-id-of-this',
    ...bothPorts(async () => worktrees as never),
    traceFiles: async () => ({ evaluations: async () => scores() }) as never,
    runs: async () => ({
      ...NO_RUNS,
      identity: async (run) => {
        const [, taskId = '', fence = ''] = run.split('-');
        const tree = { branch: `wg/${taskId}/${fence}`, folder: '/t' };
        return { taskId, fence: Number(fence), mail: 'none', tree };
      },
    }),
  };
  const told = async (id: string, attempt = NARROW) =>
    await promptOf(context, await own.store.view(), id, { ...PLAIN_ATTEMPT, ...attempt });
  const score = (read: () => unknown) => {
    scores = read;
  };
  return { ...own, context, patches, asked, told, score, worktrees };
}

const named = (prompt: Awaited<ReturnType<typeof promptOf>>) => prompt.sections.map(({ name }) => name);

verifies(
  'test.bites',
  'what was said of an attempt is read to the next one and to whoever comes after a failure, and to nobody else',
  async () => {
    const { add, told, score } = place();
    await add('fine', { status: 'done' });
    await add('broken', { status: 'failed', retry_count: 3 });
    await add('first');
    await add('zeroth', { retry_count: 0 });
    await add('next', { after: ['fine', 'broken', 'gone'] });
    await add('again', { retry_count: 1, after: ['fine'] });
    let reads = 0;
    score(() => {
      reads++;
      const records = [
        ...[
          said('fine', 'Well done'),
          said('broken', 'No tests'),
          said('again', 'Half of it'),
          said('next', 'Of before'),
        ],
        said('again', 'Elsewhere', { foreign: true }),
      ];
      return { records };
    });
    const wide = { scope: 'task', mayAdd: false } as const;
    const words = async (id: string, attempt: Partial<KnownAttempt> = wide) => {
      const { text } = await told(id, attempt);
      return ['Well done', 'No tests', 'Half of it', 'Of before', 'Elsewhere'].filter((note) => text.includes(note));
    };
    expect([await words('first'), await words('zeroth'), reads]).toEqual([[], [], 0]);
    expect([await words('next'), await words('again'), reads]).toEqual([['No tests'], ['Half of it'], 2]);
    const given = { ...wide, evaluations: new Map([['again', ['0.50 from us: Well done']]]) };
    expect([await words('again', given), reads], 'whoever knows them is not told others').toEqual([['Well done'], 2]);
    score(() => {
      throw new TroupeError('data_corrupt', { what: 'Not readable.' });
    });
    const unread = await told('again');
    expect(unread.warnings).toEqual(['evaluations: Not readable.']);
  },
);

verifies(
  'test.bites',
  'work that did not fit is shown to whoever does the task again, by the name that we give its branch',
  async () => {
    const { add, told, patches, asked, worktrees } = place();
    await add('a', { conflict_branch: 'wg/somebody-else/3' });
    await add('empty', { conflict_branch: 'wg/empty/1' });
    await add('waits', { conflict_branch: 'wg/waits/1', unmerged: true });
    await add('odd', { conflict_branch: 'main' });
    await add('plain');
    patches.set('a/3', '+of before\n');
    const plain = sectionOf(await told('plain'), 'task');
    const conflict = await told('a');
    expect(asked.splice(0)).toEqual([['a/3', TEAM_LIMITS.promptDiffBytes + 1]]);
    expect(conflict.text).toContain('+of before');
    expect(conflict.text).toContain('wg/a/3');
    expect(conflict.text).not.toContain('somebody-else');
    for (const id of ['waits', 'odd', 'empty']) {
      const prompt = await told(id);
      expect([id, named(prompt), prompt.warnings]).toEqual([id, named(await told('plain')), []]);
      expect(sectionOf(prompt, 'task').replaceAll(id, 'plain')).toBe(plain);
    }
    expect(asked.splice(0)).toEqual([['empty/1', TEAM_LIMITS.promptDiffBytes + 1]]);
    Object.assign(worktrees, { patch: () => Promise.reject(new TroupeError('not_found', { what: 'It is gone.' })) });
    expect((await told('a')).warnings).toEqual(['the work left aside: It is gone.']);
  },
);

test('whoever judges work is shown what it changed, merged or waiting, and no more of it than is told', async () => {
  const { add, told, patches, asked } = place();
  const many = Array.from({ length: TEAM_LIMITS.promptListRows }, (_, number) => `more${number}`);
  await add('merged', { status: 'done', merged: 'c0ffee' });
  await add('waits', { status: 'pending-validation', assigned: 'agent-waits-2', fence: 2 });
  await add('nothing', { status: 'done' });
  await add('last', { status: 'done', merged: 'last' });
  await add('gate', { workflow: { role: 'gate' }, after: ['merged', 'gone', 'nothing', 'waits'] });
  await add('wide', { workflow: { role: 'advice' }, after: [...many, 'last'] });
  await add('plain', { after: ['merged'] });
  patches.set('c0ffee', '+merged it\n').set('waits/2', '+it waits\n').set('last', '+the last\n');
  const gate = await told('gate');
  const most = TEAM_LIMITS.promptDiffBytes + 1;
  expect(asked.splice(0)).toEqual([
    ['c0ffee', most],
    ['waits/2', most],
  ]);
  const judged = sectionOf(gate, 'judged');
  expect(judged.match(/^\+.*|\bmerged\b(?=.*:)|\bnothing\b|\bgone\b/gm)).toEqual(['+merged it', '+it waits']);
  expect(named(await told('wide')), 'the first ones alone').not.toContain('judged');
  expect(named(await told('plain'))).not.toContain('judged');
  expect(asked).toEqual([]);
});

test('what was written to a task is told as it was sent, unless whoever starts it says what is told', async () => {
  const { add, told, context } = place();
  await add('a');
  await send.run(context, { id: 'a', text: 'Hurry up', priority: 'urgent' });
  await send.run({ ...context, freshId: () => 'second-id-of-this' }, { id: 'a', text: 'No rush' });
  const wide = { scope: 'task', mayAdd: false } as const;
  const messages = sectionOf(await told('a', wide), 'messages').split('\n');
  const line = (words: string) => messages.findIndex((text) => text.includes(words));
  const urgent = messages.flatMap((text, index) => (/urgent/i.test(text) ? [index] : []));
  expect(urgent.filter((index) => index <= line('Hurry up') && index > line('Hurry up') - 3)).toHaveLength(1);
  expect(urgent.filter((index) => index > line('Hurry up'))).toEqual([]);
  expect(line('No rush')).toBeGreaterThan(line('Hurry up'));
  expect((await told('a', { ...wide, messages: [] })).text).not.toContain('Hurry up');
  expect((await told('a')).warnings, 'of a narrow one nothing more is read').toEqual([]);
});
