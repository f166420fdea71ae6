import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { WordingFolder } from '#adapters/catalog/wording-folder.js';
import { ScriptedModel } from '#adapters/models/scripted-model.js';
import { CheckpointFolder } from '#adapters/runs/checkpoint-folder.js';
import { claimTask } from '#core/graph/moves.js';
import { TroupeError } from '#kernel/errors.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { keepCheckpoint } from '#operations/coordinator/auto-checkpoint.js';
import { triageRun } from '#operations/coordinator/runs-host.js';
import type { Context } from '#operations/operation.js';
import type { AttemptTrees } from '#ports/attempt-trees.js';
import type { Model } from '#ports/model.js';
import type { RunFolders } from '#ports/run-folders.js';
import { bothPorts } from '../../both-ports.js';
import { world } from '../../e2e/world.js';
import { NO_RUNS } from '../../no-runs.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

const GOOD = { verdict: 'continue', reason: 'Half of it is there', summary: 'The lexer works' };
const DEAD = { run: 'agent-7', task: 'a', fence: 1 };
const ON = new AbortController().signal;

/** A task held by a run, in a project whose worktrees say what `trees` says. */
async function place(model: Model, trees: Partial<AttemptTrees> = {}) {
  const own = world();
  const agents = path.join(room(), 'agents');
  mkdirSync(agents);
  const worktrees = await own.context.trees();
  const context: Context = {
    ...own.context,
    freshId: () => '0123456789abcdef',
    model: async () => model,
    wording: async () => new WordingFolder(path.resolve('data/prompts')),
    checkpoints: async () => new CheckpointFolder(agents),
    settings: async () => ({ name: 'config.toml', read: async () => ({}), set: async () => ({ kept: true }) }),
    ...bothPorts(
      async () => Object.assign(Object.create(worktrees), { stateOf: async () => undefined }, trees) as AttemptTrees,
    ),
  };
  await own.add('a', { title: 'Write the parser', description: 'All of it' });
  await own.store.commit((view) => claimTask(view, 'a', { now: own.clock.now(), by: { name: 'agent-7' } }));
  return { ...own, context };
}
const tree = (ahead: number): Partial<AttemptTrees> => ({ stateOf: async () => ({ ahead }) as never });

verifies(
  'triage.verdict',
  'the end of the output goes to the model, no more than that, and its verdict comes back',
  async () => {
    const model = new ScriptedModel([JSON.stringify(GOOD)]);
    const { context, outputs } = await place(model);
    outputs.set('agent-7', `THE BEGINNING ${'x'.repeat(WORK_LIMITS.triageOutputBytes - 7)}THE END`);
    expect(await triageRun(context, DEAD, ON)).toEqual({ of: 'triage', ...GOOD });
    const [question] = model.asked;
    expect(question?.timeMs).toBe(30_000);
    for (const part of ['Write the parser', 'All of it', 'THE END', 'verdict'])
      expect(question?.prompt).toContain(part);
    expect(question?.prompt).not.toContain('THE BEGINNING');
  },
);

verifies(
  'triage.unlocked',
  'no model, an error, bad words: gone on with where a checkpoint or commits are, else begun anew',
  async () => {
    const answers = [
      new TroupeError('no_model'),
      new TroupeError('bad_model_answer', { what: 'It took longer.' }),
      'It is done, I think.',
    ];
    for (const answer of answers) {
      const asked = async (trees: Partial<AttemptTrees>, fields = {}) => {
        const { context, set } = await place(new ScriptedModel([answer]), trees);
        await set('a', fields);
        return triageRun(context, DEAD, ON);
      };
      expect(await asked({})).toEqual({
        ...{ of: 'triage', verdict: 'restart' },
        reason: expect.stringMatching(/^it left nothing to continue from; no model was available: ./),
      });
      expect(await asked(tree(1))).toEqual({
        ...{ of: 'triage', verdict: 'continue' },
        reason: expect.stringMatching(/^it left something to continue from; no model was available: ./),
      });
      const noTrees = { stateOf: () => Promise.reject(new TroupeError('not_a_repository')) };
      expect(await asked(noTrees)).toMatchObject({ verdict: 'restart' });
      await expect(asked({ stateOf: () => Promise.reject(new Error('odd')) })).rejects.toThrow('odd');
      expect(await asked(tree(0))).toMatchObject({ verdict: 'restart' });
      expect(await asked(tree(2))).toMatchObject({ verdict: 'continue' });
      expect(await asked({}, { checkpoint: 'half' })).toMatchObject({ verdict: 'continue' });
    }
  },
);

verifies(
  'crash.service-triage',
  'asked twice it only looks twice; a service that ends does not wait for the model',
  async () => {
    const { context, store, outputs } = await place(new ScriptedModel([JSON.stringify(GOOD), JSON.stringify(GOOD)]));
    outputs.set('agent-7', 'words');
    const { seq } = await store.view();
    const answers = [await triageRun(context, DEAD, ON), await triageRun(context, DEAD, ON)];
    expect(answers[0]).toEqual(answers[1]);
    expect((await store.view()).seq).toBe(seq);
    const never: Model = { ready: async () => undefined, complete: () => new Promise(() => undefined) };
    const ending = new AbortController();
    const slow = triageRun((await place(never)).context, DEAD, ending.signal);
    setImmediate(() => ending.abort());
    expect(await slow).toMatchObject({ verdict: 'restart' });
  },
);

verifies(
  ['coord.tick.checkpoint', 'checkpoint.save'],
  'an automatic one holds facts of the run, and none is left without the claim',
  async () => {
    const changes = { changes: { files: [{ path: 'src/a.ts' }] }, untracked: ['src/b.ts'] };
    const { context, store, outputs, set } = await place(new ScriptedModel([]), {
      changes: async () => changes as never,
    });
    outputs.set('agent-7', 'twelve bytes');
    const usage = { input_tokens: 7, output_tokens: 2 };
    await keepCheckpoint(context, { ...DEAD, turns: 16, usage });
    const [kept] = await (await context.checkpoints()).list('a', ['agent-7']);
    expect(kept).toMatchObject({
      ...{ type: 'auto', agent_id: 'agent-7', turn_count: 16, stream_offset: 12, token_usage: usage },
      files_modified: ['src/a.ts', 'src/b.ts'],
      summary: expect.stringContaining('twelve bytes'),
    });
    expect((await store.view()).task('a')).toMatchObject({
      checkpoint: expect.stringContaining('twelve bytes'),
      checkpoint_mark: { run: 'agent-7', turns: 16 },
    });
    await set('a', { fence: 2, assigned: 'agent-8' });
    await expect(keepCheckpoint(context, { ...DEAD, turns: 32 })).rejects.toMatchObject({ code: 'stale_attempt' });
    expect(await (await context.checkpoints()).list('a', ['agent-7'])).toHaveLength(1);
  },
);

verifies(
  'say.raw',
  'an automatic checkpoint says in words what the client said, not what its stream printed',
  async () => {
    const { context, store } = await place(new ScriptedModel([]));
    const events = `${JSON.stringify({ type: 'text', text: 'The lexer reads numbers' })}\n`;
    const runs: RunFolders = {
      ...NO_RUNS,
      part: async (_run, of) => {
        const text = of === 'events' ? events : '{"type":"assistant","input_tokens":1200}';
        return { text, next: text.length, size: text.length };
      },
    };
    await keepCheckpoint({ ...context, runs: async () => runs }, { ...DEAD, turns: 16 });
    expect((await store.view()).task('a')).toMatchObject({ checkpoint: 'Printed last:\nThe lexer reads numbers' });
  },
);
