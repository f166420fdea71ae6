import { writeSync } from 'node:fs';

/** Appends to an open file up to so many bytes, then says once that the rest is missing. A full disk only takes the text. */
export class CappedFile {
  private readonly descriptor: number;
  private left: number;
  private readonly note: string;

  constructor(descriptor: number, bytes: number, note: string) {
    this.descriptor = descriptor;
    this.left = bytes - Buffer.byteLength(note);
    this.note = note;
  }

  get full(): boolean {
    return this.left <= 0;
  }

  /** Writes the whole text, or what fits of it. */
  write(text: string): void {
    if (this.full || text === '') return;
    const bytes = Buffer.from(text);
    const fits = bytes.length <= this.left;
    this.put(fits ? bytes : bytes.subarray(0, this.left));
    this.left = fits ? this.left - bytes.length : 0;
    if (!fits) this.put(Buffer.from(this.note));
  }

  /** A line is written whole or not at all. */
  line(text: string): void {
    if (this.full) return;
    if (Buffer.byteLength(text) + 1 > this.left) {
      this.left = 0;
      this.put(Buffer.from(this.note));
    } else this.write(`${text}\n`);
  }

  private put(bytes: Buffer): void {
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(this.descriptor, bytes, at);
    } catch {
      this.left = 0; // no room on the disk: the work itself goes on
    }
  }
}
