import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { TRIPS } from '../operations/playbooks/sample.js';
import { write } from '../repository.js';
import { room } from '../room.js';
import { verifies } from '../verifies.js';
import { ownSettings, WITH_CLIENT } from './client-world.js';
import { asked, endEverything, type Finished, runsOf, startAtTerminal, statuses, troupe } from './program.js';

const GOAL = 'Answer the mails, play=reports';

/** A fresh folder: no repository, no graph, no team. */
function fresh() {
  const cwd = room('fresh');
  onTestFinished(() => endEverything(cwd));
  const env = { ...WITH_CLIENT, ...ownSettings() };
  return { cwd, env, run: (...more: string[]) => troupe(['run', ...more, '--exit', '--json'], { cwd, env }) };
}

const events = ({ stdout }: Finished) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

verifies(
  ['blueprint.apply', 'workflow.outcome', 'confirm.intent'],
  'run --blueprint in a fresh folder casts, compiles the first workflow with the goal, and has clients do it',
  async () => {
    const { cwd, run } = fresh();
    const ran = await run('--blueprint', 'support', GOAL);
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining('Cast 5 members')]);
    expect(events(ran).at(-1)).toMatchObject({ event: 'finished', run: 'default', outcome: 'passed' });
    expect(Object.values(await statuses(cwd))).toEqual(['done', 'done', 'done', 'done']);
    const { task } = await asked<{ task: Record<string, unknown> }>(['show', 'default-work'], { cwd });
    expect(task).toMatchObject({ token_usage: { cost_usd: 0.25 }, member: expect.any(String) });
    expect(String(task['description'])).toContain(GOAL);
    expect(runsOf(cwd)).toEqual([]);

    // Over the team there is now, the intent has to be said; nothing is begun without it.
    const refused = await run('--blueprint', 'support', GOAL);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('--intent new')]);
    expect(Object.keys(await statuses(cwd))).toHaveLength(4);
    // Without a client it says so and ends, instead of waiting for ever.
    const again = await run('--blueprint', 'support', GOAL, '--intent', 'new', '--executor', 'shell');
    expect([again.code, again.stderr]).toEqual([0, expect.stringMatching(/waits: 1 task without a client/)]);
    expect(events(again).at(-1)).toMatchObject({ run: 'default-2', outcome: 'running' });
    for (const args of [
      ['--blueprint', 'support'],
      ['--blueprint', 'support', GOAL, '--resume'],
    ])
      expect((await run(...args)).code, args.join(' ')).toBe(2);
    expect((await run('--blueprint', 'nothing', GOAL)).stderr).toContain('not_found');
  },
);

verifies(
  'blueprint.apply',
  'what waits for a person is said, and gone on with when the person has decided',
  async () => {
    const { cwd, env, run } = fresh();
    const begun = await run('--blueprint', 'operations', 'Stop the outage, play=reports');
    expect(begun.stderr).toContain('waits: incident-response-accept is for a person');
    expect([begun.code, events(begun).at(-1)?.['outcome']]).toEqual([0, 'running']);
    await asked(['done', 'incident-response-accept'], { cwd });
    const ended = await run('--resume');
    expect(ended.stderr).toContain('Resuming incident-response.');
    expect(events(ended).at(-1)).toMatchObject({ event: 'finished', outcome: 'passed' });
    // A run that is declined is told by the exit code.
    await asked(['workflow', 'run', '--goal', 'play=reports'], { cwd });
    const waiting = await troupe(['run', '--resume', '--exit'], { cwd, env });
    expect(waiting.stdout).toContain('incident-response-2: running, 5 of 7 tasks done');
    expect([waiting.code, waiting.stderr]).toEqual([0, expect.stringContaining('Resume it with')]);
    await asked(['abandon', 'incident-response-2-accept'], { cwd });
    expect(await asked(['workflow', 'status', 'incident-response-2'], { cwd })).toMatchObject({
      runs: [{ outcome: 'declined' }],
    });
  },
);

