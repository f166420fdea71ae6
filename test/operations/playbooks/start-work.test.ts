import { expect, test } from 'vitest';
import { isTask } from '#core/graph/task.js';
import { abandon } from '#operations/graph/moves.js';
import { blueprintApply } from '#operations/playbooks/apply.js';
import { playbookStatus } from '#operations/playbooks/runs.js';
import { startWork } from '#operations/playbooks/start-work.js';
import { GraphInMemory } from '../../graph-in-memory.js';
import { verifies } from '../../verifies.js';
import { Stage } from '../team/casting-stage.js';

function stageWithGraph(): Stage {
  const stage = new Stage();
  stage.store = new GraphInMemory({ now: () => stage.now });
  return stage;
}

async function titlesOf(stage: Stage): Promise<string[]> {
  const nodes = [...((await stage.store?.view())?.nodes() ?? [])];
  return nodes.flatMap((node) => (isTask(node) ? [node.title] : []));
}

verifies(
  'ui.do',
  'a goal becomes the tasks of the workflow that the project has chosen; their titles name it',
  async () => {
    const stage = stageWithGraph();
    await stage.call(blueprintApply, { id: 'operations' });
    const goal = 'Bring the shop back up\nand say why it was down';
    const planned = await stage.call(startWork, { goal, dry_run: true });
    expect(planned).toMatchObject({ workflow: 'incident-response', resumed: false });
    expect(planned.tasks?.map((task) => task.id)).toEqual(planned.task_ids);
    expect(await titlesOf(stage)).toEqual([]);

    const started = await stage.call(startWork, { goal });
    expect(started).toMatchObject({ workflow: 'incident-response', team: { cast: false, members: 7 } });
    expect(started.task_ids).toEqual(planned.task_ids);
    const titles = await titlesOf(stage);
    expect(titles.every((title) => title.endsWith(': Bring the shop back up'))).toBe(true);
  },
);

verifies('ui.do', 'without a choice of the project it is thought, done and looked at', async () => {
  const stage = stageWithGraph();
  const started = await stage.call(startWork, { goal: 'Add a version flag', cast: true });
  expect(started).toMatchObject({ workflow: 'default', team: { cast: true } });
  expect(await titlesOf(stage)).toContain('Make a plan: Add a version flag');
});

verifies('gate.plan-shown', 'the plan shown before anybody is cast is the plan that is made, or none', async () => {
  const stage = stageWithGraph();
  const wish = { goal: 'Add a version flag', cast: true };
  const shown = await stage.call(startWork, { ...wish, dry_run: true });
  expect([await titlesOf(stage), stage.files()]).toEqual([[], {}]);
  const review = shown.tasks?.find(({ id }) => id === 'default-review');
  expect(review).toMatchObject({ member: expect.any(String) });
  expect(review?.human).toBeUndefined();
  await expect(stage.call(startWork, { ...wish, plan: `${shown.plan}0` })).rejects.toMatchObject({
    code: 'plan_changed',
  });
  expect(await titlesOf(stage)).toEqual([]);
  const started = await stage.call(startWork, { ...wish, plan: shown.plan });
  expect(started.task_ids).toEqual(shown.task_ids);
  const made = (await stage.store?.view())?.task('default-review');
  expect(made?.member).toBe(review?.member);
  // The same words again are another run: another plan than the one that was agreed to.
  await expect(stage.call(startWork, { ...wish, plan: shown.plan })).rejects.toMatchObject({ code: 'plan_changed' });
});

verifies(
  ['web.do.edit', 'gate.plan-shown'],
  'an edited plan is shown with its own hash, and made as shown; no other change goes through with it',
  async () => {
    const stage = stageWithGraph();
    const wish = { goal: 'Add a version flag', cast: true };
    const shown = await stage.call(startWork, { ...wish, dry_run: true });
    expect(shown.casts).toBe(true);
    const [, worker] = shown.tasks ?? [];
    const other = shown.members?.find(
      ({ name }) => !shown.tasks?.some(({ member }) => member === name) && name !== worker?.member,
    );
    const edits = [
      { step: 'plan', drop: true as const },
      { step: 'work', title: 'Add --version', member: other?.name },
      { step: 'review', human: true as const },
    ];
    const edited = await stage.call(startWork, { ...wish, edits, dry_run: true });
    expect(edited.tasks?.map(({ node }) => node)).toEqual(['work', 'review', 'record']);
    expect(edited.plan).not.toBe(shown.plan);
    await expect(stage.call(startWork, { ...wish, edits, plan: shown.plan })).rejects.toMatchObject({
      code: 'plan_changed',
    });
    await expect(stage.call(startWork, { ...wish, plan: edited.plan })).rejects.toMatchObject({ code: 'plan_changed' });
    expect(await titlesOf(stage)).toEqual([]);
    await stage.call(startWork, { ...wish, edits, plan: edited.plan });
    const view = await stage.store?.view();
    expect(view?.task('default-work')).toMatchObject({ title: 'Add --version', member: other?.name });
    expect(view?.task('default-review')).toMatchObject({ human: true });
    expect(view?.task('default-plan')).toBeUndefined();
    await expect(
      stage.call(startWork, { workflow: 'repository-review', edits, cast: true, dry_run: true }),
    ).rejects.toMatchObject({ code: 'bad_input', message: expect.stringContaining('fixed') });
  },
);

