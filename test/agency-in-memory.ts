import { randomUUID } from 'node:crypto';
import { parseRecord } from '#adapters/agency/records.js';
import type { AgencyRecord } from '#core/agency/read.js';
import { parseJsonObject } from '#kernel/json.js';
import type {
  AgencyFile,
  AgencyFiles,
  AgencyRecords,
  CommitCheck,
  NoteKind,
  Notes,
  ShippedAgency,
  Write,
} from '#ports/agency.js';

/** The agency files in memory, for tests. */
export class AgencyInMemory implements AgencyFiles {
  readonly files = new Map<string, AgencyFile>();
  private last: Promise<unknown> = Promise.resolve();
  private changes = 0;
  private pending: { change: string; from: number; files: readonly AgencyFile[] } | undefined;

  async read(committed: CommitCheck): Promise<AgencyRecords> {
    if (this.pending) return await this.change(committed, async (records) => records);
    return await this.records();
  }

  async change<Result>(
    committed: CommitCheck,
    work: (records: AgencyRecords, write: Write) => Promise<Result>,
  ): Promise<Result> {
    const begin = async () => {
      if (this.pending && (await committed(this.pending.change, this.pending.from))) this.store(this.pending.files);
      this.pending = undefined;
      return await work(await this.records(), (files, from, commit) => this.write(committed, files, from, commit));
    };
    const turn = this.last.then(begin, begin);
    this.last = turn;
    return await turn;
  }

  async shipped(): Promise<ShippedAgency> {
    return { entities: [], guides: [] };
  }

  async notes(kind: NoteKind): Promise<Notes> {
    const notes = [...this.files.values()].filter((file) => file.kind === kind);
    const records = notes.map(async ({ id, text }) => ({ id, value: await parseRecord(text) }));
    return { records: await Promise.all(records), warnings: [] };
  }

  async guide(id: string): Promise<string | undefined> {
    return this.files.get(`guide ${id}`)?.text;
  }

  async federation(): Promise<unknown> {
    const file = this.files.get('federation federation');
    return file && parseJsonObject(file.text);
  }

  async stamp(): Promise<string> {
    return String(this.changes);
  }

  private async write(
    committed: CommitCheck,
    files: readonly AgencyFile[],
    from: number | undefined,
    commit: (change: string) => Promise<boolean>,
  ) {
    const change = randomUUID();
    this.pending = { change, from: from ?? 0, files };
    try {
      if (await commit(change)) this.store(files);
    } catch (error) {
      if (!(await committed(change, from ?? 0))) {
        this.pending = undefined;
        throw error;
      }
      this.store(files);
    }
    this.pending = undefined;
  }

  private store(files: readonly AgencyFile[]): void {
    for (const file of files) this.files.set(`${file.kind} ${file.id}`, file);
    this.changes++;
  }

  private async records(): Promise<AgencyRecords> {
    const records: AgencyRecord[] = [];
    for (const file of this.files.values()) {
      if (file.kind === 'record') {
        const value = parseJsonObject(file.text);
        records.push({ kind: 'state', id: 'state', retired: false, file: 'state.yaml', value });
      }
      if (!('retired' in file)) continue;
      const { kind, id, retired } = file;
      records.push({ kind, id, retired, file: `${kind}s/${id}.yaml`, value: await parseRecord(file.text) });
    }
    return { records, warnings: [] };
  }
}
