import { expect, test } from 'vitest';
import type { NodeFields } from '#core/graph/task.js';
import { playbookRuns } from '#core/playbooks/runs.js';
import { seatsOf } from '#operations/workflows/compile.js';
import { makeTriggered, runWorkflow } from '#operations/workflows/run.js';
import { triggeredWorkflows } from '#operations/workflows/triggers.js';
import { workflowTrust } from '#operations/workflows/trust.js';
import { agreedTo } from '../../agreed.js';
import { graphOf } from '../../core/graph/graph.js';
import { write } from '../../repository.js';
import { Works } from './works.js';

const step = (run: string, node: string, created_at: string | undefined, fields: NodeFields = {}) => ({
  kind: 'task' as const,
  id: `${run}-${node}`,
  title: node,
  status: 'open' as const,
  workflow: { id: 'flow', run, node },
  ...(created_at === undefined ? {} : { created_at }),
  ...fields,
});

test('runs stand in the order in which they began, their tasks in that of the work, cycles as on the first pass', () => {
  const view = graphOf(
    step('flow-10', 'x', '2026-01-02'),
    step('flow-9', 'x', '2026-01-02'),
    step('late', 'b', '2026-01-03'),
    step('late', 'a', '2026-01-04'),
    step('old', 'x', undefined),
    step('round', 'verify', '2026-01-01', { after: ['round-fix'] }),
    step('round', 'aim', '2026-01-01', { after: ['round-triage', 'elsewhere'] }),
    step('round', 'fix', '2026-01-01', {
      after: ['round-triage', 'round-verify'],
      cycle_config: { max_iterations: 3 },
    }),
    step('round', 'triage', '2026-01-01'),
    step('round', 'merge', '2026-01-01', { after: ['round-verify'] }),
    step('round', 'z-first', '2026-01-01'),
    step('round', 'b-last', '2026-01-01', { after: ['round-z-first'] }),
    { kind: 'task', id: 'elsewhere', title: 'no step', status: 'open' },
    { kind: 'task', id: 'unreadable', title: 'no mark', status: 'open', workflow: { id: 'flow' } },
  );
  const told = playbookRuns(view).map(({ run, playbook, tasks }) => [
    run,
    playbook,
    tasks.map(({ title }) => title).join(' '),
  ]);
  expect(told).toMatchInlineSnapshot(`
    [
      [
        "old",
        "flow",
        "x",
      ],
      [
        "round",
        "flow",
        "triage aim z-first b-last fix verify merge",
      ],
      [
        "flow-9",
        "flow",
        "x",
      ],
      [
        "flow-10",
        "flow",
        "x",
      ],
      [
        "late",
        "flow",
        "a b",
      ],
    ]
  `);
});

const INTAKE = 'id: intake\ntrigger: {type: event, event: task-added-to-ready}\nedges: []\n';

