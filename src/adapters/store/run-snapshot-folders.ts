import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { graphText, parseGraph } from '#core/graph/line.js';
import type { GraphNode } from '#core/graph/task.js';
import type { RunMeta } from '#core/history/archived-runs.js';
import { filterText } from '#core/history/replay-filter.js';
import { TroupeError } from '#kernel/errors.js';
import { graphLayout } from '#kernel/graph-folder.js';
import { isJsonObject, parseJsonObject } from '#kernel/json.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { RunSnapshots } from '#ports/run-snapshots.js';

const NAME = /^run-(?:\d{3}|[1-9]\d{3,8})$/;
/** File mode of snapshot files, which never change. */
const READ_ONLY = 0o444;
const GRAPH = 'graph.jsonl';
const SETTINGS = 'config.toml';
const META = 'meta.json';

/** Snapshots in `runs/run-NNN/` below the graph folder: graph, settings and metadata, read-only. */
export class RunSnapshotFolders implements RunSnapshots {
  private readonly folder: string;
  private readonly settings: string;

  /** `folder`: absolute path of the graph folder. */
  constructor(folder: string) {
    const { snapshots, settings } = graphLayout(folder);
    this.folder = snapshots;
    this.settings = settings;
  }

  async list() {
    const runs: RunMeta[] = [];
    const unreadable: string[] = [];
    for (const id of this.numbers().map(nameOf)) {
      const meta = this.metaOf(id);
      if (meta === undefined) unreadable.push(id);
      else runs.push(meta);
    }
    return { runs, unreadable };
  }

  async read(id: string): Promise<{ meta: RunMeta; nodes: readonly GraphNode[] }> {
    if (!this.numbers().some((number) => nameOf(number) === id))
      throw new TroupeError('unknown_run', {
        what: `There is no run ${JSON.stringify(id.slice(0, 40))}.`,
        details: { id: id.slice(0, 40) },
      });
    const meta = this.metaOf(id);
    const text = plainText(path.join(this.folder, id, GRAPH), WORK_LIMITS.unpackedBytes);
    if (meta === undefined || text === undefined) {
      const file = path.join(this.folder, id, meta === undefined ? META : GRAPH);
      throw new TroupeError('corrupt', {
        what: `The snapshot of ${id} cannot be read: ${file} is missing or damaged.`,
      });
    }
    const { nodes, bad } = parseGraph(text);
    if (bad[0] !== undefined) {
      throw new TroupeError('corrupt', {
        what: `Line ${bad[0].line} of ${id}/${GRAPH} cannot be read: ${bad[0].reason}.`,
      });
    }
    return { meta, nodes: [...nodes.values()] };
  }

  async keep(nodes: Iterable<GraphNode>, facts: Omit<RunMeta, 'id'>): Promise<RunMeta> {
    this.refuseLinks();
    mkdirSync(this.folder, { recursive: true });
    const draft = mkdtempSync(path.join(this.folder, '.draft-'));
    try {
      writeDurably(path.join(draft, GRAPH), graphText(nodes, [], []));
      const settings = plainText(this.settings, WORK_LIMITS.settingsBytes);
      if (settings !== undefined) writeDurably(path.join(draft, SETTINGS), settings);
      chmodSync(draft, 0o755);
      for (let number = (this.numbers().at(-1) ?? 0) + 1; ; number++) {
        const meta: RunMeta = { id: nameOf(number), ...facts };
        rmSync(path.join(draft, META), { force: true });
        writeDurably(path.join(draft, META), `${JSON.stringify(meta, null, 2)}\n`);
        if (moved(draft, path.join(this.folder, meta.id))) return meta;
      }
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
  }

  async drop(id: string): Promise<void> {
    if (NAME.test(id)) rmSync(path.join(this.folder, id), { recursive: true, force: true });
  }

  private metaOf(id: string): RunMeta | undefined {
    const text = plainText(path.join(this.folder, id, META), WORK_LIMITS.unpackedBytes);
    const value = text === undefined ? undefined : parseJsonObject(text);
    if (!value || typeof value['timestamp'] !== 'string') return undefined;
    return {
      id,
      timestamp: value['timestamp'],
      model: typeof value['model'] === 'string' ? value['model'] : null,
      reset_tasks: textsOf(value['reset_tasks']),
      preserved_tasks: textsOf(value['preserved_tasks']),
      filter: recordedFilter(value['filter']),
    };
  }

  private numbers(): number[] {
    let names: string[];
    try {
      this.refuseLinks();
      names = readdirSync(this.folder);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
    return names
      .filter((name) => NAME.test(name) && lstatSync(path.join(this.folder, name)).isDirectory())
      .map((name) => Number(name.slice('run-'.length)))
      .sort((left, right) => left - right);
  }

  /** Rejects a committed link, which would redirect reads and writes. Errors: `unsafe_path`. */
  private refuseLinks(): void {
    if (lstatSync(this.folder, { throwIfNoEntry: false })?.isSymbolicLink() === true)
      throw new TroupeError('unsafe_path', { what: `${this.folder} is a link: no run is kept or read through it.` });
  }
}

function nameOf(number: number): string {
  return `run-${String(number).padStart(3, '0')}`;
}

/** Renames the finished draft; false if the name is taken. */
function moved(draft: string, folder: string): boolean {
  try {
    renameSync(draft, folder);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return false;
    throw error;
  }
}

function writeDurably(file: string, text: string): void {
  writeFileSync(file, text, { mode: READ_ONLY, flag: 'wx', flush: true });
}

/** Text of a regular file up to `most` bytes; undefined otherwise. */
function plainText(file: string, most: number): string | undefined {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  return stat?.isFile() === true && stat.size <= most ? readFileSync(file, 'utf8') : undefined;
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** A text, as the original writes it; runs of earlier versions hold the conditions by name. */
function recordedFilter(value: unknown): string {
  return typeof value === 'string' ? value : filterText(isJsonObject(value) ? value : {});
}
