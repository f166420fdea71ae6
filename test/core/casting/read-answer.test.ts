import { expect, test } from 'vitest';
import { forbiddenField, freeAnswerId, hasHiddenText, plainLine } from '#core/casting/answer-text.js';
import { type Library, readBlueprint } from '#core/casting/read-answer.js';
import type { Catalog } from '#core/catalog/catalog.js';
import { BLUEPRINT_LIMITS } from '#kernel/limits/blueprints.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { codeOf } from '../graph/graph.js';

const archetype = (id: string, builtIn = false) =>
  [id, { id, title: id, kind: builtIn ? 'builtin' : 'cast', capabilities: [] }] as const;
const menu = ['tester', 'writer', 'cook'];
const catalog = {
  archetypes: new Map([...menu.map((id) => archetype(id)), archetype('scribe', true)]),
  menu: menu.map((id) => archetype(id)[1]),
} as unknown as Catalog;
const LIBRARY: Library = {
  catalog,
  workflows: new Set(['review', 'plan', 'custom']),
  policies: new Set(['strict']),
  profiles: new Set(['tight']),
  blueprints: new Set(['trip']),
};
const read = (answer: object, description = 'Plan a trip') =>
  readBlueprint(`Here: ${JSON.stringify(answer)}`, description, LIBRARY);
const WHOLE = {
  ...{ id: 'Big Trip', name: 'A trip', description: 'Far away.', roster: ['tester', 'writer', 'tester'] },
  ...{ workflows: ['review', 'plan', 'review'], review_policy: 'strict', sandbox_profile: 'tight' },
};

test('an answer that names what there is becomes a blueprint as it stands', () => {
  expect(read(WHOLE)).toEqual({
    blueprint: {
      ...{ id: 'big-trip', name: 'A trip', description: 'Far away.', roster: ['tester', 'writer'] },
      ...{ workflows: ['review', 'plan'], review_policy: 'strict', sandbox_profile: 'tight' },
    },
    warnings: [],
  });
});

test('what is missing is made of the description, and what is not there is dropped and told', () => {
  const { blueprint, warnings } = read({ roster: ['cook', 'scribe', 'wizard', 7] });
  expect(blueprint).toEqual({
    ...{ id: 'plan-a-trip', name: 'Plan a trip', description: 'Plan a trip', roster: ['cook'] },
    ...{ workflows: [], review_policy: 'default', sandbox_profile: 'default' },
  });
  expect(warnings.map(({ code }) => code)).toEqual([
    'unknown_role',
    'builtin_role',
    'no_review_policy',
    'no_sandbox_profile',
  ]);
  expect(warnings.map(({ message }) => message).slice(0, 2)).toEqual([
    ...[
      'The model named 2 roles that cannot be cast: "wizard", "".',
      'The model named 1 role that joins every team automatically: "scribe".',
    ],
  ]);
  const named = (id: string) => read({ ...WHOLE, id }).blueprint.id;
  expect([named('trip'), named('Ünïque!'), named('---'), named('x'.repeat(60))]).toEqual([
    'trip-2',
    'unique',
    'a-trip',
    'x'.repeat(40),
  ]);
  expect(read({ ...WHOLE, id: '!', name: '!' }, '!').blueprint.id).toBe('blueprint');
  const flows = (workflows: unknown) => {
    const found = read({ ...WHOLE, workflows });
    return [found.blueprint.workflows, found.warnings.map(({ code }) => code)];
  };
  expect(flows(['review', 'nothing', '', 'default'])).toEqual([['review'], ['unknown_workflow']]);
  expect(flows(['review', '', 'default']), 'what stands for none is not missed').toEqual([['review'], []]);
  expect([flows(['custom']), flows('review'), flows(['custom', 'plan'])]).toEqual([
    [[], []],
    [[], []],
    [['custom', 'plan'], []],
  ]);
});

test('roles of its own join with a title and a charter, under an id that nobody has', () => {
  const role = (id: string, more: object = {}) => ({ id, title: 'T', charter: 'Does it.', ...more });
  const roles = (list: unknown[], roster: string[] = ['cook']) => {
    const { blueprint, warnings } = read({ ...WHOLE, roster, bespoke_roles: list });
    return [blueprint.bespoke_roles?.map(({ id }) => id), blueprint.roster, warnings.map(({ code }) => code)];
  };
  expect(roles([role('guide')], ['guide', 'cook'])).toEqual([['guide'], ['guide', 'cook'], []]);
  expect(roles([role('guide')])).toEqual([['guide'], ['cook', 'guide'], ['bespoke_rostered']]);
  for (const wrong of [
    role('Bad Id'),
    role('cook'),
    role('x', { title: ' ' }),
    role('x', { charter: ' ' }),
    role('x', { charter: 'y'.repeat(TEAM_LIMITS.charterCharacters + 1) }),
    7,
  ])
    expect(roles([wrong]), JSON.stringify(wrong).slice(0, 60)).toEqual([undefined, ['cook'], ['bespoke_dropped']]);
  expect(roles([role('a', { charter: 'y'.repeat(TEAM_LIMITS.charterCharacters) }), role('a')])).toEqual([
    ['a'],
    ['cook', 'a'],
    ['bespoke_dropped', 'bespoke_rostered'],
  ]);
  const many = Array.from({ length: TEAM_LIMITS.teamSizeMost + 1 }, (_, index) => role(`r${index}`));
  const [ids, roster] = roles(many);
  expect([ids?.length, roster?.length]).toEqual([TEAM_LIMITS.teamSizeMost, TEAM_LIMITS.teamSizeMost]);
});