test('the task that a run begins for is its goal, and its input where the workflow takes one', async () => {
  const stage = new Works();
  write(stage.folder, {
    '.squad/workflows/intake.yaml': `${INTAKE}nodes: [{id: look, type: prompt}, {id: make, type: run, run: make}]\ninputs: [{name: task, default: none}, {name: x, default: ''}]\n`,
    '.squad/workflows/plain.yaml': `${INTAKE.replace('intake', 'plain')}nodes: [{id: look, type: prompt}]\n`,
    '.squad/workflows/takes-x.yaml': `${INTAKE.replace('intake', 'takes-x')}nodes: [{id: look, type: prompt}]\ninputs: [{name: x, default: ''}]\n`,
  });
  await stage.put('build', { title: 'Build it', description: 'All of it' });
  await stage.put('bare', { title: 'Bare' });
  const trusted = agreedTo();
  const context = { ...stage.context(), trustedCommands: async () => trusted };
  const made = async (workflow: string, task: string | undefined) => {
    const { tasks, ...rest } = await makeTriggered(context, {
      ...{ key: 'k', workflow, occasion: 'now', run: `${workflow}-1` },
      ...(task === undefined ? {} : { task }),
    });
    return {
      ...rest,
      tasks: tasks.map(({ id, title, description, environment, exec }) => ({
        id,
        title,
        description,
        environment,
        exec,
      })),
    };
  };
  const told = [
    await made('intake', 'build'),
    await made('intake', 'bare'),
    await made('intake', 'gone'),
    await made('intake', undefined),
    await made('plain', 'build'),
    await made('takes-x', 'build'),
  ];
  expect(trusted.hashes.size).toBe(0);
  expect(told).toMatchInlineSnapshot(`
    [
      {
        "of": "workflow",
        "run": "intake-1",
        "tasks": [
          {
            "description": "Look

    Goal of this run:
    build
    Build it
    All of it
    task: build",
            "environment": undefined,
            "exec": undefined,
            "id": "intake-1-look",
            "title": "Look: build",
          },
          {
            "description": "Make",
            "environment": {
              "IN_NODE": "make",
              "IN_TASK": "build",
              "IN_X": "",
            },
            "exec": undefined,
            "id": "intake-1-make",
            "title": "Make",
          },
        ],
      },
      {
        "of": "workflow",
        "run": "intake-1",
        "tasks": [
          {
            "description": "Look

    Goal of this run:
    bare
    Bare
    task: bare",
            "environment": undefined,
            "exec": undefined,
            "id": "intake-1-look",
            "title": "Look: bare",
          },
          {
            "description": "Make",
            "environment": {
              "IN_NODE": "make",
              "IN_TASK": "bare",
              "IN_X": "",
            },
            "exec": undefined,
            "id": "intake-1-make",
            "title": "Make",
          },
        ],
      },
      {
        "of": "workflow",
        "run": "intake-1",
        "tasks": [
          {
            "description": "Look

    Goal of this run:
    task: none",
            "environment": undefined,
            "exec": undefined,
            "id": "intake-1-look",
            "title": "Look",
          },
          {
            "description": "Make",
            "environment": {
              "IN_NODE": "make",
              "IN_TASK": "none",
              "IN_X": "",
            },
            "exec": undefined,
            "id": "intake-1-make",
            "title": "Make",
          },
        ],
      },
      {
        "of": "workflow",
        "run": "intake-1",
        "tasks": [
          {
            "description": "Look

    Goal of this run:
    task: none",
            "environment": undefined,
            "exec": undefined,
            "id": "intake-1-look",
            "title": "Look",
          },
          {
            "description": "Make",
            "environment": {
              "IN_NODE": "make",
              "IN_TASK": "none",
              "IN_X": "",
            },
            "exec": undefined,
            "id": "intake-1-make",
            "title": "Make",
          },
        ],
      },
      {
        "of": "workflow",
        "run": "plain-1",
        "tasks": [
          {
            "description": "Look

    Goal of this run:
    build
    Build it
    All of it",
            "environment": undefined,
            "exec": undefined,
            "id": "plain-1-look",
            "title": "Look: build",
          },
        ],
      },
      {
        "of": "workflow",
        "run": "takes-x-1",
        "tasks": [
          {
            "description": "Look

    Goal of this run:
    build
    Build it
    All of it",
            "environment": undefined,
            "exec": undefined,
            "id": "takes-x-1-look",
            "title": "Look: build",
          },
        ],
      },
    ]
  `);
});

test('only commands that somebody agreed to are agreed to for a run that begins by itself', async () => {
  const stage = new Works();
  const folder = {
    '.squad/workflows/intake.yaml': `${INTAKE}nodes: [{id: look, type: prompt}, {id: make, type: run, run: make}]\n`,
  };
  write(stage.folder, folder);
  const trusted = agreedTo();
  const context = { ...stage.context(), trustedCommands: async () => trusted };
  const id = 'intake';
  const wish = { key: 'k', workflow: id, occasion: 'now', run: 'intake-1' };
  await makeTriggered(context, wish);
  expect(trusted.hashes.size).toBe(0);
  const { sha256 } = (await stage.calls.say(workflowTrust, {
    id,
  })) as { sha256: string };
  expect(stage.agreements.get('workflow:intake')).toEqual({ sha256, at: '2026-07-01T10:00:00.000Z' });
  await makeTriggered(context, wish);
  expect(trusted.hashes.size).toBe(1);
  await stage.calls.say(workflowTrust, { id, withdraw: true });
  expect(stage.agreements.size).toBe(0);
});

