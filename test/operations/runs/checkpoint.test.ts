import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { CheckpointFolder } from '#adapters/runs/checkpoint-folder.js';
import { automaticSummary } from '#core/graph/checkpoint.js';
import { claimTask, unclaimTask } from '#core/graph/moves.js';
import type { Task } from '#core/graph/task.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { log } from '#operations/graph/log.js';
import type { Context } from '#operations/operation.js';
import { checkpoint, saveCheckpoint } from '#operations/runs/checkpoints.js';
import type { Caller } from '#ports/callers.js';
import { world } from '../../e2e/world.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

/** Those there are, by the words of each. */
async function listed(context: Context): Promise<string[]> {
  const output = await checkpoint.run(context, { id: 'a', list: true });
  return 'checkpoints' in output ? output.checkpoints.map(({ summary }) => summary) : [];
}

const coded = (code: string) => expect.objectContaining({ code });

function place(config: Record<string, unknown> = {}) {
  const own = world();
  const agents = path.join(room(), '.workgraph', 'agents');
  mkdirSync(agents, { recursive: true });
  const as = (caller: Caller): Context => ({
    ...own.context,
    caller,
    checkpoints: async () => new CheckpointFolder(agents),
    settings: async () => ({ name: 'config.toml', read: async () => config, set: async () => ({ kept: true }) }),
  });
  const claim = (id: string, name: string) =>
    own.store.commit((view) => claimTask(view, id, { now: own.clock.now(), by: { name } }));
  const release = (id: string) =>
    own.store.commit((view) => unclaimTask(view, id, { now: own.clock.now(), by: { name: 'coordinator' } }));
  const run = (name: string, fence: number) => as({ kind: 'run', name, taskId: 'a', fence });
  return { ...own, agents, as, claim, release, run, person: as({ kind: 'person', name: 'Ann / ..' }) };
}

verifies('checkpoint.save', 'a record beside the run, its summary on the task', async () => {
  const { add, claim, run, agents, outputs, store } = place();
  await add('a', { artifacts: ['out.txt'], token_usage: { input_tokens: 5 } });
  await claim('a', 'agent-7');
  outputs.set('agent-7', 'twelve bytes');
  const saved = await checkpoint.run(run('agent-7', 1), {
    id: 'a',
    summary: 'lexer works',
    files: ['src/x.ts', './src/x.ts'],
  });
  expect(saved).toEqual({
    task_id: 'a',
    agent_id: 'agent-7',
    timestamp: '2026-03-01T10:00:00.000Z',
    type: 'explicit',
    summary: 'lexer works',
    files_modified: ['src/x.ts'],
    artifacts_registered: ['out.txt'],
    stream_offset: 12,
    turn_count: null,
    token_usage: { input_tokens: 5 },
  });
  const folder = path.join(agents, 'agent-7', 'checkpoints');
  expect(readdirSync(folder)).toEqual(['000001.json']);
  expect(JSON.parse(readFileSync(path.join(folder, '000001.json'), 'utf8'))).toEqual(saved);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(path.join(folder, '000001.json')).mode & 0o777).toBe(0o600);
  expect((await store.view()).task('a')?.checkpoint).toBe('lexer works');
});

verifies(
  'checkpoint.save',
  'five are kept, or as many as the settings say; the list is of all who left some',
  async () => {
    const { add, claim, release, run, person, pass } = place();
    await add('a');
    await claim('a', 'agent-1');
    for (let number = 1; number <= 12; number++) {
      pass(1_000);
      await checkpoint.run(run('agent-1', 1), { id: 'a', summary: `step ${number}` });
    }
    await release('a');
    await claim('a', 'agent-2');
    pass(1_000);
    await checkpoint.run(run('agent-2', 2), { id: 'a', summary: 'went on' });
    pass(1_000);
    await checkpoint.run(person, { id: 'a', summary: 'my own note' });
    expect(await listed(person)).toEqual([
      'my own note',
      'went on',
      ...[12, 11, 10, 9, 8].map((number) => `step ${number}`),
    ]);
    const two = place({ checkpoint: { max_checkpoints: 2 } });
    await two.add('a');
    await two.claim('a', 'agent-1');
    for (const summary of ['1', '2', '3']) await checkpoint.run(two.run('agent-1', 1), { id: 'a', summary });
    expect(readdirSync(path.join(two.agents, 'agent-1', 'checkpoints'))).toEqual(['000002.json', '000003.json']);
  },
);

test('of whom nothing was printed, no place in the output is kept', async () => {
  const { add, person } = place();
  await add('a');
  expect(await checkpoint.run(person, { id: 'a', summary: 'x' })).toMatchObject({
    ...{ stream_offset: null, artifacts_registered: [], token_usage: null },
  });
});

verifies('checkpoint.save', 'whoever lost the task leaves nothing', async () => {
  const { add, claim, release, run, agents, store } = place();
  await add('a');
  await claim('a', 'agent-1');
  await release('a');
  await claim('a', 'agent-2');
  await expect(checkpoint.run(run('agent-1', 1), { id: 'a', summary: 'late' })).rejects.toThrow(coded('stale_attempt'));
  expect(readdirSync(agents)).toEqual([]);
  expect((await store.view()).task('a')?.checkpoint).toBeUndefined();
});

