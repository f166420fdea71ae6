import { bytesOf, FENCE_BYTES, fenced } from '#kernel/fence.js';

/** What is kept free at the end of a section to say that something of it is missing. */
const NOTE_BYTES = 128;
/** A block that would show less is left out. */
const LEAST_BYTES = 64;

/** A section being written: parts of our own words and blocks of foreign text, within so many bytes. */
export class Section {
  private readonly parts: string[] = [];
  private readonly nonce: string;
  private left: number;
  private full = false;
  private anyCut = false;

  constructor(nonce: string, most: number) {
    this.nonce = nonce;
    this.left = most - NOTE_BYTES;
  }

  /** Our own words. */
  say(text: string): void {
    this.parts.push(text);
    this.left -= bytesOf(text) + 2;
  }

  /** Foreign text, at most `most` bytes of it; nothing for nothing. `label` is ours. */
  block(label: string, text: string, most: number): void {
    if (text.trim() === '' || this.full) return;
    const room = Math.min(most, this.left - FENCE_BYTES - bytesOf(label));
    if (room < Math.min(LEAST_BYTES, bytesOf(text))) {
      this.full = true;
      this.anyCut = true;
      this.parts.push('[cut: what else belongs here does not fit]');
      return;
    }
    const { text: block, cut } = fenced(this.nonce, label, text, room);
    this.anyCut ||= cut;
    this.parts.push(block);
    this.left -= bytesOf(block) + 2;
  }

  /** A list in one block, a line each, and how many there are beyond `most`. The lines are foreign text made one line. */
  list(label: string, lines: readonly string[], most: number, bytes: number): void {
    this.block(label, lines.slice(0, most).join('\n'), bytes);
    if (lines.length <= most || this.full) return;
    this.anyCut = true;
    this.say(`[cut: ${lines.length - most} more are not shown]`);
  }

  get empty(): boolean {
    return this.parts.length === 0;
  }

  get cut(): boolean {
    return this.anyCut;
  }

  get text(): string {
    return this.parts.join('\n\n');
  }
}
