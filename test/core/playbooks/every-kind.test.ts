import path from 'node:path';
import { expect, test } from 'vitest';
import { parseWorkflow } from '#core/catalog/parse-workflow.js';
import { NODE_TYPES } from '#core/catalog/workflow.js';
import { addCompiled, type CompileInput } from '#core/playbooks/compiled.js';
import { isWork } from '#core/playbooks/node-tasks.js';
import { checkCompiles, compileWorkflow } from '#core/playbooks/workflow.js';
import { verifies } from '../../verifies.js';
import { graphOf, NOW } from '../graph/graph.js';

const GOLDEN = path.join(import.meta.dirname, 'golden');

const flow = (nodes: unknown[], edges: unknown[] = [], more: object = {}) =>
  parseWorkflow({ id: 'flow', name: 'Flow', description: 'A flow.', version: 1, nodes, edges, ...more }, 'flow.yaml');
const step = (id: string, type: string, more: object = {}) => ({
  id,
  type,
  label: id,
  description: `Do ${id}.`,
  ...more,
});
const run = (...edges: string[]) =>
  edges.map((edge) => {
    const [from, to, when] = edge.split(' ');
    return { from, to, ...(when === undefined ? {} : { when }) };
  });

/** A node of every type and a gate of every kind, with each of their fields said once and left out once. */
const EVERY_KIND = flow(
  [
    step('plan', 'prompt', { prompt: 'Plan it.', archetype: 'architect', charter: 'Be brief.', timeout: '90s' }),
    step('lint', 'run', { run: 'lint', timeout: '5m' }),
    step('each', 'run', { run: 'one', for_each: 'repository-commands', archetype: ['nobody', 'tester'] }),
    step('papers', 'prompt', { when: 'documents' }),
    step('split', 'fan_out'),
    step('parts', 'coordinator_composed', { prompt: 'Divide.', charter: 'Small parts.' }),
    step('chain', 'serial', {
      charter: 'In order.',
      steps: [
        { id: 'one', label: 'One', description: 'First.', prompt: 'Begin.', archetype: 'tester', timeout: '1h' },
        { id: 'two', label: 'Two', description: 'Second.', run: 'second' },
        { id: 'three', label: 'Three', description: 'Third.', archetype: ['wizard', 'witch'] },
      ],
    }),
    step('join', 'fan_in'),
    step('think', 'check', { gate_kind: 'rubberduck', archetype: 'wizard' }),
    step('safe', 'check', { gate_kind: 'rai', reviews: 'plan' }),
    step('peer', 'peer_review', { reviews: ['plan', 'chain'], prompt: 'Read it.' }),
    step('decide', 'check'),
    step('measure', 'check', { run: 'measure' }),
    step('merge', 'merge', { archetype: 'architect' }),
    step('note', 'scribe', { prompt: 'Write it down.' }),
    step('end', 'terminal'),
    step('no', 'terminal', { target: 'declined' }),
  ],
  run(
    'plan lint',
    'lint each',
    'each papers',
    'papers split',
    'split parts always',
    'split chain',
    'parts join',
    'chain join',
    'join think',
    'think safe',
    'safe peer',
    'peer plan revise',
    'peer decide pass',
    'decide measure pass',
    'decide no stop',
    'measure merge',
    'merge note always',
    'note end',
  ),
  { loops: { plan: { max: 3 } } },
);

const TEAM = {
  leader: 'Lea',
  members: [
    { name: 'Old', archetypeId: 'tester', status: 'Retired' },
    { name: 'Rai', archetypeId: 'rai-reviewer', status: 'Active' },
    { name: 'Lea', archetypeId: 'architect', status: 'Active' },
    { name: 'Tia', archetypeId: 'tester', status: 'Active' },
    { name: 'Tom', archetypeId: 'tester', status: 'Active' },
    { name: 'Max', archetypeId: 'writer', status: 'Active' },
    { name: 'Sam', archetypeId: 'scribe', status: 'Active' },
  ],
};
const PLAIN: CompileInput = {
  facts: [],
  commands: [
    { id: 'npm-lint', title: 'Lint' },
    { id: 'npm-test', title: 'Test' },
  ],
  team: TEAM,
  prefix: 'flow',
  environment: { IN_TASK: 't' },
};
const NOBODY = { leader: '', members: [] };
const CASES: readonly (readonly [string, CompileInput])[] = [
  ['plain', PLAIN],
  [
    'everything',
    {
      ...PLAIN,
      facts: ['documents'],
      prefix: 'flow-2',
      goal: 'Ship it.\nSoon.',
      subject: `  Ship ${'it '.repeat(30)}\nSoon.`,
      deliverable: (node) => `evidence/${node}.md`,
      capabilities: (archetype) =>
        archetype === 'wizard' ? ['magic'] : archetype === 'witch' ? ['magic', 'brew'] : [],
      policy: ['safety', 'rubberduck', 'human-review', 'peer-review', 'safety'],
      untrusted: 'abc',
    },
  ],
  ['nobody', { ...PLAIN, team: NOBODY, commands: [], subject: ' \n ' }],
];

for (const [name, input] of CASES) {
  verifies('workflow.pure', `every kind of step and of gate, compiled: ${name}`, async () => {
    const { tasks, steps, warnings } = compileWorkflow(EVERY_KIND, input);
    const lines = [
      ...tasks.map((task) => JSON.stringify(task, undefined, 1)),
      ...steps.map((one) => `${one.node} ${one.task_id} ${one.type}`),
      ...warnings,
    ];
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(path.join(GOLDEN, `${name}.txt`));
  });
}

