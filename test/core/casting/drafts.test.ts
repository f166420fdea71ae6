import path from 'node:path';
import { expect, test } from 'vitest';
import { blueprintByWords } from '#core/casting/offline.js';
import { blueprintBlocks, draftBlocks } from '#core/casting/prompts.js';
import { type DraftFacts, readDraft } from '#core/casting/read-draft.js';
import type { Workflow } from '#core/catalog/workflow.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { smallCatalog } from '../casting/small-catalog.js';

const FACTS: DraftFacts = {
  ...{ blueprint: { id: 'trip', roster: ['writer', 'qa-engineer'] }, existing: new Set(['plan', 'plan-2']) },
  ...{ trigger: undefined, policy: [] },
};
const node = (id: string, more: object = {}) => ({ id, type: 'prompt', prompt: 'Do it', archetype: 'writer', ...more });
const FLOW = { id: 'Plan', name: 'A plan', nodes: [node('a'), node('b')], edges: [{ from: 'a', to: 'b' }] };
const read = (answer: object | string, facts: Partial<DraftFacts> = {}): object | string => {
  try {
    return readDraft(typeof answer === 'string' ? answer : `So: ${JSON.stringify(answer)}`, { ...FACTS, ...facts });
  } catch (error) {
    if (error instanceof TroupeError) return `${error.code}: ${error.message}`;
    throw error;
  }
};

test('a workflow in the answer of a model: what of it is taken, and under which id', () => {
  const more = { process: { kind: 'trip' }, inputs: [], stages: [{ name: 's', nodes: ['a'] }], start: 'a', loops: {} };
  expect(read({ ...FLOW, description: 'D', ...more, version: 7, trigger: { type: 'manual' }, extra: 1 })).toEqual({
    ...{ id: 'plan-3', name: 'A plan', description: 'D', ...more, nodes: FLOW.nodes, edges: FLOW.edges },
  });
  const trigger = { type: 'schedule', every: 'daily' } as const;
  expect(read(FLOW, { trigger })).toEqual({
    id: 'plan-3',
    name: 'A plan',
    nodes: FLOW.nodes,
    edges: FLOW.edges,
    trigger,
  });
  const id = (answer: object, facts: Partial<DraftFacts> = {}) => (read(answer, facts) as { id: string }).id;
  expect([id({ ...FLOW, id: '!' }), id({ ...FLOW, id: '!', name: undefined })]).toEqual(['a-plan', 'trip']);
  expect(id({ ...FLOW, id: undefined, name: undefined }, { blueprint: { ...FACTS.blueprint, id: '!' } })).toBe(
    'workflow',
  );
  expect(id({ ...FLOW, id: 'x'.repeat(60) })).toBe('x'.repeat(40));
  expect(read({ ...FLOW, edges: 'none' })).toMatchObject({ edges: [] });
});

test('every type of step that a draft has is accepted', () => {
  const types = ['prompt', 'peer_review', 'check', 'fan_out', 'fan_in', 'serial', 'scribe', 'merge', 'terminal'];
  for (const type of types) {
    const last = {
      id: 'b',
      type,
      ...(type === 'serial' ? { steps: [{ id: 'x', prompt: 'Do it', archetype: 'writer' }] } : {}),
    };
    expect(read({ ...FLOW, nodes: [node('a'), last] }), type).toMatchObject({ nodes: [node('a'), last] });
  }
});

test('what a draft of a model must not hold', () => {
  const rows: [object | string, RegExp, Partial<DraftFacts>?][] = [
    ['no workflow', /the answer contains no workflow/],
    [{ ...FLOW, nodes: [] }, /contains no workflow/],
    [`x${'y'.repeat(TEAM_LIMITS.modelAnswerBytes)}`, /the answer is too long/],
    ['x'.repeat(TEAM_LIMITS.modelAnswerBytes), /contains no workflow/],
    [{ ...FLOW, tools: 'all' }, /it sets “tools”/],
    [{ ...FLOW, name: 'a\u200bb' }, /invisible characters/],
    [{ ...FLOW, nodes: [node('a', { type: 'run' })] }, /the draft/],
    [{ ...FLOW, nodes: [node('a', { type: 'coordinator_composed' })], edges: [] }, /“a” is a coordinator_composed/],
    [{ ...FLOW, nodes: [node('a', { archetype: ['writer', 'scribe'] })], edges: [] }, /“a” belongs to scribe/],
    [
      {
        ...FLOW,
        nodes: [{ id: 's', type: 'serial', steps: [node('x', { type: undefined, archetype: 'cook' })] }],
        edges: [],
      },
      /“x” belongs to cook/,
    ],
    [{ ...FLOW, edges: [{ from: 'a', to: 'z' }] }, /there is no node “z”/],
  ];
  for (const [answer, why, facts] of rows) expect(read(answer, facts), String(why)).toMatch(why);
});

