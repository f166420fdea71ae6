import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { confirm, ensureTeam } from '#operations/squad/confirm.js';
import { analyze, goal, manual, reject, scenario, scenarios, show } from '#operations/squad/proposals.js';
import { archetypes, universes } from '#operations/squad/sources.js';
import { OPERATIONS } from '#operations/table.js';
import { verifies } from '../../verifies.js';
import { Stage, team } from '../team/casting-stage.js';

const coded = (code: string) => expect.objectContaining({ code });

verifies(
  ['casting.scenario', 'casting.shape.readonly', 'confirm.new'],
  'an empty project: five members proposed, nothing written; confirmed, nine stand in team.md',
  async () => {
    const stage = new Stage();
    const proposal = await stage.call(scenario, { scenario: 'quick-software-development' });
    expect(proposal.members).toHaveLength(5);
    expect(proposal.rationale).toBe(
      (await stage.catalog.load()).groupings.get('quick-software-development')?.description,
    );
    expect(stage.files()).toEqual({});
    const confirmed = await stage.call(confirm);
    expect(confirmed).toMatchObject({ intent: 'new', leader: 'Coordinator', retired: [] });
    const files = stage.files();
    expect(files['.squad/team.md']?.match(/\| Active \|$/gm)).toHaveLength(9);
    expect(Object.keys(files)).toEqual(
      expect.arrayContaining(['.squad/casting/registry.events.jsonl', '.squad/casting/history.events.jsonl']),
    );
    expect((await stage.call(team)).members).toHaveLength(9);
  },
);

verifies(['confirm.intent', 'confirm.atomic'], 'with a team: a missing or unknown intent changes no byte', async () => {
  const stage = new Stage();
  await stage.call(manual, { archetypes: ['writer'] });
  await stage.call(confirm);
  const before = stage.files();
  await stage.call(manual, { archetypes: ['editor'] });
  await expect(stage.call(confirm)).rejects.toThrow(coded('requires_choice'));
  await expect(stage.call(confirm, { intent: 'merge' })).rejects.toThrow(coded('intent_invalid'));
  expect(stage.files()).toEqual(before);
  const grown = await stage.call(confirm, { intent: 'augment' });
  expect(grown.members.filter((member) => !member.built_in).map((member) => member.archetype_id)).toEqual([
    'writer',
    'editor',
  ]);
});

verifies(
  ['casting.goal', 'casting.offline.when'],
  'a goal is 1 to 2000 characters; without a model it is ranked by its words, the same every time',
  async () => {
    const stage = new Stage();
    const first = await stage.call(goal, { goal: '  document our public HTTP interface ' });
    expect(first).toMatchObject({
      mode: 'free_text',
      method: 'lexical',
      rationale: 'document our public HTTP interface',
    });
    expect(first.warnings.map((warning) => warning.code)).toEqual(['offline_ranking']);
    expect(first.members[0]?.role.id).toBe('docs-writer');
    const again = await stage.call(goal, { goal: 'document our public HTTP interface' });
    expect(again.members).toEqual(first.members);
    for (const bad of ['', '   ', 'x'.repeat(2_001)])
      await expect(stage.call(goal, { goal: bad })).rejects.toThrow(coded('bad_input'));
    await expect(stage.call(goal, { goal: 'ü'.repeat(2_000) })).rejects.toThrow(coded('goal_unclear'));
    for (const size of [0, 21, 2.5])
      await expect(stage.call(goal, { goal: 'docs', size })).rejects.toThrow('input refused');
  },
);

verifies(
  'who.cast',
  'a goal that says too little gets no proposal but three groups, each of which its command proposes',
  async () => {
    const stage = new Stage();
    const refusal = await stage.call(goal, { goal: 'Ein Kinderbuch über einen mutigen Igel' }).catch((error) => error);
    expect(refusal).toEqual(coded('goal_unclear'));
    await expect(stage.call(show)).rejects.toThrow(coded('no_proposal'));
    const named = [...String(refusal.hint).matchAll(/`troupe cast propose --scenario ([a-z-]+)`/g)].map(
      ([, id = '']) => id,
    );
    expect(named).toHaveLength(3);
    expect(refusal.details.groupings.map(({ id }: { id: string }) => id)).toEqual(named);
    expect(named).toContain('content-authoring-and-research');
    for (const id of named) expect((await stage.call(scenario, { scenario: id })).members.length).toBeGreaterThan(2);
  },
);

verifies(['casting.analyze.offline', 'casting.analyze.none'], 'an analysis goes by what the scan finds', async () => {
  const stage = new Stage();
  const empty = await stage.call(analyze);
  expect(empty.members).toHaveLength(3);
  expect(empty.warnings.map((warning) => warning.code)).toEqual(['no_signals']);
  writeFileSync(path.join(stage.folder, 'index.ts'), 'export {};\n');
  const found = await stage.call(analyze, { size: 4, required: ['docs-writer'] });
  expect(found).toMatchObject({ mode: 'analysis', method: 'rules' });
  expect(found.rationale).toContain('TypeScript');
  expect(found.members).toHaveLength(4);
  expect(found.members.map((member) => member.role.id)).toContain('docs-writer');
  await expect(stage.call(analyze, { required: ['plumber'] })).rejects.toThrow(coded('unknown_archetype'));
});

verifies(
  ['casting.universe.pure', 'casting.universe.override'],
  'signals have no say in the universe; seed and override have',
  async () => {
    const stage = new Stage();
    const before = await stage.call(analyze, { seed: 'zion' });
    writeFileSync(path.join(stage.folder, 'main.go'), 'package main\n');
    expect((await stage.call(analyze, { seed: 'zion' })).universe).toBe(before.universe);
    expect((await stage.call(analyze, { universe: 'firefly' })).members[0]?.proposed_name).toBe('Mal');
    await expect(stage.call(analyze, { universe: 'Narnia' })).rejects.toThrow(coded('universe_invalid'));
  },
);

