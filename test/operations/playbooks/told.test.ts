import path from 'node:path';
import { expect } from 'vitest';
import { ScriptedModel } from '#adapters/models/scripted-model.js';
import { TroupeError } from '#kernel/errors.js';
import { blueprintApply } from '#operations/playbooks/apply.js';
import { blueprintShow, blueprintValidate } from '#operations/playbooks/blueprints.js';
import { blueprintGenerate } from '#operations/playbooks/generate.js';
import { startWork } from '#operations/playbooks/start-work.js';
import { write } from '../../repository.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';
import { Works } from '../workflows/works.js';
import { TRIPS } from './sample.js';

const golden = (name: string) => path.join(import.meta.dirname, `../golden/${name}.txt`);
const worksOf = () => new Works(path.join(room(), 'project'));
const flow = (id: string, rest: string) => ({
  [`.squad/workflows/${id}.yaml`]: `id: ${id}\ntrigger: {type: manual}\nedges: []\nnodes: [{id: look, type: prompt}]\n${rest}`,
});

verifies('test.bites', 'a blueprint that is named, brought along or wrong, and the project it makes', async () => {
  const stage = worksOf();
  const { calls } = stage;
  const { draft: _, ...plain } = TRIPS;
  const role = TRIPS.bespoke_roles[0];
  write(stage.folder, {
    'own.yaml': JSON.stringify(TRIPS),
    'made.json': JSON.stringify({ blueprint: TRIPS, method: 'lexical' }),
    'named.json': JSON.stringify({ ...TRIPS, blueprint: { ...TRIPS, roster: [] } }),
    'none.json': JSON.stringify({ blueprint: 7 }),
    '.squad/review-policies/own.yaml': 'id: own\nsteps: [rai]\n',
    '.squad/review-policies/bad.yaml': 'id: [\n',
    '.squad/workflows/torn.yaml': 'id: torn\nnodes: 7\n',
    ...flow('seven', ''),
  });
  for (const id of ['support', 'blueprint-support', 'suport', 'x'.repeat(70)]) await calls.say(blueprintShow, { id });
  const trips = (more: object) => ({ blueprint: { ...TRIPS, ...more } });
  for (const input of [
    {},
    { id: 'support', file: 'own.yaml' },
    { id: 'support', blueprint: TRIPS },
    { id: 'nobody' },
    { file: 'own.yaml' },
    { file: 'made.json' },
    { file: 'named.json' },
    { file: 'none.json' },
    { file: 'missing.json' },
    trips({ review_policy: 'own' }),
    trips({ review_policy: 'bad' }),
    trips({ workflows: ['plan-a-trip', 'seven', 'torn'] }),
    trips({ draft: { ...TRIPS.draft, id: 'torn' }, workflows: ['torn'] }),
    trips({ draft: { ...TRIPS.draft, id: 'seven' }, workflows: ['seven'] }),
    trips({ draft: { ...TRIPS.draft, edges: [] } }),
    trips({ bespoke_roles: [{ ...role, title: ' \u202e ' }], workflows: ['default'] }),
    { blueprint: { ...plain, workflows: ['default'], roster: ['writer'] } },
  ])
    await calls.say(blueprintValidate, input);
  await calls.say(blueprintApply, trips({ workflows: [] }));
  await calls.say(blueprintApply, { file: 'made.json', intent: 'augment' });
  await calls.say(blueprintApply, { file: 'made.json', intent: 'none' });
  write(stage.folder, { '.squad/config.json': '{"version":1,"kept":true,"default_workflow":"seven"}' });
  await calls.say(blueprintApply, { file: 'made.json', seed: 'fixed', universe: 'The Matrix' });
  calls.lines.push(...Object.entries(stage.files()).map(([name, text]) => `${name}: ${text.length}`));
  calls.lines.push(stage.files()['.squad/config.json'] ?? '', stage.files()['.squad/workflows/plan-a-trip.yaml'] ?? '');
  await calls.say(blueprintApply, { file: 'made.json' });
  await calls.say(blueprintValidate, trips({}));
  await calls.say(blueprintValidate, trips({ draft: { ...TRIPS.draft, name: 'Another' } }));
  write(stage.folder, { '.squad/config.json': '{"default_workflow": 7}' });
  await calls.say(blueprintApply, { id: 'support', intent: 'new' });
  await expect(stage.text).toMatchFileSnapshot(golden('blueprints'));
});