test('a plan that a person saw is carried out as they saw it, or not at all', async () => {
  const stage = new Works();
  const file = (label: string) => ({
    '.squad/workflows/plain.yaml': `id: plain\ntrigger: {type: manual}\nedges: []\nnodes: [{id: look, type: prompt, label: ${label}}]\n`,
  });
  write(stage.folder, file('Look'));
  const seats = () => seatsOf(stage.context());
  const { plan } = await runWorkflow(
    stage.context(),
    { id: 'plain', dry_run: true },
    { seats, shown: undefined, edits: [] },
  );
  await expect(
    runWorkflow(stage.context(), { id: 'plain' }, { seats, shown: 'another', edits: [] }),
  ).rejects.toMatchObject({
    code: 'plan_changed',
  });
  expect(await runWorkflow(stage.context(), { id: 'plain' }, { seats, shown: plan, edits: [] })).toEqual({
    run: 'plain',
    workflow: 'plain',
    task_ids: ['plain-look'],
    warnings: [],
  });
  await expect(runWorkflow(stage.context(), { id: 'plain' }, { seats, shown: plan, edits: [] })).rejects.toMatchObject({
    code: 'plan_changed',
  });
});

test('what begins by itself is listed by id, with the first thing that keeps it', async () => {
  const stage = new Works();
  const daily = (id: string, rest: string) => ({
    [`.squad/workflows/${id}.yaml`]: `id: ${id}\ntrigger: {type: schedule, every: daily}\nedges: []\n${rest}`,
  });
  const nodes = 'nodes: [{id: look, type: prompt}]\n';
  write(stage.folder, {
    ...daily('z', nodes),
    ...daily('task', `${nodes}inputs: [{name: task}, {name: b}, {name: c, default: ''}]\n`),
    ...daily('runs', `nodes: [{id: look, type: run, run: make}]\n`),
    '.agentweaver/workflows/early.yaml': `${INTAKE.replace('intake', 'early')}prefix: e\n${nodes}inputs: [{name: task}, {name: more}]\n`,
    '.squad/workflows/event.yaml': `${INTAKE.replace('intake', 'event')}${nodes}inputs: [{name: task}]\n`,
    '.squad/workflows/hand.yaml': `id: hand\ntrigger: {type: manual}\nedges: []\n${nodes}`,
    '.squad/workflows/none.yaml': `id: none\nedges: []\n${nodes}`,
    '.squad/workflows/bad.yaml': 'id: bad\n',
  });
  const told = async () =>
    (await triggeredWorkflows(stage.context())).map(({ since, ...rest }) => [since > 0, JSON.stringify(rest)]);
  expect(await told()).toMatchInlineSnapshot(`
    [
      [
        true,
        "{"id":"early","base":"e","trigger":{"type":"event","event":"task-added-to-ready"},"blocked":{"cause":"other","text":"It needs a value for more."}}",
      ],
      [
        true,
        "{"id":"event","base":"event","trigger":{"type":"event","event":"task-added-to-ready"}}",
      ],
      [
        true,
        "{"id":"runs","base":"runs","trigger":{"type":"schedule","every":"daily"},"blocked":{"cause":"trust","text":"Its commands are not trusted here."}}",
      ],
      [
        true,
        "{"id":"task","base":"task","trigger":{"type":"schedule","every":"daily"},"blocked":{"cause":"other","text":"It needs a value for task, b."}}",
      ],
      [
        true,
        "{"id":"z","base":"z","trigger":{"type":"schedule","every":"daily"}}",
      ],
    ]
  `);
  write(stage.folder, { '.squad/config.json': '{"version":1,"allowed_workflows":["task"]}' });
  expect((await told()).map(([, text]) => /"blocked":(.*)}/.exec(String(text))?.[1])).toMatchInlineSnapshot(`
    [
      "{"cause":"other","text":"The project does not allow it."}",
      "{"cause":"other","text":"The project does not allow it."}",
      "{"cause":"other","text":"The project does not allow it."}",
      "{"cause":"other","text":"It needs a value for task, b."}",
      "{"cause":"other","text":"The project does not allow it."}",
    ]
  `);
});
