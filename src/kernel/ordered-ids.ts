import { compareText } from '#kernel/order.js';

const CHUNK_MOST = 512;

/** An id ordered by a number, and by the id itself among equal numbers. */
export interface PlacedId {
  readonly at: number;
  readonly id: string;
}

interface Chunk {
  readonly owner: object;
  readonly items: PlacedId[];
}

/**
 * Ids ordered by a number, with cheap copies: copies share chunks, and a write duplicates only its chunk. Adding or
 * removing an id takes logarithmic time; iterating costs no more than the ids that are read.
 */
export class OrderedIds {
  private chunks: Chunk[] = [];
  /** Ownership token, replaced at each copy: only chunks with the present token may be written in place. */
  private owner: object = {};

  constructor(items: Iterable<PlacedId> = []) {
    const { owner } = this;
    const sorted = [...items].sort(compare);
    for (let first = 0; first < sorted.length; first += CHUNK_MOST / 2)
      this.chunks.push({ owner, items: sorted.slice(first, first + CHUNK_MOST / 2) });
  }

  /** Returns an independent copy. */
  fork(): OrderedIds {
    const copy = new OrderedIds();
    copy.chunks = this.chunks.slice();
    this.owner = {};
    return copy;
  }

  add(item: PlacedId): void {
    const index = Math.max(0, this.chunkOf(item));
    const { items } = this.writable(index);
    items.splice(placeOf(items, item), 0, item);
    if (items.length <= CHUNK_MOST) return;
    const { owner } = this;
    this.chunks.splice(index + 1, 0, { owner, items: items.splice(CHUNK_MOST / 2) });
  }

  /** No effect if the item does not exist. */
  remove(item: PlacedId): void {
    const index = this.chunkOf(item);
    const found = this.chunks[index]?.items ?? [];
    const place = placeOf(found, item);
    if (found[place]?.id !== item.id) return;
    const { items } = this.writable(index);
    items.splice(place, 1);
    if (items.length === 0) this.chunks.splice(index, 1);
  }

  /** Ids in order; with `after`, those with a greater number. */
  *ids(after = Number.NEGATIVE_INFINITY): IterableIterator<string> {
    const begin = { at: after, id: '\uffff' };
    let isThere = after === Number.NEGATIVE_INFINITY;
    for (let index = isThere ? 0 : Math.max(0, this.chunkOf(begin)); index < this.chunks.length; index++)
      for (const { at, id } of this.chunks[index]?.items ?? []) {
        isThere ||= at > after;
        if (isThere) yield id;
      }
  }

  /** Index of the last chunk whose first item is not after this item; -1 if there is none. */
  private chunkOf(item: PlacedId): number {
    let [low, high] = [0, this.chunks.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const [first] = this.chunks[middle]?.items ?? [];
      if (first !== undefined && compare(first, item) <= 0) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  private writable(index: number): Chunk {
    const { owner } = this;
    const chunk = this.chunks[index];
    if (chunk?.owner === owner) return chunk;
    const own = { owner, items: [...(chunk?.items ?? [])] };
    this.chunks[index] = own;
    return own;
  }
}

/** Index of an item, or of its insertion. */
function placeOf(items: readonly PlacedId[], item: PlacedId): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = items[middle];
    if (other !== undefined && compare(other, item) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function compare(left: PlacedId, right: PlacedId): number {
  return left.at - right.at || compareText(left.id, right.id);
}
