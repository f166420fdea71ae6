import { withChanges } from '#core/squad/file-change.js';
import type { LedgerFile } from '#core/squad/memory-ledger.js';
import { sha256 } from '#kernel/hash.js';
import type { LedgerFiles, LedgerReader } from '#ports/squad-files.js';

/** Files of a team's memory, for tests that need no disk. */
export class LedgerInMemory implements LedgerFiles {
  files: ReadonlyMap<string, string> = new Map();

  async look<Result>(work: (read: LedgerReader) => Promise<Result>): Promise<Result> {
    const file = async (name: string): Promise<LedgerFile | undefined> => {
      const text = this.files.get(name);
      return text === undefined ? undefined : { path: name, text, sha256: sha256(text) };
    };
    return await work({
      events: () => file('.squad/memory.events.jsonl'),
      inbox: async () => ({ files: [], more: false }),
      file,
      members: async () => new Set(['neo', 'trinity']),
      archived: async () =>
        new Set([...this.files.keys()].filter((name) => name.startsWith('.squad/decisions-archive/'))),
    });
  }

  async change<Result>(decide: Parameters<LedgerFiles['change']>[0]): Promise<Result> {
    const { changes, result } = await this.look(decide);
    this.files = withChanges(this.files, changes);
    return result as Result;
  }
}
