import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { LocalFiles } from '#adapters/files/local-files.js';
import { confirm } from '#operations/squad/confirm.js';
import { lint, show } from '#operations/squad/entries.js';
import { manual, scenario } from '#operations/squad/proposals.js';
import { universes } from '#operations/squad/sources.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';
import { Stage } from '../team/casting-stage.js';

const coded = (code: string) => expect.objectContaining({ code });
const ARCHETYPE = `id: map-maker
title: Map Maker
summary: Draws maps.
domain: maps
kind: cast
leads: false
capabilities: [drawing]
responsibilities: [Draws the land., Names the rivers.]
boundaries: [Leaves the sea alone.]
keywords: [map]
desired_outcome: Nobody is lost.
default_tradeoff: careful
default_model: standard
`;

function put(stage: Stage, name: string, text: string): string {
  const file = path.join(stage.folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}
const stageWithFiles = () => {
  const stage = new Stage();
  stage.projectFiles = new LocalFiles(stage.folder);
  return stage;
};

verifies(
  'catalog.project',
  'archetypes, charters and groupings of a project can be cast beside the shipped ones',
  async () => {
    const stage = new Stage();
    expect(await stage.call(lint)).toEqual({ ok: true, files: 0, problems: [] });
    put(stage, '.squad/catalog/archetypes/map-maker.yaml', ARCHETYPE);
    put(stage, '.squad/catalog/charters/map-maker.md', '# {Name} — {Role Title}\n\nDraws with a steady hand.\n');
    const grouping = 'id: explorers\ntitle: Explorers\ndescription: They go first.\narchetypes: [map-maker, writer]\n';
    put(stage, '.squad/catalog/groupings/explorers.yaml', grouping);
    expect(await stage.call(lint)).toEqual({ ok: true, files: 3, problems: [] });
    const proposal = await stage.call(scenario, { scenario: 'explorers', universe: 'The Matrix' });
    expect(proposal.members.map(({ role }) => role.id)).toEqual(['map-maker', 'writer']);
    expect(proposal.members[0]?.charter_markdown).toBe('# Neo — Map Maker\n\nDraws with a steady hand.\n');
    const { entries } = await stage.call(show, { kind: 'archetypes', id: 'map-maker' });
    expect(entries).toMatchObject([{ id: 'map-maker', source: 'project' }]);
    expect((await stage.call(show, { kind: 'archetypes', id: 'writer' })).entries[0]).not.toHaveProperty('source');
    await stage.call(confirm);
    expect(stage.files()['.squad/routing.md']).toContain('Map Maker: Draws the land. Names the rivers.');
  },
);

verifies(
  'catalog.project',
  'a shipped id cannot be taken; everything that is wrong is named with file and line',
  async () => {
    const stage = new Stage();
    put(stage, '.squad/catalog/archetypes/writer.yaml', ARCHETYPE.replace('map-maker', 'writer'));
    put(stage, '.squad/catalog/archetypes/misnamed.yaml', ARCHETYPE);
    put(
      stage,
      '.squad/catalog/archetypes/spy.yaml',
      ARCHETYPE.replace('map-maker', 'spy').replace('kind: cast', 'kind: builtin'),
    );
    put(stage, '.squad/catalog/archetypes/torn.yaml', 'id: torn\ntitle: [\n');
    put(stage, '.squad/catalog/archetypes/bomb.yaml', 'id: &a [1]\ntitle: *a\n');
    put(stage, '.squad/catalog/groupings/ghosts.yaml', 'id: ghosts\ntitle: G\ndescription: D\narchetypes: [nobody]\n');
    put(stage, '.squad/catalog/charters/writer.md', '# x\n');
    put(stage, '.squad/casting/universes/dune.yaml', 'name: Dune\nnames: [A]\n');
    const elsewhere = path.join(room('outside'), 'secret.yaml');
    writeFileSync(elsewhere, ARCHETYPE.replace('map-maker', 'linked'));
    symlinkSync(elsewhere, path.join(stage.folder, '.squad/catalog/archetypes/linked.yaml'));
    const { ok, problems } = await stage.call(lint);
    expect(ok).toBe(false);
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/archetypes\/bomb.yaml:2: aliases are not allowed/),
      expect.stringMatching(/archetypes\/linked.yaml is a link/),
      expect.stringMatching(/archetypes\/misnamed.yaml:1: id: “map-maker” is not the name of the file/),
      expect.stringMatching(/archetypes\/spy.yaml:5: kind: only shipped archetypes are built in/),
      expect.stringMatching(/archetypes\/torn.yaml:\d/),
      expect.stringMatching(/archetypes\/writer.yaml:1: id: “writer” already/),
      expect.stringMatching(/groupings\/ghosts.yaml:4: archetypes.0: “nobody” cannot be cast/),
      expect.stringMatching(/universes\/dune.yaml:1: name: the universe “Dune” already/),
      expect.stringMatching(/charters\/writer.md: “writer” is shipped/),
    ]);
    await expect(stage.call(manual, { archetypes: ['editor'] })).rejects.toThrow(coded('catalog_invalid'));
    // Nor is anything shipped used beside what is wrong.
    await expect(stage.catalog.workflow('bug-fix')).rejects.toThrow(coded('catalog_invalid'));
    await expect(stage.catalog.charterTemplates(['writer'])).rejects.toThrow(coded('catalog_invalid'));
  },
);

