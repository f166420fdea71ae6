import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { firstBytes } from '#adapters/disk/first-bytes.js';
import { LINK_REFUSED } from '#adapters/disk/plain-files.js';
import { rejectionIn } from '#adapters/disk/unreadable-data.js';
import { TroupeError } from '#kernel/errors.js';
import { FROM_PROJECT, GRAPH_FOLDER } from '#kernel/graph-folder.js';
import { sha256 } from '#kernel/hash.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { inSentence } from '#kernel/text.js';
import type { ExecutorFile, ExecutorFiles, ListedExecutor } from '#ports/executor-files.js';

const FOLDER = FROM_PROJECT.executors;
const NAME = /^[a-z][a-z0-9_-]{0,39}$/;

/**
 * `.workgraph/executors/` of one project. Only regular files up to a size limit are read; links anywhere in the path
 * are refused.
 */
export class ExecutorFolder implements ExecutorFiles {
  private readonly project: string;

  /** `project` is the absolute path of the folder that holds `.workgraph/`. */
  constructor(project: string) {
    this.project = project;
  }

  async list(): Promise<ListedExecutor[]> {
    const listed: ListedExecutor[] = [];
    for (const name of await this.names()) {
      try {
        const definition = await this.read(name);
        if (definition) listed.push(definition);
      } catch (error) {
        if (!(error instanceof TroupeError)) throw error;
        listed.push({ name, file: fileOf(name), error });
      }
    }
    return listed;
  }

  async read(name: string): Promise<ExecutorFile | undefined> {
    if (!NAME.test(name) || !(await this.folderIsOurs())) return undefined;
    const file = fileOf(name);
    const bytes = await readPlain(path.join(this.project, file), file);
    if (bytes === undefined) return undefined;
    return { name, file, sha256: sha256(bytes), value: await parseToml(textOf(bytes, file), file) };
  }

  private async names(): Promise<string[]> {
    if (!(await this.folderIsOurs())) return [];
    const files = await readdir(path.join(this.project, FOLDER));
    const names = files.filter((name) => name.endsWith('.toml')).map((name) => name.slice(0, -'.toml'.length));
    return names
      .filter((name) => NAME.test(name))
      .sort()
      .slice(0, TEAM_LIMITS.executorsListed);
  }

  /**
   * Returns false if the folder does not exist. Refuses a link in its place: even a committed one could point anywhere.
   * Errors: `unsafe_path`, `unreadable`.
   */
  private async folderIsOurs(): Promise<boolean> {
    for (const name of [GRAPH_FOLDER, FOLDER]) {
      const stats = await lstat(path.join(this.project, name)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
        throw new TroupeError('unreadable', { what: `${name} cannot be accessed.`, cause: error });
      });
      if (stats === undefined) return false;
      if (stats.isSymbolicLink()) throw new TroupeError('unsafe_path', { what: `${name} is a link.` });
      if (!stats.isDirectory()) return false;
    }
    return true;
  }
}

function fileOf(name: string): string {
  return path.join(FOLDER, `${name}.toml`);
}

async function readPlain(full: string, name: string): Promise<Buffer | undefined> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(full, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (!(await handle.stat()).isFile())
      throw new TroupeError('unsafe_path', { what: `${name} is not a regular file.` });
    const { bytes, more } = await firstBytes(handle, TEAM_LIMITS.executorFileBytes);
    if (!more) return bytes;
    throw new TroupeError('too_large', { what: `${name} is larger than ${TEAM_LIMITS.executorFileBytes} bytes.` });
  } catch (error) {
    if (error instanceof TroupeError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (LINK_REFUSED.has(code)) throw new TroupeError('unsafe_path', { what: `${name} is a link.` });
    throw new TroupeError('unreadable', { what: `${name} cannot be read.`, cause: error });
  } finally {
    await handle?.close();
  }
}

/**
 * Decodes UTF-8 strictly: with invalid bytes, the text shown would differ from the text that runs. Errors:
 * `bad_executor`.
 */
function textOf(bytes: Buffer, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new TroupeError('bad_executor', { what: `${file}: it is not UTF-8.`, details: { file }, cause });
  }
}

const DEPTH_MOST = 8;

/** Parses the file of an executor strictly. Errors: `bad_executor` with file and line. */
async function parseToml(text: string, file: string): Promise<unknown> {
  const { strictToml } = await import('#adapters/disk/strict-toml.js');
  if (text.includes('\ufeff')) throw refused(file, undefined, 'it contains characters that are not allowed in TOML');
  try {
    return strictToml(text, DEPTH_MOST);
  } catch (error) {
    const rejection = rejectionIn(error);
    throw refused(file, rejection.line, rejection.message);
  }
}

function refused(file: string, line: number | undefined, problem: string): TroupeError {
  const place = line === undefined ? file : `${file}:${line}`;
  return new TroupeError('bad_executor', {
    what: `${place}: ${inSentence(problem)}`,
    details: { file, ...(line === undefined ? {} : { line }) },
  });
}
