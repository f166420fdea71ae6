import { expect, test } from 'vitest';
import { checkBlueprint, draftText, parseDraft } from '#core/catalog/blueprint-check.js';
import { SIGNAL_IDS } from '#core/catalog/signal-vocabulary.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { ARCHETYPES, smallCatalog } from '../casting/small-catalog.js';

const node = (more: object = {}) => ({ id: 'a', type: 'prompt', prompt: 'Do it', ...more });
const draft = (more: object = {}) => ({ id: 'mine', name: 'Mine', nodes: [node()], edges: [], ...more });
const withNode = (more: object) => draft({ nodes: [node(), node({ id: 'b', ...more })] });

function refusal(value: unknown): string {
  try {
    parseDraft(value);
    return 'fine';
  } catch (error) {
    return error instanceof TroupeError ? `${error.code} ${error.message}` : 'odd';
  }
}

test('a draft holds no command and no question to the repository, wherever it hides it', () => {
  const command = 'workflow_invalid the draft: “b” wants to run a command: a draft has none.';
  const question = 'workflow_invalid the draft: “b” asks about the repository: a draft does not.';
  const rows: readonly [object, string][] = [
    [{}, 'fine'],
    [{ type: 'check' }, 'fine'],
    [{ type: 'check', gate_kind: 'safety' }, 'fine'],
    [{ type: 'serial', steps: [{ id: 's' }] }, 'fine'],
    [{ type: 'run', run: 'x' }, command],
    [{ type: 'fan_in', run: 'x' }, command],
    [{ type: 'check', run: 'x' }, command],
    [{ type: 'check', gate_kind: 'command', run: 'x' }, command],
    [{ type: 'serial', steps: [{ id: 's' }, { id: 't', run: 'x' }] }, command],
    [{ type: 'run', run: 'x', for_each: 'repository-commands' }, command],
    [{ when: 'commands' }, question],
    [{ type: 'check', when: 'history' }, question],
    [{ type: 'what' }, expect.stringMatching(/^workflow_invalid the draft: nodes\.1\.type: /)],
  ];
  for (const [more, said] of rows) expect(refusal(withNode(more)), JSON.stringify(more)).toEqual(said);
  expect(parseDraft(draft())).toMatchObject({ id: 'mine', name: 'Mine', nodes: [{ id: 'a', label: 'A' }] });
});

test('a draft is as large as a file may be, in bytes, and no larger', () => {
  const most = TEAM_LIMITS.catalogFileBytes;
  const large = (name: string, words: number) =>
    draft({ name, process: { keywords: ['', ...Array<string>(words).fill('k'.repeat(57))] } });
  const missing = most - Buffer.byteLength(draftText(large('M', 0)));
  const [name, words] = [`M${'n'.repeat(missing % 60)}`, Math.floor(missing / 60)];
  expect(Buffer.byteLength(draftText(large(name, words)))).toBe(most);
  expect(refusal(large(name, words))).toBe('fine');
  for (const larger of [`${name}n`, name.replace('M', 'Ä')])
    expect(refusal(large(larger, words))).toBe(
      `workflow_invalid the draft: it is larger than a workflow of ${most} bytes.`,
    );
});

test('a draft stands in its file a node and an edge a line', () => {
  const head = '# Came with a blueprint. It is yours: change it as you like.\n';
  expect(draftText({ id: 'mine', nodes: [{ a: 1 }, 2], edges: [] })).toBe(
    `${head}id: "mine"\nnodes:\n  - {"a":1}\n  - 2\nedges: []\n`,
  );
  expect(draftText('x')).toBe(`${head}\n`);
});

test('a blueprint names its draft, and no draft has the name of a shipped workflow', () => {
  const [first] = ARCHETYPES;
  const blueprint = {
    ...{ id: 'b', name: 'B', description: 'D', roster: [first?.id], workflows: ['mine'], review_policy: 'strict' },
    sandbox_profile: 'closed',
  };
  const vocabulary = {
    ...{ catalog: smallCatalog(), workflows: new Set(['build', 'shipped']), policies: new Set(['strict']) },
    ...{ profiles: new Set(['closed']), reserved: new Set(['shipped']) },
  };
  const errors = (more: object) => checkBlueprint({ ...blueprint, ...more }, vocabulary).errors;
  expect(errors({ draft: draft() })).toEqual([]);
  expect(errors({})).toEqual(['workflows: there is no workflow “mine”']);
  expect(errors({ draft: draft(), workflows: ['build'] })).toEqual(['draft.id: “mine” is not among the workflows']);
  expect(errors({ draft: draft({ id: 'shipped' }), workflows: ['shipped'] })).toEqual([
    'draft.id: “shipped” is the name of a shipped workflow',
  ]);
  expect(errors({ draft: draft({ id: 'other' }) })).toEqual([
    'draft.id: “other” is not among the workflows',
    'workflows: there is no workflow “mine”',
  ]);
  expect(errors({ draft: draft({ start: 'gone' }) })).toEqual(['draft: the draft: start: there is no node “gone”']);
});

test('every signal that a rule may ask for', () => {
  expect([...SIGNAL_IDS].join(' ')).toMatchInlineSnapshot(
    `"content.code content.text content.notebooks content.pipelines content.prompts content.infrastructure site language.csharp language.typescript language.javascript language.python language.go language.rust language.java language.ruby language.php language.swift language.kotlin language.c language.cpp language.shell framework.react framework.vue framework.angular framework.nextjs framework.svelte framework.aspnet framework.blazor framework.django framework.flask framework.fastapi tests.present tests.absent docs.present docs.absent ci.present ci.absent size.small size.medium size.large"`,
  );
});
