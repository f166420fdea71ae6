import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { lstat, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import { cut, inert } from '#kernel/text.js';
import type { DrawnFormat, PictureFiles } from '#ports/picture-files.js';

/** Pictures on this machine's disk, drawn by the installed Graphviz. */
export class LocalPictureFiles implements PictureFiles {
  private readonly folder: string;
  private readonly environment: NodeJS.ProcessEnv;

  /** `folder`: where relative paths begin. */
  constructor(folder: string, environment: NodeJS.ProcessEnv) {
    this.folder = folder;
    this.environment = environment;
  }

  async write(file: string, text: string): Promise<string> {
    return this.replace(file, Buffer.from(text));
  }

  async draw(file: string, dot: string, format: DrawnFormat): Promise<string> {
    await this.placeFor(file);
    return this.replace(file, await this.drawn(dot, format));
  }

  /** A new file beside it takes its place, so that nobody ever sees half a picture and no link is followed. */
  private async replace(file: string, bytes: Buffer): Promise<string> {
    const target = await this.placeFor(file);
    const beside = path.join(
      path.dirname(target),
      `.${path.basename(target).slice(0, 100)}.${randomBytes(6).toString('hex')}`,
    );
    try {
      await writeFile(beside, bytes, { flag: 'wx' });
      await rename(beside, target);
    } catch (error) {
      await rm(beside, { force: true });
      throw error;
    }
    return target;
  }

  private async placeFor(file: string): Promise<string> {
    const target = path.resolve(this.folder, file);
    const shown = cut(inert(file), 200);
    const [own, above] = await Promise.all([look(target), look(path.dirname(target), true)]);
    if (above !== 'folder') {
      throw new TroupeError('not_found', { what: `There is no folder for ${shown}.`, hint: 'Make the folder first.' });
    }
    if (own === 'folder') {
      throw new TroupeError('bad_input', { what: `${shown} is a folder.`, hint: 'Name a file in it.' });
    }
    return target;
  }

  private drawn(dot: string, format: DrawnFormat): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const child = spawn('dot', [`-T${format}`], {
        cwd: this.folder,
        env: this.environment,
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      const late = setTimeout(() => child.kill('SIGKILL'), LIMITS.dotMs);
      const chunks: Buffer[] = [];
      let [size, said] = [0, ''];
      child.stdout.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size <= LIMITS.dotBytes) chunks.push(chunk);
        else child.kill('SIGKILL');
      });
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        said = cut(said + text, 500);
      });
      child.stdin.once('error', (error) => {
        said ||= error.message; // it stopped reading: why stands in its own words, or in how it ended
      });
      child.once('error', (error: NodeJS.ErrnoException) => {
        clearTimeout(late);
        reject(error.code === 'ENOENT' ? new TroupeError('dot_missing', { cause: error }) : error);
      });
      child.once('close', (code) => {
        clearTimeout(late);
        if (code === 0 && size <= LIMITS.dotBytes) resolve(Buffer.concat(chunks));
        else reject(new TroupeError('dot_failed', { why: reasonOf(code, size, said) }));
      });
      child.stdin.end(dot);
    });
  }
}

function reasonOf(code: number | null, size: number, said: string): string {
  if (size > LIMITS.dotBytes) return `the picture is larger than ${LIMITS.dotBytes} bytes`;
  if (code === null) return `it was ended after ${LIMITS.dotMs} ms`;
  return inert(said.trim()) || `it ended with ${code}`;
}

async function look(place: string, through = false): Promise<'folder' | 'other' | undefined> {
  try {
    const found = await lstat(through ? `${place}${path.sep}.` : place);
    return found.isDirectory() ? 'folder' : 'other';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
