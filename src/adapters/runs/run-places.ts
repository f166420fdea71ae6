import { lstatSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { realOrNothing, repositoryAround } from '#adapters/disk/repository-folders.js';
import { CLIENT_HOMES } from '#core/runs/client-homes.js';
import type { Client } from '#core/runs/plan.js';
import type { RunGit, RunPlaces, SandboxRules } from '#core/runs/rules.js';
import { TroupeError } from '#kernel/errors.js';
import { PRIVATE_FILE, PRIVATE_FOLDER } from '#kernel/file-modes.js';
import { layoutOf } from '#kernel/graph-folder.js';
import { isInside } from '#kernel/paths.js';
import type { SandboxedRun } from '#ports/sandbox.js';

/** The person's folders that all runs of a project share. */
export interface PersonPlaces {
  readonly projectFolder: string;
  readonly homeFolder: string;
  readonly temporaryFolder: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Folder of the person's configuration of Troupe. */
  readonly configurationFolder: string;
  /** Folder in which Troupe and other programs of the session keep sockets and locks. */
  readonly runtimeFolder: string;
  /** Folders with the service's sockets and credentials. */
  readonly serviceFolders: readonly string[];
}

/** Caches of package managers, compilers and language servers, relative to the home folder. */
const CACHES = [
  ...['.cache', '.npm', '.pnpm-store', '.local/share/pnpm', '.yarn/berry', '.bun/install/cache', '.deno', '.node-gyp'],
  ...['.cargo/registry', '.cargo/git', '.rustup', 'go/pkg', '.gradle', '.m2', '.ivy2', '.sbt', '.nuget', '.dotnet'],
  ...['.local/share/uv', '.local/share/virtualenvs', '.conda/pkgs', '.gem', '.bundle', '.composer', '.pub-cache'],
  ...['.stack', '.cabal', '.julia', '.hex', '.mix', '.swiftpm', '.cocoapods', '.electron', '.electron-gyp'],
  ...['Library/Caches', 'Library/Developer/Xcode/DerivedData'],
];
/** Environment variables that move a cache elsewhere. */
const CACHE_VARIABLES = [
  ...[
    'XDG_CACHE_HOME',
    'npm_config_cache',
    'GOCACHE',
    'GOMODCACHE',
    'PIP_CACHE_DIR',
    'UV_CACHE_DIR',
    'YARN_CACHE_FOLDER',
  ],
];
/** Paths below the caches that stay protected: programs that are started by name later, and Troupe's own files. */
const NO_CACHES = [
  '.cache/troupe',
  '.rustup/toolchains',
  '.gradle/init.d',
  '.gradle/gradle.properties',
  '.m2/settings.xml',
];

const TEMPORARY: Partial<Readonly<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['/private/tmp', '/private/var/tmp', '/private/var/folders'],
};

/** Paths of one run, with links resolved. Creates missing paths that the run needs. */
export function placesOf(person: PersonPlaces, run: SandboxedRun, writable: readonly string[]): RunPlaces {
  const { homeFolder, temporaryFolder, environment, configurationFolder, runtimeFolder, serviceFolders } = person;
  const home = realOrNothing(homeFolder) ?? homeFolder;
  const project = realOrNothing(person.projectFolder) ?? person.projectFolder;
  const repository = repositoryAround(project);
  const client = clientPlaces(run.executor, home, environment);
  const caches = [
    ...CACHES.map((name) => path.join(home, name)),
    ...CACHE_VARIABLES.flatMap((name) => absolute(environment[name])),
  ];
  const own = [home, project, temporaryFolder];
  const uid = process.getuid?.();
  return {
    home,
    temporary: [...(TEMPORARY[process.platform] ?? ['/tmp', '/var/tmp', '/dev/shm']), temporaryFolder],
    caches: [...caches, ...client.writes],
    settings: [...NO_CACHES.map((name) => path.join(home, name)), ...client.settings],
    // A folder that contains paths of the run would hide too much; in that case Troupe's own files are in the folder of
    // the service.
    secret: [configurationFolder, runtimeFolder, ...(uid === undefined ? [] : [`/run/user/${uid}`])].filter(
      (folder) => !own.some((place) => isInside(folder, place)),
    ),
    opened: writable.flatMap((folder) => absolute(folder.replace(/^~(?=\/|$)/, home))),
    project,
    checkout: repository?.top ?? project,
    tree: run.tree?.path,
    git: gitOf(repository?.common, run),
    review: reviewFolder(project, run),
    runFolder: run.folder,
    service: serviceFolders,
    door: run.door,
  };
}