verifies(
  ['casting.proposal.single', 'casting.proposal.ttl'],
  'the newest proposal is the one; expired, rejected or confirmed it is gone',
  async () => {
    const stage = new Stage();
    await expect(stage.call(show)).rejects.toThrow(coded('no_proposal'));
    await stage.call(manual, { archetypes: ['writer'] });
    const newest = await stage.call(manual, { archetypes: ['editor'] });
    expect(await stage.call(show)).toEqual(newest);
    expect(await stage.call(reject)).toEqual({ proposal_id: newest.proposal_id });
    for (const gone of [show, reject, confirm])
      await expect(stage.call(gone as typeof show)).rejects.toThrow(coded('no_proposal'));
    await stage.call(manual, { archetypes: ['writer'] });
    stage.now += 30 * 60_000;
    for (const late of [show, reject, confirm])
      await expect(stage.call(late as typeof show)).rejects.toThrow(coded('no_proposal'));
    expect(existsSync(path.join(stage.folder, '.squad'))).toBe(false);
  },
);

verifies('confirm.idempotent', 'confirming twice gives the same answer and changes no byte', async () => {
  const stage = new Stage();
  await stage.call(manual, { archetypes: ['writer', 'lead-pm'] });
  const first = await stage.call(confirm);
  const files = stage.files();
  stage.now += 60 * 60_000;
  expect(await stage.call(confirm)).toEqual(first);
  expect(stage.files()).toEqual(files);
  await expect(stage.call(show)).rejects.toThrow(coded('no_proposal'));
});

verifies('casting.proposal.base', 'a team.md edited in between stops the confirmation', async () => {
  const stage = new Stage();
  await stage.call(manual, { archetypes: ['writer'] });
  await stage.call(confirm);
  await stage.call(manual, { archetypes: ['editor'] });
  writeFileSync(path.join(stage.folder, '.squad/team.md'), '# Ours\n');
  await expect(stage.call(confirm, { intent: 'augment' })).rejects.toThrow(coded('team_changed'));
});

verifies('casting.scenario', 'an unknown scenario names those there are', async () => {
  const stage = new Stage();
  await expect(stage.call(scenario, { scenario: 'quick-software-developement' })).rejects.toThrow(
    expect.objectContaining({
      code: 'unknown_grouping',
      hint: expect.stringContaining('quick-software-development'),
      httpStatus: 404,
    }),
  );
  const { scenarios: known } = await stage.call(scenarios);
  expect(known.map(({ id }) => id)).toContain('quick-software-development');
});

verifies('catalog.menu', 'what can be cast and where names come from can be asked', async () => {
  const stage = new Stage();
  const { archetypes: menu } = await stage.call(archetypes);
  expect(menu.map((archetype) => archetype.id)).not.toContain('coordinator');
  expect(menu[0]?.id).toBe('lead-architect');
  await stage.call(manual, { archetypes: ['writer'], universe: 'Dune' });
  await stage.call(confirm);
  const { universes: places } = await stage.call(universes);
  expect(places).toHaveLength(14);
  expect(places.find((place) => place.current)).toMatchObject({ name: 'Dune', used: true });
});

test('a team for a workflow is cast once: everyone the workflow asks for is on it', async () => {
  const stage = new Stage();
  const { nodes } = await stage.catalog.workflow('repository-review');
  const wanted = nodes.flatMap((node) =>
    typeof node.archetype === 'string' ? node.archetype : (node.archetype?.[0] ?? []),
  );
  const first = await stage.call(ensureTeam, { workflow: 'repository-review' });
  const cast = (await stage.call(team)).members.filter((member) => !member.built_in);
  expect(first).toMatchObject({ cast: true, members: cast.length });
  expect(cast.map((member) => member.archetype_id)).toEqual(expect.arrayContaining(wanted));
  expect(cast).toHaveLength(new Set(wanted).size + 1);
  expect(await stage.call(ensureTeam, { workflow: 'repository-review' })).toEqual({
    ...first,
    cast: false,
    outside: [],
  });
});

verifies('confirm.no-commit', 'nothing is committed and nothing is staged', async () => {
  const stage = new Stage();
  const git = (...args: string[]) => execFileSync('git', ['-C', stage.folder, ...args], { encoding: 'utf8' });
  git('init', '--quiet');
  await stage.call(manual, { archetypes: ['writer'] });
  await stage.call(confirm);
  expect(git('status', '--porcelain').trim().split('\n').sort()).toEqual([
    '?? .gitattributes',
    '?? .gitignore',
    '?? .squad/',
    '?? .workgraph/',
  ]);
  expect(git('rev-list', '--all', '--count').trim()).toBe('0');
});

test('without a team there is none to show', async () => {
  await expect(new Stage().call(team)).rejects.toThrow(coded('no_team'));
});

test('every spec loads the operation of its name, with two examples of its command', async () => {
  for (const spec of OPERATIONS.filter(({ name }) => name.startsWith('casting.'))) {
    expect((await spec.load()).name).toBe(spec.name);
    // What is told to the log as well is done by whoever holds the log; the rest may take long.
    const told = ['casting.confirm', 'team.ensure'].includes(spec.name);
    expect([spec.where, spec.graphless]).toEqual(told ? [undefined, true] : ['caller', undefined]);
    expect(spec.examples).toHaveLength(2);
    const names = [spec.command, (spec.instead ?? spec.command).split(' --', 1)[0] ?? ''];
    for (const example of spec.examples)
      expect(
        names.some((name) => example.startsWith(`troupe ${name}`)),
        example,
      ).toBe(true);
  }
});
