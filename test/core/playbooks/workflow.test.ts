import { expect, test } from 'vitest';
import { parseWorkflow } from '#core/catalog/parse-workflow.js';
import type { Workflow } from '#core/catalog/workflow.js';
import type { CompileInput } from '#core/playbooks/compiled.js';
import { compileWorkflow } from '#core/playbooks/workflow.js';
import { verifies } from '../../verifies.js';

const node = (id: string, more: Record<string, unknown> = {}) => ({
  id,
  type: 'run',
  label: `Step ${id}`,
  description: 'Does a thing.',
  archetype: 'qa-engineer',
  run: `do ${id} "$IN_REVIEW"`,
  ...more,
});

const workflow = (nodes: unknown[], edges: unknown[] = []): Workflow =>
  parseWorkflow({ id: 'flow', name: 'Flow', description: 'A flow.', version: 1, nodes, edges }, 'flow.yaml');

const TEAM = {
  leader: 'Morpheus',
  members: [
    { name: 'Morpheus', archetypeId: 'lead-architect', status: 'Active' },
    { name: 'Trinity', archetypeId: 'qa-engineer', status: 'Active' },
    { name: 'Tank', archetypeId: 'qa-engineer', status: 'Active' },
    { name: 'Cypher', archetypeId: 'security-engineer', status: 'Retired' },
  ],
};

const INPUT: CompileInput = {
  facts: ['commands'],
  commands: [
    { id: 'npm-lint', title: 'Lint: npm run lint' },
    { id: 'npm-test', title: 'Tests: $(touch x)' },
  ],
  team: TEAM,
  prefix: 'flow',
  environment: { IN_REVIEW: 'flow' },
};

verifies('workflow.pure', 'equal inputs give equal bytes; ids are prefix and node; order is that of the file', () => {
  const flow = workflow(
    [node('b'), node('a'), node('each', { for_each: 'repository-commands' })],
    [{ from: 'b', to: 'a' }],
  );
  const once = compileWorkflow(flow, INPUT);
  expect(JSON.stringify(compileWorkflow(structuredClone(flow), structuredClone(INPUT)))).toBe(JSON.stringify(once));
  expect(once.tasks.map((task) => task.id)).toEqual(['flow-b', 'flow-a', 'flow-each-npm-lint', 'flow-each-npm-test']);
  expect(compileWorkflow(flow, { ...INPUT, prefix: 'flow-2' }).tasks[0]).toMatchObject({
    id: 'flow-2-b',
    tags: ['wf:flow-2'],
  });
});

test('what varies reaches a command as environment only', () => {
  const { tasks } = compileWorkflow(workflow([node('each', { for_each: 'repository-commands' })]), INPUT);
  expect(new Set(tasks.map((task) => task.exec))).toEqual(new Set(['do each "$IN_REVIEW"']));
  expect(tasks[1]).toMatchObject({
    title: 'Tests: $(touch x)',
    exec_mode: 'shell',
    environment: { IN_REVIEW: 'flow', IN_NODE: 'each-npm-test', IN_COMMAND: 'npm-test' },
  });
  expect(() => compileWorkflow(workflow([node('a')]), { ...INPUT, environment: { PATH: '/evil' } })).toThrow(/PATH/);
});

verifies('workflow.edges', 'a forward edge asks for success, `always` only for the end', () => {
  const flow = workflow(
    [node('a'), node('b'), node('c')],
    [
      { from: 'a', to: 'b' },
      { from: 'a', to: 'c', when: 'always' },
      { from: 'b', to: 'c' },
    ],
  );
  const [a, b, c] = compileWorkflow(flow, INPUT).tasks;
  expect(a).not.toHaveProperty('after');
  expect(b).toMatchObject({ after: ['flow-a'], after_success: ['flow-a'] });
  expect(c).toMatchObject({ after: ['flow-a', 'flow-b'], after_success: ['flow-b'] });
});

test('a step whose fact does not hold is left out, and its neighbours are joined', () => {
  const flow = workflow(
    [node('a'), node('b', { when: 'documents' }), node('c')],
    [
      { from: 'a', to: 'b' },
      { from: 'b', to: 'c', when: 'always' },
    ],
  );
  const { tasks } = compileWorkflow(flow, INPUT);
  expect(tasks.map((task) => task.id)).toEqual(['flow-a', 'flow-c']);
  expect(tasks[1]).toMatchObject({ after: ['flow-a'] });
  expect(tasks[1]).not.toHaveProperty('after_success');
  const none = compileWorkflow(
    workflow([node('each', { for_each: 'repository-commands' }), node('z')], [{ from: 'each', to: 'z' }]),
    { ...INPUT, commands: [] },
  );
  expect(none.tasks.map((task) => task.id)).toEqual(['flow-z']);
});

test('owners: round robin, the first archetype there is, the leader for gates and for want of others', () => {
  const flow = workflow([
    node('a'),
    node('b'),
    node('c'),
    node('d', { archetype: ['security-engineer', 'lead-architect'] }),
    node('e', { archetype: 'security-engineer' }),
    node('gate', { type: 'check', archetype: 'qa-engineer' }),
    { id: 'join', type: 'fan_in', label: 'Join', description: 'Waits.' },
  ]);
  const { tasks, warnings } = compileWorkflow(flow, INPUT);
  expect(tasks.map((task) => task.member)).toEqual([
    'Trinity',
    'Tank',
    'Trinity',
    'Morpheus',
    'Morpheus',
    'Morpheus',
    'Morpheus',
  ]);
  expect(warnings).toEqual(['No one on the team is security-engineer: Morpheus takes “Step e”.']);
  expect(tasks.at(-1)?.exec).toBe('true');
});

test('a workflow file with a mistake is refused by file and field', () => {
  const refused = (nodes: unknown[], edges: unknown[] = []) => {
    try {
      workflow(nodes, edges);
    } catch (error) {
      return error;
    }
    return undefined;
  };
  const field = (name: string) => ({ code: 'workflow_invalid', details: { file: 'flow.yaml', field: name } });
  expect(refused([node('a', { shell: 'x' })])).toMatchObject(field('nodes.0.shell'));
  expect(refused([node('A')])).toMatchObject(field('nodes.0.id'));
  expect(refused([node('a'), node('a')])).toMatchObject(field('nodes.1.id'));
  expect(refused([node('a', { run: undefined })])).toMatchObject(field('nodes.0.run'));
  expect(refused([node('a', { when: 'whatever' })])).toMatchObject(field('nodes.0.when'));
  expect(refused([node('a', { timeout: 'soon' })])).toMatchObject(field('nodes.0.timeout'));
  expect(refused([node('a')], [{ from: 'a', to: 'z' }])).toMatchObject(field('edges.0.to'));
  expect(
    refused(
      [node('a'), node('b')],
      [
        { from: 'a', to: 'b' },
        { from: 'b', to: 'a' },
      ],
    ),
  ).toMatchObject(field('edges'));
});
