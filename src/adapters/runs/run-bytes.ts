import type { RunBytes } from '#ports/run-bytes.js';
import { bytesAfter } from './output-file.js';
import { RunFolder } from './run-folder.js';

/** Reads bytes of files in the folders of runs. */
export class FileRunBytes implements RunBytes {
  private readonly agentsFolder: string;

  constructor(agentsFolder: string) {
    this.agentsFolder = agentsFolder;
  }

  async read(run: string, of: 'output' | 'events' | 'prompt', from: number, most: number): Promise<Uint8Array> {
    return bytesAfter(new RunFolder(this.agentsFolder, run)[of], from, most);
  }
}
