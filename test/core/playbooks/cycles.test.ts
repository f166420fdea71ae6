import { expect, test } from 'vitest';
import { parseWorkflow } from '#core/catalog/parse-workflow.js';
import type { CompileInput } from '#core/playbooks/compiled.js';
import { compileWorkflow } from '#core/playbooks/workflow.js';
import { verifies } from '../../verifies.js';

const member = (name: string, archetypeId: string) => ({ name, archetypeId, status: 'Active' });
const TEAM = {
  leader: 'Ann',
  members: [member('Ann', 'writer'), member('Bob', 'writer'), member('Cid', 'editor'), member('Rai', 'rai-reviewer')],
};
const INPUT: CompileInput = { facts: [], commands: [], team: TEAM, prefix: 'flow', environment: {} };
const work = (id: string, archetype = 'writer') => ({ id, type: 'prompt', archetype });
const gate = (id: string, more: object = {}) => ({ id, type: 'peer_review', archetype: 'editor', ...more });

function compiled(nodes: unknown[], edges: unknown[], more: object = {}, input: Partial<CompileInput> = {}) {
  const result = compileWorkflow(parseWorkflow({ id: 'flow', nodes, edges, ...more }, 'flow.yaml'), {
    ...INPUT,
    ...input,
  });
  return { ...result, by: new Map(result.tasks.map((task) => [task.workflow.node, task])) };
}
const codeOf = (run: () => unknown) => {
  try {
    run();
  } catch (error) {
    return (error as { code?: string }).code;
  }
  return 'nothing';
};

verifies('workflow.branches', 'labels say pass, revise or stop; what has none is told by where it leads', () => {
  const end = { id: 'no', type: 'terminal', target: 'declined' };
  const edges = [
    { from: 'draft', to: 'judge' },
    { from: 'judge', to: 'print', when: 'fine' },
    { from: 'judge', to: 'draft', when: 'again' },
    { from: 'judge', to: 'no', when: 'never' },
  ];
  const listed = compiled(
    [work('draft'), gate('judge', { branches: ['fine', 'again', 'never'] }), work('print'), end],
    edges,
  );
  const said = compiled(
    [work('draft'), gate('judge', { branches: { fine: 'pass', again: 'revise', never: 'stop' } }), work('print'), end],
    edges,
  );
  expect(listed.tasks).toEqual(said.tasks);
  expect(listed.by.get('draft')).toMatchObject({ after: ['flow-judge'], cycle_guard: 'task:flow-judge=failed' });
  expect(listed.by.get('print')).toMatchObject({ after: ['flow-judge'], after_success: ['flow-judge'] });
  expect(listed.by.has('no')).toBe(false);

  const skipping = compiled(
    [work('draft'), gate('judge'), work('polish'), work('print')],
    [
      { from: 'draft', to: 'judge' },
      { from: 'judge', to: 'polish' },
      { from: 'judge', to: 'print' },
      { from: 'polish', to: 'print' },
    ],
  );
  expect(skipping.by.get('print')?.after).toEqual(['flow-polish']);
  expect(skipping.warnings.join()).toContain('cannot skip to “print”');
  const choosing = () =>
    compiled(
      [work('draft'), gate('judge'), work('left'), work('right')],
      [
        { from: 'draft', to: 'judge' },
        { from: 'judge', to: 'left', when: 'a' },
        { from: 'judge', to: 'right', when: 'b' },
      ],
    );
  expect(codeOf(choosing)).toBe('workflow_unsupported');
});

verifies('workflow.cycle', 'one beginning, every gate leads back to it, the last one is its guard', () => {
  const nodes = [work('plan'), work('draft'), gate('facts'), work('polish'), gate('style')];
  const edges = [
    { from: 'plan', to: 'draft' },
    { from: 'draft', to: 'facts' },
    { from: 'facts', to: 'polish', when: 'ok' },
    { from: 'facts', to: 'draft', when: 'no' },
    { from: 'polish', to: 'style' },
    { from: 'style', to: 'draft', when: 'no' },
  ];
  const { by, warnings } = compiled(nodes, edges, { loops: { draft: { max: 5 } } });
  expect(by.get('draft')).toMatchObject({
    after: ['flow-facts', 'flow-plan', 'flow-style'],
    after_success: ['flow-plan'],
    max_iterations: 5,
    cycle_guard: 'task:flow-style=failed',
    max_failure_restarts: 5,
  });
  expect(warnings).toEqual([]);
  const other = compiled(nodes, [...edges.slice(0, 5), { from: 'style', to: 'polish', when: 'no' }]);
  expect(other.by.get('polish')).toMatchObject({ max_iterations: 3, cycle_guard: 'task:flow-style=failed' });
  const overlapping = [
    ...edges.slice(0, 3),
    { from: 'polish', to: 'style' },
    { from: 'style', to: 'facts', when: 'x' },
  ];
  const third = compiled(
    [work('plan'), work('draft'), work('facts'), gate('polish'), gate('style')],
    [
      { from: 'plan', to: 'draft' },
      { from: 'draft', to: 'facts' },
      { from: 'facts', to: 'polish' },
      { from: 'polish', to: 'draft', when: 'no' },
      { from: 'polish', to: 'style', when: 'ok' },
      { from: 'style', to: 'facts', when: 'no' },
    ],
  );
  expect(overlapping).toHaveLength(5);
  expect(third.by.get('draft')?.after).toEqual(['flow-plan', 'flow-polish', 'flow-style']);
  expect(third.by.get('facts')?.after).toEqual(['flow-draft']);
  expect(third.warnings.join()).toContain('“style” leads back to “draft” instead of “facts”');
});

