import { linkSync, rmSync } from 'node:fs';
import type { GraphLayout } from '#kernel/graph-folder.js';
import { plural } from '#kernel/text.js';
import { parseEntry } from '../log-line.js';
import { draftFile, fileIdentity, replaceByDraft, type StoreDisk } from './disk.js';
import type { RestoredLog, StoreLog } from './followed-log.js';
import { bytesFrom, type LogPlace, logPlace, readLog } from './log-file.js';
import type { LogPosition } from './store-load.js';

const LINE_FEED = 10;

/**
 * Log of a process that holds the graph for life. `git stash`, `switch` or `reset` in the person's folder replaces it
 * with an older file; a hard link below `service/`, which git ignores, preserves the file with the acknowledged
 * changes. Git's file stays until there is something new to write, so `git stash pop` or `git switch -` can go back.
 * Without `keep`, or on a disk without hard links, the file in place is the log.
 */
export class HeldLog implements StoreLog {
  private readonly disk: StoreDisk;
  private readonly own: GraphLayout;
  /** Identity of the file with all acknowledged changes; empty if none was kept. */
  private identity = '';
  /** State of the log that git put in place of ours; undefined while ours is in place. */
  private replacement: string | undefined;
  private lacking = '';

  constructor(paths: GraphLayout, disk: StoreDisk) {
    this.own = paths;
    this.disk = disk;
  }

  get away(): boolean {
    return this.replacement !== undefined;
  }

  get isUnchanged(): boolean {
    return this.replacement !== undefined && this.replacement === looksOf(logPlace(this.own.log));
  }

  get paths(): GraphLayout {
    return this.away ? { ...this.own, log: this.own.kept, graph: this.own.base } : this.own;
  }

  get problem(): string {
    return this.lacking;
  }

  keep(): void {
    this.replacement = undefined;
    this.lacking = '';
    const there = fileIdentity(this.own.log);
    if (there === '' || (there === this.identity && fileIdentity(this.own.kept) === there)) return;
    rmSync(this.own.kept, { force: true });
    try {
      linkSync(this.own.log, this.own.kept);
      this.identity = there;
    } catch {
      this.identity = ''; // a disk without hard links
    }
  }

  recover(): void {
    const left = readLog(this.own.kept);
    const last = left.entries.at(-1);
    const there = readLog(this.own.log);
    if (last === undefined || there.entries.some(({ id, seq }) => id === last.id || seq > last.seq)) return;
    const known = new Set(left.entries.map(({ id }) => id));
    if (there.entries.some(({ id }) => !known.has(id))) return; // another writer continued from there
    this.identity = fileIdentity(this.own.kept);
    this.stepAside(last.id, left.end, logPlace(this.own.log));
  }

  look({ lastId, logEnd }: LogPosition, there: LogPlace): void {
    if (this.replacement === looksOf(there)) return;
    const isOurs = this.identity === '' || there.identity === this.identity || lastId === undefined;
    const isWhole = isOurs || bytesFrom(this.own.log, 0).includes(`"id":"${lastId}"`);
    if (isWhole || fileIdentity(this.own.kept) !== this.identity) this.replacement = undefined;
    else this.stepAside(lastId, logEnd, there);
  }

  private stepAside(lastId: string, end: number, present: LogPlace): void {
    this.replacement = looksOf(present);
    const own = this.ownLines(end);
    const there = new Set(linesOf(bytesFrom(this.own.log, 0)));
    const lacking = own.filter((line) => !there.has(line)).length;
    const without = `without the last ${plural(lacking, 'change')} (up to ${lastId})`;
    this.lacking = there.size === 0 ? 'the log was removed' : `git put another log in its place, ${without}`;
  }

  restoreLog({ logEnd }: LogPosition): RestoredLog {
    const own = this.ownLines(logEnd);
    const known = new Set(own);
    const first = parseEntry(own[0] ?? '')?.seq ?? 0;
    const theirs = linesOf(bytesFrom(this.own.log, 0)).filter(
      (line) => !known.has(line) && (parseEntry(line)?.seq ?? 0) >= first,
    );
    const text = [...own, ...theirs].map((line) => `${line}\n`).join('');
    draftFile(this.own.log, text, { sync: true, draft: this.own.logDraft });
    replaceByDraft(this.disk, this.own.log, this.own.logDraft);
    this.keep();
    return { ...logPlace(this.own.log), merged: theirs.length > 0 };
  }

  release(): void {
    if (this.identity !== '') rmSync(this.own.kept, { force: true });
    this.identity = '';
  }

  private ownLines(end: number): string[] {
    return linesOf(bytesFrom(this.own.kept, 0).subarray(0, end));
  }
}

function looksOf({ identity, size }: LogPlace): string {
  return `${identity} ${size}`;
}

function linesOf(data: Buffer): string[] {
  const lines: string[] = [];
  for (let start = 0, stop = data.indexOf(LINE_FEED); stop !== -1; stop = data.indexOf(LINE_FEED, start)) {
    if (stop > start) lines.push(data.toString('utf8', start, stop));
    start = stop + 1;
  }
  return lines;
}
