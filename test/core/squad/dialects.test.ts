import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { addCastMember } from '#core/casting/members.js';
import { withChanges } from '#core/squad/file-change.js';
import { surveySquad } from '#core/squad/layout.js';
import { planMigration } from '#core/squad/migrate.js';
import { everyName } from '#core/squad/registry.js';
import { readSquadState, refuseWrites } from '#core/squad/squad-state.js';
import { verifies } from '../../verifies.js';
import { after, catalog, confirm, memberWish, NOW, propose, teamOf, textOf } from '../casting/stage.js';

const FIXTURES = path.resolve(import.meta.dirname, '../../fixtures/squads');
const coded = (code: string) => expect.objectContaining({ code });

/** A repository of another tool, as texts. */
function fixture(name: string): Map<string, string> {
  const folder = path.join(FIXTURES, name);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files.map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      return [path.relative(folder, file).split(path.sep).join('/'), readFileSync(file, 'utf8')];
    }),
  );
}

const migrated = (texts: ReadonlyMap<string, string>, keep?: 'canonical' | 'flat') =>
  planMigration({ texts, catalog, keep, dryRun: false, now: NOW });
const membersOf = (texts: ReadonlyMap<string, string>) =>
  readSquadState(texts).registry.records.map((record) => `${record.name} ${record.status}`);

verifies(
  'squad.dialect.read',
  'keys in snake case: roles or slugs as keys, no status is active, nothing is lost',
  () => {
    const state = readSquadState(fixture('snake'));
    expect(membersOf(fixture('snake'))).toEqual(['Ripley Active', 'Dallas Active', 'Ash Retired']);
    const [ripley, dallas] = state.registry.records;
    expect(ripley).toMatchObject({ universe: 'Alien', createdAt: '2026-02-03T09:00:00Z', roleTitle: 'Lead' });
    expect(ripley?.x).toEqual({ legacy_named: false, home: { ship: 'Nostromo' } });
    expect(dallas).toMatchObject({ previousName: 'Kane', roleTitle: 'Tester', archetypeId: 'tester' });
    expect(everyName(state.registry)).toEqual(expect.arrayContaining(['Ripley', 'Dallas', 'Kane', 'Ash']));
    expect(state.teamFile.memberNames).toContain('Lambert');
    expect(state.history.usage).toEqual(['Dune', 'Alien']);
    expect(state.history.snapshots.map(({ members }) => members)).toEqual([
      [],
      ['Ripley', 'Dallas'],
      ['Ash', 'Dallas'],
    ]);
    expect(state.history.snapshots[1]?.x).toEqual({ reason: 'a signal' });
    expect(state.policy).toMatchObject({ allowlistUniverses: ['Alien', 'Dune'] });
    expect(state.teamPresent).toBe(true);
  },
);

verifies('squad.dialect.read', 'a wildcard allows every pool; flat files are read in either spelling', () => {
  const wildcard = readSquadState(fixture('wildcard'));
  expect(wildcard.policy).toBeUndefined();
  expect(wildcard.storage).toMatchObject({ dialect: 'C', layout: 'canonical', migration_available: true });
  expect(propose(['writer'], { state: wildcard, universe: 'Firefly' }).members[0]?.proposed_name).toBe('Mal');
  const flat = readSquadState(fixture('flat'));
  expect(membersOf(fixture('flat'))).toEqual(['Mal Active', 'Zoe Active']);
  expect(flat.registry.records[0]?.roleTitle).toBe('Captain');
  expect(flat.history.usage).toEqual(['Firefly']);
  expect(flat.policy?.allowlistUniverses).toEqual(['Firefly', 'Dune']);
});

verifies('squad.dialect.read', 'names and former names of another tool are never given again', () => {
  const state = readSquadState(fixture('wildcard'));
  expect(propose(['writer'], { state, universe: 'The Matrix' }).members[0]?.proposed_name).toBe('Morpheus');
  const former = fixture('snake');
  former.set('.squad/casting/policy.json', '{"universe_allowlist":["*"]}');
  former.set('.squad/casting/registry.json', '{"agents":{"a":{"persistent_name":"Neo","previous_name":"Trinity"}}}');
  const other = readSquadState(former);
  expect(propose(['writer'], { state: other, universe: 'The Matrix' }).members[0]?.proposed_name).toBe('Morpheus');
});

verifies(
  'squad.dialect.read',
  'each file is looked at by itself; what cannot be understood is named by its line',
  () => {
    const texts = new Map(teamOf('writer').texts);
    texts.set('.squad/casting/policy.json', '{"casting_policy_version":"1.2","allowlist_universes":["Firefly"]}');
    const state = readSquadState(texts);
    expect(state.storage).toMatchObject({ dialect: 'B', layout: 'canonical' });
    expect(membersOf(texts)[0]).toBe('Neo Active');
    expect(() => refuseWrites(state)).toThrow(coded('migration_required'));
    const bad = '{\n"agents":{\n"neo":{"persistent_name":"Neo"},\n"x":{"persistent_name":"../up"}\n}}';
    expect(readSquadState(new Map([['.squad/casting/registry.json', bad]])).registry.badLines).toEqual([
      { file: '.squad/casting/registry.json', line: 4 },
    ]);
    for (const broken of ['{"agents":', '[1]', '{"agents":[1]}']) {
      expect(() => readSquadState(new Map([['.squad/casting-registry.json', broken]])), broken).toThrow(
        coded('corrupt'),
      );
    }
  },
);

