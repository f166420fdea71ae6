/**
 * A git worktree for each attempt; merging into `wg/integration` and landing, beside the checkout of the person.
 * @packageDocumentation
 */
import type { AttemptLabel } from '#core/runs/commit-messages.js';
import { type IsolationFacts, type Workplace, workplace } from '#core/runs/isolation.js';
import { attemptName, shortRef } from '#core/runs/names.js';
import type { TreeState } from '#core/runs/state.js';
import { TroupeError } from '#kernel/errors.js';
import { inert } from '#kernel/text.js';
import type {
  AttemptChanges,
  AttemptKey,
  AttemptPlace,
  AttemptRequest,
  AttemptTree,
  AttemptTrees,
  ChangeSelection,
  CommitResult,
  ListedTree,
  OutsideActs,
  Publication,
  PublishedCommit,
  Removal,
  RemovalRequest,
  ShownSelection,
  WorktreeGap,
} from '#ports/attempt-trees.js';
import {
  attemptChanges,
  changedPathsOf,
  commitLeftovers,
  marksOf,
  patchOf,
  SET_UP,
  treeState,
} from './attempt-tree.js';
import { placedAttempt } from './attempts.js';
import { createTree, described, fits } from './creation.js';
import { keepOnly } from './keep-only.js';
import { outsideActs } from './outside.js';
import { parkWork } from './park.js';
import { findPlace, refuseUnfit } from './place.js';
import { isOwnTree } from './pointers.js';
import { publishWork } from './publish.js';
import { branchState, receiveWork } from './receive.js';
import { Refs } from './refs.js';
import { removeTree } from './removal.js';
import { attemptsLeft, listTrees, remainsOf } from './retention-facts.js';
import { steady } from './steady.js';
import { gapsOf } from './submodules.js';
import { openWorkbench, type Workbench, type WorktreeOptions } from './workshop.js';

/** Branch of an attempt, and its worktree if it is left. */
interface AttemptRemains {
  readonly bench: Workbench;
  readonly branch: string;
  readonly head: string;
  readonly tree: TreeState | undefined;
}

/** Implements the AttemptTrees port with git. Stateless: the disk is the only source of truth. */
export class GitAttemptTrees implements AttemptTrees {
  private readonly options: WorktreeOptions;

  constructor(options: WorktreeOptions) {
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
    if (facts.kind !== 'work-tree' || facts.head === undefined) return; // no worktree can be created there yet
    await refuseUnfit(await findPlace(git, projectFolder, folder));
  }

  async fits(key: AttemptKey, readOnly: boolean): Promise<boolean> {
    const bench = await this.bench();
    return fits(bench, await placedAttempt(bench, key), readOnly);
  }

  async stateOf(key: AttemptKey): Promise<TreeState | undefined> {
    const bench = await this.bench();
    const { tree } = await placedAttempt(bench, key);
    return await this.steady(key, async () =>
      (await isOwnTree(bench.place, tree)) ? treeState(bench, tree) : undefined,
    );
  }

  async branchState(key: AttemptKey): Promise<TreeState | undefined> {
    return branchState(await this.bench(), key);
  }

  async receive(key: AttemptKey, work: PublishedCommit): Promise<void> {
    await receiveWork(await this.bench(), key, work);
  }

  async commit({ task, attempt }: AttemptKey, message: string): Promise<CommitResult> {
    const bench = await this.bench();
    const { tree } = await placedAttempt(bench, { task, attempt });
    if (!(await isOwnTree(bench.place, tree))) {
      throw new TroupeError('not_found', {
        what: `Attempt ${attempt} at ${inert(task)} has no worktree.`,
        hint: 'Run `troupe worktree show` to see them all.',
      });
    }
    if ((await marksOf(bench, tree)).readOnly) {
      throw new TroupeError('not_found', { what: `Changes of ${inert(task)} in its worktree are not merged.` });
    }
    const { committed, head, leftOut, stuck } = await commitLeftovers(bench, tree, message);
    if (stuck !== undefined) throw new TroupeError('git_failed', { what: `Nothing was committed: ${stuck}.` });
    if (head === undefined) throw new TroupeError('git_failed', { what: 'The worktree has no commit.' });
    return { committed, commit: head, leftOut };
  }

