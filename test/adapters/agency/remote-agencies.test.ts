import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { RemoteAgencies } from '#adapters/agency/remote-agencies.js';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { AGENCY_BRANCH } from '#core/agency/remote-address.js';
import { AGENCY_LIMITS } from '#kernel/limits/agency.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { RemotePlace } from '#ports/agency-remotes.js';
import { write } from '../../repository.js';
import { room } from '../../room.js';
import { RepositoryInMemory } from './repository-in-memory.js';

const ID = (character: string) => character.repeat(64);
const ADDRESS = 'https://example.org/agency.git';

function remotes(branches: Readonly<Record<string, Readonly<Record<string, string>>>> = {}) {
  const git = new RepositoryInMemory(new Map(Object.entries(branches)));
  const agencies = new RemoteAgencies({
    ...{ processes: new ProcessTable(), clock: { now: () => 0 }, git: async () => git },
    call: async () => undefined,
  });
  return { git, agencies };
}
const repository = (branch: string, project?: string): RemotePlace => ({
  ...{ kind: 'git', path: ADDRESS, at: { address: ADDRESS, protocols: 'https:ssh' }, branch, project },
});
const told = ({ code, message }: { code: string; message: string }) => `${code}: ${message}`;

test('a project, an agency on its own and a repository are told apart by what lies there', async () => {
  const top = realpathSync(room('remotes'));
  const at = (name: string) => path.join(top, name);
  for (const folder of [
    ...[
      'project/.workgraph/agency/roles',
      'alone/agency/cache',
      'bare/objects',
      'bare/refs',
      'half/objects',
      'half/refs',
    ],
    ...['empty', 'linked', 'agency/other'],
  ])
    mkdirSync(at(folder), { recursive: true });
  writeFileSync(at('bare/HEAD'), '');
  symlinkSync(at('project/.workgraph'), at('linked/.workgraph'));
  const { agencies } = remotes();
  const locate = async (name: string, branch?: string) =>
    await agencies.locate(at(name), branch).catch((error) => told(error).replaceAll(top, ''));
  const inGit = (name: string, branch: string, project?: string) => ({
    ...{ kind: 'git', path: at(name), at: { address: at(name), protocols: 'file' }, branch, project },
  });
  expect({
    project: await locate('project'),
    graph: await locate('project/.workgraph'),
    agency: await locate('project/.workgraph/agency'),
    alone: await locate('alone/agency'),
    bare: await locate('bare'),
    branch: await locate('project', 'shared'),
  }).toEqual({
    ...{ project: { kind: 'project', path: at('project') }, graph: { kind: 'project', path: at('project') } },
    ...{ agency: { kind: 'project', path: at('project') }, alone: { kind: 'folder', path: at('alone/agency') } },
    ...{ bare: inGit('bare', AGENCY_BRANCH), branch: inGit('project', 'shared', 'shared') },
  });
  for (const name of ['half', 'empty', 'agency'])
    expect(await locate(name), name).toBe(`unreadable: /${name} contains neither a project nor an agency.`);
  expect([await locate('gone'), await locate('linked')]).toEqual([
    ...['unreadable: /gone cannot be read.', expect.stringMatching(/^unsafe_path: /)],
  ]);
  expect(await agencies.locate(ADDRESS, undefined)).toMatchObject({
    ...{ kind: 'git', path: ADDRESS, branch: AGENCY_BRANCH, project: undefined },
  });
});

/** An agency with one entity in each place, and more than entities. */
const AGENCY = {
  [`roles/${ID('a')}.yaml`]: 'name: a\nskills: [!name x, !File y]\n',
  [`cache/roles/${ID('a')}.yaml`]: 'name: older\n',
  [`cache/roles/${ID('b')}.yaml`]: 'name: b\n',
  [`tradeoffs/${ID('c')}.yaml.retired`]: 'name: c\n',
  [`motivations/${ID('d')}.yaml`]: 'name: d\n',
  [`primitives/tradeoffs/${ID('e')}.yaml`]: 'name: [\n',
  [`agents/${ID('f')}.yaml`]: 'name: f\n',
  [`cache/agents/${ID('1')}.yaml`]: 'name: g\n',
  [`primitives/components/${ID('2')}.yaml`]: 'name: h\n',
  [`primitives/outcomes/${ID('3')}.yaml`]: 'name: i\n',
  'roles/notes.yaml': 'name: none\n',
  'state.yaml': '{"x":1}',
  'evaluations/e-1.yaml': 'id: e-1\n',
  'evaluations/e-2.json': '{"id":"e-2"}',
  'evaluations/e-3.yaml': '- list\n',
  'evaluations/e-4.yaml': 'x: [\n',
  'evaluations/e-5.yaml': 'x'.repeat(TEAM_LIMITS.pulledEntityBytes + 1),
  'evaluations/1-none.yaml': 'id: none\n',
  'evaluations/none.txt': 'id: none\n',
};

