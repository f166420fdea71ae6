/**
 * A git worktree for each attempt, merging into `wg/integration`, landing.
 * @packageDocumentation
 */
import path from 'node:path';
import type { OutsideTraces } from '#core/graph/outside.js';
import { type IsolationFacts, type Workplace, workplace } from '#core/worktrees/isolation.js';
import type { Landing } from '#core/worktrees/landing.js';
import type { Layout } from '#core/worktrees/layout.js';
import { INTEGRATION, nameOfFolder, shortRef } from '#core/worktrees/names.js';
import type { TreeState } from '#core/worktrees/state.js';
import { TREES_FOLDER } from '#core/worktrees/trees-folder.js';
import { isRefusal, TroupeError } from '#kernel/errors.js';
import { cut, inert } from '#kernel/text.js';
import type { Git } from '#ports/git.js';
import type { Processes } from '#ports/processes.js';
import type {
  AttemptChanges,
  AttemptKey,
  AttemptPlace,
  AttemptRequest,
  AttemptTree,
  CommitResult,
  ListedTree,
  MergeOutcome,
  MergeRequest,
  Removal,
  RemovalRequest,
  WorktreeGap,
  Worktrees,
} from '#ports/worktrees.js';
import {
  attemptChanges,
  changedPathsOf,
  commitLeftovers,
  commitPatch,
  marksOf,
  patchOf,
  SET_UP,
  treeState,
} from './attempt-tree.js';
import { placeAttempt, placedAttempt } from './attempts.js';
import { createTree, described, fits } from './creation.js';
import { keepOnly } from './keep-only.js';
import { land, lookAtLanding } from './landing.js';
import { mergeBack } from './merge.js';
import { outsideTraces } from './outside.js';
import { findPlace, lookAt, refuseUnfit, safeTree } from './place.js';
import { isOwnTree } from './pointers.js';
import { Refs } from './refs.js';
import { removeTree } from './removal.js';
import { attemptsLeft, listTrees, remainsOf } from './retention-facts.js';
import { gapsOf } from './submodules.js';
import { openWorkbench, type Workbench } from './workshop.js';

export interface GitWorktreesOptions {
  /** Absolute path of the folder that holds `.workgraph/`. */
  readonly projectFolder: string;
  readonly git: Git;
  readonly processes: Processes;
  /** Names and places as the settings have them now. */
  layout(): Promise<Layout>;
}

/** The Worktrees port over git. Keeps nothing between calls: what is on disk is the truth. */
export class GitWorktrees implements Worktrees {
  private readonly options: GitWorktreesOptions;

  constructor(options: GitWorktreesOptions) {
    this.options = options;
  }

  async workplace(facts: Omit<IsolationFacts, 'repository'>): Promise<Workplace> {
    const { git, projectFolder } = this.options;
    const repository = facts.isolation === 'off' ? 'none' : (await git.describe(projectFolder)).kind;
    return workplace({ ...facts, repository });
  }

  async placeOf(key: AttemptKey): Promise<AttemptPlace> {
    const bench = await this.bench();
    return described(bench.place, await placedAttempt(bench, key));
  }

  async create(request: AttemptRequest): Promise<AttemptTree> {
    return createTree(await this.bench(), request);
  }

  async markSetUp(key: AttemptKey): Promise<void> {
    const bench = await this.bench();
    const { tree } = await placedAttempt(bench, key);
    const own = new Refs(bench.git, tree);
    const head = await own.commit('HEAD');
    if (head !== undefined) await own.move(SET_UP, head, await own.commit(SET_UP));
  }

  async gaps(): Promise<readonly WorktreeGap[]> {
    const { git, projectFolder } = this.options;
    const { kind } = await git.describe(projectFolder);
    if (kind !== 'work-tree') return [];
    const bench = await this.bench();
    return [...(await this.folderGap(bench)), ...(await gapsOf(bench))];
  }

  private async folderGap({ place }: Workbench): Promise<readonly WorktreeGap[]> {
    try {
      await refuseUnfit(place);
      return [];
    } catch (error) {
      if (!(error instanceof TroupeError)) throw error;
      return [{ text: error.message, remedy: error.hint }];
    }
  }

  async refuseFolder(folder: string): Promise<void> {
    const { git, projectFolder } = this.options;
    const facts = await git.describe(projectFolder);
    if (facts.kind !== 'work-tree' || facts.head === undefined) return; // nothing can be made there yet
    await refuseUnfit(await findPlace(git, projectFolder, folder));
  }

  async fits(key: AttemptKey, readOnly: boolean): Promise<boolean> {
    const bench = await this.bench();
    return fits(bench, await placedAttempt(bench, key), readOnly);
  }

  async state(tree: string): Promise<TreeState> {
    const bench = await this.bench();
    const { place } = bench;
    const folder = path.basename(tree);
    const name = nameOfFolder(folder);
    const safe = name === undefined ? undefined : (await placeAttempt(bench, name)).tree;
    const asNamed =
      safe === undefined ? '' : path.resolve(this.options.projectFolder, path.relative(place.project, safe));
    if (safe === undefined || ![safe, asNamed].includes(path.resolve(place.project, tree)))
      throw new TroupeError('unsafe_worktree', { what: `${cut(inert(tree), 200)} is not a worktree path.` });
    if (path.dirname(safe) === place.trees) await safeTree(place, folder);
    if (!(await isOwnTree(place, safe))) {
      throw new TroupeError('not_found', {
        what: `There is no worktree of this project at ${inert(safe)}.`,
        hint: 'Run `troupe worktree list`.',
      });
    }
    return treeState(bench, safe);
  }

