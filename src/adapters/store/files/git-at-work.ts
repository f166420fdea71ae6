import { existsSync } from 'node:fs';
import path from 'node:path';
import { LIMITS } from '#kernel/limits.js';

const LOOK_EVERY_MS = 20;

/**
 * Git replaces the snapshot and the log one after the other, and holds its index lock meanwhile: what looks like an edit
 * by hand in between is half a merge. Waits while that is so, looking `again` each time; never long, because a git that
 * was killed leaves its lock behind.
 */
export async function letGitFinish(graphFolder: string, isOdd: () => boolean, again: () => void): Promise<void> {
  const lock = path.join(path.dirname(graphFolder), '.git', 'index.lock');
  const most = LIMITS.gitSettleMs / LOOK_EVERY_MS;
  for (let look = 0; look < most && isOdd() && existsSync(lock); look++) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    again();
  }
}
