import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { writeWhole } from '#adapters/disk/whole-file.js';
import { runNumber } from '#core/graph/run-name.js';
import { PRIVATE_FILE, PRIVATE_FOLDER } from '#kernel/file-modes.js';
import { freshId } from '#kernel/hash.js';
import { isJsonObject, parseJsonObject } from '#kernel/json.js';
import type { AttemptOrders, KeptOrder } from '#ports/attempt-orders.js';

const ENDING = '.json';

/** Creates the private folder of a worker, ignored by git independent of the project's settings. */
export function makeWorkerFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
  writeFileSync(path.join(folder, '.gitignore'), '*\n', { mode: PRIVATE_FILE });
}

/** Returns the worker's key; creates it at the first start. */
export function workerKey(file: string): string {
  try {
    writeFileSync(file, freshId(), { flag: 'wx', mode: PRIVATE_FILE });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8');
}

/** Stores each attempt as a JSON file named after its run. */
export class OrderFolder implements AttemptOrders {
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  async keep(kept: KeptOrder): Promise<void> {
    mkdirSync(this.folder, { recursive: true, mode: PRIVATE_FOLDER });
    await writeWhole(this.fileOf(kept.order.plan.id), `${JSON.stringify(kept)}\n`);
  }

  async all(): Promise<readonly KeptOrder[]> {
    return this.names()
      .flatMap((name) => (name.endsWith(ENDING) ? [name.slice(0, -ENDING.length)] : []))
      .filter((run) => runNumber(run) > 0)
      .sort((left, right) => runNumber(left) - runNumber(right))
      .flatMap((run) => {
        const kept = parseJsonObject(readFileSync(this.fileOf(run), 'utf8'));
        return kept !== undefined && isKept(kept, run) ? [kept] : [];
      });
  }

  async forget(run: string): Promise<void> {
    rmSync(this.fileOf(run), { force: true });
  }

  private fileOf(run: string): string {
    return path.join(this.folder, `${path.basename(run)}${ENDING}`);
  }

  private names(): string[] {
    try {
      return readdirSync(this.folder);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  }
}

/** Basic check: our own files are complete, so it only excludes those of other programs. */
function isKept(value: object, run: string): value is KeptOrder {
  const { order, sent } = value as { readonly order?: unknown; readonly sent?: unknown };
  if (!isJsonObject(order) || !isJsonObject(sent)) return false;
  const { plan, tree } = order;
  return isJsonObject(plan) && plan['id'] === run && isJsonObject(tree) && typeof tree['task'] === 'string';
}
