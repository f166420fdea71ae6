import { expect } from 'vitest';
import { LocalGit } from '#adapters/git/local-git.js';
import { ScriptedModel } from '#adapters/models/scripted-model.js';
import type { Task } from '#core/graph/task.js';
import { TroupeError } from '#kernel/errors.js';
import { agencyInit } from '#operations/agency/init.js';
import { discardTrials, tryTask } from '#operations/agency/trial.js';
import type { CoordinatorFacts } from '#operations/coordinator-facts.js';
import { loadAgency } from '#operations/load-agency.js';
import type { ListedRun } from '#ports/run-host.js';
import { git } from '../../repository.js';
import { verifies } from '../../verifies.js';
import { stage } from '../agency/place.js';

const answer = (score: number) =>
  JSON.stringify({
    dimensions: { correctness: score, completeness: score, efficiency: score, style_adherence: score },
    notes: 'seen',
  });

/** A repository in which somebody did a task, and a coordinator whose runs end at once, as the test says. */
async function trying(...answers: (string | TroupeError)[]) {
  const model = new ScriptedModel(answers);
  const own = await stage({ model: async () => model, git: async () => new LocalGit(process.env) });
  git(own.project, 'init', '--quiet', '--initial-branch=main');
  git(own.project, 'commit', '--quiet', '--allow-empty', '-m', 'first');
  const base = git(own.project, 'rev-parse', 'HEAD').trim();
  await own.call(agencyInit);
  const agency = await loadAgency({ agency: async () => own.agency, graph: async () => own.store });
  await own.put('old', { status: 'done', title: 'Do it', description: 'All of it.', timeout: '1m' });
  const task = (await own.store.view()).task('old') as Task;
  const identity = { role: agency.find('role', 'Programmer'), tradeoff: agency.find('tradeoff', 'Careful') };
  const [asked, killed, runs]: [object[], unknown[], ListedRun[]] = [[], [], []];
  const costs: number[] = [];
  /** Changes the task that is tried, as its run would. */
  const change = async (id: string, set: Readonly<Record<string, unknown>>) => {
    const patch = [{ id, set }];
    await own.store.commit(() => ({ events: [{ op: 'edit', task_id: id, patch }], result: undefined }));
  };
  const attempt = async (spawn: (id: string) => Promise<void>) => {
    const coordinator = {
      agents: () => runs,
      kill: (run: string) => {
        killed.push(run);
        runs.splice(0);
        throw new TroupeError('not_found', { what: 'It has ended.' });
      },
      spawn: async (request: { task: string }) => {
        asked.push({ ...request, task: 'the trial' });
        await spawn(request.task);
        return { agent_id: 'agent-1' };
      },
    } as unknown as CoordinatorFacts;
    const outcome = await tryTask(own.context(), coordinator, { task, base, identity }, costs);
    return { outcome, left: [...(await own.store.view()).nodes()].map(({ id }) => id) };
  };
  const said = (message: string) => ({ log: [{ timestamp: '2026-03-01T10:00:00Z', message }] });
  return { ...own, model, attempt, change, said, asked, killed, runs, costs, task, base };
}

verifies(
  'test.bites',
  'a task that is tried again is scored by what came of it, and leaves nothing behind',
  async () => {
    const own = await trying(answer(0.75));
    const seen: Task[] = [];
    const { outcome, left } = await own.attempt(async (id) => {
      seen.push((await own.store.view()).task(id) as Task);
      await own.change(id, {
        ...{ status: 'done', assigned: 'agent-1', token_usage: { cost_usd: 0.5, input_tokens: 7 } },
        ...own.said('Last words: All is done.'),
      });
      own.runs.push({ id: 'agent-1', task_id: id, status: 'stopping' } as ListedRun);
      own.runs.push({ id: 'agent-2', task_id: 'other', status: 'working' } as ListedRun);
      own.runs.push({ id: 'agent-3', task_id: id, status: 'done' } as unknown as ListedRun);
    });
    expect(seen).toMatchObject([
      { title: 'Do it', status: 'open', description: 'All of it.', trial: { base: own.base } },
    ]);
    expect(outcome).toEqual({
      work: {
        score: 0.75,
        dimensions: { correctness: 0.75, completeness: 0.75, efficiency: 0.75, style_adherence: 0.75 },
        notes: 'seen',
        work: '',
        attempt: {
          ...{ status: 'done', run: 'agent-1', check_exit: null, last_words: 'All is done.' },
          usage: { cost_usd: 0.5, input_tokens: 7 },
        },
      },
    });
    expect([left, own.asked, own.killed, own.costs[0]]).toEqual([
      ['old'],
      [{ task: 'the trial', executor: undefined }],
      ['agent-1'],
      0.5,
    ]);
    expect(own.model.asked.length).toBe(1);
    await own.store.close();
  },
);

verifies(
  'test.bites',
  'why there is nothing that could be judged, and that it is taken away all the same',
  async () => {
    const failing = new TroupeError('bad_model_answer', { what: 'The model fell over.' });
    const own = await trying(failing, failing, failing, failing);
    const refused = await own.attempt(async () => {
      throw new TroupeError('budget_spent', { what: 'No money is left.' });
    });
    const silent = await own.attempt((id) => own.change(id, { status: 'failed', failure_reason: 'It broke.' }));
    const mute = await own.attempt((id) => own.change(id, { status: 'abandoned' }));
    const faster = await own.attempt(async (id) => {
      await own.change(id, { status: 'failed', failure_reason: 'Somebody else.' });
      throw new TroupeError('wrong_status', { what: 'It is taken.' });
    });
    const unjudged = await own.attempt((id) => own.change(id, { status: 'failed', ...own.said('Last words: No.') }));
    expect([refused, silent, mute, faster, unjudged]).toEqual(
      [
        'No money is left.',
        'It broke.',
        'It is abandoned.',
        'Somebody else.',
        expect.stringContaining('fell over'),
      ].map((reason) => ({ outcome: { reason }, left: ['old'] })),
    );
    expect(own.costs).toEqual([]);
    const coordinator = { agents: () => [] } as unknown as CoordinatorFacts;
    const { seq } = await own.store.view();
    await discardTrials(own.context(), coordinator, own.store, ['gone']);
    expect((await own.store.view()).seq).toBe(seq);
    await own.store.close();
  },
);