test('a circle that no gate closes is refused, and so is a way back to where nobody came from', () => {
  const circle = () =>
    compiled(
      [work('a'), work('b')],
      [
        { from: 'a', to: 'b' },
        { from: 'b', to: 'a' },
      ],
    );
  expect(codeOf(circle)).toBe('workflow_invalid');
  const aside = () =>
    compiled(
      [work('a'), gate('g', { branches: { no: 'revise' } }), work('b')],
      [
        { from: 'a', to: 'g' },
        { from: 'g', to: 'b', when: 'no' },
      ],
    );
  expect(codeOf(aside)).toBe('workflow_unsupported');
});

verifies('workflow.gate', 'whoever judges did none of the work; else a person does, and it is said', () => {
  const edges = [{ from: 'draft', to: 'judge' }];
  const other = compiled([work('draft'), gate('judge')], edges);
  expect([other.by.get('draft')?.member, other.by.get('judge')?.member]).toEqual(['Ann', 'Cid']);
  const own = compiled([work('draft', 'editor'), gate('judge')], edges);
  expect(own.by.get('judge')).toMatchObject({ human: true });
  expect(own.by.get('judge')).not.toHaveProperty('member');
  expect(own.warnings.join()).toContain('a person decides');
  const between = compiled([work('draft'), gate('judge', { archetype: 'writer' })], edges);
  expect(between.by.get('judge')?.member).toBe('Bob');
  const kinds = compiled(
    [
      work('draft'),
      { id: 'safe', type: 'check', gate_kind: 'rai' },
      { id: 'person', type: 'check', gate_kind: 'human-review' },
    ],
    [
      { from: 'draft', to: 'safe' },
      { from: 'safe', to: 'person' },
    ],
  );
  expect(kinds.by.get('safe')?.member).toBe('Rai');
  expect(kinds.by.get('person')).toMatchObject({ human: true });
});

verifies('workflow.policy', 'a gate on every way to the end is enough; the others stand before it, in order', () => {
  const nodes = [
    work('a'),
    work('b'),
    { id: 'look', type: 'check', gate_kind: 'safety' },
    { id: 'merge', type: 'merge' },
  ];
  const policy = ['safety', 'human-review'] as const;
  const passed = compiled(
    nodes,
    [
      { from: 'a', to: 'look' },
      { from: 'b', to: 'look' },
      { from: 'look', to: 'merge' },
    ],
    {},
    { policy },
  );
  expect(passed.tasks.map((task) => task.workflow.node)).toEqual(['a', 'b', 'look', 'policy-human-review', 'merge']);
  expect(passed.by.get('policy-human-review')).toMatchObject({ after_success: ['flow-look'], human: true });
  expect(passed.by.get('merge')).toMatchObject({ after_success: ['flow-policy-human-review'] });
  const around = compiled(
    nodes,
    [
      { from: 'a', to: 'look' },
      { from: 'look', to: 'merge' },
      { from: 'b', to: 'merge' },
    ],
    {},
    { policy },
  );
  expect(around.by.get('policy-safety')).toMatchObject({ after: ['flow-b', 'flow-look'], member: 'Rai' });
  expect(around.by.get('merge')?.after).toEqual(['flow-policy-human-review']);
});

test('every kind of node comes to what it means', () => {
  const { by, warnings } = compiled(
    [
      work('start', 'astronaut'),
      { id: 'split', type: 'fan_out' },
      {
        id: 'left',
        type: 'serial',
        steps: [work('one'), { id: 'two', run: 'make' }].map(({ id, ...more }) => ({
          id,
          ...('run' in more ? { run: more.run } : { archetype: 'writer' }),
        })),
      },
      { id: 'right', type: 'coordinator_composed', prompt: 'Divide it.' },
      { id: 'joined', type: 'fan_in' },
      { id: 'duck', type: 'check', gate_kind: 'rubberduck' },
      { id: 'merge', type: 'merge' },
      { id: 'notes', type: 'scribe' },
      { id: 'end', type: 'terminal' },
    ],
    [
      { from: 'start', to: 'split' },
      { from: 'split', to: 'left' },
      { from: 'split', to: 'right' },
      { from: 'left', to: 'joined' },
      { from: 'right', to: 'joined' },
      { from: 'joined', to: 'duck' },
      { from: 'duck', to: 'merge' },
      { from: 'merge', to: 'notes' },
      { from: 'notes', to: 'end' },
    ],
    {},
    { capabilities: (id) => (id === 'astronaut' ? ['floating'] : []) },
  );
  expect(by.get('start')).toMatchObject({ skills: ['floating'] });
  expect(warnings).toContain('No one on the team is astronaut: “Start” has no owner.');
  expect(by.get('left-one')?.after_success).toEqual(['flow-start']);
  expect(by.get('left-two')).toMatchObject({ after_success: ['flow-left-one'], exec: 'make', exec_mode: 'shell' });
  expect(by.get('right')?.description).toContain('--place-before flow-right-join');
  expect(by.get('right-join')?.after_success).toEqual(['flow-right']);
  expect(by.get('joined')?.after).toEqual(['flow-left-two', 'flow-right-join']);
  expect(by.get('merge')).toMatchObject({ after: ['flow-duck'], tags: ['wf:flow', 'merge'] });
  expect(by.get('merge')).not.toHaveProperty('after_success');
  expect([...by.keys()]).toEqual([
    'start',
    'left-one',
    'left-two',
    'right',
    'right-join',
    'joined',
    'duck',
    'merge',
    'notes',
  ]);
});
