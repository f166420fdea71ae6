import { refuseWrite } from '#core/roles/judge-write.js';
import type { RoleWriter } from '#core/roles/writers.js';
import { parseJsonObject } from '#kernel/json.js';
import type {
  PresentRoles,
  RoleFiles,
  RoleFolder,
  RoleOutcome,
  RoleProposals,
  RoleUpdate,
  WriteRoles,
} from '#ports/role-files.js';

/** Role files and proposals in memory; a test may change `texts` and `kept`, which hold all of them. */
export class RolesInMemory implements RoleFiles {
  readonly texts: Map<string, string>;
  readonly kept = new Map<string, string>();
  /** Updates data derived from written proposals. */
  follow: RoleOutcome['follow'] = async () => undefined;
  private changes = 0;
  private last: Promise<unknown> = Promise.resolve();

  constructor(texts: Iterable<readonly [file: string, text: string]> = []) {
    this.texts = new Map(texts);
  }

  async read(): Promise<RoleFolder> {
    return { texts: new Map(this.texts), problems: [] };
  }

  async proposals(): Promise<RoleProposals> {
    return { records: [...this.kept].sort().map(([id, text]) => recordOf(id, text)), warnings: [] };
  }

  async change<Result>(
    writer: RoleWriter,
    work: (now: PresentRoles, write: WriteRoles) => Promise<Result>,
  ): Promise<Result> {
    const now = () => ({ texts: new Map(this.texts), proposals: () => this.proposals() });
    const turn = this.last.then(() => work(now(), (...wanted) => this.write(writer, ...wanted)));
    this.last = turn.catch(() => undefined);
    return await turn;
  }

  changeUnlessBusy<Result>(
    writer: RoleWriter,
    work: (now: PresentRoles, write: WriteRoles) => Promise<Result>,
  ): Promise<Result> {
    return this.change(writer, work);
  }

  private async write(writer: RoleWriter, { texts, proposals }: RoleUpdate, ...rest: [unknown, Commit]): Promise<void> {
    const changed = [...texts].filter(([file, text]) => this.texts.get(file) !== text);
    for (const [file, text] of changed) refuseWrite(writer, file, this.texts.get(file), text);
    const isEmpty = changed.length + proposals.size === 0;
    if (!(await rest[1](isEmpty ? '' : `change-${++this.changes}`))) return;
    for (const [file, text] of changed) this.texts.set(file, text);
    for (const [id, text] of proposals) this.kept.set(id, text);
    if (proposals.size > 0)
      await this.follow(
        [...proposals].map(([id, text]) => recordOf(id, text)),
        this.texts,
      );
  }
}

type Commit = (change: string) => Promise<boolean>;

/** Parses a file of one `key: JSON value` per line. */
function recordOf(id: string, text: string) {
  const lines = text.trim().split('\n');
  return { id, value: parseJsonObject(`{${lines.map((line) => line.replace(/^(\w+): /, '"$1": ')).join(',')}}`) };
}
