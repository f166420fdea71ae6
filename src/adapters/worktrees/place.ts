import { lstat, readdir, realpath, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { makeFolder } from '#adapters/disk/personal-folder.js';
import { notedIn } from '#adapters/disk/worktree-folder.js';
import { folderFault } from '#core/settings/layout.js';
import { TREES_FOLDER, treesNote } from '#core/settings/trees-folder.js';
import { TroupeError } from '#kernel/errors.js';
import { isInside } from '#kernel/paths.js';
import { inert, inSentence } from '#kernel/text.js';
import type { Git } from '#ports/git.js';

/** Location of a project's worktrees and their repository. All paths are real paths. */
export interface Place {
  readonly project: string;
  readonly top: string;
  /** Git folder shared by all worktrees of the repository. */
  readonly common: string;
  /** Commit of the person's HEAD. */
  readonly head: string;
  /** Folder for new worktrees; may not exist. */
  readonly trees: string;
  /** Project path relative to the top of the repository; `''` if they are equal. */
  readonly below: string;
}

/**
 * Determines the repository and the worktree folder. `folder`: value of the setting. Errors: `not_a_repository`,
 * `bare_repository`, `empty_repository`, `unsafe_worktree`.
 */
export async function findPlace(git: Git, projectFolder: string, folder: string): Promise<Place> {
  const project = await realpath(projectFolder);
  const facts = await git.describe(project);
  if (facts.kind === 'none')
    throw new TroupeError('not_a_repository', { what: `${inert(project)} is not in a git repository.` });
  if (facts.kind === 'bare') throw new TroupeError('bare_repository');
  if (facts.kind === 'empty') {
    throw new TroupeError('empty_repository', { hint: 'Commit something first: worktrees start from a commit.' });
  }
  const top = await realpath(facts.top);
  const place = {
    project,
    top,
    common: await realpath(facts.common),
    head: facts.head,
    trees: await treesOf(project, folder),
    below: path.relative(top, project).split(path.sep).join('/'),
  };
  await refuseLinks(place, '');
  return place;
}

/** Resolves links only outside the project, where they are the person's own; inside, the repository may hold them. */
async function treesOf(project: string, folder: string): Promise<string> {
  const named = folder.startsWith('~/') ? path.join(homedir(), folder.slice(2)) : path.resolve(project, folder);
  return isInside(project, named) ? named : await realUpTo(named);
}

async function realUpTo(place: string): Promise<string> {
  try {
    return await realpath(place);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || path.dirname(place) === place) throw error;
    return path.join(await realUpTo(path.dirname(place)), path.basename(place));
  }
}

/** Path of an entry of the worktree folder. Errors: `unsafe_worktree` if it contains links. */
export async function safeTree(place: Place, folder: string): Promise<string> {
  await refuseLinks(place, folder);
  return path.join(place.trees, folder);
}

/** Creates the worktree folder and hides it from git, independent of other ignore files. */
export async function makeTrees(place: Place): Promise<void> {
  await refuseUnfit(place);
  const usual = path.join(place.project, TREES_FOLDER);
  // Needed even if worktrees are elsewhere: without it, `waiting` returns at once, which is called often.
  for (const folder of [usual, place.trees])
    makeFolder(folder, 'Choose another place with `troupe config set worktree.folder FOLDER`.');
  await refuseLinks(place, NOTE_FILE, 'file');
  const note =
    place.trees === usual ? '*\n' : treesNote(place.project, place.trees, isInside(place.project, place.trees));
  try {
    await writeFile(path.join(place.trees, NOTE_FILE), note, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

const NOTE_FILE = '.gitignore';
const OTHERS_WRITE = 0o002;
const STICKY = 0o1000;

/**
 * Rejects a configured folder that is unsuitable: owned by another user, containing other files, or writable by others.
 * Errors: `unsafe_worktree`.
 */
export async function refuseUnfit(place: Place): Promise<void> {
  const { project, trees, common } = place;
  if (trees === path.join(project, TREES_FOLDER)) return;
  const isWithin = isInside(project, trees);
  const fault = folderFault(isWithin ? path.relative(project, trees) : trees);
  if (fault !== undefined) unfit(trees, fault);
  if (isInside(trees, project)) unfit(trees, 'is around the project');
  if (trees === (await realpath(homedir()).catch(() => ''))) unfit(trees, 'is a home folder');
  if (isInside(common, trees)) unfit(trees, 'is in the git folder');
  await refuseWritable(trees, isWithin ? project : path.parse(trees).root, (await lstat(project)).uid);
  const names = await readdir(trees).catch(() => []);
  if (names.length === 0) return;
  const noted = notedIn(trees);
  if (noted === undefined) unfit(trees, 'holds other files');
  if (noted !== project) unfit(trees, `holds worktrees of ${inSentence(noted)}`);
}

/** Users who can write to a parent folder could replace the worktrees; with the sticky bit, only its owner could. */
async function refuseWritable(trees: string, from: string, owner: number): Promise<void> {
  const known = [process.getuid?.() ?? owner, 0, owner];
  for (let current = trees; isInside(from, current); current = path.dirname(current)) {
    const stats = await lookAt(current);
    if (stats !== undefined) {
      const isShared = (stats.mode & OTHERS_WRITE) !== 0 && (current === trees || (stats.mode & STICKY) === 0);
      if (isShared)
        unfit(
          trees,
          current === trees ? 'may be written by others' : `is in ${inert(current)}, which others may write`,
        );
      if (!known.includes(stats.uid)) unfit(trees, 'belongs to somebody else');
    }
    if (current === path.dirname(current)) return;
  }
}

function unfit(trees: string, why: string): never {
  throw new TroupeError('unsafe_worktree', {
    what: `${inSentence(trees)} cannot hold worktrees: it ${why}.`,
    hint: 'Choose another, or the usual one: `troupe config set worktree.folder --unset`.',
    details: { path: inSentence(trees) },
  });
}

/** Stat without following links; undefined if the path does not exist. */
export async function lookAt(file: string) {
  try {
    return await lstat(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Sorted names in a folder; empty if it does not exist. */
export async function folderNames(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

async function refuseLinks({ project, trees }: Place, last: string, kind: 'folder' | 'file' = 'folder'): Promise<void> {
  const from = isInside(project, trees) ? project : path.dirname(trees);
  let current = from;
  for (const part of [...path.relative(from, trees).split(path.sep), ...(last === '' ? [] : [last])]) {
    current = path.join(current, part);
    const stats = await lookAt(current);
    if (stats === undefined) return;
    const isLast = part === last;
    const printable = inSentence(path.relative(project, current));
    if (stats.isSymbolicLink()) refuse(printable, 'is a link');
    if (isLast && kind === 'file' ? !stats.isFile() : !stats.isDirectory())
      refuse(printable, `is not a ${isLast ? kind : 'folder'}`);
  }
}

function refuse(printable: string, why: string): never {
  throw new TroupeError('unsafe_worktree', {
    what: `${printable} ${why}: nothing was changed.`,
    details: { path: printable },
  });
}
