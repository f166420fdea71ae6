import { randomUUID } from 'node:crypto';
import { linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Checkpoint } from '#core/graph/checkpoint-shape.js';
import { asTroupeError, TroupeError } from '#kernel/errors.js';
import { PRIVATE_FILE, PRIVATE_FOLDER } from '#kernel/file-modes.js';
import { sha256 } from '#kernel/hash.js';
import { type JsonObject, parseJsonObject } from '#kernel/json.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { compareText } from '#kernel/order.js';
import type { Checkpoints } from '#ports/checkpoints.js';

const NAME = /^(?:\d{6}|[1-9]\d{6,11})\.json$/;

/**
 * Checkpoints as `agents/<run>/checkpoints/000001.json`, …; those of a person are in a folder named after a hash of the
 * person's name.
 */
export class CheckpointFolder implements Checkpoints {
  private readonly agentsFolder: string;

  constructor(agentsFolder: string) {
    this.agentsFolder = agentsFolder;
  }

  async save(checkpoint: Checkpoint, keep: number): Promise<{ forget(): Promise<void> }> {
    const text = `${JSON.stringify(checkpoint)}\n`;
    if (Buffer.byteLength(text) > TEAM_LIMITS.checkpointFileBytes) {
      throw new TroupeError('too_large', {
        what: `A checkpoint has at most ${TEAM_LIMITS.checkpointFileBytes} bytes.`,
      });
    }
    const folder = this.folderOf(checkpoint.agent_id);
    try {
      mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
      const part = path.join(folder, `.${randomUUID()}.part`);
      writeFileSync(part, text, { mode: PRIVATE_FILE, flag: 'wx', flush: true });
      try {
        const file = linkNext(folder, part);
        for (const old of numbers(folder).slice(keep)) rmSync(path.join(folder, nameOf(old)), { force: true });
        return { forget: async () => rmSync(file, { force: true }) };
      } finally {
        rmSync(part);
      }
    } catch (error) {
      const failure = asTroupeError(error);
      throw failure.code === 'internal' ? error : failure;
    }
  }

  async list(task: string, agents: readonly string[]): Promise<readonly Checkpoint[]> {
    const checkpoints: Checkpoint[] = [];
    for (const agent of [...new Set(agents)].slice(0, TEAM_LIMITS.checkpointFiles)) {
      const folder = this.folderOf(agent);
      for (const number of numbers(folder)) {
        const checkpoint = read(path.join(folder, nameOf(number)), task);
        if (checkpoint) checkpoints.push(checkpoint);
      }
    }
    return checkpoints
      .sort((left, right) => compareText(right.timestamp, left.timestamp))
      .slice(0, TEAM_LIMITS.checkpointsListed);
  }

  private folderOf(agent: string): string {
    const own = /^agent-\d{1,9}$/.test(agent) ? agent : `person-${sha256(agent).slice(0, 12)}`;
    const folder = path.join(this.agentsFolder, own, 'checkpoints');
    for (const place of [path.dirname(this.agentsFolder), this.agentsFolder, path.dirname(folder), folder]) {
      if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink())
        throw new TroupeError('unsafe_path', { what: `${place} is a link: checkpoints are not kept through it.` });
    }
    return folder;
  }
}

/**
 * Links a file under the next free number. Linking fails if the name exists, so two concurrent writers get different
 * numbers.
 */
function linkNext(folder: string, part: string): string {
  for (let number = (numbers(folder)[0] ?? 0) + 1; ; number++) {
    const file = path.join(folder, nameOf(number));
    try {
      linkSync(part, file);
      return file;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

function nameOf(number: number): string {
  return `${String(number).padStart(6, '0')}.json`;
}

/** Numbers of the files of a folder, newest first. */
function numbers(folder: string): number[] {
  try {
    const names = readdirSync(folder).filter((name) => NAME.test(name));
    return names.map((name) => Number(name.slice(0, -'.json'.length))).sort((left, right) => right - left);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function read(file: string, task: string): Checkpoint | undefined {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (!stat?.isFile() || stat.size > TEAM_LIMITS.checkpointFileBytes) return undefined;
  const value = parseJsonObject(readFileSync(file, 'utf8'));
  return value?.['task_id'] === task && isCheckpoint(value) ? value : undefined;
}

function isCheckpoint(value: JsonObject): value is JsonObject & Checkpoint {
  return ['summary', 'timestamp'].every((field) => typeof value[field] === 'string');
}
