import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** Creates a temporary folder for one test, removed when it ends. Never the developer's home. */
export function room(name = 'room'): string {
  const folder = mkdtempSync(path.join(process.env['TROUPE_TEST_ROOM'] ?? tmpdir(), `${name}-`));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** Lets other users enter folders and run files, whatever the umask of the tests is. */
export function openToAll(...places: readonly string[]): void {
  for (const place of places) chmodSync(place, 0o755);
}
