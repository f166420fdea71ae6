import { lstat, mkdir, readdir, realpath, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { notedIn } from '#adapters/disk/worktree-folder.js';
import { folderFault } from '#core/worktrees/layout.js';
import { TREES_FOLDER, treesNote } from '#core/worktrees/trees-folder.js';
import { TroupeError } from '#kernel/errors.js';
import { isInside } from '#kernel/paths.js';
import { cut, inert } from '#kernel/text.js';
import type { Git } from '#ports/git.js';

/** Where the worktrees of a project lie, and in which repository. All paths are real ones. */
export interface Place {
  readonly project: string;
  readonly top: string;
  /** The git folder that all worktrees of the repository share. */
  readonly common: string;
  /** Commit of the person's HEAD. */
  readonly head: string;
  /** Folder of the worktrees that are made now; may not exist. */
  readonly trees: string;
  /** The project from the top of the repository, `''` when it is the top. */
  readonly below: string;
}

/** Looks at repository and folder; a coded error where no worktree can be. `folder`: as the setting names it. */
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

/** Links on the way to a folder outside of the project are the person's own; within it they may have come with the repository. */
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

/** The path of something in the folder of worktrees, which must exist by real folders only. */
export async function safeTree(place: Place, folder: string): Promise<string> {
  await refuseLinks(place, folder);
  return path.join(place.trees, folder);
}

/** Makes the folder of all worktrees, hidden from git whatever the files around say. */
export async function makeTrees(place: Place): Promise<void> {
  await refuseUnfit(place);
  const usual = path.join(place.project, TREES_FOLDER);
  // Also where worktrees lie elsewhere: without it nothing waits to be landed, which is asked often.
  await mkdir(usual, { recursive: true, mode: 0o700 });
  await mkdir(place.trees, { recursive: true, mode: 0o700 });
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

/** Refuses a chosen folder that is not the project's to use: another's, one with other files, one that others may write. */
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
  if (noted !== project) unfit(trees, `holds worktrees of ${cut(inert(noted), 200)}`);
}

/** Whoever may write a folder on the way can put another in its place; where the sticky bit is set, only its owner. */
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
    what: `${cut(inert(trees), 200)} cannot hold worktrees: it ${why}.`,
    hint: 'Choose another, or the usual one: `troupe config set worktree.folder --unset`.',
    details: { path: cut(inert(trees), 200) },
  });
}

/** What lies at a path, without following a link; undefined when nothing does. */
export async function lookAt(file: string) {
  try {
    return await lstat(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Names in a folder; none when it is not there. */
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
    const printable = cut(inert(path.relative(project, current)), 200);
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