verifies('squad.dialect.write', 'nothing is written beside state of another tool; the error names the command', () => {
  for (const name of ['snake', 'wildcard', 'flat']) {
    const state = readSquadState(fixture(name));
    expect(() => addCastMember(memberWish(state), 'qa-engineer'), name).toThrow(
      expect.objectContaining({ code: 'migration_required', hint: expect.stringContaining('troupe squad migrate') }),
    );
    const proposal = propose(['writer'], { state });
    for (const intent of ['new', 'augment', 'recast']) {
      expect(() => confirm(proposal, state, { intent }), intent).toThrow(coded('migration_required'));
    }
  }
});

verifies(
  'squad.migrate',
  'events of ours with the times they had; what was read is moved aside; twice changes nothing',
  () => {
    for (const name of ['snake', 'wildcard', 'flat']) {
      const texts = fixture(name);
      const before = readSquadState(texts);
      const { changes, result } = migrated(texts);
      expect(result).toMatchObject({ changed: true, dry_run: false, members: before.registry.records.length });
      const now = withChanges(texts, changes);
      const state = readSquadState(now);
      expect(state.storage).toMatchObject({ layout: 'canonical', dialect: 'A', migration_available: false });
      expect(state.registry.records, name).toEqual(before.registry.records);
      expect(state.history.snapshots, name).toEqual(before.history.snapshots);
      expect(state.history.usage).toEqual(before.history.usage);
      for (const { from, to } of result.moved) {
        expect(to).toMatch(/^\.squad\/casting\/\.migrated\/20260701T100000000Z\/[a-z-]+\.json$/);
        expect(now.get(to)).toBe(texts.get(from));
      }
      expect(migrated(now)).toMatchObject({ changes: [], result: { changed: false, moved: [] } });
    }
  },
);

verifies('squad.migrate', 'the policy keeps what it said; charters filed under a role move to the name', () => {
  const texts = fixture('snake');
  const now = withChanges(texts, migrated(texts).changes);
  expect(JSON.parse(now.get('.squad/casting/policy.json') ?? '')).toEqual({
    version: '1.1',
    allowlistUniverses: ['Alien', 'Dune'],
    universeCapacity: { Alien: 8 },
    defaultNaming: 'universe',
    x: { house_rule: 'no androids' },
  });
  expect(now.get('.squad/agents/dallas/charter.md')).toBe(texts.get('.squad/agents/tester/charter.md'));
  // Lambert stands in team.md alone
  const aside = now.get('.squad/casting/.migrated/20260701T100000000Z/team.md');
  expect(aside).toBe(texts.get('.squad/team.md'));
  const wide = fixture('wildcard');
  const policy = withChanges(wide, migrated(wide).changes).get('.squad/casting/policy.json') ?? '';
  expect(JSON.parse(policy)).toMatchObject({
    allowlistUniverses: ['The Matrix', 'Star Wars', 'Inception', 'Firefly'],
    x: { max_capacity: 12 },
  });
});

verifies('squad.migrate', 'a dry run says the same and changes nothing', () => {
  const texts = fixture('flat');
  const dry = planMigration({ texts, catalog, dryRun: true, now: NOW });
  const real = migrated(texts);
  expect(dry.changes).toEqual([]);
  expect(dry.result).toEqual({ ...real.result, dry_run: true, changed: false });
});

verifies('squad.migrate', 'after it members can be added, and no name is used again', () => {
  const texts = fixture('wildcard');
  const state = readSquadState(withChanges(texts, migrated(texts).changes));
  const added = addCastMember(memberWish(state), 'qa-engineer');
  expect(added.result.member.name).toBe('Morpheus');
});

verifies('squad.layout', 'where the state stands, in which form, and whether it can be migrated', () => {
  const survey = (texts: ReadonlyMap<string, string>) => {
    const { layout, dialect, migration_available: migration } = surveySquad(texts);
    return { layout, dialect, migration };
  };
  expect(survey(new Map())).toEqual({ layout: 'absent', dialect: undefined, migration: false });
  expect(survey(teamOf('writer').texts)).toEqual({ layout: 'canonical', dialect: 'A', migration: false });
  expect(survey(fixture('snake'))).toEqual({ layout: 'canonical', dialect: 'B', migration: true });
  expect(survey(fixture('wildcard'))).toEqual({ layout: 'canonical', dialect: 'C', migration: true });
  expect(survey(fixture('flat'))).toEqual({ layout: 'flat', dialect: 'D', migration: true });
  const both = new Map([...fixture('flat'), ...teamOf('writer').texts]);
  expect(survey(both)).toEqual({ layout: 'conflict', dialect: 'D', migration: true });
  const empty = new Map([...teamOf('writer').texts, ['.squad/casting-registry.json', '{ "agents": {} }']]);
  expect(survey(empty)).toEqual({ layout: 'canonical', dialect: 'A', migration: false });
});