const briefly = (nodes: unknown[], edges: string[], more: Partial<CompileInput> = {}) =>
  compileWorkflow(flow(nodes, run(...edges)), { ...PLAIN, ...more }).tasks.map(
    ({ id, after = [], after_success: success = [] }) =>
      `${id} < ${after.map((other) => (success.includes(other) ? other : `(${other})`)).join(' ')}`,
  );

test('a policy adds the gates that no way to the end has yet, before each merge, else before success', () => {
  const policy = ['peer-review'] as const;
  const work = step('work', 'prompt');
  const peer = step('peer', 'peer_review');
  const end = step('end', 'terminal');
  expect(briefly([work, end], ['work end'], { policy })).toEqual([
    'flow-work < ',
    'flow-policy-peer-review < flow-work',
  ]);
  expect(briefly([work, peer, end], ['work peer', 'peer end'], { policy })).toEqual([
    'flow-work < ',
    'flow-peer < flow-work',
  ]);
  const around = ['work peer', 'peer end', 'work end'];
  expect(briefly([work, peer, end], around, { policy }), 'a way leads around the gate').toEqual([
    'flow-work < ',
    'flow-peer < flow-work',
    'flow-policy-peer-review < flow-peer flow-work',
  ]);
  const merges = [work, step('m1', 'merge'), step('m2', 'merge'), end];
  expect(briefly(merges, ['work m1', 'work m2', 'm1 end', 'm2 end'], { policy })).toEqual([
    'flow-work < ',
    'flow-policy-peer-review < flow-work',
    'flow-m1 < flow-policy-peer-review',
    'flow-policy-peer-review-2 < flow-work',
    'flow-m2 < flow-policy-peer-review-2',
  ]);
  const declined = step('no', 'terminal', { target: 'declined' });
  const gate = step('gate', 'check');
  expect(briefly([work, gate, declined, end], ['work gate', 'gate no stop', 'gate end pass'], { policy })).toEqual([
    'flow-work < ',
    'flow-gate < flow-work',
    'flow-policy-peer-review < flow-gate',
  ]);
  expect(briefly([work, end], ['work end'], { policy: [] })).toEqual(['flow-work < ']);
});

test('a draft is refused when it cannot become tasks, for whatever team', () => {
  const draft = flow([step('work', 'prompt'), step('end', 'terminal')], run('work end'));
  for (const roster of [[], ['tester']]) expect(() => checkCompiles(draft, roster, ['safety'])).not.toThrow();
  const beside = flow(
    [step('each', 'run', { run: 'x', for_each: 'repository-commands' }), step('gate', 'peer_review')],
    run('each gate', 'gate each revise'),
    { loops: { each: { max: 2 } } },
  );
  expect(() => compileWorkflow(beside, PLAIN)).toThrowError(/a cycle starts and ends with one task; “each”/);
});

test('a gate that goes round must be one task, too', () => {
  const nodes = [step('work', 'prompt'), step('gate', 'peer_review', { when: 'documents' })];
  const loop = flow(nodes, run('work gate', 'gate work revise'), { loops: { work: { max: 2 } } });
  expect(() => compileWorkflow(loop, PLAIN)).toThrowError(/“gate” is not a task/);
  expect(() => checkCompiles(loop, ['tester'], [])).toThrowError(/“gate” is not a task/);
  expect(compileWorkflow(loop, { ...PLAIN, facts: ['documents'] }).tasks[0]).toMatchObject({
    after: ['flow-gate'],
    max_iterations: 2,
    cycle_guard: 'task:flow-gate=failed',
  });
});

test('names of inputs are checked to the letter', () => {
  const one = flow([step('a', 'prompt')]);
  for (const name of ['IN_A', 'IN_A_1'])
    expect(() => compileWorkflow(one, { ...PLAIN, environment: { [name]: '' } }), name).not.toThrow();
  for (const name of ['IN_', 'IN_1', 'in_a', 'IN_a', 'XIN_A', 'IN_A '])
    expect(() => compileWorkflow(one, { ...PLAIN, environment: { [name]: '' } }), name).toThrowError(/is not the name/);
});

test('the tasks of a run are added together, each with its mark, and a person is said', () => {
  const { tasks } = compileWorkflow(EVERY_KIND, { ...PLAIN, untrusted: 'abc' });
  const { events } = addCompiled(graphOf(), tasks, { now: NOW, actor: 'ann' });
  const put = events
    .flatMap(({ patch }) => patch)
    .flatMap((one) => ('put' in one && one.put ? [one.put as object] : []));
  const fields = new Map(put.map((one) => [(one as { id?: string }).id, one as Record<string, unknown>]));
  expect([...fields.keys()]).toEqual(tasks.map(({ id }) => id));
  for (const { id, human, workflow } of tasks) {
    expect(fields.get(id)?.['workflow'], id).toEqual(workflow);
    expect(fields.get(id)?.['human'], id).toBe(human);
  }
  expect(tasks.filter(({ human }) => human === true).map(({ id }) => id)).toEqual(['flow-decide']);
});

test('what members do is judged by a gate that names nothing: prompts, serials and what is composed', () => {
  const work = NODE_TYPES.filter((type) => isWork({ id: 'x', type, label: 'X', description: 'X' }));
  expect(work).toEqual(['prompt', 'serial', 'coordinator_composed']);
});