verifies('checkpoint.save', 'whoever loses the task while a checkpoint is written leaves nothing either', async () => {
  const { add, claim, release, run, agents, store } = place();
  await add('a');
  await claim('a', 'agent-1');
  const late = run('agent-1', 1);
  const folder = await late.checkpoints();
  let written = 0;
  const checkpoints = async () =>
    ({
      save: async (...words: Parameters<typeof folder.save>) => {
        const stored = await folder.save(...words);
        written = readdirSync(path.join(agents, 'agent-1', 'checkpoints')).length;
        await release('a');
        await claim('a', 'agent-2');
        return stored;
      },
    }) as never;
  const kept = checkpoint.run({ ...late, checkpoints }, { id: 'a', summary: 'late' });
  await expect(kept).rejects.toThrow(coded('stale_attempt'));
  expect([written, readdirSync(path.join(agents, 'agent-1', 'checkpoints'))]).toEqual([1, []]);
  expect((await store.view()).task('a')?.checkpoint).toBeUndefined();
});

test('only the folders of those who left a checkpoint of a task are read for it, the latest first', async () => {
  const { add, person } = place();
  await add('a');
  await add('b');
  for (const [id, actor] of [
    ['a', 'ann'],
    ['b', 'ben'],
    ['a', 'cleo'],
  ] as const)
    await checkpoint.run(person, { id, summary: 'x', actor });
  await log.run(person, { id: 'a', message: 'y', actor: 'dora' });
  const asked: unknown[] = [];
  const list = async (...words: unknown[]) => {
    asked.push(words);
    return [];
  };
  const checkpoints = async () => ({ list }) as never;
  await checkpoint.run({ ...person, checkpoints }, { id: 'a', list: true });
  expect(asked).toEqual([['a', ['cleo', 'ann']]]);
});

test('as many files as a checkpoint may name are kept, each once', async () => {
  const { add, person } = place();
  await add('a');
  const files = [...Array(TEAM_LIMITS.checkpointFiles).keys()].map((number) => `f${number}`);
  const saved = await checkpoint.run(person, { id: 'a', summary: 'x', files: [...files, 'f0'] });
  expect(saved).toMatchObject({ files_modified: files });
});

test('what cannot be kept is refused, and nothing is written', async () => {
  const { add, person, agents } = place();
  await add('a');
  await add('over', { status: 'done' });
  const refused: [object, string][] = [
    [{ id: 'a', summary: ' ' }, 'bad_input'],
    [{ id: 'a', summary: 'x'.repeat(WORK_LIMITS.descriptionBytes + 1) }, 'too_large'],
    [{ id: 'a', summary: 'x', files: ['../../etc/passwd'] }, 'unsafe_path'],
    [{ id: 'a', summary: 'x', files: [...Array(501).keys()].map((n) => `f${n}`) }, 'too_large'],
    [{ id: 'a' }, 'usage'],
    [{ id: 'a', summary: 'x', list: true }, 'usage'],
    [{ id: 'over', summary: 'x' }, 'wrong_status'],
    [{ id: 'nobody', summary: 'x' }, 'unknown_task'],
    [{ id: 'nobody', list: true }, 'unknown_task'],
  ];
  for (const [input, code] of refused)
    await expect(checkpoint.run(person, input as never), JSON.stringify(input).slice(0, 60)).rejects.toThrow(
      coded(code),
    );
  expect(readdirSync(agents)).toEqual([]);
});

verifies('sec.tree.links', 'checkpoints are never kept through a link, and a name is no path', async () => {
  const { add, claim, run, agents, person } = place();
  await add('a');
  await claim('a', 'agent-1');
  const elsewhere = room('elsewhere');
  mkdirSync(path.join(agents, 'agent-1'));
  symlinkSync(elsewhere, path.join(agents, 'agent-1', 'checkpoints'));
  await expect(checkpoint.run(run('agent-1', 1), { id: 'a', summary: 'x' })).rejects.toThrow(coded('unsafe_path'));
  expect(readdirSync(elsewhere)).toEqual([]);
  await checkpoint.run(person, { id: 'a', summary: 'x', actor: '../../../etc' });
  expect(readdirSync(agents).sort()).toEqual(['agent-1', expect.stringMatching(/^person-[0-9a-f]{12}$/)]);
});

test('files of others among them are left alone', async () => {
  const { add, person, agents } = place();
  await add('a');
  await checkpoint.run(person, { id: 'a', summary: 'x' });
  const folder = path.join(agents, readdirSync(agents)[0] ?? '', 'checkpoints');
  writeFileSync(path.join(folder, '000009.json'), '{"torn');
  writeFileSync(path.join(folder, 'notes.txt'), 'mine');
  await checkpoint.run(person, { id: 'a', summary: 'y' });
  expect(await listed(person)).toHaveLength(2);
  expect(readdirSync(folder)).toContain('notes.txt');
});

verifies('checkpoint.save', 'one that is left automatically needs no model', async () => {
  const { add, claim, person, outputs } = place();
  await add('a');
  await claim('a', 'agent-1');
  outputs.set('agent-1', 'compiling\nall green\n');
  const log = [
    { timestamp: '', actor: 'ann', message: 'not mine' },
    { timestamp: '', actor: 'agent-1', message: 'lexer works' },
  ];
  const task: Task = { kind: 'task', id: 'a', title: 'A', status: 'in-progress', log, artifacts: ['out.txt'] };
  const summary = automaticSummary(task, 'agent-1', outputs.get('agent-1') ?? '');
  expect(summary).toBe('Logged:\n- lexer works\nArtifacts: out.txt\nPrinted last:\ncompiling\nall green');
  expect(automaticSummary(task, 'agent-1', 'token=abcdefgh12345678')).not.toContain('abcdefgh');
  expect(automaticSummary({ ...task, log: [], artifacts: [] }, 'agent-1', '')).toBe('agent-1 has no output yet.');
  const by = { name: 'agent-1', taskId: 'a', fence: 1 };
  const saved = await saveCheckpoint(person, 'a', { summary, type: 'auto', files: [], by, turns: 15 });
  expect(saved).toMatchObject({ type: 'auto', agent_id: 'agent-1', turn_count: 15, stream_offset: 20 });
});