function absolute(folder: string | undefined): string[] {
  return folder !== undefined && path.isAbsolute(folder) ? [folder] : [];
}

/**
 * Paths that a client needs. Folders that it would create at its first start are created now, because it cannot in the
 * sandbox. Missing settings files are created empty: otherwise a run could create them, and they would apply to the
 * person.
 */
function clientPlaces(executor: string | undefined, home: string, environment: NodeJS.ProcessEnv) {
  const isKnown = executor !== undefined && Object.hasOwn(CLIENT_HOMES, executor);
  if (!isKnown) return { writes: [], settings: [] };
  const { folders, files } = CLIENT_HOMES[executor as Client];
  const places = folders.map(({ folder, variable, settings }) => {
    const [named] = absolute(variable === undefined ? undefined : environment[variable]);
    return { folder: named ?? path.join(home, folder), settings };
  });
  for (const { folder, settings } of places) {
    mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
    for (const name of settings) makeEmpty(path.join(folder, name));
  }
  return {
    writes: [...places.map(({ folder }) => folder), ...files.map((name) => path.join(home, name))],
    settings: places.flatMap(({ folder, settings }) => settings.map((name) => path.join(folder, name))),
  };
}

/** Creates a folder, or an empty file; existing ones stay unchanged. */
function makeEmpty(place: string): void {
  if (lstatSync(place, { throwIfNoEntry: false })) return;
  if (!path.basename(place).includes('.')) mkdirSync(place, { mode: PRIVATE_FOLDER });
  else writeFileSync(place, place.endsWith('.json') ? '{}\n' : '', { flag: 'wx', mode: PRIVATE_FILE });
}

/** The folder of a review; undefined if there is a link in its path. */
function reviewFolder(project: string, { review }: SandboxedRun): string | undefined {
  if (review === undefined) return undefined;
  const folder = path.join(layoutOf(project).reports, review);
  return realOrNothing(folder) === folder ? folder : undefined;
}

/** Git folders of a run. Branch folders are created, because git removes them when it packs refs. */
function gitOf(common: string | undefined, { tree }: SandboxedRun): RunGit | undefined {
  if (common === undefined) return undefined;
  if (tree === undefined) return { common, worktree: undefined };
  const own = repositoryAround(tree.path)?.own;
  // An earlier attempt could have rewritten the path to its git data.
  if (own === undefined || path.dirname(own) !== path.join(common, 'worktrees'))
    throw new TroupeError('unsafe_worktree', { what: `${tree.path} is not a worktree of this repository.` });
  const branches = path.dirname(`refs/heads/${tree.branch}`);
  for (const folder of [branches, `logs/${branches}`]) mkdirSync(path.join(common, folder), { recursive: true });
  return { common, worktree: { folder: own, branch: tree.branch } };
}

/**
 * Rules for existing paths, resolved to real paths: a rule applies to the target of a link, not to the link. Rules for
 * files in the run's folder are kept even if they do not exist yet.
 */
export function existing({ rules, replacements }: SandboxRules, runFolder: string): SandboxRules {
  const own = realOrNothing(runFolder);
  return {
    rules: rules.flatMap(({ path: at, access }) => {
      const later = own !== undefined && path.dirname(at) === runFolder ? path.join(own, path.basename(at)) : undefined;
      const real = realOrNothing(at) ?? later;
      if (real === undefined || (access === 'hidden' && !isFolder(real))) return [];
      return [{ path: real, access }];
    }),
    replacements: replacements.filter(({ path: at, by }) => isFolder(at) && isFolder(by)),
  };
}

function isFolder(place: string): boolean {
  return statSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
}
