import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { parseJsonObject } from '#kernel/json.js';

/** One JSON object in a file of its own; no file when there is nothing to keep. */
export class JsonFile {
  private readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  read() {
    return existsSync(this.file) ? parseJsonObject(readFileSync(this.file, 'utf8')) : undefined;
  }

  write(value: object | undefined): void {
    if (value === undefined) {
      rmSync(this.file, { force: true });
      return;
    }
    writeFileSync(`${this.file}.new`, `${JSON.stringify(value)}\n`, { mode: 0o600 });
    renameSync(`${this.file}.new`, this.file);
  }
}
