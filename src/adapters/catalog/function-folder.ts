import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, link, lstat, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { firstBytes } from '#adapters/disk/first-bytes.js';
import { LINK_REFUSED } from '#adapters/disk/plain-files.js';
import { codeOf } from '#adapters/disk/safe-path.js';
import { rejectionIn } from '#adapters/disk/unreadable-data.js';
import { isIdForm } from '#core/graph/slug.js';
import type { FileContent } from '#core/playbooks/function-values.js';
import { asTroupeError, TroupeError } from '#kernel/errors.js';
import { FROM_PROJECT, layoutOf } from '#kernel/graph-folder.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { didYouMean, inSentence } from '#kernel/text.js';
import type { FunctionFile, FunctionFiles, ListedFile } from '#ports/workflow-files.js';

const FOLDER = FROM_PROJECT.functions;
const ENDING = '.yaml';

/** Functions of one project, one YAML file each. Nothing is cached. */
export class FunctionFolder implements FunctionFiles {
  private readonly project: string;

  /** `project` is the absolute path of the folder that holds `.workgraph/`. */
  constructor(project: string) {
    this.project = project;
  }

  async list(): Promise<ListedFile[]> {
    const listed: ListedFile[] = [];
    for (const id of await idsIn(this.project)) {
      try {
        listed.push({ id, file: await this.read(id) });
      } catch (error) {
        if (!(error instanceof TroupeError)) throw error;
        listed.push({ id, error });
      }
    }
    return listed;
  }

  read(id: string): Promise<FunctionFile> {
    return readIn(this.project, id);
  }

  async readFrom(from: string, id: string | undefined, inside: boolean): Promise<FunctionFile> {
    const named = await this.placeOf(from, inside);
    const target = named.id ?? id;
    if (named.kind === 'project') {
      if (target === undefined) throw new TroupeError('usage', { what: 'Name the function of that project.' });
      return readIn(named.place, target);
    }
    return { name: named.place, value: await valueIn(named.place, from) };
  }

  async parse(text: string, name: string): Promise<FunctionFile> {
    return { name, value: await parseYaml(text, name) };
  }

  async write(id: string, value: unknown, options: { force: boolean; output?: string | undefined }): Promise<string> {
    const relative = options.output ?? fileOf(id);
    const file = await pathBelow(this.project, relative);
    const { yamlText } = await import('#adapters/disk/strict-yaml.js');
    const text = yamlText(value);
    if (Buffer.byteLength(text) > TEAM_LIMITS.functionFileBytes) {
      throw new TroupeError('too_large', {
        what: `The function is larger than ${TEAM_LIMITS.functionFileBytes} bytes.`,
      });
    }
    const part = path.join(path.dirname(file), `.${randomUUID()}.part`);
    await makeFolder(path.dirname(file), relative);
    try {
      await writeFile(part, text, { flag: 'wx', flush: true });
      // Linking fails if the file exists: of two concurrent writers, one gets `function_exists`.
      await (options.force ? rename(part, file) : link(part, file));
    } catch (error) {
      if (codeOf(error) === 'EISDIR') throw noPlace(relative);
      if (codeOf(error) !== 'EEXIST') throw asTroupeError(error);
      throw new TroupeError('function_exists', { what: `${printable(relative)} exists already.`, details: { id } });
    } finally {
      await rm(part, { force: true });
    }
    return relative;
  }

  async readValues(file: string, inside: boolean): Promise<unknown> {
    const place = inside ? await pathBelow(this.project, path.relative(this.project, file)) : file;
    return await valueIn(place, file);
  }

  async readContent(file: string): Promise<FileContent> {
    try {
      const relative = path.relative(this.project, path.resolve(this.project, file));
      const place = await pathBelow(this.project, relative);
      const text = await readBounded(place, file, TEAM_LIMITS.functionValueBytes);
      return text === undefined ? { problem: `names ${printable(file)}, and there is no such file` } : { text };
    } catch (error) {
      if (!(error instanceof TroupeError)) throw error;
      return { problem: `cannot be read: ${error.message.replace(/\.$/, '')}` };
    }
  }

  /**
   * Resolves a path to a file or a project. `PATH:ID` names a function of a project, unless a file has exactly this
   * name. Errors: `not_found`.
   */
  private async placeOf(
    from: string,
    inside: boolean,
  ): Promise<{ kind: 'file' | 'project'; place: string; id?: string }> {
    const kind = await this.kindOf(from, inside);
    if (kind !== undefined) return { kind, place: from };
    const [, place, id = ''] = /^(.+):([^:/\\]+)$/.exec(from) ?? [];
    if (place && (await this.kindOf(place, inside)) === 'project') return { kind: 'project', place, id };
    throw new TroupeError('not_found', {
      what: `There is no function file and no project at ${printable(from)}.`,
      hint: 'Name a .yaml file, or a folder that holds .workgraph/.',
    });
  }

  private async kindOf(place: string, inside: boolean): Promise<'file' | 'project' | undefined> {
    if (inside) await pathBelow(this.project, path.relative(this.project, place));
    const stats = await look(place);
    if (stats?.isFile()) return 'file';
    return (await look(layoutOf(place).folder))?.isDirectory() ? 'project' : undefined;
  }
}