async function contentsOf(where: RemoteAgencies, place: RemotePlace) {
  const { records, evaluations, warnings, commit } = await where.read(place);
  const said = await evaluations.records(new Set(['e-2']));
  return {
    records: records.map(
      ({ kind, file, retired, value }) =>
        `${kind} ${file.replace(/(.)\1{63}/, '$1')} ${retired} ${JSON.stringify(value)}`,
    ),
    texts: [...evaluations.texts.keys()],
    said: Object.fromEntries(said.records),
    warnings: [...warnings, ...said.warnings],
    commit,
  };
}

test('all of an agency is read, from a folder and from a commit alike; what cannot be understood is told', async () => {
  const folder = room('agency');
  write(folder, AGENCY);
  const { agencies } = remotes({ main: AGENCY, project: inProject(AGENCY) });
  const fromFolder = await contentsOf(agencies, { kind: 'folder', path: folder });
  expect(fromFolder).toMatchInlineSnapshot(`
    {
      "commit": undefined,
      "records": [
        "role roles/a.yaml false {"name":"a","skills":[{"name":"x"},{"file":"y"}]}",
        "role cache/roles/b.yaml false {"name":"b"}",
        "tradeoff tradeoffs/c.yaml.retired true {"name":"c"}",
        "tradeoff motivations/d.yaml false {"name":"d"}",
        "agent agents/f.yaml false {"name":"f"}",
        "agent cache/agents/1.yaml false {"name":"g"}",
        "component primitives/components/2.yaml false {"name":"h"}",
        "outcome primitives/outcomes/3.yaml false {"name":"i"}",
        "state state.yaml false {"x":1}",
      ],
      "said": {
        "e-1": {
          "id": "e-1",
        },
      },
      "texts": [
        "e-1",
        "e-2",
        "e-3",
        "e-4",
      ],
      "warnings": [
        "primitives/tradeoffs/eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee.yaml:2: Flow sequence in block collection must be sufficiently indented and end with a ]",
        "evaluations/e-5.yaml: larger than 262144 bytes",
        "evaluations/e-3.yaml: not a record",
        "evaluations/e-4.yaml: Flow sequence in block collection must be sufficiently indented and end with a ]",
      ],
    }
  `);
  expect(await contentsOf(agencies, repository('main'))).toEqual({ ...fromFolder, commit: 'commit-0' });
  expect(await contentsOf(agencies, repository('project'))).toEqual({ ...fromFolder, commit: 'commit-0' });
});

const inProject = (files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`.workgraph/agency/${name}`, text]));

test('where no agency is there is nothing; what is gone, another thing or a link is refused', async () => {
  const project = room('project');
  mkdirSync(path.join(project, '.workgraph'));
  const nothing = { records: [], texts: [], said: {}, warnings: [] };
  const { agencies } = remotes({
    empty: {},
    other: { 'README.md': 'x' },
    linked: { [`roles/${ID('a')}.yaml`]: 'name: a\n', evaluations: '->/etc' },
    deep: { 'roles/x': '', 'state.yaml': '->/etc/passwd' },
  });
  expect(await contentsOf(agencies, { kind: 'project', path: project })).toEqual({ ...nothing, commit: undefined });
  expect(await contentsOf(agencies, repository('empty'))).toEqual({
    ...{ ...nothing, commit: 'commit-0' },
  });
  const refused = async (branch: string) => await contentsOf(agencies, repository(branch)).catch(told);
  expect(await Promise.all(['none', 'other', 'linked', 'deep'].map(refused))).toEqual([
    `unreadable: ${ADDRESS} has no branch none.`,
    `unreadable: ${ADDRESS} contains neither a project nor an agency on other.`,
    'unsafe_path: evaluations is not a folder.',
    'unsafe_path: state.yaml is a link.',
  ]);
  const gone = path.join(room('outer'), 'gone');
  await expect(agencies.read({ kind: 'folder', path: gone })).rejects.toMatchObject({ code: 'unreadable' });
});

test('what is read elsewhere is bounded, all of it together, and so are words that take long to read', async () => {
  const piece = TEAM_LIMITS.pulledEntityBytes;
  const many = (count: number, text: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, number) => [`evaluations/e-${number}.yaml`, text]));
  const all = many(TEAM_LIMITS.pulledBytes / piece, 'x'.repeat(piece));
  const words = many(TEAM_LIMITS.agencyFileBytes / piece, 'x: 1 #'.padEnd(piece, 'y'));
  const ours = `x: "${'y'.repeat(piece - 6)}"\n`;
  const { agencies } = remotes({
    ...{ all: { ...all, 'roles/x': '' }, words: { ...words, 'roles/x': '' } },
    more: { ...all, 'evaluations/z.yaml': '.' },
    role: { ...all, [`roles/${ID('a')}.yaml`]: 'name: a\n' },
    worse: { ...words, 'evaluations/z.yaml': 'x: 1' },
    ours: { ...many(TEAM_LIMITS.agencyFileBytes / piece + 1, ours), 'roles/x': '' },
    mixed: { 'evaluations/b.yaml': 'id: b\n', 'evaluations/a.yaml': 'id: a\n', 'roles/x': '' },
  });
  const sizeOf = async (branch: string) =>
    await agencies.read(repository(branch)).then(({ evaluations }) => evaluations.texts.size, told);
  const tooLarge = `too_large: ${ADDRESS} exceeds the limit for remotes, 48 MB and 100000 evaluations: nothing was read.`;
  expect([await sizeOf('all'), await sizeOf('more'), await sizeOf('role')]).toEqual([192, tooLarge, tooLarge]);
  const understood = async (branch: string) => {
    const { evaluations } = await agencies.read(repository(branch));
    return await evaluations.records(new Set()).then(({ records }) => [...records.keys()].length, told);
  };
  expect([await understood('words'), await understood('worse')]).toEqual([16, tooLarge]);
  expect(await understood('ours'), 'texts in our own form are read fast').toBe(17);
  expect([...(await agencies.read(repository('mixed'))).evaluations.texts.keys()]).toEqual(['a', 'b']);
});

