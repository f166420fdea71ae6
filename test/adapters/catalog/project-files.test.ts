import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ProjectCatalog } from '#adapters/catalog/project-catalog.js';
import { ProjectEntries } from '#adapters/catalog/project-entries.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { CatalogSource } from '#ports/catalog-source.js';
import { smallCatalog } from '../../core/casting/small-catalog.js';
import { room } from '../../room.js';

function place() {
  const project = room('project');
  const write = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(project, name)), { recursive: true });
    writeFileSync(path.join(project, name), text);
  };
  return { project, write, entries: new ProjectEntries(project) };
}
const shipped = {
  load: async () => smallCatalog(),
  charterTemplates: async (ids: readonly string[]) => new Map(ids.map((id) => [id, `shipped ${id}`])),
  workflow: async (id: string) => ({ id }),
  policyText: async () => 'policy',
  reviewPolicies: async () => ['reviews'],
  sandboxProfiles: async () => ['profiles'],
  blueprints: async () => ['blueprints'],
} as unknown as CatalogSource;
const ROLE = (id: string) =>
  `id: ${id}\ntitle: Keeper\ndomain: core\nrole: Keeps bees.\ncapabilities: [keeping]\ncharter_sections: {}\n`;

const KEEPER = [
  ...['id: keeper', 'title: Keeper', 'summary: Keeps bees.', 'domain: content', 'kind: cast', 'leads: false'],
  ...['capabilities: [keeping]', 'responsibilities: [Feeds the bees.]', 'boundaries: [Sells no honey.]'],
  ...[
    'keywords: [bees]',
    'desired_outcome: The bees live.',
    'default_tradeoff: balanced',
    'default_model: standard',
    '',
  ],
].join('\n');
const CHARTER = '# {name}\n';

test('workflows of a project are found in both folders, the first before the second, by id', async () => {
  const { entries, write } = place();
  expect([await entries.list('workflows'), entries.stamp('workflows'), await entries.read('workflows', 'a')]).toEqual([
    ...[[], '', undefined],
  ]);
  write('.agentweaver/workflows/b.yaml', 'x: old\n');
  write('.agentweaver/workflows/c.yaml', 'x: 3\n');
  write('.squad/workflows/b.yaml', 'x: 2\n');
  write('.squad/workflows/a.yaml', 'x: 1\n');
  write('.squad/workflows/Odd.yaml', 'x: 1\n');
  write('.squad/workflows/notes.txt', '');
  write('.squad/workflows/bad.yaml', 'x: [\n');
  write('.agentweaver/workflows/aa.yaml', 'x: 0\n');
  const listed = await entries.list('workflows');
  expect(listed.map((one) => [one.id, 'error' in one ? one.error.code : one.file.value])).toEqual([
    ['a', { x: 1 }],
    ['aa', { x: 0 }],
    ['b', { x: 2 }],
    ['bad', 'catalog_invalid'],
    ['c', { x: 3 }],
  ]);
  expect(await entries.read('workflows', 'c')).toMatchObject({
    ...{ id: 'c', sha256: expect.stringMatching(/^[0-9a-f]{64}$/), changedAt: expect.any(Number) },
  });
  for (const id of ['gone', '../workflows/a', 'A', 'x'.repeat(41)])
    expect(await entries.read('workflows', id)).toBeUndefined();
  await expect(entries.read('workflows', 'bad')).rejects.toMatchObject({
    ...{ code: 'catalog_invalid', message: expect.stringMatching(/^\.squad\/workflows\/bad\.yaml:2: /) },
    details: { file: '.squad/workflows/bad.yaml', line: 2 },
  });
  write('.squad/workflows/deep.yaml', '['.repeat(10_000));
  await expect(entries.read('workflows', 'deep')).rejects.toMatchObject({
    ...{ code: 'catalog_invalid', message: '.squad/workflows/deep.yaml: nested too deeply' },
    details: { file: '.squad/workflows/deep.yaml' },
  });
  write('.agentweaver/policies', 'a file');
  expect([await entries.list('policies' as never), entries.stamp('policies' as never)]).toEqual([[], '']);
});

test('of very many workflows the first by name are known', async () => {
  const { entries, write } = place();
  const ids = Array.from({ length: TEAM_LIMITS.projectEntries + 1 }, (_, at) => `w${String(at).padStart(4, '0')}`);
  for (const id of ids) write(`.squad/workflows/${id}.yaml`, '');
  const known = ids.slice(0, TEAM_LIMITS.projectEntries);
  expect((await entries.list('workflows')).map(({ id }) => id)).toEqual(known);
  expect(
    entries
      .stamp('workflows')
      .split('\n')
      .map((line) => line.split(' ')[0]),
  ).toEqual(known.map((id) => `${id}.yaml`));
});

test('a stamp is another one when a file is', async () => {
  const { entries, write, project } = place();
  write('.squad/workflows/a.yaml', 'x: 1\n');
  write('.squad/workflows/notes.txt', '');
  const first = entries.stamp('workflows');
  expect(first).toMatch(/^a\.yaml \d+:5:[\d.]+$/);
  expect(entries.stamp('workflows')).toBe(first);
  write('.squad/workflows/a.yaml', 'x: 11\n');
  const second = entries.stamp('workflows');
  expect(second).not.toBe(first);
  write('.agentweaver/workflows/b.yaml', 'x: 1\n');
  expect(entries.stamp('workflows').split('\n')).toHaveLength(2);
  rmSync(path.join(project, '.squad/workflows/a.yaml'));
  expect(entries.stamp('workflows')).not.toContain('a.yaml');
});

