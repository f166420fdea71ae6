import path from 'node:path';
import type { OutsideTraces } from '#core/graph/outside.js';
import type { Landing } from '#core/runs/landing.js';
import { INTEGRATION } from '#core/runs/names.js';
import type { TreeState } from '#core/runs/state.js';
import { TREES_FOLDER } from '#core/settings/trees-folder.js';
import { isRefusal } from '#kernel/errors.js';
import { GRAPH_FOLDER } from '#kernel/graph-folder.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { StepQueue } from '#kernel/step-queue.js';
import type { OutsideActs, PublishedWork } from '#ports/attempt-trees.js';
import type { CommitChanges, Integration, TakeOutcome, TakeRequest, UnlandedWork } from '#ports/integration.js';
import { commitChanges, commitPatch, committedPathsOf, treeState } from './attempt-tree.js';
import { integration } from './integration-branch.js';
import { land, lookAtLanding, unlandedWork } from './landing.js';
import { outsideTraces } from './outside.js';
import { lookAt } from './place.js';
import { bringWork, mergeWork } from './take.js';
import { openWorkbench, type Workbench, type WorktreeOptions } from './workshop.js';

/**
 * Implements the Integration port with git. The disk is the only source of truth. Work is merged one at a time: of several
 * merges at once, one would win and all others be repeated. One that takes long, at a remote, does not delay the next.
 */
export class GitIntegration implements Integration {
  private readonly options: WorktreeOptions;
  private readonly merges = new StepQueue({ width: 1, patienceMs: SURFACE_LIMITS.mergeTurnMs });

  constructor(options: WorktreeOptions) {
    this.options = options;
  }

  async base(): Promise<string> {
    return integration(await this.bench());
  }

  async publishedPaths(work: PublishedWork): Promise<readonly string[]> {
    const bench = await this.bench();
    await bringWork(bench, work);
    return committedPathsOf(bench, work.commit, work.base);
  }

  async take(work: PublishedWork, request: TakeRequest): Promise<TakeOutcome> {
    return await this.merges.run(async () => mergeWork(await this.bench(), work, request));
  }

  async integratedText(file: string, maxBytes: number): Promise<string | undefined> {
    const { git, place } = await this.bench();
    const { top, below } = place;
    const object = `${INTEGRATION}:${path.posix.join(below, file)}`;
    const size = await git.tryOutput(top, ['cat-file', '-s', object]);
    if (size === undefined || Number(size) > maxBytes) return undefined;
    return git.tryOutput(top, ['cat-file', 'blob', object]);
  }

  async patchOf(commit: string, maxBytes: number, paths?: readonly string[]): Promise<string> {
    return commitPatch(await this.bench(), commit, maxBytes, paths);
  }

  async changesOf(commit: string): Promise<CommitChanges | undefined> {
    return commitChanges(await this.bench(), commit);
  }

  async waiting(): Promise<number> {
    const { git, projectFolder } = this.options;
    if ((await lookAt(path.join(projectFolder, TREES_FOLDER))) === undefined) return 0;
    try {
      const [from, to] = [await git.commit(projectFolder, 'HEAD'), await git.commit(projectFolder, INTEGRATION)];
      if (from === undefined || to === undefined || from === to) return 0;
      return Number((await git.lasting(projectFolder, ['rev-list', '--count', `${from}..${to}`, '--'])) ?? 0);
    } catch (error) {
      if (isRefusal(error, 'git_missing')) return 0;
      throw error;
    }
  }

  async unlanded(): Promise<readonly UnlandedWork[]> {
    return unlandedWork(await this.bench());
  }

  async landing(): Promise<Landing> {
    return lookAtLanding(await this.bench());
  }

  async land(to: string): Promise<Landing> {
    return land(await this.bench(), to);
  }

  async ownState(since: number): Promise<TreeState> {
    const bench = await this.bench();
    const { place, refs } = bench;
    const moment = new Date(since).toISOString().replace(/\.\d+Z$/, 'Z');
    const base = (await refs.commit(`HEAD@{${moment}}`)) ?? place.head;
    return treeState(bench, place.top, { base, but: `${place.below === '' ? '' : `${place.below}/`}${GRAPH_FOLDER}/` });
  }

  async outside(acts: OutsideActs): Promise<OutsideTraces | undefined> {
    return outsideTraces(await this.bench(), acts);
  }

  private bench(): Promise<Workbench> {
    return openWorkbench(this.options);
  }
}