verifies('workflow.outcome', 'run WORKFLOW casts whom it needs and stays until it has ended', async () => {
  const { cwd, env, run } = fresh();
  await asked(['init'], { cwd, env });
  mkdirSync(path.join(cwd, '.squad/workflows'), { recursive: true });
  const nodes = [{ id: 'look', type: 'prompt', archetype: 'writer', prompt: 'Look, play=reports' }];
  writeFileSync(path.join(cwd, '.squad/workflows/own.yaml'), JSON.stringify({ id: 'own', nodes, edges: [] }));
  const ran = await run('own');
  expect([ran.code, events(ran).at(-1)]).toMatchObject([0, { run: 'own', outcome: 'passed' }]);
  expect(await asked(['show', 'own-look'], { cwd })).toMatchObject({ task: { member: expect.any(String) } });
  expect((await run('nothing')).stderr).toContain('unknown_workflow');
});

verifies(
  ['ui.do', 'gate.plan-shown'],
  'run "a goal" shows the plan before it begins; a no begins nothing, and what is missing is said',
  async () => {
    const { cwd, env } = fresh();
    const refused = await startAtTerminal('n', "run 'add a version flag'", { cwd, env }).finished;
    expect(refused.stdout).toContain('default-plan');
    expect(refused.stdout).toContain('Make a plan: add a version flag');
    expect(refused.stdout).toMatch(/Start\? \[Y\/n\][\s\S]*Nothing was started/);
    expect([await statuses(cwd), existsSync(path.join(cwd, '.squad'))]).toEqual([{}, false]);

    const dry = await troupe(['run', 'add a version flag', '--dry-run'], { cwd, env });
    expect([dry.code, dry.stderr]).toEqual([0, '']);
    const reviewer = /^default-review +(\S+)/m.exec(dry.stdout)?.[1] ?? '';
    expect(reviewer).toMatch(/^[A-Z]/);
    const unasked = await troupe(['run', 'add a version flag', '--exit'], { cwd, env });
    expect([unasked.code, unasked.stdout]).toEqual([1, dry.stdout]);
    expect(unasked.stderr).toMatch(/confirmation_needed[\s\S]*--yes/);
    expect([await statuses(cwd), existsSync(path.join(cwd, '.squad'))]).toEqual([{}, false]);

    const ran = await troupe(['run', 'add a version flag', '--executor', 'shell', '--exit', '--yes'], { cwd, env });
    expect((await troupe(['show', 'default-review'], { cwd })).stdout).toMatch(new RegExp(`member +${reviewer}`));
    expect([ran.code, ran.stdout]).toEqual([0, expect.stringContaining('Make a plan: add a version flag')]);
    expect(ran.stderr).toMatch(/Cast \d members[\s\S]*waits: 1 task without a client/);
  },
);

verifies('playbook.list', 'run takes the name of a workflow or a formation, and its goal', async () => {
  const { cwd, env } = fresh();
  await asked(['init'], { cwd });
  const dry = await troupe(['run', 'bug-fix', 'the page is empty', '--dry-run'], { cwd, env });
  expect([dry.code, dry.stdout]).toEqual([0, expect.stringMatching(/^bug-fix-triage .*the page is empty$/m)]);
  const panel = await troupe(['run', 'panel', 'drop the queue?', '--json'], { cwd, env });
  expect(JSON.parse(panel.stdout)).toMatchObject({ formation: 'panel', goal: 'drop the queue?', state: 'proposed' });
  const unmeant = await troupe(['run', 'panel', 'drop the queue?', '--dry-run', '--yes'], { cwd, env });
  expect([unmeant.code, unmeant.stderr]).toEqual([2, expect.stringContaining('troupe panel --help')]);
  const alone = await troupe(['run', 'panel', '--exit'], { cwd, env });
  expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining('troupe run panel "GOAL"')]);
  const ignored = await troupe(['run', 'drop the queue', '--intent', 'new', '--yes'], { cwd, env });
  expect([ignored.code, ignored.stderr]).toEqual([2, expect.stringMatching(/bad_input.*no blueprint is named/)]);
  const two = await troupe(['run', 'drop the queue', 'and the cache'], { cwd, env });
  expect([two.code, two.stderr]).toEqual([2, expect.stringContaining('usage')]);

  write(cwd, {
    '.squad/workflows/panel.yaml': 'id: panel\nnodes: [{id: read, type: prompt, prompt: Read it}]\nedges: []\n',
  });
  const own = await troupe(['run', 'panel', 'drop the queue?', '--dry-run'], { cwd, env });
  expect([own.code, own.stdout], 'a workflow of the project comes first').toEqual([
    0,
    expect.stringMatching(/^panel-read /m),
  ]);
});

