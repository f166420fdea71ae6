import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Layout } from '#core/settings/layout.js';
import { PRIVATE_FILE } from '#kernel/file-modes.js';
import { freshId } from '#kernel/hash.js';
import { isJsonObject, parseJsonObject } from '#kernel/json.js';
import type { Exchange } from '#ports/exchange.js';
import type { Git } from '#ports/git.js';
import type { Processes, ProcessIdentity } from '#ports/processes.js';
import { findPlace, folderNames, lookAt, type Place } from './place.js';
import { isMovedTree, registeredPaths } from './pointers.js';
import { Refs, withTreeRetries } from './refs.js';
import { BranchTemplates } from './templates.js';

const PREFIX = '.bench-';

/** Temporary worktree without a branch, private to its creator. */
interface Bench {
  readonly path: string;
  /** Removes it, even if it was moved away. Idempotent. */
  close(): Promise<void>;
}

/**
 * Creates temporary worktrees with unique names for every checkout and merge, so that a git that outlives its killed
 * process cannot affect later ones. Leftovers of dead processes are swept by the next.
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
   * Creates a worktree. `empty`: without files. `becomes`: folder that it will be renamed to. Retries, because git
   * inspects all worktrees and fails if one is just being created.
   */
  open(commit: string, options: { empty: boolean; becomes?: string }): Promise<Bench> {
    return withTreeRetries(() => this.openOnce(commit, options));
  }

  private async openOnce(commit: string, options: { empty: boolean; becomes?: string }): Promise<Bench> {
    const name = `${PREFIX}${freshId()}`;
    const bench = path.join(this.place.trees, name);
    const owner = `${bench}.json`;
    const record = { ...this.processes.self(), ...(options.becomes === undefined ? {} : { becomes: options.becomes }) };
    await writeFile(owner, JSON.stringify(record), { flag: 'wx', mode: PRIVATE_FILE });
    const close = () => this.clear(bench, owner, options.becomes);
    try {
      await this.git.addWorktree(this.place.top, bench, { commit, empty: options.empty });
    } catch (error) {
      await close();
      throw error;
    }
    return { path: bench, close };
  }

  /** Removes leftovers of dead processes. Those whose git still writes are left to the next sweep. */
  async sweep(): Promise<void> {
    await this.sweepIn(this.place.trees);
  }

  /** Sweeps the folders of earlier settings too. */
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

  /** Updates git's path of a moved worktree, if its creator was killed after the rename. Idempotent. */
  async settle(tree: string): Promise<void> {
    if (!(await isMovedTree(this.place, tree, (name) => name.startsWith(PREFIX)))) return;
    await this.git.run(this.place.top, ['worktree', 'repair', '--', tree]);
  }

  private async clear(bench: string, owner: string, becomes: string | undefined): Promise<void> {
    // First, because while git takes the bench for the moved worktree, removing one removes the other.
    if (becomes !== undefined && path.basename(becomes) === becomes) {
      const tree = path.join(path.dirname(bench), becomes);
      if ((await lookAt(tree))?.isDirectory()) await this.settle(tree);
    }
    try {
      if ((await lookAt(bench)) !== undefined || (await registeredPaths(this.place)).includes(bench))
        await withTreeRetries(() => this.git.removeWorktree(this.place.top, bench));
      await rm(bench, { recursive: true, force: true, maxRetries: 3 });
    } catch {
      return; // its record stays, so the next sweep retries
    }
    await rm(owner, { force: true });
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
  /** Names and folders from the present settings. */
  layout(): Promise<Layout>;
  /** Creates the exchange for the steps of one call. */
  exchange(): Exchange;
}

/** Objects used by every step of one call. */
export interface Workbench {
  readonly git: Git;
  readonly processes: Processes;
  readonly place: Place;
  /** Project path relative to the top of the repository. */
  readonly below: string;
  readonly refs: Refs;
  readonly workshop: Workshop;
  /** Branch templates by which attempts are found. */
  readonly templates: BranchTemplates;
  readonly exchange: Exchange;
}

/** `shown`: nothing is decided by it, so answers of git that never change are kept. */
export async function openWorkbench(options: WorktreeOptions, use?: 'shown'): Promise<Workbench> {
  const { git, processes, projectFolder } = options;
  const layout = await options.layout();
  const place = await findPlace(git, projectFolder, layout.folder);
  const refs = new Refs(git, place.top, use);
  return {
    git,
    processes,
    place,
    below: place.below,
    refs,
    workshop: new Workshop(git, processes, place),
    templates: new BranchTemplates(refs, layout.branch),
    exchange: options.exchange(),
  };
}
