import path from 'node:path';
import { nameOfBranch } from '#core/runs/branches.js';
import { type AttemptName, INTEGRATION, nameOfFolder, shortRef, taskSlug } from '#core/runs/names.js';
import { decideRetention, type RetentionFacts } from '#core/runs/retention.js';
import type { TreeState } from '#core/runs/state.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { compareText } from '#kernel/order.js';
import type { ListedTree } from '#ports/attempt-trees.js';
import { againstIntegration, marksOf, NO_MARKS, type RefMarks, treeState, wasSquashed } from './attempt-tree.js';
import { attemptsElsewhere, attemptsWithBranch, type PlacedAttempt, placeAttempt } from './attempts.js';
import { integratedSoFar } from './integration-branch.js';
import { folderNames, lookAt } from './place.js';
import { isOwnTree, ownGitFolder, registeredPaths } from './pointers.js';
import { steady } from './steady.js';
import { holdsSubmoduleWork } from './submodules.js';
import type { Workbench } from './workshop.js';

export interface WorktreeFacts {
  readonly facts: RetentionFacts;
  /** Commit that must not be lost. */
  readonly head?: string;
  /** Path of the worktree, if anything exists there. */
  readonly tree?: string;
  /** Commit of the branch, and its full ref. */
  readonly tip?: string;
  readonly branch?: string;
}

/** Branch and worktree of an attempt, as far as they exist. */
export interface Remains {
  readonly name: PlacedAttempt;
  /** Whether the path of the worktree exists. */
  readonly lies: boolean;
  readonly isOurs: boolean;
  readonly marks: RefMarks;
  readonly state: TreeState | undefined;
  /** Commit of the branch. */
  readonly tip: string | undefined;
  /** Commit of the worktree, otherwise of the branch. */
  readonly head: string | undefined;
}

/** Returns undefined if neither exists. */
export async function remainsOf(bench: Workbench, attempted: AttemptName): Promise<Remains | undefined> {
  const { place, refs } = bench;
  const name = await placeAttempt(bench, attempted);
  const { tree } = name;
  const lies = (await lookAt(tree)) !== undefined;
  const tip = await refs.commit(name.branch);
  if (!lies && tip === undefined) return undefined;
  const isOurs = lies && (await isOwnTree(place, tree));
  const marks = isOurs ? await marksOf(bench, tree) : NO_MARKS;
  const state = isOurs ? await treeState(bench, tree, marks) : undefined;
  return { name, lies, isOurs, marks, state, tip, head: state?.head ?? tip };
}

export interface GatherOptions {
  readonly inUse?: boolean;
  readonly branchStays?: boolean;
  /** Latest known integrated commit. */
  readonly integrated: string | undefined;
}

/** Collects the facts that decide whether an attempt may be removed. Undefined if nothing of it exists. */
export async function gather(
  bench: Workbench,
  attempted: AttemptName,
  options: GatherOptions,
): Promise<WorktreeFacts | undefined> {
  const { refs } = bench;
  const remains = await remainsOf(bench, attempted);
  if (remains === undefined) return undefined;
  const { name, lies, isOurs, marks, state, tip, head } = remains;
  const { tree } = name;
  const { integrated } = options;
  const containedIn = head === undefined ? undefined : await stayingBranch(bench, name, head, integrated);
  const isApart = head !== undefined && integrated !== undefined && containedIn !== INTEGRATION;
  const squashed =
    isApart &&
    containedIn === undefined &&
    (await wasSquashed(bench, await againstIntegration(bench, integrated, head)));
  const { readOnly, thrownAway } = marks;
  const facts: RetentionFacts = {
    inUse: options.inUse ?? false,
    ...(state === undefined ? {} : { tree: state }),
    // A branch behind its worktree, or diverged from it, would be removed with unexamined work.
    foreign:
      (lies && !isOurs) ||
      (state !== undefined && tip !== undefined && !thrownAway && !(await refs.contains(state.head, tip))),
    readOnly,
    thrownAway,
    submodules:
      isOurs &&
      ((await lookAt(path.join(await ownGitFolder(tree), 'modules'))) !== undefined ||
        (await holdsSubmoduleWork(bench, tree))),
    ...(containedIn === undefined ? {} : { containedIn }),
    squashed,
    ahead: isApart ? await refs.count(integrated, head) : 0,
    branchStays: (options.branchStays ?? false) && tip === head,
  };
  return {
    facts,
    ...(head === undefined ? {} : { head }),
    ...(lies ? { tree } : {}),
    ...(tip === undefined ? {} : { tip, branch: name.branch }),
  };
}

