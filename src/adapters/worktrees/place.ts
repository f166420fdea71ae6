import { lstat, mkdir, realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { TroupeError } from '#kernel/errors.js';
import { cut, inert } from '#kernel/text.js';
import type { Git } from '#ports/git.js';

const FOLDERS = ['.workgraph', 'worktrees'] as const;

/** Where the worktrees of a project lie, and in which repository. All paths are real ones. */
export interface Place {
  readonly project: string;
  readonly top: string;
  /** The git folder that all worktrees of the repository share. */
  readonly common: string;
  /** Commit of the person's HEAD. */
  readonly head: string;
  /** `.workgraph/worktrees`; may not exist. */
  readonly trees: string;
  /** The project from the top of the repository, `''` when it is the top. */
  readonly below: string;
}

/** Looks at repository and folder; a coded error where no worktree can be. */
export async function findPlace(git: Git, projectFolder: string): Promise<Place> {
  const project = await realpath(projectFolder);
  const facts = await git.describe(project);
  if (facts.kind === 'none')
    throw new TroupeError('not_a_repository', { what: `${inert(project)} is not in a git repository.` });
  if (facts.kind === 'bare') throw new TroupeError('bare_repository');
  if (facts.head === undefined) {
    throw new TroupeError('empty_repository', { hint: 'Commit something first: worktrees start from a commit.' });
  }
  const top = await realpath(facts.top);
  await refuseLinks(project, '');
  const common = await git.output(top, ['rev-parse', '--path-format=absolute', '--git-common-dir']);
  return {
    project,
    top,
    common: await realpath(common.replace(/\n$/, '')),
    head: facts.head,
    trees: path.join(project, ...FOLDERS),
    below: path.relative(top, project).split(path.sep).join('/'),
  };
}

/** The path of something in `.workgraph/worktrees`, which must exist by real folders only. */
export async function safeTree(place: Place, folder: string): Promise<string> {
  await refuseLinks(place.project, folder);
  return path.join(place.trees, folder);
}

/** Makes the folder of all worktrees, hidden from git whatever the files around say. */
export async function makeTrees(place: Place): Promise<void> {
  await mkdir(place.trees, { recursive: true, mode: 0o700 });
  await refuseLinks(place.project, '.gitignore', 'file');
  try {
    await writeFile(path.join(place.trees, '.gitignore'), '*\n', { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
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

async function refuseLinks(project: string, last: string, kind: 'folder' | 'file' = 'folder'): Promise<void> {
  let current = project;
  for (const part of [...FOLDERS, ...(last === '' ? [] : [last])]) {
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