const flow = (id: string, keywords: string[], more: Partial<Workflow> = {}): Workflow => ({
  ...{ id, name: id, description: id, version: 1, nodes: [], edges: [], process: { keywords, kind: `kind-${id}` } },
  ...more,
});

test('a blueprint without a model: a team by the words, the workflow by its keywords', () => {
  const processes = [
    flow('default', ['text']),
    flow('first', ['article'], { description: 'guide text' }),
    flow('second', ['text', 'article']),
    flow('third', ['article', 'text']),
    flow('words', [], { name: 'code', description: 'code' }),
    flow('named', ['article'], { name: 'Harbour', description: 'sea' }),
    { ...flow('none', []), process: undefined },
  ];
  const library = {
    catalog: smallCatalog(),
    workflows: new Set<string>(),
    policies: new Set<string>(),
    profiles: new Set<string>(),
    blueprints: new Set(['a-text']),
    processes,
  };
  const made = (words: string, size?: number) => blueprintByWords(words, library, size);
  expect(made('A text, an article for everybody who reads', 2)).toEqual({
    blueprint: {
      ...{ id: 'a-text-an-article-for-everybody', name: 'A text, an article for everybody' },
      ...{
        description: 'A text, an article for everybody who reads',
        roster: expect.any(Array),
        workflows: ['second'],
      },
      ...{ review_policy: 'default', sandbox_profile: 'default' },
    },
    warnings: [expect.objectContaining({ code: 'offline_ranking' })],
  });
  expect(made('A text, an article for everybody', 2).blueprint.roster).toHaveLength(2);
  expect([made('article').blueprint.workflows, made('article guide').blueprint.workflows]).toEqual([
    ['first'],
    ['first'],
  ]);
  expect([made('a text').blueprint.id, made('!').blueprint.id]).toEqual(['a-text-2', 'blueprint']);
  const flowsOf = (...all: string[]) => all.map((words) => made(words).blueprint.workflows[0]);
  expect(flowsOf('a text', 'article sea', 'article harbour')).toEqual(['second', 'named', 'named']);
  const none = made('code');
  expect([none.blueprint.workflows, none.warnings.map(({ code }) => code)]).toEqual([
    ['default'],
    ['offline_ranking', 'default_workflow'],
  ]);
});

test('what a model is shown for a blueprint, and for a workflow of it', async () => {
  const { menu } = smallCatalog();
  const option = (id: string, description?: string) => ({ id, description });
  const blueprint = {
    ...{ id: 'b', name: 'B', description: 'D', roster: ['writer', 'guide', 'ghost'], workflows: [] },
    ...{ review_policy: 'default', sandbox_profile: 'default' },
    bespoke_roles: [{ id: 'guide', title: 'Guide', charter: 'Leads.' }],
  };
  const told = [
    ...blueprintBlocks({
      ...{ description: 'Plan a\ntrip', menu, workflows: [flow('a', []), { ...flow('b', []), process: undefined }] },
      ...{ policies: [option('strict', 'Two\nlook')], profiles: [option('tight')] },
    }),
    ...draftBlocks({ description: 'Plan', blueprint, menu }),
    ...draftBlocks({
      description: 'Plan',
      blueprint: { ...blueprint, bespoke_roles: undefined },
      menu,
      problem: 'no edge',
    }),
  ].map(({ label, text, most }) => `# ${label}, ${most}\n${text}`);
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot(path.join(import.meta.dirname, 'golden/shown.txt'));
});
