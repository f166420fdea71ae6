import { promisify } from 'node:util';
import { nodeLine } from '#core/graph/line.js';
import type { GraphState } from '#core/graph/state.js';

const CHARACTERS_A_SLICE = 1024 * 1024;

/** A picture of the graph, packed as its base: first what else is remembered, then the nodes as in the snapshot. */
export async function packedBase(picture: GraphState, lastId: string | undefined): Promise<Buffer> {
  const slices: Buffer[] = [];
  let text = '';
  for (const line of baseText(picture, lastId)) {
    text += line;
    if (text.length < CHARACTERS_A_SLICE) continue;
    slices.push(Buffer.from(text));
    text = '';
    await new Promise((resolve) => setImmediate(resolve)); // the service goes on answering
  }
  return gzip(Buffer.concat([...slices, Buffer.from(text)]));
}

/** Packs beside this thread. Loaded on use: most commands never meet what is packed. */
export function gzip(data: Buffer): Promise<Buffer> {
  return promisify(process.getBuiltinModule('node:zlib').gzip)(data);
}

function* baseText(state: GraphState, lastId: string | undefined): Iterable<string> {
  const { seq, lastRun: last_run } = state;
  yield `${JSON.stringify({ kind: 'base', seq, last_id: lastId, last_run, retired: [...state.retiredIds()] })}\n`;
  for (const node of state.nodesById()) yield `${nodeLine(node)}\n`;
}
