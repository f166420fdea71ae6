import { existsSync, mkdirSync, readFileSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { existing, type PersonPlaces, placesOf } from '#adapters/runs/run-places.js';
import { CLIENT_HOMES } from '#core/runs/client-homes.js';
import type { SandboxedRun } from '#ports/sandbox.js';
import { room } from '../../room.js';

const CACHES = [
  ...['.cache', '.npm', '.pnpm-store', '.local/share/pnpm', '.yarn/berry', '.bun/install/cache', '.deno', '.node-gyp'],
  ...['.cargo/registry', '.cargo/git', '.rustup', 'go/pkg', '.gradle', '.m2', '.ivy2', '.sbt', '.nuget', '.dotnet'],
  ...['.local/share/uv', '.local/share/virtualenvs', '.conda/pkgs', '.gem', '.bundle', '.composer', '.pub-cache'],
  ...['.stack', '.cabal', '.julia', '.hex', '.mix', '.swiftpm', '.cocoapods', '.electron', '.electron-gyp'],
  ...['Library/Caches', 'Library/Developer/Xcode/DerivedData'],
];
const VARIABLES = [
  ...['XDG_CACHE_HOME', 'npm_config_cache', 'GOCACHE', 'GOMODCACHE', 'PIP_CACHE_DIR', 'UV_CACHE_DIR'],
  'YARN_CACHE_FOLDER',
];
const NO_CACHES = [
  ...['.cache/troupe', '.rustup/toolchains', '.gradle/init.d', '.gradle/gradle.properties', '.m2/settings.xml'],
];

const TREE = { attempt: 1, mode: 'full', folder: 'a-1' } as const;

/** A project of a person, with a folder of git beside it as git makes one, and a worktree of it. */
function place() {
  const top = realpathSync(room('places'));
  const at = (name: string) => path.join(top, name);
  const tree = at('project/.workgraph/trees/a-1');
  const common = at('project/.git');
  for (const folder of ['home', 'project/.workgraph/agents/agent-1', 'project/.git/worktrees/a-1', 'tmp'])
    mkdirSync(at(folder), { recursive: true });
  mkdirSync(tree, { recursive: true });
  writeFileSync(path.join(common, 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(path.join(common, 'worktrees/a-1/commondir'), '../..\n');
  writeFileSync(path.join(tree, '.git'), `gitdir: ${common}/worktrees/a-1\n`);
  const person: PersonPlaces = {
    ...{ projectFolder: at('project'), homeFolder: at('home'), temporaryFolder: at('tmp'), environment: {} },
    ...{ configurationFolder: at('home/.config/troupe'), runtimeFolder: at('run'), serviceFolders: [at('service')] },
  };
  const folder = at('project/.workgraph/agents/agent-1');
  const run: SandboxedRun = { folder, door: at('door'), executor: undefined, tree: undefined, review: undefined };
  return { top, at, person, run, common, tree };
}

test('the places of a run are those of the person, the project, and its own', () => {
  const { at, person, run, common } = place();
  const uid = process.getuid?.();
  const places = placesOf(person, run, ['~', '~/data', '~ann', 'relative', '/abs', '']);
  const temporary = process.platform === 'darwin' ? expect.any(Array) : ['/tmp', '/var/tmp', '/dev/shm', at('tmp')];
  expect(places).toEqual({
    ...{ home: at('home'), project: at('project'), checkout: at('project'), tree: undefined, temporary },
    caches: CACHES.map((name) => at(`home/${name}`)),
    settings: NO_CACHES.map((name) => at(`home/${name}`)),
    secret: [at('home/.config/troupe'), at('run'), ...(uid === undefined ? [] : [`/run/user/${uid}`])],
    opened: [at('home'), at('home/data'), '/abs'],
    ...{ git: { common, worktree: undefined }, review: undefined, runFolder: run.folder },
    ...{ service: [at('service')], door: at('door') },
  });
  const environment = Object.fromEntries(VARIABLES.map((name) => [name, `/caches/${name}`]));
  expect(placesOf({ ...person, environment }, run, []).caches.slice(CACHES.length)).toEqual(
    VARIABLES.map((name) => `/caches/${name}`),
  );
  const relative = Object.fromEntries(VARIABLES.map((name) => [name, name]));
  expect(placesOf({ ...person, environment: relative }, run, []).caches).toHaveLength(CACHES.length);
});

test('a folder around the places of a run is not hidden; where there is no repository there is no git', () => {
  const { at, person, run } = place();
  const around = (more: Partial<PersonPlaces>) => placesOf({ ...person, ...more }, run, []).secret;
  for (const holder of [at(''), at('home'), at('project'), at('tmp')]) {
    const folder = holder.replace(/\/$/, '');
    expect(around({ configurationFolder: folder, runtimeFolder: at('run') })[0], folder).toBe(at('run'));
    expect(around({ runtimeFolder: folder })[0], folder).toBe(at('home/.config/troupe'));
  }
  const bare = realpathSync(room('bare'));
  expect(placesOf({ ...person, projectFolder: bare }, run, [])).toMatchObject({
    ...{ project: bare, checkout: bare, git: undefined },
  });
  const gone = path.join(bare, 'gone');
  expect(placesOf({ ...person, projectFolder: gone, homeFolder: gone }, run, [])).toMatchObject({
    ...{ project: gone, home: gone },
  });
  const link = path.join(bare, 'link');
  symlinkSync(person.projectFolder, link);
  expect(placesOf({ ...person, projectFolder: link, homeFolder: link }, run, [])).toMatchObject({
    ...{ project: person.projectFolder, home: person.projectFolder },
  });
});

test('a worktree has a branch of its own; one whose data lies elsewhere is refused', () => {
  const { person, run, common, tree, at } = place();
  const branch = 'troupe/a/1';
  expect(placesOf(person, { ...run, tree: { ...TREE, path: tree, branch } }, [])).toMatchObject({
    tree,
    git: { common, worktree: { folder: path.join(common, 'worktrees/a-1'), branch } },
  });
  for (const folder of ['refs/heads/troupe/a', 'logs/refs/heads/troupe/a'])
    expect(statSync(path.join(common, folder)).isDirectory(), folder).toBe(true);
  const foreign = at('foreign');
  mkdirSync(path.join(foreign, 'own'), { recursive: true });
  for (const data of [path.join(foreign, 'own'), path.join(common, 'modules/a-1'), path.join(foreign, 'gone')]) {
    writeFileSync(path.join(tree, '.git'), `gitdir: ${data}\n`);
    expect(() => placesOf(person, { ...run, tree: { ...TREE, path: tree, branch } }, []), data).toThrow(
      expect.objectContaining({ code: 'unsafe_worktree' }),
    );
  }
});

test('the folder of a review is one of this project, through no link', () => {
  const { person, run, at } = place();
  const reports = at('project/.workgraph/reports');
  mkdirSync(path.join(reports, 'mine'), { recursive: true });
  symlinkSync(at('home'), path.join(reports, 'linked'));
  const of = (review: string) => placesOf(person, { ...run, review }, []).review;
  expect([of('mine'), of('linked'), of('gone')]).toEqual([path.join(reports, 'mine'), undefined, undefined]);
});

test('what a client would make at its first start is made, and what is there stays', () => {
  for (const executor of Object.keys(CLIENT_HOMES) as (keyof typeof CLIENT_HOMES)[]) {
    const { person, run, at } = place();
    const { folders, files } = CLIENT_HOMES[executor];
    const environment = Object.fromEntries(
      folders.flatMap(({ variable }, index) => (variable === undefined ? [] : [[variable, at(`named-${index}`)]])),
    );
    const [first] = folders;
    const [kept] = first?.settings.filter((name) => name.includes('.')) ?? [];
    if (first && kept) {
      mkdirSync(path.dirname(at(`home/${first.folder}/${kept}`)), { recursive: true });
      writeFileSync(at(`home/${first.folder}/${kept}`), 'mine');
    }
    for (const [variables, placed] of [
      [{}, folders.map(({ folder }) => at(`home/${folder}`))],
      [
        environment,
        folders.map(({ folder, variable }, index) => at(variable === undefined ? `home/${folder}` : `named-${index}`)),
      ],
    ] as const) {
      const { caches, settings } = placesOf({ ...person, environment: variables }, { ...run, executor }, []);
      const homes = placed as readonly string[];
      const closed = homes.flatMap(
        (folder, index) => folders[index]?.settings.map((name) => path.join(folder, name)) ?? [],
      );
      expect(caches.slice(CACHES.length), executor).toEqual([...homes, ...files.map((name) => at(`home/${name}`))]);
      expect(settings.slice(NO_CACHES.length), executor).toEqual(closed);
      for (const folder of homes) {
        expect(statSync(folder).isDirectory(), folder).toBe(true);
        const wasThere = kept !== undefined && folder === at(`home/${first?.folder}`);
        if (!wasThere) expect(statSync(folder).mode & 0o777, folder).toBe(0o700);
      }
      for (const file of closed) {
        if (kept !== undefined && file === at(`home/${first?.folder}/${kept}`)) {
          expect(readFileSync(file, 'utf8')).toBe('mine');
          continue;
        }
        const isFile = path.basename(file).includes('.');
        expect([statSync(file).isFile(), statSync(file).mode & 0o777], file).toEqual([isFile, isFile ? 0o600 : 0o700]);
        if (isFile) expect(readFileSync(file, 'utf8'), file).toBe(file.endsWith('.json') ? '{}\n' : '');
      }
    }
  }
  const { person, run, at } = place();
  for (const executor of [undefined, 'shell', 'toString'])
    expect(placesOf(person, { ...run, executor }, []).caches).toHaveLength(CACHES.length);
  expect(existsSync(at('home/.claude'))).toBe(false);
});

test('rules are for what is there, by real paths; files of the run may come to be later', () => {
  const { at, run } = place();
  symlinkSync(at('project'), at('link'));
  writeFileSync(at('file'), '');
  const write = (name: string) => ({ path: at(name), access: 'write' as const });
  const hidden = (name: string) => ({ path: at(name), access: 'hidden' as const });
  const later = { path: path.join(run.folder, 'later'), access: 'write' as const };
  const deeper = { path: path.join(run.folder, 'deep/later'), access: 'write' as const };
  const rules = [
    write('link'),
    write('gone'),
    write('file'),
    hidden('file'),
    hidden('home'),
    hidden('gone'),
    later,
    deeper,
  ];
  const pairs = [
    [at('home'), at('project')],
    [at('home'), at('gone')],
    [at('file'), at('project')],
  ] as const;
  const replacements = pairs.map(([from, by]) => ({ path: from, by }));
  expect(existing({ rules, replacements }, run.folder)).toEqual({
    rules: [{ path: at('project'), access: 'write' }, write('file'), hidden('home'), later],
    replacements: [{ path: at('home'), by: at('project') }],
  });
  expect(existing({ rules: [later], replacements: [] }, at('gone')).rules).toEqual([]);
});
