import { expect, test } from 'vitest';
import { parseWorkflow } from '#core/catalog/parse-workflow.js';
import { gateKind, isGate, type WorkflowNode } from '#core/catalog/workflow.js';
import { workflowFlow } from '#core/catalog/workflow-flow.js';
import { TroupeError } from '#kernel/errors.js';

const node = (id: string, type = 'prompt', more: object = {}) => ({ id, type, ...more });
const edges = (...rows: string[]) =>
  rows.map((row) => {
    const [from, to, when] = row.split(' ');
    return { from, to, ...(when === undefined ? {} : { when }) };
  });
const file = (nodes: object[], rows: string[] = [], more: object = {}) => ({
  id: 'my-flow',
  nodes,
  edges: edges(...rows),
  ...more,
});

/** `CODE FIELD: words` of what is refused; `fine` of what is not. */
function said(value: unknown): string {
  try {
    parseWorkflow(value, 'f.yaml');
    return 'fine';
  } catch (error) {
    if (!(error instanceof TroupeError)) throw error;
    return `${error.code} ${String(error.details['field'] ?? '')}: ${error.message}`;
  }
}

test('what a file leaves out is made of what it says', () => {
  const parsed = parseWorkflow(
    file([
      node('write-draft'),
      node('a', 'prompt', { label: 'L', prompt: 'P', agent: 'x' }),
      node('b', 'prompt', { description: 'D', archetype: ['y'], agent: 'x' }),
      node('c', 'serial', { steps: [{ id: 'one-step', prompt: 'Do' }] }),
    ]),
    'f.yaml',
  );
  expect(parsed).toEqual({
    ...{ id: 'my-flow', name: 'My flow', description: 'My flow', version: 1, edges: [] },
    nodes: [
      { id: 'write-draft', type: 'prompt', label: 'Write draft', description: 'Write draft' },
      { id: 'a', type: 'prompt', label: 'L', description: 'P', prompt: 'P', archetype: 'x' },
      { id: 'b', type: 'prompt', label: 'B', description: 'D', archetype: ['y'] },
      {
        id: 'c',
        type: 'serial',
        label: 'C',
        description: 'C',
        steps: [{ id: 'one-step', label: 'One step', description: 'Do', prompt: 'Do' }],
      },
    ],
  });
  const named = parseWorkflow(file([node('a')], [], { name: 'N', version: 3 }), 'f.yaml');
  expect([named.name, named.description, named.version]).toEqual(['N', 'N', 3]);
  expect(parseWorkflow(file([node('a')], [], { name: 'N', description: 'D' }), 'f.yaml').description).toBe('D');
});

