import { expect, test } from 'vitest';
import { parseWorkflow } from '#core/catalog/parse-workflow.js';
import type { CompiledTask } from '#core/playbooks/compiled.js';
import { editPlan, type PlanEdit } from '#core/playbooks/edit-plan.js';
import { compileWorkflow } from '#core/playbooks/workflow.js';
import { refusalOf } from '../../refusal.js';
import { verifies } from '../../verifies.js';

const TEAM = {
  leader: 'Morpheus',
  members: [
    { name: 'Morpheus', archetypeId: 'lead-architect', status: 'Active' },
    { name: 'Trinity', archetypeId: 'core-implementer', status: 'Active' },
    { name: 'Tank', archetypeId: 'qa-engineer', status: 'Active' },
    { name: 'Cypher', archetypeId: 'qa-engineer', status: 'Retired' },
  ],
};

/** Plan, work, tidy, a review that may send back to the work, a record, a merge. */
const FLOW = parseWorkflow(
  {
    id: 'flow',
    nodes: [
      { id: 'plan', type: 'prompt', label: 'Make a plan', archetype: 'lead-architect', prompt: 'Plan' },
      { id: 'work', type: 'prompt', label: 'Do the work', archetype: 'core-implementer', prompt: 'Work' },
      { id: 'tidy', type: 'run', label: 'Tidy up', run: 'npm run format' },
      {
        ...{ id: 'review', type: 'peer_review', label: 'Review it', archetype: 'qa-engineer', prompt: 'Look' },
        branches: { ok: 'pass', again: 'revise' },
      },
      { id: 'record', type: 'prompt', label: 'Write it down', archetype: 'lead-architect', prompt: 'Write' },
    ],
    edges: [
      { from: 'plan', to: 'work' },
      { from: 'work', to: 'tidy' },
      { from: 'tidy', to: 'review' },
      { from: 'review', to: 'work', when: 'again' },
      { from: 'review', to: 'record', when: 'ok' },
    ],
    loops: { work: { max: 3 } },
  },
  'flow.yaml',
);
const compiled = compileWorkflow(FLOW, {
  ...{ facts: [], commands: [], team: TEAM, prefix: 'r', environment: {} },
});

const edited = (...edits: PlanEdit[]) => editPlan(compiled, edits, TEAM);
const refusal = (...edits: PlanEdit[]) => refusalOf(() => edited(...edits));
/** Each step with what must end before it. */
const orderOf = (tasks: readonly CompiledTask[]) => tasks.map(({ id, after = [] }) => `${id} < ${after.join(' ')}`);

verifies(
  'web.do.edit',
  'titles and owners are those that a person gave; without a change the plan is untouched',
  () => {
    expect(edited()).toEqual(compiled);
    const { tasks } = edited(
      { step: 'work', title: ' Write\nthe parser ', member: 'Tank' },
      { step: 'review', human: true },
      { step: 'plan', title: 'Think' },
    );
    expect(tasks[1]).toMatchObject({ title: 'Write the parser', member: 'Tank', after: ['r-plan', 'r-review'] });
    expect(tasks[3]).toMatchObject({ human: true });
    expect(tasks[3]).not.toHaveProperty('member');
    expect(tasks[0]).toMatchObject({ title: 'Think', member: 'Morpheus' });
  },
);

verifies('web.do.edit', 'a step that is left out leaves its predecessors to those after it', () => {
  expect(orderOf(edited({ step: 'plan', drop: true }).tasks)[0]).toBe('r-work < r-review');
  const tidied = edited({ step: 'tidy', drop: true });
  expect(orderOf(tidied.tasks)).toEqual([
    'r-plan < ',
    'r-work < r-plan r-review',
    'r-review < r-work',
    'r-record < r-review',
  ]);
  expect(tidied.tasks[2]?.after_success).toEqual(['r-work']);
  expect(tidied.steps.map(({ node }) => node)).toEqual(['plan', 'work', 'review', 'record']);
});