verifies('test.bites', 'a goal for each kind of workflow, a team that is there or not, and what goes on', async () => {
  const stage = worksOf();
  const { calls } = stage;
  write(stage.folder, {
    ...flow('plain', ''),
    ...flow('takes', "inputs: [{name: goal, default: ''}, {name: why}, {name: kind, default: x}]\n"),
    '.squad/config.json': '{"version":1,"default_workflow":"repository-review"}',
  });
  const goal = '  Add a version flag\n';
  for (const input of [
    { goal },
    { workflow: 'plain', cast: false },
    { workflow: 'plain', dry_run: true, goal },
    { workflow: 'takes', dry_run: true, goal },
    { workflow: 'takes', dry_run: true },
    { workflow: 'plain', dry_run: true, cast: true, goal: ' ' },
    { blueprint: 'support' },
    { blueprint: 'support', goal, resume: true },
    { blueprint_file: 'support', goal, dry_run: true },
    { blueprint_file: 'support.json', goal },
    { resume: true, workflow: 'plain', dry_run: true },
    { blueprint: 'support', goal },
    { blueprint: 'support', goal },
    { blueprint: 'support', goal, intent: 'new', clients: true },
    { resume: true },
    { resume: false, goal, plan: 'another' },
    { workflow: 'plain', goal },
    { workflow: 'plain', goal, override: true },
    { goal },
  ])
    await calls.say(startWork, input);
  stage.now += 1_000;
  await calls.say(startWork, { workflow: 'takes', goal, override: true, cast: true });
  await stage.set('takes-look', { status: 'done' });
  await calls.say(startWork, { resume: true });
  write(stage.folder, { '.squad/config.json': '{"version":1}' });
  await calls.say(startWork, { goal, dry_run: true });
  await calls.tasks();
  await expect(stage.text).toMatchFileSnapshot(golden('work-started'));
});

const ROLE = { id: 'travel-planner', title: 'Travel Planner', charter: 'Plans ways and nights. Books nothing.' };
const ANSWER = {
  purpose: 'operate',
  ...{ id: 'Trips!', name: 'Trips', description: 'Plans trips.', roster: ['travel-planner', 'editor'] },
  ...{ workflows: ['content-authoring'], review_policy: 'peer', sandbox_profile: 'restricted', bespoke_roles: [ROLE] },
};

verifies(
  'test.bites',
  'what is generated of a description, with a model and without, and where it is written',
  async () => {
    const stage = worksOf();
    const { calls } = stage;
    const answer = (more: object) => JSON.stringify({ ...ANSWER, ...more });
    const draft = (more: object) => JSON.stringify({ ...TRIPS.draft, ...more }).replace('writer', 'editor');
    const failing = new TroupeError('bad_model_answer', { what: 'The model fell over.' });
    write(stage.folder, {
      ...flow('own-process', ''),
      '.squad/workflows/plan-a-trip.yaml': 'id: plan-a-trip\nnodes: 7\n',
      '.squad/workflows/torn.yaml': 'id: torn\nnodes: 7\n',
    });
    const long = `${'w'.repeat(1_999)}\u{1f5fa}`;
    for (const [input, ...answers] of [
      [{ description: ' \n' }],
      [{ description: `${long}x`, offline: true }],
      [{ description: long, offline: true, size: 2 }],
      [{ description: 'Answer mails of customers', offline: true, out: 'made.json' }],
      [{ description: 'Answer mails of customers', offline: true, out: 'made.json' }],
      [{ description: 'Write articles', offline: true, out: 'made.json', force: true }],
      [{ description: 'Plan trips', size: 4 }, answer({})],
      [{ description: 'Plan trips' }, answer({ workflows: ['own-process', 'torn'] })],
      [{ description: 'Plan trips every Monday' }, answer({ workflows: [], roster: ['editor'] }), draft({})],
      [{ description: 'Plan trips' }, answer({ workflows: [] }), 'nothing', draft({ id: 'fresh' })],
      [{ description: 'Plan trips' }, answer({ workflows: [] }), 'nothing', 'nothing', draft({})],
      [{ description: 'Plan trips' }, answer({ workflows: [] }), failing, draft({})],
      [{ description: 'Plan trips', out: 'fallen.json' }, failing],
      [{ description: 'Plan trips' }, 'prose'],
    ] as [object, ...(string | TroupeError)[]][]) {
      const model = new ScriptedModel(answers);
      stage.model = model;
      await calls.say(blueprintGenerate, input as never);
      calls.lines.push(
        ...model.asked.map(
          ({ purpose, prompt }) => `  asked for ${purpose}: ${/Choose \d[^:.\n]*/.exec(prompt)?.[0] ?? ''}`,
        ),
      );
    }
    calls.lines.push(stage.files()['made.json'] ?? '', ...Object.keys(stage.files()));
    await expect(stage.text.replaceAll(long, 'LONG').replace(/000Z-[0-9a-f]{8}/g, '000Z-CALL')).toMatchFileSnapshot(
      golden('blueprints-generated'),
    );
  },
);