test('each mistake of a file is refused by its field, and its right form is not', () => {
  const gate = (more: object = {}) => [node('a'), node('g', 'check', more), node('b')];
  const rows: [object, string][] = [
    [{ id: 'x', nodes: [], edges: [] }, 'nodes'],
    [file([node('a', 'prompt', { what: 1 })]), 'nodes.0.what'],
    [file([node('a'), node('a')]), 'nodes.1.id'],
    [file([node('a', 'run')]), 'nodes.0.run'],
    [file([node('a', 'run', { run: 'x' })]), 'fine'],
    [file([node('a', 'check', { gate_kind: 'command' })]), 'nodes.0.run'],
    [file([node('a', 'check', { run: 'x' })]), 'fine'],
    [file([node('a', 'check', { gate_kind: 'safety', run: 'x' })]), 'nodes.0.run'],
    [file([node('a', 'prompt', { run: 'x' })]), 'nodes.0.run'],
    [file([node('a', 'fan_in', { run: 'x' })]), 'fine'],
    [file([node('a', 'serial')]), 'nodes.0.steps'],
    [file([node('a', 'prompt', { steps: [{ id: 'x' }] })]), 'nodes.0.steps'],
    [file([node('a', 'prompt', { target: 'failed' })]), 'nodes.0.target'],
    [file([node('a', 'terminal', { target: 'failed' })]), 'fine'],
    [file([node('a', 'peer_review', { gate_kind: 'safety' })]), 'nodes.0.gate_kind'],
    [file([node('a', 'prompt', { branches: ['x'] })]), 'nodes.0.branches'],
    [file([node('a', 'prompt', { reviews: 'a' })]), 'nodes.0.reviews'],
    [file([node('a', 'prompt', { for_each: 'repository-commands' })]), 'nodes.0.for_each'],
    [file([node('a', 'run', { run: 'x', for_each: 'repository-commands' })]), 'fine'],
    [file([node('a-x'), node('a', 'serial', { steps: [{ id: 'x' }] })]), 'nodes.1.id'],
    [file([node('a', 'coordinator_composed'), node('a-join')]), 'nodes.1.id'],
    [file([node('a')], ['x a']), 'edges.0.from'],
    [file([node('a')], ['a x']), 'edges.0.to'],
    [file([node('a'), node('b')], ['a b pass']), 'edges.0.when'],
    [file([node('a'), node('b')], ['a b always']), 'fine'],
    [file(gate({ branches: ['yes'] }), ['a g', 'g b no']), 'edges.1.when'],
    [file(gate({ branches: ['yes'] }), ['a g', 'g b yes']), 'fine'],
    [file(gate({ branches: { yes: 'pass' } }), ['a g', 'g b no']), 'edges.1.when'],
    [file(gate(), ['a g', 'g b anything']), 'fine'],
    [file(gate({ reviews: 'x' })), 'nodes.1.reviews'],
    [file(gate({ reviews: ['a', 'x'] })), 'nodes.1.reviews'],
    [file([node('a')], [], { stages: [{ name: 's', nodes: ['a', 'x'] }] }), 'stages.0.nodes'],
    [file([node('a')], [], { loops: { x: { max: 1 } } }), 'loops.x'],
    [file([node('a')], [], { start: 'x' }), 'start'],
    [file([node('a')], [], { start: 'a', stages: [{ name: 's', nodes: ['a'] }], loops: { a: { max: 1 } } }), 'fine'],
    [file([node('a')], [], { inputs: [{ name: 'x' }, { name: 'y' }, { name: 'x' }] }), 'inputs'],
    [file([node('a')], [], { inputs: [{ name: 'x' }, { name: 'y' }] }), 'fine'],
    [file([node('a')], [], { inputs: [] }), 'fine'],
    [file([node('a')], [], { trigger: { type: 'schedule' } }), 'trigger.every'],
    [file([node('a')], [], { trigger: { type: 'manual', every: 'daily' } }), 'trigger.every'],
    [file([node('a')], [], { trigger: { type: 'schedule', every: 'weekly:mon' } }), 'fine'],
    [file([node('a')], [], { trigger: { type: 'event' } }), 'trigger.event'],
    [file([node('a')], [], { trigger: { type: 'heartbeat', event: 'task-added-to-ready' } }), 'trigger.event'],
    [file([node('a')], [], { trigger: { type: 'event', event: 'task-added-to-ready' } }), 'fine'],
    [file([node('a'), node('b')], ['a b', 'b a']), 'edges'],
    [file([node('a')], ['a a']), 'edges'],
  ];
  for (const [value, field] of rows) {
    const wanted = field === 'fine' ? 'fine' : `workflow_invalid ${field}: f.yaml: ${field}`;
    expect(said(value).slice(0, wanted.length), JSON.stringify(value)).toBe(wanted);
  }
  const twice = [{ name: 'x' }, { name: 'y' }, { name: 'z' }, { name: 'y' }];
  expect(said(file([node('a')], [], { inputs: twice }))).toContain('inputs: “y” appears twice');
  expect(said(7)).toMatch(/^workflow_invalid : f\.yaml: /);
});

/** What the edges come to: `a>b` asks for success, `a~b` for the end alone; then ways back, and what is warned of. */
function flow(nodes: object[], rows: string[], more: object = {}): string {
  try {
    const { order, forward, loops, warnings } = workflowFlow(parseWorkflow(file(nodes, rows, more), 'f.yaml'));
    return [
      order.join(' '),
      forward.map(({ from, to, always }) => `${from}${always ? '~' : '>'}${to}`).join(' '),
      ...loops.map(({ header, gates, max }) => `${header} again from ${gates.join(', ')}, ${max} times`),
      ...warnings,
    ].join(' | ');
  } catch (error) {
    if (error instanceof TroupeError) return `${error.code} ${error.message}`;
    throw error;
  }
}