verifies('web.do.inputs', 'values of inputs stand as given; the goal fills the others', async () => {
  const stage = stageWithGraph();
  const wish = { workflow: 'bug-fix', inputs: ['report=The page is empty'], cast: true, dry_run: true };
  const planned = await stage.call(startWork, wish);
  expect(planned.tasks?.[0]?.title).toBe('Find out what is wrong');
  const both = await stage.call(startWork, { ...wish, workflow: 'default', goal: 'Other', inputs: ['goal=This'] });
  expect(both.tasks?.[0]?.title).toBe('Make a plan: This');
  await expect(stage.call(startWork, { ...wish, inputs: ['color=red'] })).rejects.toMatchObject({
    code: 'bad_input',
    hint: expect.stringContaining('report'),
  });
});

verifies('web.do.estimate', 'earlier attempts at the same steps say what a plan may cost', async () => {
  const stage = stageWithGraph();
  const wish = { goal: 'Add a version flag', cast: true };
  const unknown = await stage.call(startWork, { ...wish, dry_run: true });
  expect(unknown.estimate).toBeNull();
  await stage.call(startWork, wish);
  const usage = { cost_usd: 0.5, input_tokens: 1_000 };
  const ended = (task_id: string, run: string) => ({
    ...{ op: 'agent_complete', task_id, actor: run, patch: [], detail: { run, executor: 'claude', usage } },
  });
  await stage.store?.commit(() => ({
    events: [ended('default-work', 'agent-1'), ended('default-work', 'agent-2'), ended('default-plan', 'agent-3')],
    result: undefined,
  }));
  const known = await stage.call(startWork, { ...wish, dry_run: true });
  // plan 0.5, work 1.0, and for each of the two others the mean of both
  expect(known.estimate).toEqual({ usd: 3, tokens: 6_000, tasks: 2 });
});

test('a team that nobody has seen is cast only for somebody who says so', async () => {
  const stage = stageWithGraph();
  await expect(stage.call(startWork, { workflow: 'bug-fix' })).rejects.toMatchObject({ code: 'no_team' });
  expect([await titlesOf(stage), stage.files()]).toEqual([[], {}]);
});

test('a blueprint needs a goal, and begins anew', async () => {
  const stage = stageWithGraph();
  for (const wish of [{ goal: ' ' }, { goal: 'Rest', resume: true }, { goal: 'Rest', dry_run: true }])
    await expect(stage.call(startWork, { blueprint: 'support', ...wish })).rejects.toMatchObject({ code: 'bad_input' });
  const ignored = [
    { goal: 'Rest', intent: 'new' },
    { blueprint: 'support', blueprint_file: '/support.json', goal: 'Rest' },
    { blueprint: 'support', workflow: 'bug-fix', goal: 'Rest' },
  ];
  for (const wish of ignored)
    await expect(stage.call(startWork, wish), 'one of them would be ignored').rejects.toMatchObject({
      code: 'bad_input',
      message: expect.stringMatching(/intent|Two blueprints|own first workflow/),
    });
  await expect(stage.call(startWork, { blueprint: 'support', goal: 'Rest', dry_run: true })).rejects.toMatchObject({
    hint: expect.stringContaining('troupe playbooks ID'),
  });
  expect(stage.files()).toEqual({});
  const started = await stage.call(startWork, { blueprint: 'support', goal: 'Answer the mails' });
  expect(started).toMatchObject({ run: 'default', workflow: 'default', resumed: false, team: { cast: true } });
});

test('what was begun last and has not ended goes on; else something new begins', async () => {
  const stage = stageWithGraph();
  const first = await stage.call(startWork, { workflow: 'default', cast: true, override: true });
  stage.now += 1_000;
  const second = await stage.call(startWork, { workflow: 'bug-fix', override: true });
  const resumed = await stage.call(startWork, { resume: true });
  expect(resumed).toMatchObject({ run: second.run, workflow: 'bug-fix', resumed: true });
  expect(resumed.task_ids).toEqual(second.task_ids); // in the order of the work
  const { runs } = await stage.call(playbookStatus);
  expect(runs.map(({ run }) => run)).toEqual([second.run, first.run]);
  for (const id of second.task_ids) await stage.call(abandon, { id });
  expect(await stage.call(startWork, { resume: true })).toMatchObject({ run: first.run, resumed: true });
  for (const id of first.task_ids) await stage.call(abandon, { id });
  const third = await stage.call(startWork, { resume: true, workflow: 'default', override: true });
  expect(third).toMatchObject({ run: 'default-2', resumed: false });
});
