/**
 * `.claude/roles/` and the logs of the lanes on disk: read without following a link, written only where nobody changed
 * them meanwhile.
 * @packageDocumentation
 */
import { lstat, mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { folderTexts } from '#adapters/disk/folder-texts.js';
import { makePersonalFolder } from '#adapters/disk/personal-folder.js';
import { isMissing } from '#adapters/disk/plain-files.js';
import { writeWholeIf } from '#adapters/disk/whole-file.js';
import { refuseWrite } from '#core/lanes/judge-write.js';
import { LANES, type RoleProblem } from '#core/lanes/lane.js';
import { logFile, ROLES_FOLDER } from '#core/lanes/role-paths.js';
import type { RoleWriter } from '#core/lanes/writers.js';
import { systemClock } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import { cut, inert } from '#kernel/text.js';
import type { Processes } from '#ports/processes.js';
import type { RoleChange, RoleFiles, RoleFolder, RoleTexts } from '#ports/role-files.js';

export interface RolePlace {
  /** The root of the repository, absolute. Nothing outside of it is read or written. */
  readonly project: string;
  /** The file that tells who writes, absolute; not in the repository, as all of `.claude/` is for version control. */
  readonly lock: string;
  readonly processes: Processes;
}

/** The RoleFiles port on this machine's disk. Keeps nothing in memory. */
export class ClaudeRoleFolder implements RoleFiles {
  private readonly place: RolePlace;

  constructor(place: RolePlace) {
    this.place = place;
  }

  async read(): Promise<RoleFolder> {
    const texts = new Map<string, string>();
    const problems: RoleProblem[] = [];
    for (const [folder, names] of await this.files(problems)) {
      for await (const { name, text } of folderTexts(
        path.join(this.place.project, folder),
        names,
        LIMITS.roleFileBytes,
      )) {
        const file = `${folder}/${name}`;
        const wrong = typeof text === 'string' ? await this.wrongBytes(file, text) : wrongFile(text);
        if (typeof text === 'string' && wrong === undefined) texts.set(file, text);
        else problems.push(problem(file, wrong ?? 'is not read'));
      }
    }
    return { texts, problems };
  }

  async write<Result>(writer: RoleWriter, change: (texts: RoleTexts) => RoleChange<Result>): Promise<Result> {
    return await this.writeLocked(writer, change, () => false);
  }

  async writeUnlessBusy<Result>(writer: RoleWriter, change: (texts: RoleTexts) => RoleChange<Result>): Promise<Result> {
    return await this.writeLocked(writer, change, () => true);
  }

  private async writeLocked<Result>(
    writer: RoleWriter,
    change: (texts: RoleTexts) => RoleChange<Result>,
    stopWaiting: () => boolean,
  ): Promise<Result> {
    const lock = this.place.processes.lock(this.place.lock, systemClock);
    makePersonalFolder(path.dirname(this.place.lock));
    await lock.acquire(stopWaiting);
    try {
      return await this.writeAlone(writer, change);
    } finally {
      lock.release();
    }
  }

  /** Nobody of ours writes meanwhile, but editors and git do as they like: so each file is compared right before it is replaced. */
  private async writeAlone<Result>(
    writer: RoleWriter,
    change: (texts: RoleTexts) => RoleChange<Result>,
  ): Promise<Result> {
    for (let attempt = 0; attempt < LIMITS.roleWriteTries; attempt++) {
      const { texts, problems } = await this.read();
      const { texts: wanted, result } = change(texts);
      const changed = [...wanted].filter(([file, text]) => texts.get(file) !== text);
      for (const [file, text] of changed) {
        const unread = problems.find((each) => each.file === file || file.startsWith(`${each.file}/`));
        if (unread)
          throw new TroupeError('unsafe_path', { what: `${unread.file} ${unread.text} Nothing was changed.` });
        refuseWrite(writer, file, texts.get(file), text);
      }
      let written = 0;
      for (const [file, text] of changed) {
        if (!(await this.replace(file, texts.get(file), text))) break;
        written += 1;
      }
      if (written === changed.length) return result;
    }
    throw new TroupeError('roles_conflict');
  }

  private async replace(file: string, before: string | undefined, text: string): Promise<boolean> {
    const target = await this.targetOf(file);
    const mode = before === undefined ? 0o666 : (await lstat(target)).mode & 0o777;
    const isAsRead = async () => (await bytesOf(target))?.equals(Buffer.from(before ?? '')) ?? before === undefined;
    return await writeWholeIf(target, text, mode, isAsRead);
  }

  /** Where a file lies, its folders made; `unsafe_path` for what is a link on the way or leads out. */
  private async targetOf(file: string): Promise<string> {
    const parts = file.split('/');
    if (parts.some((part) => part === '' || part === '.' || part === '..' || part.includes('\0'))) throw unsafe(file);
    let current = this.place.project;
    for (const [index, part] of parts.entries()) {
      current = path.join(current, part);
      const isLast = index === parts.length - 1;
      const kind = await kindOf(current);
      if (kind === undefined && !isLast) await mkdir(current);
      else if (kind !== undefined && kind !== (isLast ? 'file' : 'folder')) throw unsafe(file);
    }
    return current;
  }

  /** The folders to read, with the names of their files. */
  private async files(problems: RoleProblem[]): Promise<[folder: string, names: readonly string[]][]> {
    const folders: [string, readonly string[]][] = [];
    if (await this.isFolder(ROLES_FOLDER, problems)) {
      const names = (await readdir(path.join(this.place.project, ROLES_FOLDER)))
        .filter((name) => name.endsWith('.md'))
        .sort();
      if (names.length > LIMITS.roleFiles)
        problems.push(problem(ROLES_FOLDER, `holds ${names.length} files: the first ${LIMITS.roleFiles} are read.`));
      folders.push([ROLES_FOLDER, names.slice(0, LIMITS.roleFiles)]);
    }
    for (const log of LANES.map(logFile)) {
      const folder = path.posix.dirname(log);
      if (await this.isFolder(folder, problems)) folders.push([folder, [path.posix.basename(log)]]);
    }
    return folders;
  }

  private async isFolder(folder: string, problems: RoleProblem[]): Promise<boolean> {
    let current = '';
    for (const part of folder.split('/')) {
      current = current === '' ? part : `${current}/${part}`;
      const kind = await kindOf(path.join(this.place.project, current));
      if (kind === 'folder') continue;
      if (kind !== undefined && !problems.some(({ file }) => file === current))
        problems.push(problem(current, 'is a link or not a folder: nothing below it is read.'));
      return false;
    }
    return true;
  }

  /** Text that is no UTF-8 could not be written back as it was. */
  private async wrongBytes(file: string, text: string): Promise<string | undefined> {
    if (!text.includes('\uFFFD')) return undefined;
    const bytes = await bytesOf(path.join(this.place.project, file));
    return bytes?.equals(Buffer.from(text)) ? undefined : 'is not UTF-8 text: it is left alone.';
  }
}

function wrongFile(answer: number | TroupeError): string {
  if (typeof answer === 'number') return `has ${answer} bytes: at most ${LIMITS.roleFileBytes} are read.`;
  return answer.code === 'unsafe_path' ? 'is a link or not a regular file: it is left alone.' : 'cannot be read.';
}

function problem(file: string, text: string): RoleProblem {
  return { file: cut(inert(file), 200), line: 1, severity: 'error', text };
}

async function kindOf(file: string): Promise<'file' | 'folder' | 'other' | undefined> {
  try {
    const stats = await lstat(file);
    return stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other';
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function bytesOf(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function unsafe(file: string): TroupeError {
  return new TroupeError('unsafe_path', {
    what: `${cut(inert(file), 200)} is not a regular file of this repository: nothing was changed.`,
  });
}
