import type { SquadPlan } from '#core/squad/file-change.js';
import type { Processes } from '#ports/processes.js';
import type { LedgerFiles, LedgerReader } from '#ports/squad-files.js';
import { ledgerReader } from './ledger-reader.js';
import { SquadJournal, type SquadParts } from './squad-journal.js';

/** Memory files of a team, written with the same lock and atomic changes as the team's files. */
export class LedgerFolder implements LedgerFiles {
  private readonly reader: LedgerReader;
  private readonly journal: SquadJournal;

  /** `project`: absolute path. */
  constructor(project: string, processes: Processes, parts: SquadParts) {
    this.reader = ledgerReader(project, parts.clock);
    this.journal = new SquadJournal(project, processes, parts);
  }

  async look<Result>(work: (read: LedgerReader) => Promise<Result>): Promise<Result> {
    return await work(this.reader);
  }

  async change<Result>(decide: (read: LedgerReader) => Promise<SquadPlan<Result>>): Promise<Result> {
    return await this.journal.alone('writing', async (write) => {
      const { changes, result } = await decide(this.reader);
      if (changes.length > 0) await write(changes, await this.journal.commitmentOf(changes));
      return result;
    });
  }
}
