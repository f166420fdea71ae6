import path from 'node:path';
import {
  BRANCH_TEMPLATE,
  branchOf,
  folderOf,
  nameOfBranch,
  templateFault,
  USED_TEMPLATES,
} from '#core/worktrees/branch-template.js';
import { type AttemptName, attemptName } from '#core/worktrees/names.js';
import type { AttemptKey } from '#ports/worktrees.js';
import { safeTree } from './place.js';
import type { Refs } from './refs.js';
import type { Workbench } from './workshop.js';

/** An attempt with its branch and its worktree: those it was made with, or those it would get now. */
export interface Attempt extends AttemptName {
  /** A full ref. */
  readonly branch: string;
  /** Path of the worktree, whether that is there or not. */
  readonly tree: string;
}

type Bench = Pick<Workbench, 'place' | 'refs' | 'templates'>;

/** Finds an attempt whose worktree is reached by real folders only; `unsafe_worktree` otherwise. */
export async function attemptOf(bench: Bench, { task, attempt }: AttemptKey): Promise<Attempt> {
  const found = await placed(bench, attemptName(task, attempt));
  await safeTree(bench.place, found.folder);
  return found;
}

/** An attempt where it was made; a branch that is there counts before the name that the settings would give it. */
export async function placed({ place, refs, templates }: Bench, name: AttemptName): Promise<Attempt> {
  const tree = path.join(place.trees, name.folder);
  const [current = BRANCH_TEMPLATE] = templates;
  for (const template of templates) {
    const branch = branchOf(name, template);
    if ((await refs.commit(branch)) !== undefined) return { ...name, branch, tree };
  }
  return { ...name, branch: branchOf(name, current), tree };
}

/** Attempts that have a branch. */
export async function attemptsWithBranch({ refs, templates }: Bench): Promise<AttemptName[]> {
  const folders = new Set(templates.map(folderOf));
  const refsOf = await Promise.all([...folders].map((folder) => refs.below(folder)));
  return refsOf.flat().flatMap(({ ref }) => nameOfBranch(ref, templates) ?? []);
}

/** Templates by which attempts are found, the one in force first. What a ref says is believed only as far as a setting would be. */
export async function templatesIn(refs: Refs, current: string): Promise<readonly string[]> {
  const used = (await refs.below(USED_TEMPLATES)).map(({ ref }) => ref.slice(USED_TEMPLATES.length));
  return [...new Set([current, BRANCH_TEMPLATE, ...used.filter((template) => templateFault(template) === undefined)])];
}

/** Remembers the template in force, before the first branch is made under it. */
export async function keepTemplate({ refs, place, templates: [current] }: Bench): Promise<void> {
  if (current === undefined || current === BRANCH_TEMPLATE) return;
  const ref = `${USED_TEMPLATES}${current}`;
  if ((await refs.commit(ref)) === undefined) await refs.move(ref, place.head, undefined);
}