function fileOf(id: string): string {
  return path.join(FOLDER, `${id}${ENDING}`);
}

async function makeFolder(folder: string, relative: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    const code = codeOf(error);
    throw code === 'EEXIST' || code === 'ENOTDIR' ? noPlace(relative) : asTroupeError(error);
  }
}

function noFile(file: string): TroupeError {
  return new TroupeError('not_found', { what: `There is no file ${printable(file)}.`, hint: 'Check the path.' });
}

function noPlace(relative: string): TroupeError {
  return new TroupeError('unsafe_path', { what: `${printable(relative)} is not a valid file path.` });
}

/** Data of the file `file`; errors name it as `named`. Errors: `not_found`, and the errors of reading it. */
async function valueIn(file: string, named: string): Promise<unknown> {
  const text = await readBounded(file, named, TEAM_LIMITS.functionFileBytes);
  if (text === undefined) throw noFile(named);
  return await parseYaml(text, path.basename(file));
}

async function readIn(project: string, id: string): Promise<FunctionFile> {
  const name = fileOf(id);
  const text = isIdForm(id)
    ? await readBounded(await pathBelow(project, name), name, TEAM_LIMITS.functionFileBytes)
    : undefined;
  if (text === undefined) {
    const near = didYouMean(id.slice(0, 120), await idsIn(project));
    throw new TroupeError('unknown_function', {
      what: `There is no function ${printable(id)}.`,
      ...(near ? { hint: `Did you mean ${near}?` } : {}),
      details: { id: printable(id) },
    });
  }
  return { name, value: await parseYaml(text, name) };
}

/** Ids of the functions of a project, from their file names, sorted. */
async function idsIn(project: string): Promise<string[]> {
  const folder = await pathBelow(project, FOLDER);
  try {
    const names = await readdir(folder);
    return names
      .filter((name) => name.endsWith(ENDING) && isIdForm(name.slice(0, -ENDING.length)))
      .map((name) => name.slice(0, -ENDING.length))
      .sort()
      .slice(0, TEAM_LIMITS.functionsListed);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw new TroupeError('unreadable', { what: `${FOLDER} cannot be read.`, cause: error });
  }
}

/** Parses a function file strictly. Errors: `function_invalid` with the line of the fault. */
export async function parseYaml(text: string, name: string): Promise<unknown> {
  const { strictYaml } = await import('#adapters/disk/strict-yaml.js');
  try {
    return strictYaml(text.replace(/^\ufeff/, '')).value;
  } catch (error) {
    const rejection = rejectionIn(error);
    throw refused(name, rejection.line, rejection.message);
  }
}

function refused(name: string, line: number | undefined, problem: string): TroupeError {
  const place = inSentence(name) + (line === undefined ? '' : `:${line}`);
  return new TroupeError('function_invalid', {
    what: `${place}: ${inSentence(problem)}`,
    details: { file: inSentence(name), ...(line === undefined ? {} : { line }) },
  });
}

/**
 * The absolute path of `relative` below `top`. Errors: `unsafe_path` for a link in the path (even a committed one could
 * point outside the project), and for a path that leaves `top`; `unreadable` for a segment that cannot be accessed.
 * Segments that do not exist yet are allowed.
 */
async function pathBelow(top: string, relative: string): Promise<string> {
  const parts = relative.split(path.sep).filter((part) => part !== '' && part !== '.');
  if (parts.length === 0 || parts.includes('..') || path.isAbsolute(relative) || relative.includes('\0')) {
    throw unsafe(relative, 'is outside the project');
  }
  let current = top;
  for (const part of parts) {
    current = path.join(current, part);
    const stats = await look(current);
    if (!stats) break;
    if (stats.isSymbolicLink()) throw unsafe(relative, 'goes through a link');
  }
  return path.join(top, ...parts);
}

/** Text of a regular file; undefined if it does not exist. The size limit is checked while reading. */
async function readBounded(file: string, name: string, most: number): Promise<string | undefined> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (!(await handle.stat()).isFile()) throw unsafe(name, 'is not a regular file');
    const { bytes, more } = await firstBytes(handle, most);
    if (more) {
      throw new TroupeError('too_large', {
        what: `${printable(name)} is larger than ${most} bytes.`,
        details: { most },
      });
    }
    return bytes.toString('utf8');
  } catch (error) {
    if (error instanceof TroupeError) throw error;
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (LINK_REFUSED.has(code)) throw unsafe(name, 'is a link');
    throw new TroupeError('unreadable', { what: `${printable(name)} cannot be read.`, cause: error });
  } finally {
    await handle?.close();
  }
}

export async function look(file: string) {
  try {
    return await lstat(file);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new TroupeError('unreadable', { what: `${printable(file)} cannot be accessed.`, cause: error });
  }
}

export function printable(name: string): string {
  return inSentence(name);
}

function unsafe(name: string, why: string): TroupeError {
  return new TroupeError('unsafe_path', { what: `${printable(name)} ${why}.`, details: { path: printable(name) } });
}
