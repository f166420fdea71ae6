import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { makePersonalFolder } from '#adapters/disk/personal-folder.js';
import { isRecent } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { PRIVATE_FILE } from '#kernel/file-modes.js';
import { sha256 } from '#kernel/hash.js';
import { isJsonObject, parseJsonObject } from '#kernel/json.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { inSentence } from '#kernel/text.js';
import type { Processes, ProcessIdentity } from '#ports/processes.js';
import type { RecordFault } from '#ports/served-projects.js';

/** Facts that a service tells the other services of its person. Holds no secret. */
export interface ServiceRecord {
  /** Folder of the project. */
  readonly folder: string;
  readonly socket: string;
  /** Start of the service, in milliseconds since 1970. */
  readonly since: number;
  /** Port of the dashboard on the loopback address, if it runs. */
  readonly port?: number | undefined;
  /** Other addresses of the dashboard. */
  readonly listens?: readonly string[] | undefined;
}

const OTHERS = 0o077;
const ENDING = '.json';
/** Longest time that a record is being written. */
const DRAFT_MS = 60_000;

/**
 * Records of the services of one person on this machine, a file each. A file is named after its project and its process,
 * so that a reader that removes the record of a dead service never removes that of its successor.
 */
export class ServiceRecords {
  private readonly folder: string;
  private readonly processes: Processes;

  constructor(parts: { readonly folder: string; readonly processes: Processes }) {
    this.folder = parts.folder;
    this.processes = parts.processes;
  }

  /** Writes the record of this process. Errors: `read_only`, `unsafe_path` for a folder that others may enter. */
  write(record: ServiceRecord): void {
    makePersonalFolder(this.folder);
    if (!this.isPrivate())
      throw new TroupeError('unsafe_path', {
        what: `${inSentence(this.folder)} is not a folder that only you can access.`,
      });
    const process = this.processes.self();
    const file = this.fileOf(record, process);
    writeFileSync(`${file}.new`, `${JSON.stringify({ ...record, process })}\n`, { mode: PRIVATE_FILE });
    renameSync(`${file}.new`, file);
  }

  /** Removes the record of this process. */
  remove(record: Pick<ServiceRecord, 'folder'>): void {
    if (this.isPrivate()) rmSync(this.fileOf(record, this.processes.self()), { force: true });
  }

  /**
   * Records of the services that run, by folder. Removes those of dead processes. Leaves out those that cannot be examined
   * from here, and those whose folder is gone.
   */
  all(): ServiceRecord[] {
    if (!this.isPrivate()) return [];
    const found = new Map<string, ServiceRecord>();
    for (const name of readdirSync(this.folder).filter((one) => one.endsWith(ENDING))) {
      const file = path.join(this.folder, name);
      const { record, process } = this.read(file) ?? {};
      if (record === undefined || process === undefined) continue;
      const state = this.processes.state(process);
      if (state === 'dead') rmSync(file, { force: true });
      const earlier = found.get(record.folder);
      if (state !== 'alive' || !isFolder(record.folder) || (earlier && earlier.since > record.since)) continue;
      found.set(record.folder, record);
    }
    return [...found.values()];
  }

  /** Faults of the folder that keep records from being written or read, and files that are none. Removes nothing. */
  faults(): RecordFault[] {
    const stats = this.look();
    if (stats === undefined) return [];
    if (!stats.isDirectory() || stats.uid !== process.getuid?.()) return [{ kind: 'foreign', path: this.folder }];
    if ((stats.mode & OTHERS) !== 0) return [{ kind: 'open', path: this.folder }];
    const files = readdirSync(this.folder)
      .sort()
      .map((name) => path.join(this.folder, name));
    return files
      .filter((file) => !isBeingWritten(file) && this.read(file) === undefined)
      .map((file) => ({ kind: 'stray', path: file }));
  }

  private read(file: string): { record: ServiceRecord; process: ProcessIdentity } | undefined {
    const { process, folder, socket, since, port, listens } = parseJsonObject(textOf(file) ?? '') ?? {};
    if (!isIdentity(process) || typeof folder !== 'string' || !path.isAbsolute(folder)) return undefined;
    if (typeof socket !== 'string' || typeof since !== 'number') return undefined;
    return {
      record: {
        folder,
        socket,
        since,
        ...(isPort(port) ? { port } : {}),
        ...(isAddresses(listens) ? { listens } : {}),
      },
      process,
    };
  }

  private fileOf({ folder }: Pick<ServiceRecord, 'folder'>, process: ProcessIdentity): string {
    return path.join(this.folder, `${sha256(JSON.stringify([folder, process])).slice(0, 32)}${ENDING}`);
  }

  private look(): Stats | undefined {
    try {
      return lstatSync(this.folder, { throwIfNoEntry: false });
    } catch {
      return undefined; // the home is a file, or belongs to another person: no service wrote there
    }
  }

  /** Whether the folder exists and only its owner, who is this person, can access it. */
  private isPrivate(): boolean {
    const stats = this.look();
    return stats?.isDirectory() === true && stats.uid === process.getuid?.() && (stats.mode & OTHERS) === 0;
  }
}

/** Text of a small regular file; undefined if it is something else, or gone. */
function textOf(file: string): string | undefined {
  try {
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = fstatSync(descriptor);
      return stats.isFile() && stats.size <= WORK_LIMITS.serviceRecordBytes
        ? readFileSync(descriptor, 'utf8')
        : undefined;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined; // removed meanwhile by its service or another reader, or no file of ours
  }
}

function isIdentity(value: unknown): value is ProcessIdentity {
  if (!isJsonObject(value) || typeof value['pid'] !== 'number') return false;
  return ['start', 'host', 'boot', 'namespace'].every((field) => typeof value[field] === 'string');
}

function isPort(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 65_536;
}

function isAddresses(value: unknown): value is string[] {
  const isAddress = (one: unknown) =>
    typeof one === 'string' && /^https?:\/\/[^\s/]+\/?$/.test(one) && URL.canParse(one);
  return Array.isArray(value) && value.every(isAddress);
}

/** Whether a file is gone, or the draft of a record that its service may still be writing. */
function isBeingWritten(file: string): boolean {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  return stats === undefined || (file.endsWith('.new') && isRecent(stats.mtimeMs, Date.now(), DRAFT_MS));
}

function isFolder(folder: string): boolean {
  try {
    return statSync(folder).isDirectory();
  } catch {
    return false;
  }
}