  async publish(attempted: AttemptLabel): Promise<Publication> {
    return publishWork(await this.bench(), attempted);
  }

  async park(attempt: AttemptKey, ref: string): Promise<boolean> {
    return parkWork(await this.bench(), attempt, ref);
  }

  async remove(request: RemovalRequest): Promise<Removal> {
    return removeTree(await this.bench(), request);
  }

  async list(): Promise<readonly ListedTree[]> {
    return listTrees(await this.bench('shown'));
  }

  async attempts(task: string): Promise<readonly number[]> {
    return attemptsLeft(await this.bench(), task);
  }

  async changes(attempt: AttemptKey, { since: earlier, ...part }: ShownSelection = {}): Promise<AttemptChanges> {
    return await this.steady(attempt, async () => {
      const { bench, branch, head, tree } = await this.present(attempt);
      const since = await this.headOf(attempt.task, earlier);
      return attemptChanges(bench, shortRef(branch), head, tree, { ...part, since });
    });
  }

  async keepOnly(key: AttemptKey, folder: string): Promise<readonly string[]> {
    return keepOnly(await this.bench(), key, folder);
  }

  async acts(key: AttemptKey): Promise<OutsideActs | undefined> {
    const bench = await this.bench();
    return outsideActs(bench, await placedAttempt(bench, key));
  }

  async changedPaths(attempt: AttemptKey): Promise<readonly string[]> {
    return await this.steady(attempt, async () => {
      const remains = await this.remains(attempt);
      return remains === undefined ? [] : changedPathsOf(remains.bench, remains.head, remains.tree);
    });
  }

  async patch(attempt: AttemptKey, maxBytes: number, { since: earlier, paths }: ChangeSelection = {}): Promise<string> {
    return await this.steady(attempt, async () => {
      const remains = await this.remains(attempt, 'shown');
      if (remains === undefined) return '';
      const since = await this.headOf(attempt.task, earlier);
      return patchOf(remains.bench, remains.head, remains.tree, maxBytes, { since, paths });
    });
  }

  private async steady<Result>({ task, attempt }: AttemptKey, read: () => Promise<Result>): Promise<Result> {
    return await steady(await this.bench(), attemptName(task, attempt), read);
  }

  private async headOf(task: string, attempt: number | undefined): Promise<string | undefined> {
    return attempt === undefined ? undefined : (await this.present({ task, attempt })).head;
  }

  /** Errors: `not_found` if nothing of the attempt is left. */
  private async present(key: AttemptKey): Promise<AttemptRemains> {
    const remains = await this.remains(key, 'shown');
    if (remains !== undefined) return remains;
    throw new TroupeError('not_found', {
      what: `Attempt ${key.attempt} at ${inert(key.task)} has nothing left.`,
      hint: 'Run `troupe worktree show`.',
    });
  }

  /** Branch and worktree of an attempt; undefined if neither exists any more. */
  private async remains(key: AttemptKey, use?: 'shown'): Promise<AttemptRemains | undefined> {
    const bench = await this.bench(use);
    const name = await placedAttempt(bench, key);
    const here = await remainsOf(bench, name);
    const isPublished = here === undefined && (await bench.exchange.follow(name.branch)) !== undefined;
    const remains = isPublished ? await remainsOf(bench, name) : here;
    if (remains?.head === undefined) return undefined;
    return { bench, branch: remains.name.branch, head: remains.head, tree: remains.state };
  }

  private bench(use?: 'shown'): Promise<Workbench> {
    return openWorkbench(this.options, use);
  }
}
