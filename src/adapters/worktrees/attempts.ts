import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { worktreeAround } from '#adapters/disk/worktree-folder.js';
import { branchOf, nameOfBranch } from '#core/runs/branches.js';
import { type AttemptName, attemptName, nameOfFolder } from '#core/runs/names.js';
import type { AttemptKey } from '#ports/attempt-trees.js';
import { lookAt, safeTree } from './place.js';
import { isOwnTree, registeredPaths } from './pointers.js';
import type { Workbench } from './workshop.js';

/** Attempt with its branch and worktree: the ones it was created with, or would get now. */
export interface PlacedAttempt extends AttemptName {
  /** Full ref. */
  readonly branch: string;
  /** Path of the worktree, whether it exists or not. */
  readonly tree: string;
}

type Bench = Pick<Workbench, 'place' | 'refs' | 'templates'>;

/** Locates an attempt. Errors: `unsafe_worktree` if the path to its worktree contains links. */
export async function placedAttempt(bench: Bench, { task, attempt }: AttemptKey): Promise<PlacedAttempt> {
  const found = await placeAttempt(bench, attemptName(task, attempt));
  if (path.dirname(found.tree) === bench.place.trees) await safeTree(bench.place, found.folder);
  return found;
}

/** Locates an attempt where it was created. An existing branch takes precedence over the name from the settings. */
export async function placeAttempt(bench: Bench, name: AttemptName): Promise<PlacedAttempt> {
  const { refs, templates } = bench;
  const tree = await treeOf(bench, name.folder);
  const usual = branchOf(name, templates.current);
  if ((await refs.commit(usual)) !== undefined) return { ...name, branch: usual, tree };
  for (const template of (await templates.all()).slice(1)) {
    const branch = branchOf(name, template);
    if ((await refs.commit(branch)) !== undefined) return { ...name, branch, tree };
  }
  return { ...name, branch: usual, tree };
}

async function treeOf(bench: Bench, folder: string): Promise<string> {
  const usual = path.join(bench.place.trees, folder);
  if ((await lookAt(usual)) !== undefined) return usual;
  for (const tree of await registeredPaths(bench.place))
    if (path.basename(tree) === folder && (await isEarlier(bench, tree))) return tree;
  return usual;
}

/** Attempts with worktrees in folders of earlier settings. */
export async function attemptsElsewhere(bench: Bench, registered: readonly string[]): Promise<AttemptName[]> {
  const names: AttemptName[] = [];
  for (const tree of registered) {
    const name = nameOfFolder(path.basename(tree));
    if (name !== undefined && (await isEarlier(bench, tree))) names.push(name);
  }
  return names;
}

/** Whether this is an attempt's worktree in an earlier folder, not a person's own or another project's. */
async function isEarlier({ place }: Bench, tree: string): Promise<boolean> {
  if (path.dirname(tree) === place.trees || (await realpath(tree).catch(() => undefined)) !== tree) return false;
  return worktreeAround(place.project, tree) === tree && (await isOwnTree(place, tree));
}

/** Attempts that have a branch. */
export async function attemptsWithBranch({ templates }: Bench): Promise<AttemptName[]> {
  const refs = await templates.branches();
  const all = await templates.all();
  return refs.flatMap((ref) => nameOfBranch(ref, all) ?? []);
}
