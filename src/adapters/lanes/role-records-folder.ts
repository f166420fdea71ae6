import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { folderTexts } from '#adapters/disk/folder-texts.js';
import { boundedText, isPlainFolder, plainFolder } from '#adapters/disk/plain-files.js';
import { UnreadableData } from '#adapters/disk/unreadable-data.js';
import { writeWhole } from '#adapters/disk/whole-file.js';
import { LANES } from '#core/lanes/lane.js';
import { isRoleName } from '#core/lanes/role-name.js';
import type { Clock } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { isJsonObject, parseJsonObject } from '#kernel/json.js';
import { LIMITS } from '#kernel/limits.js';
import { cut, inert } from '#kernel/text.js';
import type { Processes } from '#ports/processes.js';
import type { RoleChangeUnderWay, RoleEdit, RoleRecords, SetDown } from '#ports/role-records.js';

const PROPOSALS = 'proposals';
const UNDER_WAY = 'under-way.json';
const ID = /^[a-z][a-z0-9-]{0,120}$/;

/** `.workgraph/roles/`, made when something is kept. */
export class RoleRecordsFolder implements RoleRecords {
  private readonly top: string;
  private readonly processes: Processes;
  private readonly clock: Clock;
  /** The last change of this process: the lock is told by a file, and holds for the process as a whole. */
  private last: Promise<unknown> = Promise.resolve();

  /** `top` is the absolute path of `.workgraph/roles/`. */
  constructor(parts: { top: string; processes: Processes; clock: Clock }) {
    this.top = parts.top;
    this.processes = parts.processes;
    this.clock = parts.clock;
  }

  async proposals() {
    const records: { id: string; value: unknown }[] = [];
    const warnings: string[] = [];
    const folder = path.join(this.top, PROPOSALS);
    if (!(await isPlainFolder(this.top)) || !(await isPlainFolder(folder))) return { records, warnings };
    const names = (await readdir(folder)).filter((name) => name.endsWith('.yaml') && ID.test(name.slice(0, -5))).sort();
    if (names.length > LIMITS.agencyFiles) warnings.push(`only the first ${LIMITS.agencyFiles} proposals are read`);
    const { strictYaml } = await import('#adapters/disk/strict-yaml.js');
    for await (const { name, text } of folderTexts(
      folder,
      names.slice(0, LIMITS.agencyFiles),
      LIMITS.agencyFileBytes,
    )) {
      try {
        if (typeof text !== 'string') throw new UnreadableData('it cannot be read');
        records.push({ id: name.slice(0, -'.yaml'.length), value: strictYaml(text).value });
      } catch (error) {
        if (!(error instanceof UnreadableData)) throw error;
        warnings.push(`${PROPOSALS}/${name}: ${cut(inert(error.message), 200)}`);
      }
    }
    return { records, warnings };
  }

  async keepProposal(id: string, text: string): Promise<void> {
    if (!ID.test(id)) throw new TroupeError('unsafe_path');
    await writeWhole(path.join(await this.folder(PROPOSALS), `${id}.yaml`), text);
  }

  async underWay(): Promise<boolean> {
    if (!(await isPlainFolder(this.top))) return false;
    return (await boundedText(path.join(this.top, UNDER_WAY), LIMITS.agencyFileBytes)) !== undefined;
  }

  async change<Result>(
    work: (underWay: RoleChangeUnderWay | undefined, setDown: SetDown) => Promise<Result>,
  ): Promise<Result> {
    const turn = this.last.then(
      () => this.locked(work),
      () => this.locked(work),
    );
    this.last = turn;
    return await turn;
  }

  private async locked<Result>(
    work: (underWay: RoleChangeUnderWay | undefined, setDown: SetDown) => Promise<Result>,
  ): Promise<Result> {
    const place = path.join(await this.folder(), UNDER_WAY);
    const lock = this.processes.lock(path.join(this.top, 'roles.lock'), this.clock);
    await lock.acquire();
    try {
      return await work(underWayIn(await boundedText(place, LIMITS.agencyFileBytes)), async (underWay) => {
        if (underWay) await writeWhole(place, JSON.stringify(underWay));
        else await rm(place, { force: true });
      });
    } finally {
      lock.release();
    }
  }

  private folder(...parts: readonly string[]): Promise<string> {
    return plainFolder(path.dirname(this.top), path.basename(this.top), ...parts);
  }
}

/** Anything but our own words is nothing that we began. */
function underWayIn(text: string | number | undefined): RoleChangeUnderWay | undefined {
  const value = (typeof text === 'string' ? parseJsonObject(text) : undefined) ?? {};
  const { kind, change, from, proposal, by, date, detail } = value;
  if (kind === 'graduation' && typeof change === 'string' && typeof from === 'number') return { kind, change, from };
  if (kind === 'acceptance' && typeof proposal === 'string' && typeof by === 'string') return { kind, proposal, by };
  const edit = editIn(value['edit']);
  if (kind !== 'edit' || edit === undefined || !isJsonObject(detail)) return undefined;
  return typeof change === 'string' && typeof by === 'string' && typeof date === 'string'
    ? { kind, change, by, date, edit, detail }
    : undefined;
}

function editIn(value: unknown): RoleEdit | undefined {
  const { what, role, lesson, run, lane } = isJsonObject(value) ? value : {};
  if (typeof role !== 'string' || !isRoleName(role)) return undefined;
  if (what === 'learn' && typeof lesson === 'string')
    return { what, role, lesson, ...(typeof run === 'string' ? { run } : {}) };
  const known = LANES.find((one) => one === lane);
  return (what === 'retire' || what === 'revive') && known !== undefined ? { what, lane: known, role } : undefined;
}