verifies(
  'casting.names.custom',
  'a file of names is added and allowed in one step, beside all that was allowed',
  async () => {
    const stage = stageWithFiles();
    const file = put(stage, 'our-names.yaml', 'name: Our Street\nnames: [Ann, Bo, "Zoë"]\n');
    const before = await stage.call(universes);
    const { universes: after } = await stage.call(universes, { add: file });
    expect(after.map(({ name }) => name)).toEqual([...before.universes.map(({ name }) => name), 'Our Street']);
    const policy = JSON.parse(stage.files()['.squad/casting/policy.json'] ?? '');
    expect(policy.allowlistUniverses.at(-1)).toBe('Our Street');
    const proposal = await stage.call(manual, {
      archetypes: ['writer', 'editor', 'skeptic', 'debugger'],
      universe: 'our street',
    });
    expect(proposal.members.map((member) => member.proposed_name)).toEqual(['Ann', 'Bo', 'Zoë', 'member-1']);
    await expect(stage.call(universes, { add: file })).rejects.toThrow(coded('universe_invalid'));
    await expect(stage.call(universes, { add: put(stage, 'dune.yaml', 'name: dune\nnames: [A]\n') })).rejects.toThrow(
      coded('universe_invalid'),
    );
  },
);

verifies(
  'casting.names.custom',
  'a pool that the policy does not name is none; what cannot be one is refused',
  async () => {
    const stage = stageWithFiles();
    put(stage, '.squad/casting/universes/our-street.yaml', 'name: Our Street\nnames: [Ann]\n');
    expect((await stage.call(universes)).universes).toHaveLength(14);
    await expect(stage.call(manual, { archetypes: ['writer'], universe: 'Our Street' })).rejects.toThrow(
      coded('universe_invalid'),
    );
    put(stage, '.squad/casting/policy.json', '{"allowlistUniverses": ["our street"], "colour": "blue"}');
    expect((await stage.call(manual, { archetypes: ['writer'] })).members[0]?.proposed_name).toBe('Ann');
    const names = (list: string) => put(stage, 'bad.yaml', `name: Bad\nnames: ${list}\n`);
    for (const list of [
      '[]',
      '[A, a]',
      '["../x"]',
      `["${'x'.repeat(41)}"]`,
      `[${Array.from({ length: 201 }, (_, n) => `a${n}`).join()}]`,
      '["🤖"]',
    ])
      await expect(stage.call(universes, { add: names(list) }), list).rejects.toThrow(coded('catalog_invalid'));
    await stage.call(universes, { add: put(stage, 'good.yaml', 'name: Good\nnames: [Cy]\n') });
    expect(JSON.parse(stage.files()['.squad/casting/policy.json'] ?? '')).toEqual({
      version: '1',
      allowlistUniverses: ['our street', 'Good'],
      colour: 'blue',
    });
  },
);