verifies('squad.conflict', 'two layouts that tell different things stop every read, naming the files', () => {
  const ours = teamOf('writer').texts;
  const both = new Map([...ours, ...fixture('flat')]);
  const files = ['.squad/casting/registry.events.jsonl', '.squad/casting-registry.json'];
  expect(() => readSquadState(both)).toThrow(
    expect.objectContaining({
      code: 'layout_conflict',
      details: { files: expect.arrayContaining(files) },
      hint: expect.stringContaining('--keep'),
    }),
  );
  expect(() => migrated(both)).toThrow(coded('layout_conflict'));
});

verifies('squad.conflict', 'spacing, the order of keys and the dialect make no difference', () => {
  const flat = fixture('flat');
  const canonical = withChanges(flat, migrated(flat).changes);
  const both = new Map([...canonical, ...flat]);
  expect(surveySquad(both)).toMatchObject({ layout: 'canonical', conflicts: [], migration_available: true });
  const agents = JSON.parse(flat.get('.squad/casting-registry.json') ?? '') as { agents: Record<string, unknown> };
  const turned = { agents: Object.fromEntries(Object.entries(agents.agents).reverse()) };
  both.set('.squad/casting-registry.json', JSON.stringify(turned));
  expect(membersOf(both)).toEqual(['Mal Active', 'Zoe Active']);
  // and yet nothing is written while both are there: the next write would set them apart
  expect(() => refuseWrites(readSquadState(both))).toThrow(coded('migration_required'));
});

verifies('squad.conflict', 'a former name without letters is the same in both; one that only one has is not', () => {
  const flat = fixture('flat');
  const file = '.squad/casting-registry.json';
  const named = (text: string) =>
    text.replace('"persistentName": "Mal",', '"persistentName": "Mal", "previousName": "🚀",');
  const before = new Map([...flat, [file, named(flat.get(file) ?? '')]]);
  const canonical = withChanges(before, migrated(before).changes);
  expect(surveySquad(new Map([...canonical, ...before])).conflicts).toEqual([]);
  const other = before.get(file)?.replace('🚀', '🦀') ?? '';
  expect(surveySquad(new Map([...canonical, ...before, [file, other]])).conflicts).toHaveLength(1);
});

verifies(['squad.conflict', 'squad.migrate'], '--keep decides, and the other state is kept aside', () => {
  const ours = teamOf('writer').texts;
  const both = new Map([...ours, ...fixture('flat')]);
  const keptOurs = withChanges(both, migrated(both, 'canonical').changes);
  expect(membersOf(keptOurs)).toEqual(membersOf(ours));
  expect(keptOurs.get('.squad/casting/registry.events.jsonl')).toBe(ours.get('.squad/casting/registry.events.jsonl'));
  const keptFlat = withChanges(both, migrated(both, 'flat').changes);
  expect(membersOf(keptFlat)).toEqual(['Mal Active', 'Zoe Active']);
  expect(keptFlat.get('.squad/casting/.migrated/20260701T100000000Z/registry.events.jsonl')).toBe(
    ours.get('.squad/casting/registry.events.jsonl'),
  );
  for (const texts of [keptOurs, keptFlat]) {
    expect(surveySquad(texts)).toMatchObject({ layout: 'canonical', migration_available: false });
    expect(migrated(texts).changes).toEqual([]);
  }
});

verifies('squad.append', 'JSON without events: one event for each known member is written first', () => {
  const before = teamOf('writer', 'qa-engineer');
  const texts = new Map(before.texts);
  texts.delete('.squad/casting/registry.events.jsonl');
  texts.delete('.squad/casting/history.events.jsonl');
  const state = readSquadState(texts);
  expect(state.storage.dialect).toBe('A');
  const grown = after(state, confirm(propose(['docs-writer'], { state }), state, { intent: 'augment' }).changes);
  const ids = (text: string) =>
    text
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { name: string }).name);
  expect(ids(textOf(grown, '.squad/casting/registry.events.jsonl'))).toEqual([
    ...['Coordinator', 'Neo', 'Rai', 'Ralph', 'Scribe', 'Trinity', 'Morpheus'].sort((a, b) =>
      a === 'Morpheus' ? 1 : b === 'Morpheus' ? -1 : a < b ? -1 : 1,
    ),
  ]);
  const memberIds = (of: typeof state) => new Map(of.registry.records.map((record) => [record.name, record.memberId]));
  for (const [name, id] of memberIds(before)) expect(memberIds(grown).get(name)).toBe(id);
  expect(grown.history.snapshots).toHaveLength(2);
});