test('of lists without end and long texts so much is read, and so many are named', () => {
  const many = (count: number, of: string) => Array.from({ length: count }, (_, index) => `${of}${index}`);
  const strangers = many(TEAM_LIMITS.modelRoles - 1, 's');
  const lists = read({
    ...WHOLE,
    roster: ['cook', ...strangers, 'writer'],
    workflows: ['plan', ...strangers, 'review'],
    bespoke_roles: [...strangers, 7, { id: 'guide', title: 'T', charter: 'Leads.' }],
  });
  expect(lists.blueprint).toMatchObject({ roster: ['cook'], workflows: ['plan'] });
  expect(lists.blueprint).not.toHaveProperty('bespoke_roles');
  const named = strangers.slice(0, BLUEPRINT_LIMITS.idsNamed).map((id) => JSON.stringify(id));
  expect(lists.warnings).toEqual([
    expect.objectContaining({ code: 'bespoke_dropped' }),
    { code: 'unknown_role', message: `The model named 199 roles that cannot be cast: ${named.join(', ')}.` },
    {
      code: 'unknown_workflow',
      message: `The model named 199 workflows that the library does not have: ${named.join(', ')}.`,
    },
  ]);
  const flows = new Set(many(BLUEPRINT_LIMITS.workflows + 1, 'w'));
  const wide = readBlueprint(JSON.stringify({ ...WHOLE, workflows: [...flows] }), 'x', {
    ...LIBRARY,
    workflows: flows,
  });
  expect(wide.blueprint.workflows).toEqual([...flows].slice(0, -1));
  const [name, description] = [BLUEPRINT_LIMITS.nameCharacters, BLUEPRINT_LIMITS.descriptionCharacters];
  const long = (most: number) => `${'x'.repeat(most - 1)}…`;
  const x = 'x'.repeat(description + 1);
  const made = { name: long(name), description: long(description), id: 'x'.repeat(BLUEPRINT_LIMITS.ownIdCharacters) };
  expect(read({ ...WHOLE, id: x, name: x, description: x }).blueprint).toMatchObject(made);
  expect(read({ roster: ['cook'] }, x).blueprint).toMatchObject(made);
});

test('no blueprint, nobody to cast, too much of it, or more than a model may say', () => {
  const fails = (answer: object) => codeOf(() => read(answer));
  for (const answer of [
    {},
    { roster: 'cook' },
    { roster: [] },
    { roster: ['wizard'] },
    { ...WHOLE, budget: 1 },
    { ...WHOLE, deep: [{ maxSpend: 1 }] },
  ])
    expect(fails(answer), JSON.stringify(answer)).toBe('blueprint_generation_failed');
  expect(codeOf(() => readBlueprint('nothing', 'x', LIBRARY))).toBe('blueprint_generation_failed');
  const padded = (bytes: number) => () => readBlueprint(JSON.stringify(WHOLE).padEnd(bytes), 'x', LIBRARY);
  expect(codeOf(padded(TEAM_LIMITS.modelAnswerBytes + 1))).toBe('blueprint_generation_failed');
  expect(padded(TEAM_LIMITS.modelAnswerBytes)().blueprint.id).toBe('big-trip');
});

test('texts of a model: one line, an id, a free id, and what they must not hold', () => {
  expect([plainLine(' a \n b ', 10), plainLine('abcdef', 4), plainLine(7, 4)]).toEqual(['a b', 'abc…', '']);
  const id = (texts: unknown[], taken: string[] = []) => freeAnswerId(texts, 'word', new Set(taken));
  expect([id(['--Ä b!']), id(['!', 7, 'x']), id(['!']), id([])]).toEqual(['a-b', 'x', 'word', 'word']);
  expect([id(['abc'], ['abc', 'abc-2']), id(['xyz'], ['abc']), id(['!'], ['word'])]).toEqual([
    ...['abc-3', 'xyz', 'word-2'],
  ]);
  const long = `${'x'.repeat(BLUEPRINT_LIMITS.ownIdCharacters - 2)}-yz`;
  expect([id([long]), id([`${long.slice(0, -2)}é`])]).toEqual([`${long.slice(0, -1)}`, `${long.slice(0, -2)}e`]);
  expect(id([long], [long.slice(0, -1)]), 'no longer than any').toBe(`${long.slice(0, -3)}-2`);
  expect(
    [{ a: { runScript: 1 } }, [{ x: 1 }, { 'my-tools': 1 }], { running: 1 }, 'budget', { outrun: 1 }, null].map(
      forbiddenField,
    ),
  ).toEqual([...['runScript', 'my-tools', undefined, undefined, undefined, undefined]]);
  expect([{ a: ['x\u200b'] }, { a: ['x\r\ny'] }, 'x\u202e', 7, null].map(hasHiddenText)).toEqual([
    ...[true, false, true, false, false],
  ]);
  expect(forbiddenField({ [`run ${'x'.repeat(80)}`]: 1 })).toBe(
    `run ${'x'.repeat(BLUEPRINT_LIMITS.idCharacters - 5)}…`,
  );
});

test('every word of a command, a permission or a budget is refused as the name of a field, in any spelling', () => {
  const words = [
    'allow allowed budget budgets command commands cost env environment exec execute executor grant grants permission',
    'permissions privilege privileges run script scripts secret secrets shell spend sudo tool tools trust trusted',
  ].flatMap((line) => line.split(' '));
  for (const word of words) {
    const Word = `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
    for (const field of [word, `my_${word}`, `my${Word}`, `${word}-x`, word.toUpperCase()])
      expect(forbiddenField({ a: 1, list: [{}, { [field]: 1 }] }), field).toBe(field);
    expect(forbiddenField({ [`${word}ish`]: 1, [`x${word}`]: word, list: [word] }), word).toBeUndefined();
  }
});
