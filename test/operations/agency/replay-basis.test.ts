import { expect } from 'vitest';
import { LocalGit } from '#adapters/git/local-git.js';
import { agentCreate } from '#operations/agency/entities.js';
import { evaluationRecord } from '#operations/agency/evaluations.js';
import { agencyInit } from '#operations/agency/init.js';
import { evolveRun } from '#operations/agency/run.js';
import { evolveRuns } from '#operations/agency/runs.js';
import type { CoordinatorFacts } from '#operations/coordinator-facts.js';
import type { Model, ModelAnswer, ModelQuestion } from '#ports/model.js';
import { git } from '../../repository.js';
import { verifies } from '../../verifies.js';
import { stage } from '../agency/place.js';

/** Proposes one change, does what it is asked, and scores it: the work of the child is better, and each answer costs a cent. */
class Proposer implements Model {
  readonly asked: string[] = [];

  async ready(): Promise<void> {
    // It is always there.
  }

  async complete({ purpose = '', prompt }: ModelQuestion): Promise<ModelAnswer> {
    this.asked.push(purpose);
    const operation = { op: 'modify_role', target_id: 'Programmer', description: 'Sharper.', rationale: 'weak' };
    const score = prompt.includes('of a child') ? 0.9 : 0.4;
    const dimensions = { correctness: score, completeness: score, efficiency: score, style_adherence: score };
    const said = {
      evolver: JSON.stringify({ operations: [operation] }),
      replay: prompt.includes('Sharper.') ? 'of a child' : 'of a parent',
    };
    const text =
      purpose === 'evolver' || purpose === 'replay' ? said[purpose] : JSON.stringify({ dimensions, notes: 'n' });
    return { text, usage: { costUsd: 0.01 } };
  }
}

/** Six tasks that were done from a commit, tried again by the coordinator that is given. */
async function tried(
  coordinator: ((change: (id: string, set: Readonly<Record<string, unknown>>) => Promise<void>) => object) | undefined,
  base?: string,
) {
  const model = new Proposer();
  const own = await stage({
    model: async () => model,
    git: async () => new LocalGit(process.env),
    ...(coordinator === undefined ? {} : { coordinator: () => coordinator(change) as CoordinatorFacts }),
  });
  git(own.project, 'init', '--quiet', '--initial-branch=main');
  git(own.project, 'commit', '--quiet', '--allow-empty', '-m', 'first');
  await own.call(agencyInit);
  const bot = await own.call(agentCreate, { name: 'Rusty', role: 'Programmer', tradeoff: 'Careful' });
  const evidence = { base: base ?? git(own.project, 'rev-parse', 'HEAD').trim() };
  for (let index = 0; index < 6; index++) {
    await own.put(`t${index}`, { status: 'done', agent: bot.id, description: `Do ${index}.`, evidence });
    await own.call(evaluationRecord, { id: `t${index}`, score: 0.5 });
  }
  async function change(id: string, set: Readonly<Record<string, unknown>>): Promise<void> {
    const patch = [{ id, set }];
    await own.store.commit(() => ({ events: [{ op: 'edit', task_id: id, patch }], result: undefined }));
  }
  const { run = '', counts, operations = [] } = await own.call(evolveRun, { replay: 3 });
  const { replays = [], runs } = await own.call(evolveRuns, { run });
  const [replay] = replays;
  const view = await own.store.view();
  const left = [...view.nodes()].filter(({ id }) => /^\.?t/.test(id)).length;
  await own.store.close();
  return {
    ...{ counts, said: operations.map(({ status }) => status), asked: model.asked.join(' '), left },
    cost: Math.round((runs[0]?.cost_usd ?? 0) * 1_000) / 1_000,
    kinds: replay?.pairs.map(({ kind, why, parent, child }) => `${kind} ${parent} ${child} ${why}`.trim()),
    unusable: replay?.unusable.map(({ reason }) => reason),
    gain: replay?.gain,
  };
}

const IN_TEXT = {
  ...{ counts: { applied: 1 }, said: ['applied'], left: 6, unusable: [] },
  asked: `evolver${' replay evaluator replay evaluator'.repeat(3)}`,
  cost: 0.13,
  gain: expect.closeTo(0.5),
};
const inText = (why: string) => ({ ...IN_TEXT, kinds: Array(3).fill(`text 0.4 0.9 ${why}`) });

verifies(
  'test.bites',
  'where no client can try a change, a model says in text what it would do, and why is told',
  async () => {
    expect(await tried(undefined)).toEqual(inText('No service is running to start an attempt.'));
    expect(await tried(() => ({ executor: 'shell' }))).toEqual(inText('No client can be started.'));
    expect(await tried(() => ({ missing: 'there is none' }))).toEqual(
      inText('No client can be started: there is none'),
    );
    const gone = await tried(() => ({ executor: 'claude' }), 'f'.repeat(40));
    expect(gone).toEqual(inText('Its base commit is no longer in the repository.'));
    expect(await tried(() => ({ executor: 'claude' }), '')).toMatchObject({ left: 6 });
  },
);

verifies('test.bites', 'where a client can try it, both do the task in files, and what fails is told', async () => {
  let number = 0;
  const coordinator = (change: (id: string, set: Readonly<Record<string, unknown>>) => Promise<void>) => ({
    ...{ executor: 'claude', agents: () => [] },
    spawn: async ({ task }: { task: string }) => {
      const words = `Last words: the ${++number % 2 === 0 ? 'second' : 'first'}`;
      const log = [{ timestamp: '2026-03-01T10:00:00Z', message: words }];
      await change(task, {
        status: number > 4 ? 'failed' : 'done',
        ...(number > 4 ? {} : { log }),
        token_usage: { cost_usd: 1 },
      });
    },
  });
  const found = await tried(coordinator as never);
  expect(found).toMatchObject({
    ...{ said: ['held'], left: 6, asked: `evolver${' evaluator'.repeat(4)}`, cost: 5.05 },
    ...{ kinds: ['worktree 0.4 0.4', 'worktree 0.4 0.4'], unusable: ['It is failed.'] },
  });
});
