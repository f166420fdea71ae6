import { drawComponent } from '#core/insight/graph/component.js';
import { cellsOf } from '#kernel/cells.js';
import { glyphsFor } from './glyphs.js';
import type { DrawingOptions, Line, Picture } from './picture.js';
import { connectedParts } from './picture.js';

/** Minimum width of a drawing; a narrower terminal gets lines of this width. */
const WIDTH_LEAST = 24;
const GAP = 3;

/** Draws boxes in layers from top to bottom, with edges as lines. Unconnected parts are placed side by side. */
export function drawGraph(picture: Picture, options: DrawingOptions): Line[] {
  const width = Math.max(WIDTH_LEAST, options.width);
  const glyphs = glyphsFor(options.unicode);
  const shelves: { parts: { lines: readonly Line[]; x: number }[]; used: number; alone: boolean }[] = [];
  for (const part of connectedParts(picture)) {
    const lines = drawComponent(part, glyphs, { ...options, width });
    const breadth = lines.reduce((most, line) => Math.max(most, breadthOf(line)), 0);
    const alone = part.nodes.length === 1;
    const last = shelves.at(-1);
    if (last && last.alone === alone && last.used + GAP + breadth <= width) {
      last.parts.push({ lines, x: last.used + GAP });
      last.used += GAP + breadth;
    } else shelves.push({ parts: [{ lines, x: 0 }], used: breadth, alone });
  }
  return shelves.flatMap((shelf, index) => [...(index === 0 ? [] : [[]]), ...sideBySide(shelf.parts)]);
}

function sideBySide(parts: readonly { lines: readonly Line[]; x: number }[]): Line[] {
  const height = parts.reduce((most, { lines }) => Math.max(most, lines.length), 0);
  return Array.from({ length: height }, (_, y) => {
    const line: { text: string }[] = [];
    let used = 0;
    for (const { lines, x } of parts) {
      const piece = lines[y];
      if (piece === undefined || piece.length === 0) continue;
      if (x > used) line.push({ text: ' '.repeat(x - used) });
      line.push(...piece);
      used = x + breadthOf(piece);
    }
    return line;
  });
}

function breadthOf(line: Line): number {
  return line.reduce((sum, { text }) => sum + cellsOf(text), 0);
}
