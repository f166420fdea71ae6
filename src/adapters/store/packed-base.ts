import type { GraphState } from '#core/graph/state.js';
import type { PictureLines } from './picture-lines.js';

/** Compresses a graph as a base: a header with retired ids and last run number, then the nodes as in the snapshot. */
export function packedBase(picture: GraphState, { slices }: PictureLines, lastId: string | undefined): Promise<Buffer> {
  return gzip(baseText(picture, slices, lastId));
}

/** Compresses on another thread, chunk by chunk. Modules are loaded on use because most commands never compress. */
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
