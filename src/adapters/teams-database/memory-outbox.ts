import type { OutboxRow } from '#core/outbox/outbox.js';
import type { Outbox } from '#ports/outbox.js';

/** The outbox as long as this process lives; the stores in memory that write to it share it, as those on disk share a file. */
export class MemoryOutbox implements Outbox {
  private readonly rows = new Map<string, OutboxRow>();
  private readonly written = new Set<string>();

  write(rows: readonly OutboxRow[]): void {
    for (const row of rows) {
      if (!this.written.has(row.id)) this.rows.set(row.id, row);
      this.written.add(row.id);
    }
  }

  async pending(limit: number): Promise<readonly OutboxRow[]> {
    return [...this.rows.values()].slice(0, limit);
  }

  async settle(id: string): Promise<void> {
    this.rows.delete(id);
  }

  async close(): Promise<void> {
    this.rows.clear();
  }
}
