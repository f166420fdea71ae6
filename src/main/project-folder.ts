import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { notedIn } from '#adapters/disk/worktree-folder.js';
import { FROM_PROJECT } from '#kernel/graph-folder.js';
import { isInside } from '#kernel/paths.js';
import { hasGraph, projectAt } from '#main/project.js';
import type { Project } from '#ports/project.js';

/** The project that a folder belongs to, or one above that it does not belong to since a repository lies between them. */
export interface Whereabouts {
  readonly project?: Project;
  readonly beyond?: string;
}

interface Repository {
  readonly owner?: string;
}

/**
 * The nearest folder at or above `folder` that holds a task graph, up to the top of its git repository. A submodule, and a
 * worktree that lies within its repository, go on to the top of that; a worktree elsewhere without a graph belongs to the
 * project of its repository, as does one whose settings name the same project in a database. A run belongs to the project that started it (`runProject`) in every repository below that.
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

/** Whoever is in a worktree of ours means the project it belongs to, also when it holds a committed copy of the graph. */
function projectOfWorktree(folder: string): Project | undefined {
  const marker = `${path.sep}${FROM_PROJECT.worktrees}${path.sep}`;
  const at = folder.indexOf(marker);
  const project = at === -1 ? undefined : projectAt(folder.slice(0, at));
  return project !== undefined && hasGraph(project) ? project : undefined;
}

/** Is a folder the top of a repository? `owner`: the repository whose worktree or submodule it is, if that says so too. */
function repositoryAt(folder: string): Repository | undefined {
  const file = path.join(folder, '.git');
  // Asked first: below a file, and where nobody may look, `stat` throws instead of answering that nothing is there.
  const stats = existsSync(file) ? statSync(file, { throwIfNoEntry: false }) : undefined;
  if (stats === undefined) return undefined;
  const linked = stats.isFile() ? /^gitdir: (.+)$/.exec(firstLine(file))?.[1] : undefined;
  const gitFolder = linked === undefined ? '' : path.resolve(folder, linked);
  const owner = /^(.+?)[\\/]\.git[\\/](?:worktrees|modules)[\\/]/.exec(gitFolder)?.[1];
  if (owner === undefined) return {};
  // Files of an unpacked archive may name any repository: that has to know of this worktree.
  const known = isInside(owner, folder) || path.resolve(gitFolder, firstLine(path.join(gitFolder, 'gitdir'))) === file;
  return known ? { owner } : {};
}

/** Empty where it cannot be read: then the folder counts as a repository of its own. */
function firstLine(file: string): string {
  try {
    return readFileSync(file, 'utf8').split('\n', 1)[0] ?? '';
  } catch {
    return '';
  }
}
