import { readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { folderTexts } from '#adapters/disk/folder-texts.js';
import { isPlainFolder } from '#adapters/disk/plain-files.js';
import { UnreadableData } from '#adapters/disk/unreadable-data.js';
import { ownRecord } from '#core/agency/record-text.js';
import type { Clock } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { isJsonObject, type JsonObject } from '#kernel/json.js';
import { LIMITS } from '#kernel/limits.js';
import { cut, inert } from '#kernel/text.js';
import type { AgencyFiles } from '#ports/agency.js';
import type { AgencyRemotes, RemoteContents, RemotePlace } from '#ports/agency-remotes.js';
import type { Processes } from '#ports/processes.js';
import { AgencyFolder } from './agency-folder.js';
import { parseRecord, type Reading, readAgency } from './records.js';

const PARTS = ['roles', 'tradeoffs', 'motivations', 'agents', 'evaluations', 'cache', 'primitives'];

/** Agencies of other projects, as folders. */
export class RemoteFolders implements AgencyRemotes {
  private readonly processes: Processes;
  private readonly clock: Clock;
  readonly call: AgencyRemotes['call'];

  /** `call` asks another project. */
  constructor(parts: { processes: Processes; clock: Clock; call: AgencyRemotes['call'] }) {
    this.call = parts.call;
    this.processes = parts.processes;
    this.clock = parts.clock;
  }

  async locate(named: string): Promise<RemotePlace> {
    let folder: string;
    try {
      folder = await realpath(named);
      if (path.basename(folder) === '.workgraph') return { kind: 'project', path: path.dirname(folder) };
      if (await isPlainFolder(path.join(folder, '.workgraph'))) return { kind: 'project', path: folder };
      const names = await readdir(folder);
      if (path.basename(folder) === 'agency' && path.basename(path.dirname(folder)) === '.workgraph')
        return { kind: 'project', path: path.dirname(path.dirname(folder)) };
      if (PARTS.some((part) => names.includes(part))) return { kind: 'folder', path: folder };
    } catch (error) {
      if (error instanceof TroupeError) throw error;
      throw unreachable(named, 'cannot be read');
    }
    throw unreachable(named, 'holds neither a project nor an agency');
  }

  async read(place: RemotePlace): Promise<RemoteContents> {
    const top = folderOf(place);
    let [bytes, foreign] = [0, 0];
    const reading: Reading = {
      parse: async (text) => {
        bytes += text.length;
        if (bytes > LIMITS.pulledBytes) throw tooLarge(place.path);
        const own = ownRecord(text);
        if (own) return own;
        foreign += text.length;
        if (foreign > LIMITS.agencyFileBytes)
          // other words than ours take long to read
          throw tooLarge(place.path);
        return await parseRecord(text);
      },
      gone: (what, why) => {
        if (why?.code === 'unsafe_path') throw why;
        throw unreachable(place.path, `changed while it was read: ${cut(inert(what), 120)} is gone`);
      },
    };
    await this.locate(place.path);
    if (!(await isPlainFolder(top))) return { records: [], evaluations: new Map(), warnings: [] };
    const { records, warnings } = await readAgency(top, reading);
    const evaluations = await readEvaluations(path.join(top, 'evaluations'), reading);
    if (!(await isPlainFolder(top))) reading.gone('the agency');
    return { records, evaluations: evaluations.records, warnings: [...warnings, ...evaluations.warnings] };
  }

  async files(place: RemotePlace): Promise<AgencyFiles> {
    const { processes, clock } = this;
    return new AgencyFolder({ top: folderOf(place), shipped: '', processes, clock });
  }
}

function folderOf({ kind, path: folder }: RemotePlace): string {
  return kind === 'project' ? path.join(folder, '.workgraph', 'agency') : folder;
}

async function readEvaluations(folder: string, reading: Reading) {
  const records = new Map<string, JsonObject>();
  const warnings: string[] = [];
  if (!(await isPlainFolder(folder))) return { records, warnings };
  const names = (await readdir(folder))
    .filter((name) => /^[A-Za-z][A-Za-z0-9._-]{0,180}\.(?:yaml|json)$/.test(name))
    .sort();
  if (names.length > LIMITS.traceRecordFiles) throw tooLarge(folder);
  const texts = folderTexts(folder, names, LIMITS.pulledEntityBytes);
  let count = 0;
  for await (const { name, text } of texts) {
    count++;
    const warn = (why: string) => warnings.push(`evaluations/${name}: ${cut(inert(why), 200)}`);
    if (text instanceof TroupeError) warn(text.message);
    else if (typeof text === 'number') warn(`larger than ${LIMITS.pulledEntityBytes} bytes`);
    else {
      const record = await parsed(text, reading);
      if (typeof record === 'string') warn(record);
      else records.set(name.replace(/\.(?:yaml|json)$/, ''), record);
    }
  }
  if (count < names.length) reading.gone('an evaluation');
  return { records, warnings };
}

async function parsed(text: string, reading: Reading): Promise<JsonObject | string> {
  try {
    const value = await reading.parse(text);
    return isJsonObject(value) ? value : 'not a record';
  } catch (error) {
    if (error instanceof UnreadableData) return error.message;
    throw error;
  }
}

function unreachable(place: string, why: string): TroupeError {
  return new TroupeError('unreadable', {
    what: `${cut(inert(place), 200)} ${why}.`,
    hint: 'Look where it is with `troupe agency remote list`.',
  });
}

function tooLarge(place: string): TroupeError {
  const most = LIMITS.pulledBytes / 1024 / 1024;
  return new TroupeError('too_large', {
    what: `${cut(inert(place), 200)} holds more than is taken from elsewhere, ${most} MB and ${LIMITS.traceRecordFiles} evaluations: nothing was read.`,
    hint: 'Nothing was changed. Ask the other project to retire or archive what it does not need.',
  });
}
