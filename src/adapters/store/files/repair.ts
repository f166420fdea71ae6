import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { conflictRegions } from '#core/graph/conflict-regions.js';
import { parseJsonObject } from '#kernel/json.js';
import { addLines, missingLines, WANTED_LINES } from './attributes.js';
import { readText, refuseLink, replaceFile } from './disk.js';
import { draftsIn } from './examine.js';
import type { StorePaths } from './paths.js';

/** Under the lock: removes drafts of the dead, completes the files for git, takes conflict markers out of the log. */
export function repairFiles(paths: StorePaths, now: number): string[] {
  const done: string[] = [];
  for (const file of draftsIn(paths)) {
    rmSync(file, { force: true });
    done.push(`Removed the draft ${path.basename(file)}.`);
  }
  for (const name of Object.keys(WANTED_LINES) as (keyof typeof WANTED_LINES)[]) {
    if (missingLines(paths.folder, name).length === 0) continue;
    refuseLink(path.join(paths.folder, name));
    addLines(paths.folder, name);
    done.push(`Completed ${name}.`);
  }
  const removed = removeMarkers(paths, now);
  if (removed > 0)
    done.push(`Took ${removed} conflict markers out of the log; it is kept in service/lost+found/ as it was.`);
  return done;
}

/** Both sides of a conflict are entries that count; only the marks around them are not. */
function removeMarkers(paths: StorePaths, now: number): number {
  const before = readText(paths.log) ?? '';
  const lines = before.split('\n');
  const { marks } = conflictRegions(lines);
  const isEntry = (line: string) => parseJsonObject(line) !== undefined;
  const removed = [...marks].filter((index) => !isEntry(lines[index] ?? ''));
  if (removed.length === 0) return 0;
  mkdirSync(paths.lostAndFound, { recursive: true, mode: 0o700 });
  writeFileSync(path.join(paths.lostAndFound, `operations-conflict-${now}.jsonl`), readFileSync(paths.log), {
    mode: 0o600,
  });
  const gone = new Set(removed);
  const text = lines.filter((_, index) => !gone.has(index)).join('\n');
  replaceFile(paths.log, text, { sync: true, draft: path.join(paths.service, 'operations.draft.jsonl') });
  return removed.length;
}
