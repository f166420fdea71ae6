import { randomUUID } from 'node:crypto';
import { link, lstat, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { boundedText, plainFolder } from '#adapters/disk/plain-files.js';
import { TroupeError } from '#kernel/errors.js';
import { PRIVATE_FILE } from '#kernel/file-modes.js';
import { layoutOf } from '#kernel/graph-folder.js';
import { sha256 } from '#kernel/hash.js';
import { parseJsonObject } from '#kernel/json.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { isInside } from '#kernel/paths.js';
import { inSentence } from '#kernel/text.js';
import type { OutputFiles, OutputOptions } from '#ports/project-files.js';

/**
 * Output files, named relative to a folder. A file that this class wrote is recognised by its hash as long as it has
 * not been changed.
 */
export class OutputFolder implements OutputFiles {
  private readonly here: string;
  private readonly project: string;

  /** `here`: the folder that names are relative to. `project`: the folder that holds `.workgraph/`, if there is one. */
  constructor(here: string, project: string) {
    this.here = here;
    this.project = project;
  }

  async refuse(named: string, within: readonly string[] | undefined): Promise<void> {
    await this.placeOf(named, within);
  }

  async write(named: string, content: string | Uint8Array, { replace, within }: OutputOptions): Promise<string> {
    const file = await this.placeOf(named, within);
    const folder = path.dirname(file);
    if (!(await isFolder(folder))) {
      throw new TroupeError('not_found', {
        what: `There is no folder for ${printable(named)}.`,
        hint: 'Create the folder first.',
      });
    }
    const draft = path.join(folder, `.${randomUUID()}.draft`);
    const bytes = Buffer.from(content);
    try {
      await writeFile(draft, bytes, { flag: 'wx', mode: PRIVATE_FILE, flush: true });
      if ((await this.placeOf(named, within)) !== file) throw unsafe(named, 'changed while it was written');
      // Linking fails if the file exists, so a file created meanwhile is never overwritten.
      if (replace || (await this.isOwn(file))) await rename(draft, file);
      else await link(draft, file);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') throw new TroupeError('file_exists', { what: `${printable(named)} already exists.` });
      if (code === 'EISDIR') {
        throw new TroupeError('bad_input', { what: `${printable(named)} is a folder.`, hint: 'Name a file in it.' });
      }
      throw error;
    } finally {
      await rm(draft, { force: true });
    }
    await this.remember(file, bytes);
    return path.resolve(this.here, named);
  }

  async writeFolder(
    named: string,
    files: ReadonlyMap<string, string>,
    { replace }: { readonly replace: boolean },
  ): Promise<string> {
    const top = await this.placeOf(named, undefined);
    const missing: (readonly [string, string])[] = [];
    for (const [name, text] of files) {
      const there = await boundedText(path.join(top, name), text.length * MOST_BYTES_A_CHARACTER);
      if (there === text) continue;
      if (there !== undefined && !replace)
        throw new TroupeError('file_exists', { what: `${printable(path.join(named, name))} already exists.` });
      missing.push([name, text]);
    }
    for (const [name, text] of missing) {
      const folder = await plainFolder(top, ...path.dirname(name).split('/'));
      const draft = path.join(folder, `.${randomUUID()}.draft`);
      try {
        await writeFile(draft, text, { flag: 'wx', flush: true });
        await rename(draft, path.join(folder, path.basename(name)));
      } finally {
        await rm(draft, { force: true });
      }
    }
    return path.resolve(this.here, named);
  }

  /** Resolves a name to its real path. The last part is not resolved, even if it is a link. */
  private async placeOf(named: string, within: readonly string[] | undefined): Promise<string> {
    const file = path.resolve(this.here, named);
    const place = path.join(await resolveExistingPath(path.dirname(file)), path.basename(file));
    const project = await resolveExistingPath(this.project);
    if (within === undefined) {
      const { folder: graph, worktrees } = layoutOf(project);
      const ours = isInside(graph, place) && !isInside(worktrees, place);
      if (ours || isInside(path.join(project, '.git'), place))
        throw unsafe(named, 'is in a folder of the graph or of git');
      return place;
    }
    for (const folder of within) {
      // A path that is a link, or leads through one, is not in the intended folder.
      const target = path.join(project, path.relative(this.project, folder));
      if (
        (await resolveExistingPath(folder)) === target &&
        isInside(target, place) &&
        !isInside(path.join(target, '.git'), place)
      )
        return place;
    }
    throw new TroupeError('not_yours', {
      what: `${printable(named)} is outside the worktree and the folder of this run.`,
      hint: 'Use a file in $WG_RUN, or leave out the name and use the printed output.',
    });
  }

  private async isOwn(file: string): Promise<boolean> {
    const hash = (await this.hashes())[file];
    if (hash === undefined || !(await lstat(file).catch(() => undefined))?.isFile()) return false;
    return hash === sha256(await readFile(file));
  }

  private get record(): string {
    return layoutOf(this.project).outputs;
  }

  private async hashes(): Promise<Record<string, unknown>> {
    return parseJsonObject(await readFile(this.record, 'utf8').catch(() => '')) ?? {};
  }

  /** Records the hash of a written file. Never throws: without the record, overwriting the file needs `--force`. */
  private async remember(file: string, bytes: Uint8Array): Promise<void> {
    const { [file]: _, ...others } = await this.hashes();
    const entries = [...Object.entries(others).slice(1 - SURFACE_LIMITS.outputsKnown), [file, sha256(bytes)]];
    const draft = `${this.record}.${randomUUID()}`;
    try {
      await writeFile(draft, `${JSON.stringify(Object.fromEntries(entries))}\n`, { flag: 'wx', mode: PRIVATE_FILE });
      await rename(draft, this.record);
    } catch {
      await rm(draft).catch(() => undefined); // there is no graph here, or its folder is read-only
    }
  }
}

/** Maximum bytes in UTF-8 per UTF-16 code unit. */
const MOST_BYTES_A_CHARACTER = 3;

/** Resolves links in the existing part of a path and appends the rest. Errors: `unsafe_path` for a broken link. */
async function resolveExistingPath(place: string): Promise<string> {
  try {
    return await realpath(place);
  } catch (error) {
    const above = path.dirname(place);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || above === place) throw error;
    if (await lstat(place).catch(() => undefined)) throw unsafe(place, 'is a broken link');
    return path.join(await resolveExistingPath(above), path.basename(place));
  }
}

async function isFolder(place: string): Promise<boolean> {
  return (await lstat(place).catch(() => undefined))?.isDirectory() === true;
}

function unsafe(named: string, why: string): TroupeError {
  return new TroupeError('unsafe_path', { what: `${printable(named)} ${why}.`, hint: 'Use a file elsewhere.' });
}

function printable(named: string): string {
  return inSentence(named);
}