test('only a repository knows of its past', async () => {
  const { agencies } = remotes();
  const holds = [
    await agencies.holds({ kind: 'folder', path: '/x' }, 'c1'),
    await agencies.holds(repository('held'), 'c1'),
    await agencies.holds(repository('held'), 'c2'),
  ];
  expect(holds).toEqual([true, true, false]);
});

test('an agency on a branch is changed by one commit, begun anew while others are faster', async () => {
  const { git, agencies } = remotes({
    main: AGENCY,
    empty: {},
    project: inProject(AGENCY),
    other: { 'README.md': 'x' },
  });
  const files = await agencies.files(repository('main'));
  expect(files.commit()).toBeUndefined();
  const wanted = [
    { kind: 'role', id: ID('a'), retired: true, text: 'new' },
    { kind: 'evaluation', id: 'e-9', text: 'nine' },
  ] as const;
  const committed = async () => true;
  let tries = 0;
  const change = async (commit = committed, texts: typeof wanted | readonly [] = wanted) =>
    await files.change(committed, async (records, put) => {
      tries += 1;
      await put(texts, undefined, commit);
      return records.records.length;
    });
  git.moves = 1;
  expect([await change(), tries, files.commit()]).toEqual([9, 2, 'commit-1']);
  expect(git.pushed).toEqual([
    {
      base: 'commit-0',
      files: new Map([
        [`roles/${ID('a')}.yaml.retired`, 'new'],
        [`roles/${ID('a')}.yaml`, undefined],
        ['evaluations/e-9.yaml', 'nine'],
      ]),
      message: 'Agency: 2 files changed',
    },
  ]);
  await change(async () => false);
  await change(committed, []);
  expect(git.pushed).toHaveLength(1);
  expect([...(await files.evaluations()).keys()]).toEqual(['e-1', 'e-2']);
  git.moves = AGENCY_LIMITS.remotePushTries;
  tries = 0;
  await expect(change()).rejects.toMatchObject({ code: 'remote_moved' });
  expect(tries).toBe(AGENCY_LIMITS.remotePushTries);
  const read = async (branch: string) =>
    await (await agencies.files(repository(branch))).read(committed).then(({ records }) => records.length, told);
  expect(await Promise.all(['none', 'empty', 'project', 'other'].map(read))).toEqual([
    ...[0, 0, expect.stringMatching(/^bad_input: /), expect.stringMatching(/^bad_input: /)],
  ]);
});

test('files of a project elsewhere are read by their paths, none outside of it, through no link', async () => {
  const folder = room('elsewhere');
  const content = { 'a/b.txt': 'text', 'c.txt': 'c' };
  write(folder, content);
  symlinkSync('c.txt', path.join(folder, 'link'));
  symlinkSync('a', path.join(folder, 'away'));
  const { git, agencies } = remotes({ trunk: { ...content, link: '->c.txt', away: '->a' } });
  const places = [{ kind: 'project', path: folder } as const, repository('agency', 'trunk')];
  for (const place of places) {
    const project = await agencies.project(place);
    expect([...(await project.names(''))].sort(), place.kind).toEqual(['a', 'away', 'c.txt', 'link']);
    expect([await project.names('a'), await project.names('gone')]).toEqual([['b.txt'], []]);
    const text = async (file: string, most = 9) => await project.text(file, most).catch(({ code }) => code);
    expect(await Promise.all(['a/b.txt', './a//b.txt', 'gone', 'a/gone', 'gone/b'].map((file) => text(file)))).toEqual([
      ...['text', 'text', undefined, undefined, undefined],
    ]);
    expect(await text('a/b.txt', 3)).toBe(4);
    for (const file of ['', '.', '..', '../x', 'a/../c.txt', '/etc/passwd', 'a\\b', 'a\0b', 'link', 'away/b.txt'])
      expect(await text(file), `${place.kind} ${JSON.stringify(file)}`).toBe('unsafe_path');
  }
  expect(git.asked).toEqual(['trunk']);
  await expect(agencies.project(repository('agency', 'none'))).rejects.toMatchObject({ code: 'unreadable' });
});
