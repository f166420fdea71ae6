import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { folderTexts } from '#adapters/disk/folder-texts.js';
import { boundedText, isPlainFolder } from '#adapters/disk/plain-files.js';
import { isMissing } from '#adapters/disk/safe-path.js';
import { writeWhole } from '#adapters/disk/whole-file.js';
import { FORMATIONS, isRunId, runFolder } from '#core/playbooks/formation.js';
import {
  GATE_RECORDS,
  type GateRecord,
  gateRecordFile,
  gateRecordIn,
  NO_GATE_RECORD,
} from '#core/playbooks/gate-record.js';
import type { HandoffFile, HandoffFiles } from '#core/playbooks/handoffs.js';
import { laneFile, ROLES_FOLDER } from '#core/roles/role-paths.js';
import { TroupeError } from '#kernel/errors.js';
import { FROM_PROJECT } from '#kernel/graph-folder.js';
import { sha256 } from '#kernel/hash.js';
import { HANDOFF_LIMITS } from '#kernel/limits/handoffs.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { inSentence } from '#kernel/text.js';
import type { CrewRuns, HandoffFolders } from '#ports/handoff-folders.js';

const CREW = FORMATIONS.crew.folder;

/** Implements the HandoffFolders port on the local disk. Nothing is cached. */
export class LocalHandoffFolders implements HandoffFolders {
  async around(folder: string): Promise<CrewRuns | undefined> {
    for (let top = path.resolve(folder); ; top = path.dirname(top)) {
      if ((await isFolderWithin(top, `${CREW}/runs`)) || (await isFolderWithin(top, GATE_RECORDS)))
        return new LocalCrewRuns(top);
      if (top === path.dirname(top)) return undefined;
    }
  }
}

class LocalCrewRuns implements CrewRuns {
  readonly top: string;

  constructor(top: string) {
    this.top = top;
  }

