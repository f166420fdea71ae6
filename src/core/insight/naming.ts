import { STATUS_LOOK } from '#core/graph/status-look.js';
import { inert } from '#kernel/text.js';
import type { Glyphs } from './glyphs.js';
import type { DrawingOptions, PictureNode, Segment } from './picture.js';

/** The mark of a task's state, in its colour. */
export function markOf(node: PictureNode, options: DrawingOptions): Segment {
  const look = STATUS_LOOK[node.state];
  return { text: options.unicode ? look.glyph : look.ascii, tone: node.state };
}

/** What a task is called: its title, or its id where the title says nothing. */
export function nameOf(node: PictureNode): string {
  const title = inert(node.title).trim();
  return title === '' ? inert(node.id) : title;
}

/** Whether the id is the title in other letters: then it need not be said beside it. */
export function idIsPlain(node: PictureNode): boolean {
  if (node.title === node.id) return true;
  const title = node.title.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return title.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') === node.id;
}

/** `↺ (iter 1/5)` for the header of a cycle. */
export function loopMark(node: PictureNode, glyphs: Glyphs): string | undefined {
  if (!node.loop) return undefined;
  const { iteration, most } = node.loop;
  return most === undefined ? glyphs.loop : `${glyphs.loop} (iter ${iteration}/${most})`;
}