/**
 * A branch that contains the commit and outlives the attempt: any but those of attempts, except a later attempt at the
 * same task. The integration branch counts only up to its latest known commit, because a run may have moved the local
 * one.
 */
async function stayingBranch(
  { refs, templates }: Workbench,
  name: AttemptName,
  head: string,
  integrated: string | undefined,
): Promise<string | undefined> {
  const here = integrated === undefined ? undefined : await refs.commit(INTEGRATION);
  const isTaken = integrated !== undefined && (integrated === here || (await refs.contains(integrated, head)));
  const stays = (ref: string, all: readonly string[]) => {
    if (ref === INTEGRATION) return isTaken;
    const other = nameOfBranch(ref, all);
    return other === undefined || (other.slug === name.slug && other.attempt > name.attempt);
  };
  if (refs.isShown) {
    if (isTaken && here !== undefined && (await refs.contains(here, head))) return INTEGRATION;
    const all = await templates.all();
    if (await refs.isApart(head, (ref) => stays(ref, all))) return undefined;
  }
  const holds = await refs.branchesWith(head);
  const all = holds.length === 0 ? [] : await templates.all();
  const holding = holds.filter((ref) => stays(ref, all));
  return holding.find((ref) => ref === INTEGRATION) ?? holding[0];
}

async function namesLeft(bench: Workbench): Promise<AttemptName[]> {
  const registered = await registeredPaths(bench.place);
  const names = new Map<string, AttemptName>();
  for (const folder of await folderNames(bench.place.trees)) {
    const name = nameOfFolder(folder);
    if (name !== undefined) names.set(name.folder, name);
  }
  const others = [...(await attemptsElsewhere(bench, registered)), ...(await attemptsWithBranch(bench))];
  for (const name of others) names.set(name.folder, name);
  return [...names.values()];
}

/** Numbers of the attempts at a task with remaining branches or worktrees. */
export async function attemptsLeft(bench: Workbench, task: string): Promise<number[]> {
  const slug = taskSlug(task);
  const numbers = (await namesLeft(bench)).flatMap((name) => (name.slug === slug ? [name.attempt] : []));
  return numbers.sort((left, right) => left - right);
}

/** All attempts with remaining branches or worktrees. */
export async function listTrees(bench: Workbench): Promise<ListedTree[]> {
  await bench.workshop.sweepAll(await registeredPaths(bench.place));
  const integrated = await integratedSoFar(bench);
  const names = await namesLeft(bench);
  const sorted = names.sort((left, right) => compareText(left.slug, right.slug) || left.attempt - right.attempt);
  const listed: ListedTree[] = [];
  for (const name of sorted.slice(0, SURFACE_LIMITS.treesListed)) {
    const facts = await steady(bench, name, () => gather(bench, name, { integrated }));
    if (facts !== undefined) listed.push(asListed(name, facts));
  }
  return listed;
}

function asListed(name: AttemptName, { facts, head, tree, branch }: WorktreeFacts): ListedTree {
  const verdict = decideRetention(facts);
  return {
    slug: name.slug,
    attempt: name.attempt,
    ...(tree === undefined ? {} : { path: tree }),
    ...(branch === undefined ? {} : { branch: shortRef(branch) }),
    ...(head === undefined ? {} : { head }),
    ahead: facts.ahead,
    dirty: facts.tree?.dirtyTotal ?? 0,
    removable: 'remove' in verdict,
    ...('keep' in verdict ? { reason: verdict.keep } : {}),
    text: verdict.text,
  };
}
