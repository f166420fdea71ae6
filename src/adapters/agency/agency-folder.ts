/**
 * `.workgraph/agency/`, a file an entity, changed with the commit or not at all.
 * @packageDocumentation
 */
import { randomBytes } from 'node:crypto';
import { lstatSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { boundedText, isPlainFolder, plainFolder } from '#adapters/disk/plain-files.js';
import { UnreadableData } from '#adapters/disk/unreadable-data.js';
import { replaceFile, writeWhole } from '#adapters/disk/whole-file.js';
import type { Clock } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { isJsonObject, type JsonObject, parseJsonObject } from '#kernel/json.js';
import { LIMITS } from '#kernel/limits.js';
import { cut, inert } from '#kernel/text.js';
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
import type { Processes } from '#ports/processes.js';
import { FolderTree, OWN_FILES, readAgency, readNotes, readShipped } from './records.js';

const FOLDERS = {
  role: 'roles',
  tradeoff: 'tradeoffs',
  agent: 'agents',
  evaluation: 'evaluations',
  record: '',
  guide: 'evolver-skills',
  evolution: 'evolution_runs',
  deferred: 'deferred',
  replay: 'replays',
  federation: '..',
} as const;
const PENDING = 'pending.json';

/**
 * `.workgraph/agency/`. A change is set down in one file before its commit; the log then says whether it holds, and it is
 * carried out or forgotten, by us or by whoever comes after a crash.
 */
export class AgencyFolder implements AgencyFiles {
  private readonly top: string;
  private readonly shippedFolder: string;
  private readonly processes: Processes;
  private readonly clock: Clock;
  /** The last change of this process: the lock is told by a file, and holds for the process as a whole. */
  private last: Promise<unknown> = Promise.resolve();

  /** `top` is the absolute path of `.workgraph/agency/`, `shipped` that of `data/agency`. */
  constructor(parts: { top: string; shipped: string; processes: Processes; clock: Clock }) {
    this.top = parts.top;
    this.shippedFolder = parts.shipped;
    this.processes = parts.processes;
    this.clock = parts.clock;
  }

  async read(committed: CommitCheck): Promise<AgencyRecords> {
    if (!(await isPlainFolder(this.top))) return { records: [], warnings: [] };
    if ((await boundedText(path.join(this.top, PENDING), LIMITS.agencyPendingBytes)) === undefined)
      return await readAgency(new FolderTree(this.top), OWN_FILES);
    return await this.change(committed, async (records) => records);
  }

  async change<Result>(
    committed: CommitCheck,
    work: (records: AgencyRecords, write: Write) => Promise<Result>,
  ): Promise<Result> {
    const turn = this.last.then(
      () => this.locked(committed, work),
      () => this.locked(committed, work),
    );
    this.last = turn;
    return await turn;
  }

  async shipped(): Promise<ShippedAgency> {
    return await readShipped(this.shippedFolder);
  }

  async notes(kind: NoteKind): Promise<Notes> {
    return await readNotes(this.top, FOLDERS[kind]);
  }

  async guide(id: string): Promise<string | undefined> {
    if (!/^[a-z-]{1,40}$/.test(id) || !(await isPlainFolder(path.join(this.top, FOLDERS.guide)))) return undefined;
    const text = await boundedText(path.join(this.top, FOLDERS.guide, `${id}.md`), LIMITS.wordingFileBytes);
    return typeof text === 'string' ? text : undefined;
  }

  async federation(): Promise<unknown> {
    const text = await boundedText(path.join(this.top, '..', 'federation.yaml'), LIMITS.agencyFileBytes);
    if (text === undefined) return undefined;
    const { strictYaml } = await import('#adapters/disk/strict-yaml.js');
    try {
      if (typeof text === 'number') throw new UnreadableData(`larger than ${LIMITS.agencyFileBytes} bytes`);
      return strictYaml(text).value;
    } catch (error) {
      if (!(error instanceof UnreadableData)) throw error;
      const line = error.line === undefined ? '' : `:${error.line}`;
      throw new TroupeError('unreadable', {
        what: `.workgraph/federation.yaml${line}: ${cut(inert(error.message), 200)}`,
      });
    }
  }

  /** Asked with every tick: six questions that the system answers from memory cost less than one that is waited for. */
  async stamp(): Promise<string> {
    const parts = ['roles', 'tradeoffs', 'agents', 'evaluations', 'motivations', PENDING];
    return parts.map((part) => changedAt(path.join(this.top, part))).join(' ');
  }

  private async locked<Result>(
    committed: CommitCheck,
    work: (records: AgencyRecords, write: Write) => Promise<Result>,
  ): Promise<Result> {
    await plainFolder(path.dirname(this.top), path.basename(this.top));
    const lock = this.processes.lock(path.join(this.top, 'agency.lock'), this.clock);
    await lock.acquire();
    try {
      await this.settle(committed);
      return await work(await readAgency(new FolderTree(this.top), OWN_FILES), (files, from, commit) =>
        this.write(files, from, commit),
      );
    } finally {
      lock.release();
    }
  }

  private async write(
    files: readonly AgencyFile[],
    from: number,
    commit: (change: string) => Promise<boolean>,
  ): Promise<void> {
    const change = randomBytes(9).toString('base64url');
    for (const file of files) nameOf(file); // refuses before anything is set down
    const text = JSON.stringify({ change, from, files });
    if (Buffer.byteLength(text) > LIMITS.agencyPendingBytes) throw new TroupeError('too_large');
    await writeWhole(path.join(this.top, PENDING), text);
    // Whether a commit that throws was made only the log knows: the next one who comes looks there.
    if (await commit(change)) await this.carryOut(files);
    await rm(path.join(this.top, PENDING), { force: true });
  }

  /** What somebody left half-way is finished when the log has it, and forgotten otherwise. */
  private async settle(committed: CommitCheck): Promise<void> {
    const text = await boundedText(path.join(this.top, PENDING), LIMITS.agencyPendingBytes);
    if (text === undefined) return;
    const pending = typeof text === 'string' ? parseJsonObject(text) : undefined;
    const { change, from, files } = pending ?? {};
    if (typeof change === 'string' && typeof from === 'number' && Array.isArray(files)) {
      if (await committed(change, from))
        await this.carryOut(files.filter((file) => isJsonObject(file)).filter(isAgencyFile));
    }
    await rm(path.join(this.top, PENDING), { force: true });
  }

  private async carryOut(files: readonly AgencyFile[]): Promise<void> {
    const many = files.length > LIMITS.filesAtOnce;
    const folders = new Map<string, string>();
    for (const [index, file] of files.entries()) {
      const [name, other] = nameOf(file);
      const folder = folderOf(file);
      const place =
        folders.get(folder) ?? (await plainFolder(this.top, ...folder.split('/').filter((part) => part !== '')));
      folders.set(folder, place);
      // Each flush waits for the disk: thousands would take minutes, and what is set down is gone on with after a crash.
      if (many) replaceFile(place, name, file.text);
      else await writeWhole(path.join(place, name), file.text);
      if (other !== undefined && lstatSync(path.join(place, other), { throwIfNoEntry: false }))
        await rm(path.join(place, other), { force: true });
      if (many && index % LIMITS.filesAtOnce === 0) await new Promise(setImmediate);
    }
  }
}

function folderOf(file: AgencyFile): string {
  return file.kind === 'replay' ? `${FOLDERS.replay}/${file.run}` : FOLDERS[file.kind];
}

/** Where a file lies below the top of an agency, and where the other one of the same entity does. */
export function placesOf(file: AgencyFile): readonly string[] {
  const folder = folderOf(file);
  return nameOf(file).flatMap((name) => (name === undefined ? [] : [folder === '' ? name : `${folder}/${name}`]));
}

/** What a file is called, and what it is called in the other state. */
function nameOf(file: AgencyFile): readonly [string, string?] {
  if (file.kind === 'replay' && !/^run-[0-9-]{1,40}$/.test(file.run)) throw new TroupeError('unsafe_path');
  if (!('retired' in file)) {
    if (!/^[A-Za-z][A-Za-z0-9._-]{0,180}$/.test(file.id)) throw new TroupeError('unsafe_path');
    return [file.kind === 'guide' ? `${file.id}.md` : `${file.id}.yaml`];
  }
  if (!/^[0-9a-f]{64}$/.test(file.id)) throw new TroupeError('unsafe_path');
  const names = [`${file.id}.yaml`, `${file.id}.yaml.retired`] as const;
  return file.retired ? [names[1], names[0]] : names;
}

/** Our own words again; `nameOf` has looked at them before they were set down, and looks again. */
function isAgencyFile(value: JsonObject): value is JsonObject & AgencyFile {
  return ['kind', 'id', 'text'].every((field) => typeof value[field] === 'string');
}

function changedAt(file: string): string {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    return stats ? `${stats.ino}:${stats.mtimeMs}` : '-'; // not there, which is a state like any other
  } catch {
    return '?'; // nor is what stands in its place readable, which is another
  }
}