test('what edges mean: to go on, to do it again, to end', () => {
  const work = [node('a'), node('b'), node('g', 'check'), node('c')];
  const no = node('no', 'terminal', { target: 'declined' });
  const end = node('end', 'terminal');
  expect(flow(work, ['a b', 'b g', 'g c'])).toBe('a b g c | a>b b>g g>c');
  expect(flow([...work].reverse(), ['a b', 'b g', 'g c'])).toBe('a b g c | a>b b>g g>c');
  expect(flow(work, ['a b always', 'b g'])).toBe('a b g c | a~b b>g');
  expect(flow(work, ['a b', 'b g', 'g a', 'g c'])).toBe('a b g c | a>b b>g g>c | a again from g, 3 times');
  expect(flow(work, ['a b', 'b g', 'g b', 'g c'], { loops: { b: { max: 7 } } })).toBe(
    'a b g c | a>b b>g g>c | b again from g, 7 times',
  );
  expect(flow([...work, no, end], ['a g', 'g no', 'g end', 'g c'])).toBe('a b g c no end | a>g g>end g>c');
  const labelled = (branches: object) => [node('a'), node('g', 'check', { branches }), node('c'), no, end];
  expect(flow(labelled({ yes: 'pass', more: 'revise', no: 'stop' }), ['a g', 'g c yes', 'g a more', 'g no no'])).toBe(
    'a g c no end | a>g g>c | a again from g, 3 times',
  );
  expect(flow(labelled({ no: 'stop' }), ['a g', 'g c no'])).toBe(
    'workflow_unsupported f.yaml: after “g” was declined nothing can follow, and “c” would.',
  );
  expect(flow(labelled({ on: 'revise' }), ['a g', 'g c on'])).toContain(
    'sends the work on to “c”, which is not an earlier step.',
  );
  expect(flow([node('b'), node('g', 'check'), node('a')], ['a b', 'b g', 'g a'], { start: 'a' })).toBe(
    'a b g | a>b b>g | a again from g, 3 times',
  );
});

test('a gate that skips steps, or chooses between them', () => {
  const nodes = [node('a'), node('g', 'check'), node('b'), node('c'), node('d')];
  expect(flow(nodes, ['a g', 'g b', 'b c', 'g c'])).toBe(
    'a g b c d | a>g g>b b>c | “g” cannot skip to “c”: the steps between always run.',
  );
  expect(flow(nodes, ['a g', 'g b', 'b c', 'c d', 'g c', 'g d'])).toBe(
    'a g b c d | a>g g>b b>c c>d | “g” cannot skip to “c”: the steps between always run. | “g” cannot skip to “d”: the steps between always run.',
  );
  expect(flow(nodes, ['a g', 'g b', 'g c'])).toBe(
    'workflow_unsupported f.yaml: “g” chooses between “b” and “c”; tasks cannot choose, use fan_out for both.',
  );
  expect(flow(nodes, ['a g', 'g b', 'g c always'])).toBe('a g b c d | a>g g>b g~c');
  expect(flow(nodes, ['a b', 'a c']), 'a step that is no gate goes on to all').toBe('a g b c d | a>b a>c');
});

test('ways back that overlap are one cycle, which has one place to enter', () => {
  const nodes = [node('a'), node('b'), node('g', 'check'), node('h', 'check'), node('c')];
  expect(flow(nodes, ['a b', 'b g', 'g h', 'h c', 'g a', 'h b'])).toBe(
    'a b g h c | a>b b>g g>h h>c | a again from g, h, 3 times | “h” leads back to “a” instead of “b”: a cycle has one entry point.',
  );
  expect(flow(nodes, ['a b', 'b g', 'g h', 'h c', 'h a', 'g a'])).toBe(
    'a b g h c | a>b b>g g>h h>c | a again from g, h, 3 times',
  );
  const apart = [node('a'), node('g', 'check'), node('b'), node('h', 'check')];
  expect(flow(apart, ['a g', 'g b', 'b h', 'g a', 'h b'])).toBe(
    'a g b h | a>g g>b b>h | a again from g, 3 times | b again from h, 3 times',
  );
});

test('what kind of gate a step is', () => {
  const kind = (fields: object) =>
    gateKind({ id: 'x', type: 'check', label: '', description: '', ...fields } as WorkflowNode);
  expect([
    kind({ type: 'peer_review', gate_kind: 'rai' }),
    kind({ gate_kind: 'rai' }),
    kind({ gate_kind: 'rubberduck', run: 'x' }),
    kind({ run: 'x' }),
    kind({}),
  ]).toEqual([...['peer-review', 'safety', 'rubberduck', 'command', 'human-review']]);
  const gates = ['prompt', 'run', 'peer_review', 'check', 'merge'].filter((type) => isGate({ type } as WorkflowNode));
  expect(gates).toEqual(['peer_review', 'check']);
});
