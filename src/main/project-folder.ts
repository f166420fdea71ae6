import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { notedIn } from '#adapters/disk/worktree-folder.js';
import { FROM_PROJECT } from '#kernel/graph-folder.js';
import { isInside } from '#kernel/paths.js';
import { hasGraph, projectAt } from '#main/project.js';
import type { Project } from '#ports/project.js';

/**
 * The project of a folder. `beyond` is a folder above with a project that does not apply, because a repository boundary
 * lies between.
 */
export interface Whereabouts {
  readonly project?: Project;
  readonly beyond?: string;
}

interface Repository {
  readonly owner?: string;
}

/**
 * Finds the nearest folder at or above `folder` that holds a task graph, up to the top of its git repository. From a
 * submodule, or a worktree within its repository, the search continues to the top of the outer repository. A worktree
 * elsewhere belongs to its repository's project if it has no graph, or if its settings name the same project in a
 * database. A run belongs to the project that started it (`runProject`), across all repositories below that.
 */
export function findProject(folder: string, runProject: string | undefined): Whereabouts {
  const start = path.resolve(folder);
  const around = projectOfWorktree(start);
  if (around !== undefined) return { project: around };
  let crossed = false;
  for (let current = start; ; current = path.dirname(current)) {
    const git: Repository | undefined = crossed ? undefined : repositoryAt(current);
    const isOurs = git?.owner !== undefined && notedIn(path.dirname(current)) !== undefined;
    const project = projectAt(current);
    const isHere = !isOurs && hasGraph(project);
    const mayBeOwners = !isHere || project.store.kind === 'database';
    if (git?.owner !== undefined && mayBeOwners && (isOurs || isHere || !isInside(git.owner, current))) {
      const owners = findProject(path.join(git.owner, path.relative(current, start)), runProject);
      if (owners.project !== undefined && (!isHere || isSameStore(owners.project, project))) return owners;
    }
    if (isHere) return !crossed || current === runProject ? { project } : { beyond: current };
    crossed ||= git !== undefined && (git.owner === undefined || !isInside(git.owner, current));
    if (current === path.dirname(current)) return {};
  }
}

function isSameStore({ store: one }: Project, { store: other }: Project): boolean {
  return one.kind === 'database' && other.kind === 'database' && one.name === other.name;
}

/**
 * A folder inside a worktree created by Troupe belongs to the project of that worktree, even if the worktree contains a
 * committed copy of the graph.
 */
function projectOfWorktree(folder: string): Project | undefined {
  const marker = `${path.sep}${FROM_PROJECT.worktrees}${path.sep}`;
  const at = folder.indexOf(marker);
  const project = at === -1 ? undefined : projectAt(folder.slice(0, at));
  return project !== undefined && hasGraph(project) ? project : undefined;
}

/**
 * Describes the repository whose top is `folder`; undefined if it is not a top. `owner` is the repository it is a
 * worktree or submodule of, provided that this repository confirms it.
 */
function repositoryAt(folder: string): Repository | undefined {
  const file = path.join(folder, '.git');
  // Checked first: below a file, and without permission, `stat` throws instead of returning undefined.
  const stats = existsSync(file) ? statSync(file, { throwIfNoEntry: false }) : undefined;
  if (stats === undefined) return undefined;
  const linked = stats.isFile() ? /^gitdir: (.+)$/.exec(firstLine(file))?.[1] : undefined;
  const gitFolder = linked === undefined ? '' : path.resolve(folder, linked);
  const owner = /^(.+?)[\\/]\.git[\\/](?:worktrees|modules)[\\/]/.exec(gitFolder)?.[1];
  if (owner === undefined) return {};
  // An unpacked archive may name any repository, so the named one must list this worktree.
  const known = isInside(owner, folder) || path.resolve(gitFolder, firstLine(path.join(gitFolder, 'gitdir'))) === file;
  return known ? { owner } : {};
}

/** First line of a file; empty if unreadable, in which case the folder counts as a repository of its own. */
function firstLine(file: string): string {
  try {
    return readFileSync(file, 'utf8').split('\n', 1)[0] ?? '';
  } catch {
    return '';
  }
}
