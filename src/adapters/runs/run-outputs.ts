import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { RunFolders } from '#ports/run-folders.js';
import { RunFolder } from './run-folder.js';

/** Reads what runs printed from their folders. */
export class FileRunFolders implements RunFolders {
  private readonly agentsFolder: string;

  constructor(agentsFolder: string) {
    this.agentsFolder = agentsFolder;
  }

  async outputTail(runId: string, maxBytes: number): Promise<{ text: string; size: number } | undefined> {
    if (!/^agent-\d{1,9}$/.test(runId)) return undefined;
    let descriptor: number;
    try {
      descriptor = openSync(new RunFolder(this.agentsFolder, runId).output, 'r');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
    try {
      const size = fstatSync(descriptor).size;
      const data = Buffer.alloc(Math.min(size, maxBytes));
      const read = readSync(descriptor, data, 0, data.length, size - data.length);
      return { text: data.subarray(0, read).toString('utf8'), size };
    } finally {
      closeSync(descriptor);
    }
  }
}