  async stateOf(key: AttemptKey): Promise<TreeState | undefined> {
    const bench = await this.bench();
    const { place } = bench;
    const { tree } = await placedAttempt(bench, key);
    return (await isOwnTree(place, tree)) ? treeState(bench, tree) : undefined;
  }

  async ownState(since: number): Promise<TreeState> {
    const bench = await this.bench();
    const { place, refs } = bench;
    const moment = new Date(since).toISOString().replace(/\.\d+Z$/, 'Z');
    const base = (await refs.commit(`HEAD@{${moment}}`)) ?? place.head;
    return treeState(bench, place.top, { base, but: `${place.below === '' ? '' : `${place.below}/`}.workgraph/` });
  }

  async commit({ task, attempt }: AttemptKey, message: string): Promise<CommitResult> {
    const bench = await this.bench();
    const { tree } = await placedAttempt(bench, { task, attempt });
    if (!(await isOwnTree(bench.place, tree))) {
      throw new TroupeError('not_found', { what: `Attempt ${attempt} at ${inert(task)} has no worktree.` });
    }
    if ((await marksOf(bench, tree)).readOnly) {
      throw new TroupeError('not_found', { what: `Changes of ${inert(task)} in its worktree are not merged.` });
    }
    const { committed, head, leftOut, stuck } = await commitLeftovers(bench, tree, message);
    if (stuck !== undefined) throw new TroupeError('git_failed', { what: `Nothing was committed: ${stuck}.` });
    if (head === undefined) throw new TroupeError('git_failed', { what: 'The worktree has no commit.' });
    return { committed, commit: head, leftOut };
  }

  async mergeBack(request: MergeRequest): Promise<MergeOutcome> {
    return mergeBack(await this.bench(), request);
  }

  async remove(request: RemovalRequest): Promise<Removal> {
    return removeTree(await this.bench(), request);
  }

  async list(): Promise<readonly ListedTree[]> {
    return listTrees(await this.bench());
  }

  async attempts(task: string): Promise<readonly number[]> {
    return attemptsLeft(await this.bench(), task);
  }

  async changes(attempt: AttemptKey): Promise<AttemptChanges> {
    const remains = await this.remains(attempt);
    if (remains === undefined) {
      throw new TroupeError('not_found', {
        what: `Attempt ${attempt.attempt} at ${inert(attempt.task)} has nothing left.`,
        hint: 'Run `troupe worktree list`.',
      });
    }
    return attemptChanges(remains.bench, shortRef(remains.branch), remains.head, remains.tree);
  }

  async keepOnly(key: AttemptKey, folder: string): Promise<readonly string[]> {
    return keepOnly(await this.bench(), key, folder);
  }

  async outside(key: AttemptKey): Promise<OutsideTraces | undefined> {
    const bench = await this.bench();
    return outsideTraces(bench, await placedAttempt(bench, key));
  }

  async changedPaths(attempt: AttemptKey): Promise<readonly string[]> {
    const remains = await this.remains(attempt);
    return remains === undefined ? [] : changedPathsOf(remains.bench, remains.head, remains.tree);
  }

  async patch(attempt: AttemptKey, maxBytes: number): Promise<string> {
    const remains = await this.remains(attempt);
    return remains === undefined ? '' : patchOf(remains.bench, remains.head, remains.tree, maxBytes);
  }

  async patchOf(commit: string, maxBytes: number): Promise<string> {
    return commitPatch(await this.bench(), commit, maxBytes);
  }

  /** Branch and worktree of an attempt; undefined when neither is left. */
  private async remains(key: AttemptKey) {
    const bench = await this.bench();
    const remains = await remainsOf(bench, await placedAttempt(bench, key));
    if (remains?.head === undefined) return undefined;
    return { bench, branch: remains.name.branch, head: remains.head, tree: remains.state };
  }

  async integratedText(file: string, maxBytes: number): Promise<string | undefined> {
    const { git, place } = await this.bench();
    const { top, below } = place;
    const object = `${INTEGRATION}:${path.posix.join(below, file)}`;
    const size = await git.tryOutput(top, ['cat-file', '-s', object]);
    if (size === undefined || Number(size) > maxBytes) return undefined;
    return git.tryOutput(top, ['cat-file', 'blob', object]);
  }

  async waiting(): Promise<number> {
    const { git, projectFolder } = this.options;
    if ((await lookAt(path.join(projectFolder, TREES_FOLDER))) === undefined) return 0;
    const words = ['rev-list', '--count', `HEAD..${INTEGRATION}`, '--'];
    try {
      return Number((await git.tryOutput(projectFolder, words)) ?? 0);
    } catch (error) {
      if (isRefusal(error, 'git_missing')) return 0;
      throw error;
    }
  }

  async landing(): Promise<Landing> {
    return lookAtLanding(await this.bench());
  }

  async land(to: string): Promise<Landing> {
    return land(await this.bench(), to);
  }

  private async bench(): Promise<Workbench> {
    const { git, processes, projectFolder, layout } = this.options;
    return openWorkbench(git, processes, projectFolder, await layout());
  }
}