verifies(
  'web.do.edit',
  'without its review the work is done once, and is followed by what came after the review',
  () => {
    const { tasks } = edited({ step: 'review', drop: true });
    expect(orderOf(tasks)).toEqual(['r-plan < ', 'r-work < r-plan', 'r-tidy < r-work', 'r-record < r-tidy']);
    expect(tasks[1]).not.toHaveProperty('max_iterations');
    expect(tasks[1]).not.toHaveProperty('cycle_guard');
    const short = edited({ step: 'review', drop: true }, { step: 'record', drop: true }).tasks;
    expect(short.map(({ workflow }) => workflow.role)).toEqual([undefined, undefined, 'end']);
  },
);

verifies('web.do.edit', 'a step moves to right before another one, out of its place', () => {
  const { tasks } = edited({ step: 'record', before: 'work' });
  expect(orderOf(tasks)).toEqual([
    'r-plan < ',
    'r-record < r-plan',
    'r-work < r-record r-review',
    'r-tidy < r-work',
    'r-review < r-tidy',
  ]);
  expect(tasks[1]?.workflow.role).toBeUndefined();
  expect(tasks[1]?.after_success).toEqual(['r-plan']);
  expect(tasks[2]).toMatchObject({ max_iterations: 3, after_success: ['r-record'] });
  // There and back again.
  expect(orderOf(edited({ step: 'tidy', before: 'plan' }, { step: 'plan', before: 'tidy' }).tasks).slice(0, 3)).toEqual(
    ['r-plan < ', 'r-tidy < r-plan', 'r-work < r-review r-tidy'],
  );
});

verifies(
  'web.do.edit',
  'refused: unknown steps and people, a start of a loop, own work to review, a plan of nothing',
  () => {
    expect(refusal({ step: 'reviev', drop: true })).toMatchObject({ code: 'bad_input', hint: 'Did you mean review?' });
    for (const member of ['Neo', 'Cypher']) expect(refusal({ step: 'work', member }).message).toContain('Nobody');
    expect(refusal({ step: 'tidy', human: true }).message).toContain('a command');
    expect(refusal({ step: 'work', member: 'Tank', human: true }).message).toContain('one owner');
    expect(refusal({ step: 'work', title: ' \n' }).message).toContain('title');
    expect(refusal({ step: 'work', drop: true }).message).toContain('begins a loop');
    expect(refusal({ step: 'work', before: 'plan' }).message).toContain('begins a loop');
    expect(refusal({ step: 'review', before: 'plan' }).message).toContain('cannot be moved');
    expect(refusal({ step: 'plan', before: 'plan' }).message).toContain('before itself');
    expect(refusal({ step: 'work', member: 'Tank' }).message).toBe('Tank would review own work: review judges work.');
    expect(refusal({ step: 'review', member: 'Trinity' }).message).toContain('own work');
    const all = ['review', 'record', 'tidy', 'work', 'plan'].map((step): PlanEdit => ({ step, drop: true }));
    expect(refusal(...all).message).toContain('the last one');
  },
);

test('a review that the plan itself gave to somebody of an earlier step stays', () => {
  const one = { leader: 'Neo', members: [{ name: 'Neo', archetypeId: 'qa-engineer', status: 'Active' }] };
  const both = compileWorkflow(
    parseWorkflow(
      {
        id: 'both',
        nodes: [
          { id: 'a', type: 'prompt', archetype: 'qa-engineer', prompt: 'A' },
          { id: 'b', type: 'prompt', archetype: 'writer', prompt: 'B' },
          { id: 'look', type: 'peer_review', reviews: 'b', archetype: 'qa-engineer' },
        ],
        edges: [
          { from: 'a', to: 'b' },
          { from: 'b', to: 'look' },
        ],
      },
      'both.yaml',
    ),
    { facts: [], commands: [], team: one, prefix: 'both', environment: {} },
  );
  expect(both.tasks[2]).toMatchObject({ member: 'Neo' });
  expect(editPlan(both, [{ step: 'b', title: 'Bee' }], one).tasks[1]?.title).toBe('Bee');
});
