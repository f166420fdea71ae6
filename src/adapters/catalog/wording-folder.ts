import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseWording, WORDING_NAMES, type Wording } from '#core/runs/prompt-wording.js';
import { TroupeError } from '#kernel/errors.js';
import type { WordingSource } from '#ports/prompt-sources.js';

/** Wording from a folder of Markdown files, read on first use. */
export class WordingFolder implements WordingSource {
  private readonly folder: string;
  private wording: Promise<Wording> | undefined;

  /** `folder` is the absolute path of `data/prompts`. */
  constructor(folder: string) {
    this.folder = folder;
  }

  load(): Promise<Wording> {
    this.wording ??= this.read();
    return this.wording;
  }

  private async read(): Promise<Wording> {
    const texts = await Promise.all(WORDING_NAMES.map(async (name) => [name, await this.text(name)] as const));
    return parseWording(new Map(texts));
  }

  private async text(name: string): Promise<string> {
    try {
      return (await readFile(path.join(this.folder, `${name}.md`), 'utf8')).replaceAll('\r\n', '\n');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
      throw new TroupeError('unreadable', { what: `data/prompts/${name}.md cannot be read.`, cause: error });
    }
  }
}
