import type { Tables } from '#adapters/teams-database/tables.js';
import type { EntryStatus, InboxEntry, NewEntry } from '#core/squad/memory.js';
import { noEntry, type Settlement } from '#core/squad/memory-entries.js';
import type { LedgerMark, TeamInbox } from '#ports/team-inbox.js';
import {
  entryAt,
  file,
  latestEntries,
  releaseLines,
  settleEntry,
  storedMarks,
  waitingLines,
  writeMarks,
  writeWaitingLines,
} from './inbox-rows.js';

/** Inbox of a team, stored in its own tables. */
export class InboxTables implements TeamInbox {
  private readonly tables: Tables;

  constructor(tables: Tables) {
    this.tables = tables;
  }

  file(entry: NewEntry) {
    return this.tables.write(() => file(entry));
  }

  async entry(number: number): Promise<InboxEntry> {
    const entry = await this.tables.read(undefined, () => entryAt(number));
    if (entry === undefined) throw noEntry(number);
    return entry;
  }

  entries({ status, limit }: { status?: EntryStatus | undefined; limit: number }): Promise<readonly InboxEntry[]> {
    return this.tables.read([], () => latestEntries(status, limit));
  }

  settle(number: number, settlement: Settlement): Promise<InboxEntry> {
    return this.tables.write(() => settleEntry(number, settlement));
  }

  storedMarks(marks: readonly LedgerMark[]): Promise<readonly LedgerMark[]> {
    return this.tables.read([], () => storedMarks(marks));
  }

  mark(marks: readonly LedgerMark[]): Promise<void> {
    return this.tables.write(() => writeMarks(marks));
  }

  waiting(): Promise<readonly string[]> {
    return this.tables.read([], waitingLines);
  }

  wait(lines: readonly string[]): Promise<void> {
    return this.tables.write(() => writeWaitingLines(lines));
  }

  release(lines: readonly string[]): Promise<void> {
    return this.tables.write(() => releaseLines(lines));
  }

  close(): Promise<void> {
    return this.tables.close();
  }
}
