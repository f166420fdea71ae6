import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Layout } from '#core/worktrees/layout.js';
import { freshId } from '#kernel/hash.js';
import { isJsonObject, parseJsonObject } from '#kernel/json.js';
import { LIMITS } from '#kernel/limits.js';
import type { Exchange } from '#ports/exchange.js';
import type { Git } from '#ports/git.js';
import type { Processes, ProcessIdentity } from '#ports/processes.js';
import { findPlace, folderNames, lookAt, type Place } from './place.js';
import { isMovedTree, registeredPaths } from './pointers.js';
import { Refs } from './refs.js';
import { BranchTemplates } from './templates.js';

const PREFIX = '.bench-';

/** A worktree without a branch in which something is made; nobody else knows it. */
interface Bench {
  readonly path: string;
  /** Forgets it without a trace; to be called also when it was moved away. Safe twice. */
  close(): Promise<void>;
}

/**
 * Every checkout and every merge happens in a worktree with a name of its own. A git that outlives us when we are killed
 * can so never touch what the next one makes; what dead makers left is swept by the next.
 */
class Workshop {
  private readonly git: Git;
  private readonly processes: Processes;
  private readonly place: Place;

  constructor(git: Git, processes: Processes, place: Place) {
    this.git = git;
    this.processes = processes;
    this.place = place;
  }

  /**
   * `empty`: without files. `becomes`: the folder it will be renamed to. git looks at all worktrees when it makes one and gives
   * up when it meets another that is half made, so some failures pass when it is asked again.
   */
  open(commit: string, options: { empty: boolean; becomes?: string }): Promise<Bench> {
    return insistently(() => this.openOnce(commit, options));
  }

  private async openOnce(commit: string, options: { empty: boolean; becomes?: string }): Promise<Bench> {
    const name = `${PREFIX}${freshId()}`;
    const bench = path.join(this.place.trees, name);
    const owner = `${bench}.json`;
    const record = { ...this.processes.self(), ...(options.becomes === undefined ? {} : { becomes: options.becomes }) };
    await writeFile(owner, JSON.stringify(record), { flag: 'wx', mode: 0o600 });
    const close = () => this.clear(bench, owner, options.becomes);
    try {
      await this.git.addWorktree(this.place.top, bench, { commit, empty: options.empty });
    } catch (error) {
      await close();
      throw error;
    }
    return { path: bench, close };
  }

  /** Puts away what dead makers left. What cannot be put away yet, because their git still writes, is left to the next. */
  async sweep(): Promise<void> {
    await this.sweepIn(this.place.trees);
  }

  /** The same also where worktrees were made under an earlier setting. */
  async sweepAll(registered: readonly string[]): Promise<void> {
    const benches = registered.filter((tree) => path.basename(tree).startsWith(PREFIX));
    for (const folder of new Set([this.place.trees, ...benches.map((bench) => path.dirname(bench))]))
      await this.sweepIn(folder);
  }

  private async sweepIn(folder: string): Promise<void> {
    for (const file of await folderNames(folder)) {
      if (!file.startsWith(PREFIX) || !file.endsWith('.json')) continue;
      const owner = path.join(folder, file);
      const record = parseJsonObject(await readFile(owner, 'utf8').catch(() => ''));
      if (!isIdentity(record) || this.processes.state(record) !== 'dead') continue;
      const becomes = record['becomes'];
      await this.clear(owner.slice(0, -'.json'.length), owner, typeof becomes === 'string' ? becomes : undefined);
    }
  }

  /** Tells git where a worktree is by now; needed when its maker was killed after renaming it. Safe twice. */
  async settle(tree: string): Promise<void> {
    if (!(await isMovedTree(this.place, tree, (name) => name.startsWith(PREFIX)))) return;
    await this.git.run(this.place.top, ['worktree', 'repair', '--', tree]);
  }

  private async clear(bench: string, owner: string, becomes: string | undefined): Promise<void> {
    // First this: as long as git takes the bench for the place of a worktree that moved, removing one removes the other.
    if (becomes !== undefined && path.basename(becomes) === becomes) {
      const tree = path.join(path.dirname(bench), becomes);
      if ((await lookAt(tree))?.isDirectory()) await this.settle(tree);
    }
    try {
      if ((await lookAt(bench)) !== undefined || (await registeredPaths(this.place)).includes(bench))
        await insistently(() => this.git.removeWorktree(this.place.top, bench));
      await rm(bench, { recursive: true, force: true, maxRetries: 3 });
    } catch {
      return; // its record stays, so the next sweep tries again
    }
    await rm(owner, { force: true });
  }
}

/** What git gives up on because it met a worktree that another git is just making, it does when it is asked again. */
async function insistently<Result>(step: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await step();
    } catch (error) {
      if (attempt === LIMITS.treeListTries) throw error;
      await new Promise((resolve) => setTimeout(resolve, 5 + Math.random() * 20 * attempt));
    }
  }
}

function isIdentity(value: unknown): value is ProcessIdentity & Record<string, unknown> {
  return (
    isJsonObject(value) &&
    typeof value['pid'] === 'number' &&
    ['start', 'host', 'boot'].every((key) => typeof value[key] === 'string')
  );
}

export interface WorktreeOptions {
  /** Absolute path of the folder that holds `.workgraph/`. */
  readonly projectFolder: string;
  readonly git: Git;
  readonly processes: Processes;
  /** Names and places as the settings have them now. */
  layout(): Promise<Layout>;
  readonly exchange: Exchange;
}

/** What every step works with, for one call. */
export interface Workbench {
  readonly git: Git;
  readonly processes: Processes;
  readonly place: Place;
  /** The project from the top of the repository. */
  readonly below: string;
  readonly refs: Refs;
  readonly workshop: Workshop;
  /** Templates of branches by which attempts are found. */
  readonly templates: BranchTemplates;
  readonly exchange: Exchange;
}

export async function openWorkbench(options: WorktreeOptions): Promise<Workbench> {
  const { git, processes, projectFolder, exchange } = options;
  const layout = await options.layout();
  const place = await findPlace(git, projectFolder, layout.folder);
  const refs = new Refs(git, place.top);
  return {
    git,
    processes,
    place,
    below: place.below,
    refs,
    workshop: new Workshop(git, processes, place),
    templates: new BranchTemplates(refs, layout.branch),
    exchange,
  };
}