test('nothing is read through a link', async () => {
  const { entries, write, project } = place();
  write('elsewhere/a.yaml', 'x: 1\n');
  write('.squad/workflows/b.yaml', 'x: 1\n');
  symlinkSync('../../elsewhere/a.yaml', path.join(project, '.squad/workflows/a.yaml'));
  await expect(entries.read('workflows', 'a')).rejects.toMatchObject({ code: 'unsafe_path' });
  expect((await entries.list('workflows')).map((one) => 'error' in one)).toEqual([true, false]);
  symlinkSync('../elsewhere', path.join(project, '.squad/policies'));
  await expect(entries.read('policies' as never, 'a')).rejects.toMatchObject({ code: 'unsafe_path' });
});

test('what a project adds to the catalog is checked, and beside a mistake nothing is used', async () => {
  const { project, write } = place();
  const catalog = new ProjectCatalog(shipped, project);
  expect((await catalog.load()).archetypes.size).toBe(smallCatalog().archetypes.size);
  expect(await catalog.lint()).toEqual({ files: 0, problems: [] });
  expect(await catalog.charterTemplates(['writer'])).toEqual(new Map([['writer', 'shipped writer']]));
  expect(await catalog.workflow('w')).toEqual({ id: 'w' });
  expect([
    await catalog.policyText(),
    await catalog.reviewPolicies(),
    await catalog.sandboxProfiles(),
    await catalog.blueprints(),
  ]).toEqual([...['policy', ['reviews'], ['profiles'], ['blueprints']]]);
  write('.squad/catalog/archetypes/odd.yaml', 'id: odd\n');
  write('.squad/catalog/archetypes/broken.yaml', 'id: [\n');
  write('.squad/catalog/archetypes/notes.txt', 'x');
  write('.squad/catalog/groupings/pair.yaml', 'id: pair\n');
  const { files, problems } = await catalog.lint();
  expect(files).toBe(3);
  expect([...new Set(problems.map(({ details }) => details['file']))]).toEqual([
    ...['.squad/catalog/archetypes/broken.yaml', '.squad/catalog/archetypes/odd.yaml'],
    '.squad/catalog/groupings/pair.yaml',
  ]);
  for (const use of [() => catalog.load(), () => catalog.workflow('w'), () => catalog.charterTemplates(['writer'])])
    await expect(use()).rejects.toMatchObject({ code: 'catalog_invalid' });
});

test('charters of a project are read for its own archetypes alone, all others are asked of what is shipped', async () => {
  const { project, write } = place();
  const asked: (readonly string[])[] = [];
  const charterTemplates = async (ids: readonly string[]) => {
    asked.push(ids);
    return new Map(ids.map((id) => [id, `shipped ${id}`]));
  };
  const catalog = new ProjectCatalog({ ...shipped, charterTemplates }, project);
  write('.squad/catalog/archetypes/keeper.yaml', KEEPER);
  write('.squad/catalog/charters/keeper.md', CHARTER);
  expect((await catalog.lint()).problems).toEqual([]);
  expect(await catalog.charterTemplates(['writer', 'keeper', 'keeper'])).toEqual(
    new Map([
      ['writer', 'shipped writer'],
      ['keeper', CHARTER],
    ]),
  );
  expect(asked).toEqual([['writer']]);
});

test('a folder of the catalog that is a link, or holds too much, is refused', async () => {
  const linked = place();
  linked.write('elsewhere/a.yaml', ROLE('a'));
  linked.write('.squad/catalog/x', '');
  symlinkSync('../../elsewhere', path.join(linked.project, '.squad/catalog/archetypes'));
  await expect(new ProjectCatalog(shipped, linked.project).load()).rejects.toMatchObject({ code: 'unsafe_path' });
  const charters = place();
  charters.write('elsewhere/notes.txt', '');
  charters.write('.squad/catalog/x', '');
  symlinkSync('../../elsewhere', path.join(charters.project, '.squad/catalog/charters'));
  await expect(new ProjectCatalog(shipped, charters.project).load()).rejects.toMatchObject({ code: 'unsafe_path' });
  const one = place();
  one.write('elsewhere/a.yaml', ROLE('a'));
  one.write('.squad/catalog/archetypes/b.txt', '');
  symlinkSync('../../../elsewhere/a.yaml', path.join(one.project, '.squad/catalog/archetypes/a.yaml'));
  const { problems } = await new ProjectCatalog(shipped, one.project).lint();
  expect(problems.map(({ code }) => code)).toEqual(['unsafe_path']);
  const many = place();
  for (let at = 1; at <= TEAM_LIMITS.catalogProjectFiles; at++) many.write(`.squad/catalog/groupings/g${at}.yaml`, '');
  expect((await new ProjectCatalog(shipped, many.project).lint()).files).toBe(TEAM_LIMITS.catalogProjectFiles);
  many.write('.squad/catalog/groupings/one-more.yaml', '');
  await expect(new ProjectCatalog(shipped, many.project).lint()).rejects.toMatchObject({
    ...{ code: 'catalog_invalid', details: { file: '.squad/catalog/groupings', field: '' } },
    message: `.squad/catalog/groupings: more than ${TEAM_LIMITS.catalogProjectFiles} files`,
  });
  const file = place();
  file.write('.squad/catalog', '');
  expect((await new ProjectCatalog(shipped, file.project).lint()).problems).toEqual([]);
});
