import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { ScriptedModel } from '#adapters/models/scripted-model.js';
import { TroupeError } from '#kernel/errors.js';
import { evolveApply } from '#operations/agency/apply.js';
import { agentCreate } from '#operations/agency/entities.js';
import { evaluationRecord } from '#operations/agency/evaluations.js';
import { agencyInit } from '#operations/agency/init.js';
import {
  evolveReviewApprove,
  evolveReviewList,
  evolveReviewReject,
  evolveReviewShow,
} from '#operations/agency/review.js';
import { evolveRun } from '#operations/agency/run.js';
import { evolveRollback, evolveRuns } from '#operations/agency/runs.js';
import { approve } from '#operations/graph/approve.js';
import { reject } from '#operations/graph/moves.js';
import { loadAgency } from '#operations/load-agency.js';
import { verifies } from '../../verifies.js';
import { stage } from '../agency/place.js';
import { Calls } from '../told.js';

const golden = (name: string) => path.join(import.meta.dirname, `../golden/${name}.txt`);
const WHY = { rationale: 'completeness is 0.4' };

/** A project with the shipped agency, its calls told, and ids of entities as the names that these have. */
async function evolving(...answers: (string | TroupeError)[]) {
  const model = new ScriptedModel(answers);
  const own = await stage({ model: async () => model });
  await own.call(agencyInit);
  const calls = new Calls(() => own.context());
  const agency = () => loadAgency({ agency: async () => own.agency, graph: async () => own.store });
  const apply = async (value: unknown, more: object = {}) => {
    writeFileSync(path.join(own.project, 'operations.json'), JSON.stringify(value));
    return (await calls.say(evolveApply, { file: 'operations.json', ...more })) as { run: string; waiting?: string[] };
  };
  /** Reports and what waits, as their files are. */
  const kept = (folder: string) => {
    const place = path.join(own.folder, 'agency', folder);
    for (const name of readdirSync(place).sort())
      calls.lines.push(`${folder}/${name}`, ...readFileSync(path.join(place, name), 'utf8').trimEnd().split('\n'));
  };
  const text = async () => {
    const names = new Map<string, string>();
    const all = await agency();
    for (const kind of ['role', 'tradeoff', 'agent'] as const)
      for (const retired of [false, true])
        for (const { id, name } of all.all(kind, retired)) names.set(id, `<${kind} ${name}>`);
    return [...names].reduce(
      (told, [id, name]) => told.replaceAll(id, name).replaceAll(id.slice(0, 8), name),
      calls.text,
    );
  };
  return { ...own, calls, agency, apply, kept, text };
}

