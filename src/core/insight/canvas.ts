import { graphemes, isPlain } from '#kernel/cells.js';
import { DOWN, type Glyphs, LEFT, RIGHT, UP } from './glyphs.js';
import type { Line, Segment, Tone } from './picture.js';

interface Crossing {
  /** Nets with a vertical and with a horizontal line here. */
  readonly upright: number | undefined;
  readonly level: number | undefined;
  readonly arms: number;
  readonly tone: Tone;
}

/** A character; the second cell of a wide one holds an empty text. */
interface Text {
  readonly text: string;
  readonly tone: Tone | undefined;
}

type Cell = Crossing | Text;

const UPRIGHT = UP | DOWN;
const LEVEL = LEFT | RIGHT;

/**
 * Grid of cells for lines and text. Lines of one net join where they meet; lines of different nets may only cross, and
 * there the vertical one is drawn through: an interrupted horizontal line passes below it.
 */
export class Canvas {
  /** Nets that touched other nets where this is not allowed. Must be empty in a valid drawing. */
  readonly clashes = new Set<number>();
  private readonly rows: (Cell | undefined)[][] = [];
  private readonly texts = new Map<Tone | undefined, Map<string, Text>>();
  private readonly glyphs: Glyphs;

  constructor(glyphs: Glyphs) {
    this.glyphs = glyphs;
  }

  /** Writes text; lines that reach it end there. */
  write(x: number, y: number, segments: Line): void {
    const row = this.row(y);
    let at = x;
    for (const { text, tone } of segments) {
      if (isPlain(text)) {
        for (const sign of text) row[at++] = this.cell(sign, tone);
        continue;
      }
      for (const letter of graphemes(text)) {
        row[at] = { text: letter.text, tone };
        for (let covered = 1; covered < letter.cells; covered++) row[at + covered] = { text: '', tone };
        at += letter.cells;
      }
    }
  }

  /** Returns a shared cell, because most cells are equal. */
  private cell(text: string, tone: Tone | undefined): Text {
    const alike = this.texts.get(tone) ?? new Map<string, Text>();
    this.texts.set(tone, alike);
    const cell = alike.get(text) ?? { text, tone };
    alike.set(text, cell);
    return cell;
  }

  upright(net: number, x: number, from: number, to: number, tone: Tone): void {
    for (let y = Math.min(from, to); y <= Math.max(from, to); y++) {
      const arms = (y > Math.min(from, to) ? UP : 0) | (y < Math.max(from, to) ? DOWN : 0);
      this.draw(net, x, y, arms, tone);
    }
  }

  level(net: number, y: number, from: number, to: number, tone: Tone): void {
    for (let x = Math.min(from, to); x <= Math.max(from, to); x++) {
      const arms = (x > Math.min(from, to) ? LEFT : 0) | (x < Math.max(from, to) ? RIGHT : 0);
      this.draw(net, x, y, arms, tone);
    }
  }

  lines(): Line[] {
    return this.rows.map((row) => this.composed(row));
  }

  private draw(net: number, x: number, y: number, arms: number, tone: Tone): void {
    const row = this.row(y);
    const before = row[x];
    if (before !== undefined && 'text' in before) return;
    const upright = (arms & UPRIGHT) === 0 ? before?.upright : net;
    const level = (arms & LEVEL) === 0 ? before?.level : net;
    const occupied = (owner: number | undefined, now: number | undefined) => owner !== undefined && owner !== now;
    if (occupied(before?.upright, upright) || occupied(before?.level, level)) this.clashes.add(net);
    const under = before !== undefined && (arms & UPRIGHT) === 0;
    row[x] = { upright, level, arms: (before?.arms ?? 0) | arms, tone: under ? before.tone : tone };
  }

  private row(y: number): (Cell | undefined)[] {
    while (this.rows.length <= y) this.rows.push([]);
    return this.rows[y] ?? [];
  }

  private composed(row: readonly (Cell | undefined)[]): Segment[] {
    const segments: { text: string; tone?: Tone }[] = [];
    const add = (text: string, tone: Tone | undefined) => {
      const last = segments.at(-1);
      if (last && last.tone === tone) last.text += text;
      else segments.push({ text, ...(tone === undefined ? {} : { tone }) });
    };
    for (let x = 0; x < row.length; x++) {
      const cell = row[x];
      if (cell === undefined) add(' ', undefined);
      else if ('text' in cell) add(cell.text, cell.tone);
      else add(this.glyphs.arms[this.armsOf(cell)] ?? ' ', cell.tone);
    }
    return segments;
  }

  private armsOf({ upright, level, arms }: Crossing): number {
    if (upright === undefined || level === undefined || upright === level) return arms;
    if (arms !== (UPRIGHT | LEVEL)) this.clashes.add(level);
    return UPRIGHT;
  }
}
