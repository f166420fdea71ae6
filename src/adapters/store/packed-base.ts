import type { GraphState } from '#core/graph/state.js';
import type { PictureLines } from './picture-lines.js';

/** A picture of the graph, packed as its base: first what else is remembered, then the nodes as in the snapshot. */
export function packedBase(picture: GraphState, { slices }: PictureLines, lastId: string | undefined): Promise<Buffer> {
  return gzip(baseText(picture, slices, lastId));
}

/** Packs beside this thread, a piece at a time. Loaded on use: most commands never meet what is packed. */
export async function gzip(pieces: Iterable<string | Buffer>): Promise<Buffer> {
  const { Readable } = process.getBuiltinModule('node:stream');
  const { pipeline } = process.getBuiltinModule('node:stream/promises');
  const { createGzip } = process.getBuiltinModule('node:zlib');
  const packed: Buffer[] = [];
  await pipeline(Readable.from(pieces), createGzip(), async (parts: AsyncIterable<Buffer>) => {
    for await (const part of parts) packed.push(part);
  });
  return Buffer.concat(packed);
}

function* baseText(state: GraphState, slices: PictureLines['slices'], lastId: string | undefined): Iterable<string> {
  const { seq, lastRun: last_run } = state;
  yield `${JSON.stringify({ kind: 'base', seq, last_id: lastId, last_run, retired: [...state.retiredIds()] })}\n`;
  for (const { text } of slices) yield text;
}
