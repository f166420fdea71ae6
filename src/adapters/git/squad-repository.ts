import { copyFile, lstat, mkdir, mkdtemp, open, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { changeSetHash, readObjects, type SyncChange } from '#core/squad/sync.js';
import { TroupeError } from '#kernel/errors.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { inert } from '#kernel/text.js';
import type { SquadSync, SyncStatus } from '#ports/squad-files.js';
import { FiltersOff } from './filters-off.js';
import { LocalGit } from './local-git.js';
import { runGit } from './process.js';
import {
  differenceOf,
  emptyTree,
  fillIndex,
  refuseFiltered,
  type SquadGit,
  type SquadPlace,
  squadGit,
} from './squad-index.js';

/** Files in git's folder that mark an unfinished operation, with its name. */
const OPEN: readonly (readonly [file: string, name: string])[] = [
  ['MERGE_HEAD', 'merge'],
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
];

interface Built {
  readonly git: SquadGit;
  readonly place: SquadPlace;
  readonly folder: string;
  readonly index: string;
}

/** Implements the SquadSync port with the installed git. Stateless. */
export class SquadRepository implements SquadSync {
  private readonly environment: NodeJS.ProcessEnv;
  private readonly project: string;
  private readonly git: LocalGit;
  private readonly filters: FiltersOff;

  constructor(projectFolder: string, environment: NodeJS.ProcessEnv) {
    this.project = projectFolder;
    this.environment = environment;
    this.git = new LocalGit(environment);
    this.filters = new FiltersOff(environment);
  }

  async status(): Promise<SyncStatus> {
    return await this.looking(async (built) => statusOf(await this.changes(built)));
  }

  async difference(): Promise<{ text: string; cut: boolean }> {
    return await this.looking(async (built) => {
      const { changes } = await this.changes(built);
      if (changes.length === 0) return { text: '', cut: false };
      const against = built.place.head ?? (await emptyTree(built.git));
      const words = [
        'diff-index',
        '--cached',
        '--patch',
        '--no-renames',
        '--no-color',
        '--no-ext-diff',
        '--no-textconv',
      ];
      const printed = await built.git([...words, against, '--'], { index: built.index });
      const text = Buffer.from(printed, 'latin1').toString('utf8');
      return {
        text: text.slice(0, SURFACE_LIMITS.syncPatchCharacters),
        cut: text.length > SURFACE_LIMITS.syncPatchCharacters,
      };
    });
  }

  async commit(expected: string, message: string): Promise<SyncStatus & { commit: string }> {
    const place = await this.place();
    return await withFolder(async (folder) => {
      const git = squadGit(this.environment, place, await this.quiet(place));
      const built = { git, place, folder, index: path.join(folder, 'index') };
      const lock = path.join(place.gitFolder, 'index.lock');
      await takeLock(lock);
      try {
        return await this.commitLocked(built, lock, expected, message);
      } finally {
        await rm(lock, { force: true });
      }
    });
  }

  /** Commits while holding the index lock, so that no other git process changes staged files meanwhile. */
  private async commitLocked(built: Built, lock: string, expected: string, message: string) {
    const { git, place, folder, index } = built;
    await fillIndex(git, place, index);
    const before = await this.changes(built);
    if (before.changes.length === 0) throw new TroupeError('nothing_to_sync');
    if (before.hash !== expected) throw new TroupeError('sync_state_changed');
    const hook = (name: string, args: readonly string[] = []) => runHook(this.environment, place, index, name, args);
    await hook('pre-commit');
    const after = await this.changes(built, false);
    if (after.hash !== expected) {
      throw new TroupeError('sync_state_changed', {
        what: 'A hook of the repository changed files of the team while they were committed.',
        hint: 'Check again with `troupe squad sync`.',
      });
    }
    const tree = (await git(['write-tree'], { index })).trim();
    const words = path.join(folder, 'message');
    await writeFile(words, `${message.trim()}\n`);
    await hook('prepare-commit-msg', [words, 'message']);
    await hook('commit-msg', [words]);
    if ((await readFile(words, 'utf8')).trim() === '') {
      throw new TroupeError('sync_unavailable', { what: 'A hook of the repository left no message.' });
    }
    const commit = await this.commitTree(place, tree, words);
    const next = await nextIndex(built);
    const moved = await runGit(this.environment, place.top, [
      ...['update-ref', '-m', 'commit: team', 'HEAD', commit],
      place.head ?? place.zero,
    ]);
    if (!moved.ok) {
      throw new TroupeError('sync_state_changed', { what: 'The branch moved meanwhile.', why: moved.message });
    }
    await copyFile(next, lock);
    await rename(lock, path.join(place.gitFolder, 'index'));
    await hook('post-commit').catch(() => undefined); // the commit is complete, even if this hook fails
    return { ...statusOf(before), commit };
  }

  /** Creates the commit with the person's identity, and their signature if configured. */
  private async commitTree(place: SquadPlace, tree: string, message: string): Promise<string> {
    const signs = await runGit(this.environment, place.top, ['config', '--type=bool', '--get', 'commit.gpgSign']);
    const answer = await runGit(
      this.environment,
      place.top,
      [
        'commit-tree',
        ...(signs.ok && signs.text.trim() === 'true' ? ['-S'] : []),
        ...(place.head === undefined ? [] : ['-p', place.head]),
        ...['-F', message, tree],
      ],
      { asPerson: true },
    );
    if (!answer.ok) throw new TroupeError('git_failed', { what: 'git wrote no commit.', why: answer.message });
    return answer.text.trim();
  }

  /** Changes in an index; rejects any outside `.squad/`. */
  private async changes({ git, place, index }: Built, checkFilters = true) {
    const { changes, outside } = await differenceOf(git, place, index);
    const [foreign] = outside;
    if (foreign !== undefined) {
      throw new TroupeError('sync_state_changed', {
        what: `${inert(foreign.toString())} would be committed too: it is not a file in .squad.`,
        hint: 'Look at the hooks of the repository, or commit yourself.',
      });
    }
    if (checkFilters)
      await refuseFiltered(
        git,
        place,
        changes.map((change) => change.path),
      );
    const objects = changes.flatMap((change) => change.object ?? []);
    const input = objects.map((object) => `${object}\n`).join('');
    const contents = objects.length === 0 ? new Map() : readObjects(await git(['cat-file', '--batch'], { input }));
    return { changes, hash: changeSetHash(changes, contents) };
  }

  /** Builds an index aside and stores new objects outside the repository, so that reading changes nothing. */
  private async looking<Result>(body: (built: Built) => Promise<Result>): Promise<Result> {
    const place = await this.place();
    return await withFolder(async (folder) => {
      const objects = path.join(folder, 'objects');
      await mkdir(objects);
      const plain = squadGit(this.environment, place, {});
      const repositoryObjects = Buffer.from(await plain(['rev-parse', '--git-path', 'objects']), 'latin1').toString();
      const newObjects = { folder: objects, existing: path.resolve(place.top, repositoryObjects.replace(/\n$/, '')) };
      const git = squadGit(this.environment, place, { newObjects, ...(await this.quiet(place)) });
      const built = { git, place, folder, index: path.join(folder, 'index') };
      await fillIndex(git, place, built.index);
      return await body(built);
    });
  }

  private async quiet(place: SquadPlace) {
    return { settings: await this.filters.settings(place.top), timeoutMs: SURFACE_LIMITS.gitCopyTimeoutMs };
  }

  private async place(): Promise<SquadPlace> {
    const facts = await this.git.describe(this.project);
    if (facts.kind === 'none' || facts.kind === 'bare') {
      throw new TroupeError('sync_unavailable', {
        what: 'The project is not in a git repository with files.',
        hint: 'Run `git init` there first.',
      });
    }
    const [top, project] = await Promise.all([realpath(facts.top), realpath(this.project)]);
    const below = path.relative(top, project);
    const answer = await runGit(this.environment, top, ['rev-parse', '--absolute-git-dir', '--show-object-format']);
    if (!answer.ok) throw new TroupeError('git_failed', { what: 'git rev-parse failed.', why: answer.message });
    const [, gitFolder = '', format] = /^([\s\S]*)\n(\w+)\n$/.exec(answer.text) ?? [];
    const zero = '0'.repeat(format === 'sha256' ? 64 : 40);
    for (const [file, name] of OPEN) {
      if (!(await exists(path.join(gitFolder, file)))) continue;
      throw new TroupeError('sync_unavailable', {
        what: `A ${name} is open in this repository.`,
        hint: `Finish it, or abort it with \`git ${name} --abort\`.`,
      });
    }
    const prefix = below === '' ? '' : `${below}/`;
    return { top, prefix, gitFolder, zero, ...(facts.kind === 'empty' ? {} : { head: facts.head }) };
  }
}

/** Index after the commit: `.squad/` as committed, everything else as staged before. */
async function nextIndex({ git, place, folder, index }: Built): Promise<string> {
  const next = path.join(folder, 'next-index');
  const real = path.join(place.gitFolder, 'index');
  if (await exists(real)) await copyFile(real, next);
  else await git(['read-tree', '--empty'], { index: next });
  const squad = `${place.prefix}.squad`;
  const old = (await git(['ls-files', '-z', '--', squad], { index: next })).split('\0').filter(Boolean);
  const committed = (await git(['ls-files', '-z', '--stage', '--', squad], { index })).split('\0').filter(Boolean);
  const lines = [...old.map((name) => `0 ${place.zero}\t${name}`), ...committed];
  await git(['update-index', '-z', '--replace', '--index-info'], {
    index: next,
    input: lines.map((line) => `${line}\0`).join(''),
  });
  return next;
}

function statusOf({ changes, hash }: { changes: readonly SyncChange[]; hash: string }): SyncStatus {
  return { changes: changes.map(({ path: name, kind }) => ({ path: name.toString('utf8'), kind })), hash };
}

async function withFolder<Result>(body: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(path.join(tmpdir(), 'troupe-sync-'));
  try {
    return await body(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Creates git's own lock on its index. Errors: `sync_unavailable` if another git holds it, `unreadable`. */
async function takeLock(lock: string): Promise<void> {
  try {
    await (await open(lock, 'wx')).close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw new TroupeError('unreadable', { what: 'The index of the repository cannot be written.', cause: error });
    }
    throw new TroupeError('sync_unavailable', {
      what: 'Another git process is using this repository.',
      hint: `Wait for it; if there is none, remove ${inert(lock)}.`,
    });
  }
}

async function exists(file: string): Promise<boolean> {
  return await lstat(file).then(
    () => true,
    () => false,
  );
}

/**
 * Runs a hook as `git commit` does, with the index to be committed and the person's environment. A missing hook is
 * ignored; a failing one aborts. Errors: `sync_unavailable`.
 */
async function runHook(
  base: NodeJS.ProcessEnv,
  place: SquadPlace,
  index: string,
  name: string,
  args: readonly string[],
): Promise<void> {
  const words = ['hook', 'run', '--ignore-missing', name, ...(args.length === 0 ? [] : ['--', ...args])];
  const answer = await runGit(base, place.top, words, {
    index,
    asPerson: true,
    timeoutMs: SURFACE_LIMITS.gitCopyTimeoutMs,
  });
  if (answer.ok) return;
  if (/not a git command/.test(answer.message)) {
    throw new TroupeError('sync_unavailable', {
      what: 'This git cannot run hooks for us.',
      hint: 'Use git 2.36 or newer.',
    });
  }
  throw new TroupeError('sync_unavailable', {
    what: `The hook ${name} of the repository refused the commit.`,
    why: answer.message,
    hint: 'Do what the hook asks, then try again.',
  });
}
