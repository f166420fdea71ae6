import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { systemClock } from '#kernel/clock.js';
import type { Processes } from '#ports/processes.js';
import type { TeamFollower } from '#ports/squad-files.js';
import { codeOf, diskError, safePath } from './safe-path.js';
import { Following } from './squad-reader.js';
import type { StepHook, Writing } from './transaction.js';

export const SERVICE = '.workgraph/service';
const LOCK = `${SERVICE}/squad.lock`;

export interface SquadParts {
  /** Called before every step of a write, so that tests can stop one there. */
  readonly step?: StepHook;
  /** Those who keep something of the team elsewhere; nobody, if not said. */
  readonly followers?: () => Promise<readonly TeamFollower[]>;
}

/** What whoever writes below `.squad/` needs: it may have to finish a write that somebody else began. */
export function writingOf(project: string, parts: SquadParts): Writing {
  const { step = () => undefined, followers = async () => [] } = parts;
  return { step, following: new Following(project, followers) };
}

/** Runs `body` while nobody else, in this process or another, writes files of the squad. */
export async function exclusively<Result>(
  project: string,
  processes: Processes,
  body: () => Promise<Result>,
): Promise<Result> {
  const lock = await safePath(project, LOCK);
  try {
    await makeServiceFolder(path.dirname(lock));
    const fileLock = processes.lock(lock, systemClock);
    await fileLock.acquire();
    try {
      return await body();
    } finally {
      fileLock.release();
    }
  } catch (error) {
    throw diskError(error);
  }
}

/** The folder for what runs is nobody's to commit; if we are the first to make it, it says so itself. */
async function makeServiceFolder(folder: string): Promise<void> {
  await mkdir(path.dirname(folder), { recursive: true });
  const created = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (created === undefined) return;
  try {
    await writeFile(path.join(folder, '.gitignore'), '*\n', { flag: 'wx' });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}
