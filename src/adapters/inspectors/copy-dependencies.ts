import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, readdir, readlink, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { isInside } from '#kernel/paths.js';

export interface CopyOutcome {
  readonly files: number;
  readonly bytes: number;
  /** Links that were left out because they point outside the copy. */
  readonly linksLeftOut: number;
  /** Reason why the copy was abandoned and removed. */
  readonly refused?: string;
}

export interface CopyBounds {
  readonly files: number;
  readonly bytes: number;
  readonly timeMs: number;
}

/**
 * Copies a folder of installed dependencies. Programs that run in the copy cannot write to the original: contents are
 * copied (copy-on-write where the file system supports it), never linked. A relative link inside `targetTop` is
 * recreated. A link into the original project or elsewhere outside is left out, except the interpreter link of a Python
 * environment.
 */
export async function copyDependencies(
  sourceTop: string,
  targetTop: string,
  name: string,
  bounds: CopyBounds = {
    files: SURFACE_LIMITS.copyFiles,
    bytes: SURFACE_LIMITS.copyBytes,
    timeMs: SURFACE_LIMITS.copyMs,
  },
): Promise<CopyOutcome> {
  const copy = new Copy(sourceTop, targetTop, bounds);
  try {
    await copy.folder(name);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (!(error instanceof TooMuch) && code === undefined) throw error;
    await rm(path.join(targetTop, name), { recursive: true, force: true });
    const refused = error instanceof TooMuch ? error.message : `copying failed (${code})`;
    return { files: 0, bytes: 0, linksLeftOut: 0, refused };
  }
  return { files: copy.files, bytes: copy.bytes, linksLeftOut: copy.linksLeftOut };
}

class TooMuch extends Error {}

class Copy {
  files = 0;
  bytes = 0;
  linksLeftOut = 0;
  private readonly sourceTop: string;
  private readonly targetTop: string;
  private readonly bounds: CopyBounds;
  private readonly deadline: number;

  constructor(sourceTop: string, targetTop: string, bounds: CopyBounds) {
    this.sourceTop = sourceTop;
    this.targetTop = targetTop;
    this.bounds = bounds;
    this.deadline = performance.now() + bounds.timeMs;
  }

  async folder(name: string): Promise<void> {
    await mkdir(path.join(this.targetTop, name), { recursive: true });
    const entries = await readdir(path.join(this.sourceTop, name), { withFileTypes: true });
    const files = [];
    for (const entry of entries) {
      const below = path.join(name, entry.name);
      if (entry.isSymbolicLink()) await this.link(below);
      else if (entry.isFile()) files.push(below);
      else if (entry.isDirectory()) await this.folder(below);
    }
    for (let index = 0; index < files.length; index += SURFACE_LIMITS.copiesAtOnce) {
      await Promise.all(files.slice(index, index + SURFACE_LIMITS.copiesAtOnce).map((file) => this.file(file)));
    }
  }

  private async file(name: string): Promise<void> {
    const source = path.join(this.sourceTop, name);
    const { size } = await lstat(source);
    this.files++;
    this.bytes += size;
    if (this.files > this.bounds.files) throw new TooMuch(`they are more than ${this.bounds.files} files`);
    if (this.bytes > this.bounds.bytes)
      throw new TooMuch(`they are larger than ${Math.floor(this.bounds.bytes / 1024 / 1024)} MiB`);
    if (performance.now() > this.deadline) throw new TooMuch(`copying took longer than ${this.bounds.timeMs / 1000} s`);
    await copyFile(source, path.join(this.targetTop, name), constants.COPYFILE_FICLONE);
  }

  private async link(name: string): Promise<void> {
    const to = await readlink(path.join(this.sourceTop, name));
    const folder = path.dirname(path.join(this.targetTop, name));
    // An absolute link into the original becomes relative, so it leads to the file in the copy.
    const relative =
      path.isAbsolute(to) && isInside(this.sourceTop, to)
        ? path.relative(path.dirname(path.join(this.sourceTop, name)), to)
        : to;
    const stays = !path.isAbsolute(relative) && isInside(this.targetTop, path.resolve(folder, relative));
    const interpreter = /(^|\/)\.?venv\/bin\/python[\d.]*$/.test(name) && path.isAbsolute(to);
    if (!stays && !interpreter) {
      this.linksLeftOut++;
      return;
    }
    await symlink(relative, path.join(this.targetTop, name));
  }
}