verifies(
  ['cli.blueprint', 'blueprint.generate', 'blueprint.fallback'],
  'every command about blueprints and workflows, from a description to a run',
  async () => {
    const cwd = room('commands');
    await asked(['init'], { cwd });
    const script = path.join(room('script'), 'answers.json');
    const { draft, ...chosen } = TRIPS;
    const answers = [
      { purpose: 'blueprint', reply: `Here: ${JSON.stringify({ ...chosen, workflows: [] })}` },
      { purpose: 'workflow', reply: JSON.stringify(draft) },
    ];
    writeFileSync(script, JSON.stringify(answers));
    const env = { TROUPE_MODEL_SCRIPT: script, ...ownSettings() };
    const made = await asked<{ file: string; blueprint: object }>(
      ['blueprint', 'generate', 'plan trips every Friday', '--provider', 'scripted', '--out', 'trips.json'],
      { cwd, env },
    );
    expect(made).toMatchObject({ method: 'model', blueprint: { workflows: ['plan-a-trip'] } });
    expect(JSON.parse(readFileSync(path.join(cwd, 'trips.json'), 'utf8'))).toEqual(made.blueprint);
    expect(existsSync(path.join(cwd, '.squad'))).toBe(false);
    writeFileSync(path.join(cwd, 'wrong.json'), JSON.stringify({ ...TRIPS, roster: ['scribe'] }));
    const wrong = await troupe(['blueprint', 'validate', '--file', 'wrong.json'], { cwd });
    expect([wrong.code, wrong.stdout]).toEqual([1, expect.stringContaining('“scribe”')]);
    const shown = await troupe(['blueprint', 'generate', 'answer mails', '--offline'], { cwd });
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining('Workflows  ')]);
    writeFileSync(path.join(cwd, 'answer.json'), JSON.stringify(made));
    for (const file of ['trips.json', 'answer.json'])
      expect(await asked(['blueprint', 'validate', '--file', file], { cwd })).toEqual({ valid: true, errors: [] });
    expect((await asked<{ blueprints: unknown[] }>(['blueprint', 'list'], { cwd })).blueprints).toHaveLength(7);
    expect(await asked(['blueprint', 'show', 'support'], { cwd })).toMatchObject({ review_policy: 'peer' });
    expect(await asked(['blueprint', 'apply', '--file', 'trips.json'], { cwd })).toMatchObject({
      blueprint: 'trips',
      default_workflow: 'plan-a-trip',
    });
    const listed = await asked<{ workflows: { id: string; default: boolean }[] }>(['workflow', 'list'], { cwd });
    expect(listed.workflows.find((row) => row.default)).toMatchObject({ id: 'plan-a-trip', allowed: true });
    expect(await asked(['workflow', 'show', 'plan-a-trip'], { cwd })).toMatchObject({ trigger: 'schedule weekly:fri' });
    expect(await asked(['workflow', 'check', 'plan-a-trip'], { cwd })).toMatchObject({ ok: true });
    expect(await asked(['workflow', 'trust', 'plan-a-trip', '--show'], { cwd })).toMatchObject({ commands: [] });
    expect(await asked(['workflow', 'run', '--goal', 'To the sea'], { cwd })).toMatchObject({ run: 'plan-a-trip' });
    expect(await asked(['workflow', 'status'], { cwd })).toMatchObject({ runs: [{ outcome: 'running' }] });
    expect(await asked(['workflow', 'close', 'plan-a-trip'], { cwd })).toMatchObject({ outcome: 'declined' });
    const refused = await troupe(['workflow', 'run', 'bug-fix'], { cwd });
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('error[workflow_not_allowed]')]);
    const overridden = await asked(['workflow', 'run', 'bug-fix', '--override'], { cwd });
    expect(overridden).toMatchObject({ run: 'bug-fix' });
  },
);
