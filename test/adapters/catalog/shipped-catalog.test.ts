import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { NOTHING_AHEAD } from '#adapters/catalog/parsed-ahead.js';
import { YamlCatalog } from '#adapters/catalog/yaml-catalog.js';
import { pickBySignals, type RepositorySignals } from '#core/casting/analysis.js';
import { canReview, pickByWords } from '#core/casting/ranking.js';
import { NO_RECORDS } from '#core/casting/track-record.js';
import { checkCharter, compileCharter } from '#core/squad/charter.js';
import { verifies } from '../../verifies.js';

const FOLDER = path.resolve(import.meta.dirname, '../../../data/catalog');
const source = new YamlCatalog(FOLDER, NOTHING_AHEAD);
const namesIn = (kind: string) =>
  readdirSync(path.join(FOLDER, kind))
    .map((name) => name.replace(/\.(?:yaml|md)$/, ''))
    .sort();

const FIRST_NAMES: readonly (readonly [string, readonly string[]])[] = [
  ['The Matrix', ['Neo', 'Trinity', 'Morpheus', 'Tank']],
  ['Star Wars', ['Luke', 'Leia', 'Han', 'Chewie']],
  ['Inception', ['Cobb', 'Ariadne', 'Arthur', 'Eames']],
  ['Firefly', ['Mal', 'Zoe', 'Wash', 'Inara']],
  ['The Office', ['Michael', 'Dwight', 'Jim', 'Pam']],
  ['Breaking Bad', ['Walt', 'Jesse', 'Skyler', 'Hank']],
  ['Dune', ['Paul', 'Jessica', 'Duncan', 'Gurney']],
  ['Alien', ['Ripley', 'Dallas', 'Ash', 'Parker']],
  ['Blade Runner', ['Deckard', 'Roy', 'Rachael', 'Pris']],
  ['The Lord of the Rings', ['Frodo', 'Sam', 'Gandalf', 'Aragorn']],
  ['Star Trek', ['Kirk', 'Spock', 'McCoy', 'Scotty']],
  ['Harry Potter', ['Harry', 'Hermione', 'Ron', 'Dumbledore']],
  ['The Avengers', ['Stark', 'Rogers', 'Romanoff', 'Banner']],
  ['Battlestar Galactica', ['Adama', 'Roslin', 'Apollo', 'Starbuck']],
];

verifies('catalog.schema', 'every shipped file is valid, named in the manifest and as many as promised', async () => {
  const catalog = await source.load();
  expect([...catalog.archetypes.keys()].sort()).toEqual(namesIn('archetypes'));
  expect([...catalog.archetypes.keys()].sort()).toEqual(namesIn('charters'));
  expect([...catalog.groupings.keys()].sort()).toEqual(namesIn('groupings'));
  expect([...catalog.workflows].sort()).toEqual(namesIn('workflows'));
  expect(catalog.menu.length).toBeGreaterThanOrEqual(32);
  expect(catalog.groupings.size).toBeGreaterThanOrEqual(6);
  expect(catalog.builtins).toEqual([
    { name: 'Scribe', archetype: 'scribe' },
    { name: 'Ralph', archetype: 'work-monitor' },
    { name: 'Rai', archetype: 'rai-reviewer' },
    { name: 'Coordinator', archetype: 'coordinator' },
  ]);
  expect(catalog.groupings.get('quick-software-development')?.archetypes).toEqual([
    'frontend-engineer',
    'backend-engineer',
    'security-engineer',
    'devops-engineer',
    'qa-engineer',
  ]);
  for (const id of catalog.workflows) expect((await source.workflow(id)).id).toBe(id);
  checkCharter(await source.policyText(), 'the policy');
});

verifies(
  'casting.universe.hash',
  'the fourteen universes stand in their fixed order with their first names',
  async () => {
    const { universes } = await source.load();
    expect(universes.map((universe) => [universe.name, universe.names.slice(0, 4)])).toEqual(FIRST_NAMES);
    for (const universe of universes) expect(universe.names.length).toBeGreaterThanOrEqual(12);
  },
);

verifies(
  ['charter.source', 'charter.emoji', 'charter.hidden'],
  'every archetype has a template that compiles to a plain charter',
  async () => {
    const { archetypes } = await source.load();
    const templates = await source.charterTemplates([...archetypes.keys()]);
    for (const archetype of archetypes.values()) {
      const template = templates.get(archetype.id);
      expect(template).toBeDefined();
      const charter = compileCharter('Trinity', archetype, template);
      expect(charter).toContain(archetype.summary);
      expect(charter).not.toMatch(/\{[^}]*\}/);
    }
  },
);

verifies('casting.offline.reason', 'a goal about documentation finds who writes it', async () => {
  const catalog = await source.load();
  const { picks, warnings } = pickByWords(catalog, 'document our public HTTP interface');
  expect(picks[0]?.archetypeId).toBe('docs-writer');
  expect(picks[0]?.reason).toMatch(/^"\S+" \((?:title|keyword|capability)\)/);
  expect(warnings.map((warning) => warning.code)).toEqual(['offline_ranking']);
  expect(picks.some((pick) => catalog.menu.some((one) => one.id === pick.archetypeId && canReview(one)))).toBe(true);
});

test('a repository with code and no tests gets somebody who leads, builds and tests', async () => {
  const catalog = await source.load();
  const signals = {
    contents: ['code'],
    site: false,
    languages: ['typescript'],
    frameworks: ['react'],
    tests: false,
    docs: true,
    ci: false,
    size: 'small',
  } as const;
  const ids = pickBySignals(catalog, signals, {}, NO_RECORDS).picks.map((pick) => pick.archetypeId);
  expect(ids).toHaveLength(5);
  expect(ids).toContain('qa-engineer');
  expect(ids.some((id) => catalog.archetypes.get(id)?.leads)).toBe(true);
});

verifies(
  'who.cast',
  'a repository that is no software gets whoever does its work, and nobody who implements or tests',
  async () => {
    const catalog = await source.load();
    const team = (contents: RepositorySignals['contents'], site = false) => {
      const empty = { languages: [], frameworks: [], tests: false, docs: true, ci: true, size: 'medium' } as const;
      return pickBySignals(catalog, { ...empty, contents, site }, {}, NO_RECORDS).picks.map((pick) => pick.archetypeId);
    };
    expect(team(['text'])).toEqual(['writer', 'editor', 'fact-checker']);
    expect(team(['text'], true)).toEqual(['writer', 'editor', 'fact-checker', 'frontend-engineer']);
    expect(team(['notebooks'])[0]).toBe('data-scientist');
    expect(team(['pipelines'])[0]).toBe('data-engineer');
    expect(team(['prompts']).slice(0, 2)).toEqual(['prompt-engineer', 'agent-evaluator']);
    expect(team(['infrastructure'])[0]).toBe('devops-engineer');
    for (const content of ['text', 'notebooks', 'prompts', 'infrastructure'] as const)
      for (const id of ['core-implementer', 'qa-engineer', 'lead-architect'])
        expect(team([content]), content).not.toContain(id);
    // Of several contents each has somebody, whoever owns the largest first.
    expect(team(['code', 'infrastructure']).slice(0, 2)).toEqual(['lead-architect', 'devops-engineer']);
    expect(team(['infrastructure', 'code'])[0]).toBe('devops-engineer');
  },
);
