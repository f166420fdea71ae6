import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import type { RunFolders } from '#ports/run-folders.js';
import { RunFolder } from './run-folder.js';

const RUN_ID = /^agent-\d{1,9}$/;

/** Reads what runs were told and what they printed from their folders. */
export class FileRunFolders implements RunFolders {
  private readonly agentsFolder: string;

  constructor(agentsFolder: string) {
    this.agentsFolder = agentsFolder;
  }

  async outputTail(runId: string, maxBytes: number): Promise<{ text: string; size: number } | undefined> {
    if (!RUN_ID.test(runId)) return undefined;
    return read(new RunFolder(this.agentsFolder, runId).output, maxBytes, 'end');
  }

  async prompt(runId: string, maxBytes: number): Promise<string | undefined> {
    if (!RUN_ID.test(runId)) return undefined;
    return read(new RunFolder(this.agentsFolder, runId).prompt, maxBytes, 'beginning')?.text;
  }
}

/** One end of a file, undefined when there is none. What the folder of a run holds the run itself could write: no links. */
function read(file: string, maxBytes: number, part: 'beginning' | 'end'): { text: string; size: number } | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') return undefined;
    throw error;
  }
  try {
    const found = fstatSync(descriptor);
    if (!found.isFile()) return undefined;
    const { size } = found;
    const data = Buffer.alloc(Math.min(size, maxBytes));
    const read = readSync(descriptor, data, 0, data.length, part === 'end' ? size - data.length : 0);
    return { text: data.subarray(0, read).toString('utf8'), size };
  } finally {
    closeSync(descriptor);
  }
}