  async active(): Promise<readonly string[]> {
    const active: string[] = [];
    const unrecorded: string[] = [];
    for (const run of new Set([...(await this.recorded()), ...(await this.withFolder())])) {
      const { state } = await this.record(run);
      if (state === 'running') active.push(run);
      else if (state === undefined) unrecorded.push(run);
    }
    if (unrecorded.length > 0) {
      const log = (await this.plainText(`${CREW}/log.md`, HANDOFF_LIMITS.logBytes)) ?? '';
      const over = new Set([...log.matchAll(/^## +(\S+)/gm)].map(([, run]) => run));
      active.push(...unrecorded.filter((run) => !over.has(run)));
    }
    return active.sort();
  }

  /** Ids of the newest runs with a record of the coordinator. */
  private async recorded(): Promise<readonly string[]> {
    const project = projectOf(this.top);
    if (!(await isFolderWithin(project, GATE_RECORDS))) return [];
    const names = await readdir(path.join(project, GATE_RECORDS));
    const runs = names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -'.json'.length));
    return runs.filter(isRunId).sort().slice(-HANDOFF_LIMITS.records);
  }

  private async withFolder(): Promise<readonly string[]> {
    if (!(await isFolderWithin(this.top, `${CREW}/runs`))) return [];
    const entries = await readdir(path.join(this.top, CREW, 'runs'), { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory() && isRunId(entry.name)).map(({ name }) => name);
  }

  async files(run: string, names: readonly string[]): Promise<HandoffFiles> {
    const folder = runFolder('crew', run);
    const files = new Map<string, HandoffFile>();
    if (!(await isFolderWithin(this.top, folder))) return files;
    for (const name of names) {
      const file = await handoffAt(path.join(this.top, folder, name));
      if (file !== undefined) files.set(name, file);
    }
    return files;
  }

  async record(run: string): Promise<GateRecord> {
    const file = gateRecordFile(run);
    const project = projectOf(this.top);
    if (!(await isFolderWithin(project, path.posix.dirname(file)))) return NO_GATE_RECORD;
    const text = await boundedText(path.join(project, file), HANDOFF_LIMITS.fileBytes);
    return (typeof text === 'string' ? gateRecordIn(text) : undefined) ?? NO_GATE_RECORD;
  }

  async crewRoles(): Promise<string | undefined> {
    const file = laneFile('crew');
    if (!(await isFolderWithin(this.top, path.posix.dirname(file)))) return undefined;
    return await this.plainText(file, HANDOFF_LIMITS.logBytes);
  }

  async roles(): Promise<ReadonlyMap<string, string>> {
    const texts = new Map<string, string>();
    // Roles that were just created are in the project, not in its worktrees.
    const project = projectOf(this.top);
    if (!(await isFolderWithin(project, ROLES_FOLDER))) return texts;
    const names = (await readdir(path.join(project, ROLES_FOLDER))).filter((name) => name.endsWith('.md'));
    for await (const { name, text } of folderTexts(path.join(project, ROLES_FOLDER), names, TEAM_LIMITS.roleFileBytes))
      if (typeof text === 'string') texts.set(`${ROLES_FOLDER}/${name}`, text);
    return texts;
  }

  async present(paths: readonly string[]): Promise<readonly string[]> {
    const present: string[] = [];
    for (const file of paths) if (await isFileWithin(this.top, file)) present.push(file);
    return present;
  }

  async runOf(session: string, runs: readonly string[]): Promise<string | undefined> {
    for (const run of runs) if ((await this.sessionsOf(run)).includes(session)) return run;
    return undefined;
  }

  async keepSession(session: string, run: string): Promise<void> {
    // Without a folder the run cannot be associated with sessions yet.
    if (!(await isFolderWithin(this.top, runFolder('crew', run)))) return;
    const sessions = await this.sessionsOf(run);
    if (sessions.includes(session)) return;
    const kept = [...sessions, session].slice(-HANDOFF_LIMITS.sessions);
    await writeWhole(path.join(this.top, runFolder('crew', run), SESSIONS), `${kept.join('\n')}\n`);
  }

  private async sessionsOf(run: string): Promise<readonly string[]> {
    const text = await this.plainText(`${runFolder('crew', run)}/${SESSIONS}`, HANDOFF_LIMITS.fileBytes);
    return (text ?? '').split('\n').filter((line) => line !== '');
  }

  /** Text of a file. Errors: `too_large` above `most` bytes, because a truncated file must not be evaluated. */
  private async plainText(file: string, most: number): Promise<string | undefined> {
    const text = await boundedText(path.join(this.top, file), most);
    if (typeof text !== 'number') return text;
    throw new TroupeError('too_large', { what: `${file} has ${text} bytes; the limit is ${most}.` });
  }
}

/** The project of a folder, also from inside one of its worktrees. */
function projectOf(top: string): string {
  const at = top.indexOf(`${path.sep}${FROM_PROJECT.worktrees}${path.sep}`);
  return at === -1 ? top : top.slice(0, at);
}

const SESSIONS = 'sessions.txt';

/**
 * Whether a folder exists below `top`. Checks each path segment, so that no link leads elsewhere. Errors:
 * `unsafe_path`.
 */
async function isFolderWithin(top: string, folder: string): Promise<boolean> {
  let current = top;
  for (const part of folder.split('/')) {
    current = path.join(current, part);
    if (!(await isPlainFolder(current))) return false;
  }
  return true;
}

/** Whether a regular file exists below `top` without any link in the path. */
async function isFileWithin(top: string, file: string): Promise<boolean> {
  const parts = file.split('/');
  try {
    for (let depth = 1; depth < parts.length; depth++)
      if (!(await lstat(path.join(top, ...parts.slice(0, depth)))).isDirectory()) return false;
    return (await lstat(path.join(top, file))).isFile();
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

async function handoffAt(place: string): Promise<HandoffFile | undefined> {
  try {
    const text = await boundedText(place, HANDOFF_LIMITS.fileBytes);
    if (text === undefined) return undefined;
    if (typeof text === 'number') return { problem: `has ${text} bytes; ${HANDOFF_LIMITS.fileBytes} are read` };
    if (text.includes('\ufffd')) return { problem: 'is not UTF-8 text' };
    const { mtimeMs } = await lstat(place);
    let hash: string | undefined;
    return {
      text,
      modifiedMs: mtimeMs,
      get sha256() {
        hash ??= sha256(text); // hashed on demand: few hashes are needed, and the module loads slowly
        return hash;
      },
    };
  } catch (error) {
    if (isMissing(error)) return undefined; // removed while it was read
    if (error instanceof TroupeError)
      return { problem: 'is a link, a folder, or something else that is not a regular file' };
    return { problem: `cannot be read: ${inSentence((error as Error).message)}` };
  }
}
