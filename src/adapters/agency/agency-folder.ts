/**
 * `.workgraph/agency/`, one file per entity, changed with the commit or not at all.
 * @packageDocumentation
 */

import { statSync } from 'node:fs';
import path from 'node:path';
import { ChangeJournal } from '#adapters/disk/change-journal.js';
import { boundedText, isPlainFolder, plainFolder } from '#adapters/disk/plain-files.js';
import { rejectionIn, UnreadableData } from '#adapters/disk/unreadable-data.js';
import type { Clock } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import type { FileChange } from '#kernel/file-change.js';
import { PRIVATE_FILE } from '#kernel/file-modes.js';
import { FROM_PROJECT, graphLayout } from '#kernel/graph-folder.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { inSentence } from '#kernel/text.js';
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

const ENTITY_FILE = /^(?:roles|tradeoffs|agents)\/[0-9a-f]{64}\.yaml(?:\.retired)?$/;
const OTHER_FILE =
  /^(?:(?:evaluations|evolver-skills|evolution_runs|deferred|replays\/run-[0-9-]{1,40})\/)?[A-Za-z][A-Za-z0-9._-]{0,180}\.(?:yaml|md)$/;

/** `.workgraph/agency/`. Changes are committed by an entry of the log. */
export class AgencyFolder implements AgencyFiles {
  private readonly top: string;
  private readonly shippedFolder: string;
  private readonly journal: ChangeJournal;

  /** `top` is the absolute path of `.workgraph/agency/`, `shipped` the absolute path of `data/agency`. */
  constructor(parts: { top: string; shipped: string; processes: Processes; clock: Clock }) {
    this.top = parts.top;
    this.shippedFolder = parts.shipped;
    const { processes, clock } = parts;
    const name = path.basename(parts.top);
    const mayWrite = (file: string) => {
      const below = file.startsWith(`${name}/`) ? file.slice(name.length + 1) : '';
      return file === path.basename(FROM_PROJECT.federation) || ENTITY_FILE.test(below) || OTHER_FILE.test(below);
    };
    const base = path.dirname(parts.top);
    const service = () => ({ root: base, folder: `${name}/.service` });
    const place = { base, service, name, modeOf: () => PRIVATE_FILE, mayWrite };
    this.journal = new ChangeJournal(place, { processes, clock, step: () => undefined });
  }

  async read(committed: CommitCheck): Promise<AgencyRecords> {
    if (await this.journal.isPending()) return await this.change(committed, async (records) => records);
    if (!(await isPlainFolder(this.top))) return { records: [], warnings: [] };
    return await readAgency(new FolderTree(this.top), OWN_FILES);
  }

  async change<Result>(
    committed: CommitCheck,
    work: (records: AgencyRecords, write: Write) => Promise<Result>,
  ): Promise<Result> {
    return await this.journal.alone({ committed, follow: async () => undefined }, 'writing', async (write) => {
      await plainFolder(path.dirname(this.top), path.basename(this.top));
      return await work(await readAgency(new FolderTree(this.top), OWN_FILES), (files, from, commit) =>
        write(
          files.flatMap((file) => this.changesOf(file)),
          from === undefined ? null : { from, commit },
        ),
      );
    });
  }

  async shipped(): Promise<ShippedAgency> {
    return await readShipped(this.shippedFolder);
  }

  async notes(kind: NoteKind): Promise<Notes> {
    return await readNotes(this.top, FOLDERS[kind]);
  }

  async guide(id: string): Promise<string | undefined> {
    if (!/^[a-z-]{1,40}$/.test(id) || !(await isPlainFolder(path.join(this.top, FOLDERS.guide)))) return undefined;
    const text = await boundedText(path.join(this.top, FOLDERS.guide, `${id}.md`), TEAM_LIMITS.wordingFileBytes);
    return typeof text === 'string' ? text : undefined;
  }

  async federation(): Promise<unknown> {
    const text = await boundedText(graphLayout(path.dirname(this.top)).federation, TEAM_LIMITS.agencyFileBytes);
    if (text === undefined) return undefined;
    const { strictYaml } = await import('#adapters/disk/strict-yaml.js');
    try {
      if (typeof text === 'number') throw new UnreadableData(`larger than ${TEAM_LIMITS.agencyFileBytes} bytes`);
      return strictYaml(text).value;
    } catch (error) {
      const rejection = rejectionIn(error);
      const line = rejection.line === undefined ? '' : `:${rejection.line}`;
      throw new TroupeError('unreadable', {
        what: `${FROM_PROJECT.federation}${line}: ${inSentence(rejection.message)}`,
      });
    }
  }

  /**
   * Called with every tick. Synchronous: six `stat` calls that the system answers from its cache cost less than one
   * awaited call.
   */
  async stamp(): Promise<string> {
    const parts = [
      'roles',
      'tradeoffs',
      'agents',
      'evaluations',
      'motivations',
      `.service/changes/${path.basename(this.top)}`,
    ];
    return parts.map((part) => changedAt(path.join(this.top, part))).join(' ');
  }

  /**
   * Writes one file and removes its counterpart: an entity is either usable or retired, so its name exists in one place
   * only.
   */
  private changesOf(file: AgencyFile): FileChange[] {
    const [place = '', other] = filePlaces(file).map((each) => `${path.basename(this.top)}/${each}`);
    const write: FileChange = { kind: 'write', path: path.posix.normalize(place), text: file.text };
    return other === undefined ? [write] : [write, { kind: 'remove', path: other }];
  }
}

function folderOf(file: AgencyFile): string {
  return file.kind === 'replay' ? `${FOLDERS.replay}/${file.run}` : FOLDERS[file.kind];
}

/**
 * Path of a file relative to the top of the agency, followed by the path of the same entity in the other state (usable
 * or retired).
 */
export function filePlaces(file: AgencyFile): readonly string[] {
  const folder = folderOf(file);
  return nameOf(file).flatMap((name) => (name === undefined ? [] : [folder === '' ? name : `${folder}/${name}`]));
}

/** File name in the current state, followed by the name in the other state. Errors: `unsafe_path`. */
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

function changedAt(file: string): string {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    return stats ? `${stats.ino}:${stats.mtimeMs}` : '-'; // a missing folder is a state of its own
  } catch {
    return '?'; // so is an unreadable one
  }
}
