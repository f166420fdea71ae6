import { constants, createReadStream, lstatSync } from 'node:fs';
import { type FileHandle, open, readFile, rename, rm } from 'node:fs/promises';
import { StringDecoder } from 'node:string_decoder';
import { LIMITS } from '#kernel/limits.js';
import { Redactor } from '#kernel/secrets.js';
import { CappedFile } from './capped-file.js';

const NOTE = '\n[the rest of the output is not kept]\n';

/**
 * Takes the secrets out of what a command printed, once it is over, and what is beyond the bound of such a file: its shell
 * wrote it as it came. A file that has none of either is left alone; links and whatever else is no file, too.
 */
export async function cleanOutput(file: string): Promise<void> {
  if (lstatSync(file, { throwIfNoEntry: false })?.size === 0) return; // most commands say nothing: spared opening it
  const found = await openPlain(file);
  if (found === undefined) return;
  try {
    const { size } = await found.stat();
    if (size === 0 || (size <= LIMITS.redactorHeldCharacters && !(await holdsSecret(found)))) return;
    const draft = `${file}.draft`;
    await rm(draft, { force: true });
    const written = await open(draft, 'wx', 0o600);
    try {
      const kept = new CappedFile(written.fd, LIMITS.outputBytes, NOTE);
      const redactor = new Redactor();
      const decoder = new StringDecoder('utf8');
      for await (const piece of createReadStream('', { fd: found.fd, start: 0, autoClose: false })) {
        if (kept.full) break;
        kept.write(redactor.push(decoder.write(piece as Buffer)));
      }
      if (!kept.full) kept.write(redactor.push(decoder.end()) + redactor.end());
    } finally {
      await written.close();
    }
    await rename(draft, file);
  } finally {
    await found.close();
  }
}

async function holdsSecret(file: FileHandle): Promise<boolean> {
  const text = (await readFile(file)).toString('utf8');
  const redactor = new Redactor();
  return redactor.push(text) + redactor.end() !== text;
}

async function openPlain(file: string): Promise<FileHandle | undefined> {
  try {
    const opened = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if ((await opened.stat()).isFile()) return opened;
    await opened.close();
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP' || code === 'ENXIO') return undefined;
    throw error;
  }
}