verifies('test.bites', 'what is proposed by hand, what becomes of it, and what is kept of it', async () => {
  const { calls, agency, apply, kept, text, call, as, store } = await evolving();
  const begin = await agency();
  const role = (name: string) => begin.find('role', name).id;
  const careful = begin.find('tradeoff', 'Careful').id;
  await call(agentCreate, { name: 'Ann', role: 'Reviewer', tradeoff: 'Fast', executor: 'email' });
  const sharper = (name: string, more: object = {}) => ({
    op: 'modify_role',
    target_id: role(name),
    description: 'Sharper.',
    ...WHY,
    ...more,
  });
  await apply('words');
  await apply({ operations: 7 });
  await apply([]);
  const first = await apply(
    {
      summary: 'by hand',
      operations: [
        sharper('Programmer'),
        { op: 'retire_tradeoff', target_id: careful, ...WHY },
        { op: 7 },
        { op: 'Drop!', ...WHY },
        ['a list'],
        'words',
        sharper('Evolver', { name: 'Sharp evolver', skills: ['cobol', 'rust'], desired_outcome: 'All of it.' }),
        {
          op: 'create_role',
          name: 'Keeper',
          description: 'Keeps.',
          desired_outcome: 'Kept.',
          skills: ['keep'],
          ...WHY,
        },
        {
          op: 'create_tradeoff',
          name: 'Late',
          description: 'Late.',
          acceptable_tradeoffs: ['Time'],
          unacceptable_tradeoffs: ['Bugs'],
          ...WHY,
        },
        sharper('Evolver', { description: 'Sharpest.' }),
        { op: 'retire_role', target_id: 'nobody', ...WHY },
      ],
    },
    { budget: 4 },
  );
  const [one = '', two = ''] = first.waiting ?? [];
  await calls.say(evolveReviewList, {});
  for (const id of [one, `${first.run}-op1`, `${first.run}-op2`, `${first.run}-op8`, 'run-2', 'nobody', 'x'.repeat(90)])
    await calls.say(evolveReviewShow, { id });
  as({ kind: 'run', name: 'agent-1', taskId: 'own', fence: 1 } as never);
  await calls.say(evolveReviewApprove, { id: one });
  await calls.say(evolveRollback, { run: first.run });
  as({ kind: 'person', name: 'ann' });
  await calls.say(evolveReviewApprove, { id: one });
  await calls.say(evolveReviewApprove, { id: one });
  await calls.say(evolveReviewReject, { id: two });
  await calls.say(evolveReviewShow, { id: one });
  await calls.say(evolveReviewList, { all: true });
  const third = await apply([
    sharper('Evolver', { description: 'By its task.' }),
    sharper('Evolver', { description: 'Not so.' }),
    sharper('Reviewer'),
  ]);
  const [yes = '', no = ''] = third.waiting ?? [];
  await calls.say(approve, { id: `evolve-review-${yes}` } as never);
  await calls.say(reject, { id: `evolve-review-${no}`, reason: 'no' } as never);
  const fourth = await apply([
    sharper('Evolver', { description: 'Left aside.' }),
    { op: 'retire_role', target_id: role('Documenter'), ...WHY },
  ]);
  for (const input of [{}, { run: first.run }, { run: 'run-2026' }, { run: 'nobody' }])
    await calls.say(evolveRuns, input);
  await calls.say(evolveRollback, { run: fourth.run });
  await calls.say(evolveRollback, { run: fourth.run });
  await calls.say(evolveRollback, { run: first.run });
  await calls.say(evolveReviewList, { all: true });
  kept('evolution_runs');
  kept('deferred');
  for await (const entry of store.entries(1))
    if (entry.op.startsWith('evolve')) calls.lines.push(JSON.stringify({ ...entry.detail, change: undefined }));
  await calls.tasks();
  await expect(await text()).toMatchFileSnapshot(golden('evolutions'));
  await store.close();
});

verifies('test.bites', 'what a model is shown and answers: each strategy, and every answer of no use', async () => {
  const operations = [{ op: 'modify_role', target_id: 'Programmer', description: 'Sharper.', ...WHY }];
  const answer = JSON.stringify({ summary: 'One thing.', operations });
  const failing = new TroupeError('bad_model_answer', { what: 'The model fell over.' });
  const own = await evolving(answer, 'prose', '{"operations": []}', failing, answer);
  const { calls, call, put, kept, text, store, as } = own;
  const bot = await call(agentCreate, { name: 'Rusty', role: 'Programmer', tradeoff: 'Careful' });
  for (const [index, score] of [0.2, 0.4, 0.9].entries()) {
    await put(`t${index}`, { status: 'done', agent: bot.id });
    await call(evaluationRecord, { id: `t${index}`, score, source: 'ci:unit', dimensions: [`completeness=${score}`] });
  }
  await put('wanted', { skills: ['cobol'] });
  for (const strategy of ['all', 'mutation', 'crossover', 'gap-analysis', 'retirement', 'tradeoff-tuning']) {
    const told = (await evolveRun.run(own.context(), { dry_run: true, strategy } as never)) as { prompt?: string };
    calls.lines.push(
      `== ${strategy}`,
      ...(told.prompt ?? '')
        .split('\n')
        .filter((line) => /guide:|strategy|At most|target_id|mean|wanted|cobol/.test(line))
        .map((line) => `  ${line.slice(0, 160)}`),
    );
  }
  for (const input of [{ strategy: 'mutation', budget: 1 }, {}, {}, {}, { budget: 0 }])
    await calls.say(evolveRun, input as never);
  as({ kind: 'run', name: 'agent-1', taskId: 'own', fence: 1 } as never);
  await calls.say(evolveRun, {} as never);
  kept('evolution_runs');
  await expect((await text()).replace(/<<<(\/?)data-\S+/g, '<<<$1data')).toMatchFileSnapshot(
    golden('evolutions-by-model'),
  );
  await store.close();
});
