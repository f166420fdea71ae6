import { compareText } from '#kernel/order.js';

const CHUNK_MOST = 512;

/** Something that has its place by a number, and by its id among those of the same number. */
export interface PlacedId {
  readonly at: number;
  readonly id: string;
}

interface Chunk {
  readonly owner: object;
  readonly items: PlacedId[];
}

/**
 * Ids in the order of a number, whose copies are nearly free: both sides duplicate the piece that they write to. To add or remove one costs
 * the logarithm of how many there are, and to read the first ones no more than what is read.
 */
export class OrderedIds {
  private chunks: Chunk[] = [];
  /** Stands for one life between two copies: only what carries it may be written in place. */
  private owner: object = {};

  constructor(items: Iterable<PlacedId> = []) {
    const { owner } = this;
    const sorted = [...items].sort(compare);
    for (let first = 0; first < sorted.length; first += CHUNK_MOST / 2)
      this.chunks.push({ owner, items: sorted.slice(first, first + CHUNK_MOST / 2) });
  }

  /** A copy that can go its own way. */
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

  /** Nothing where it is not there. */
  remove(item: PlacedId): void {
    const index = this.chunkOf(item);
    const found = this.chunks[index]?.items ?? [];
    const place = placeOf(found, item);
    if (found[place]?.id !== item.id) return;
    const { items } = this.writable(index);
    items.splice(place, 1);
    if (items.length === 0) this.chunks.splice(index, 1);
  }

  /** In order; with `after`, those whose number is greater. */
  *ids(after = Number.NEGATIVE_INFINITY): IterableIterator<string> {
    const begin = { at: after, id: '\uffff' };
    let isThere = after === Number.NEGATIVE_INFINITY;
    for (let index = isThere ? 0 : Math.max(0, this.chunkOf(begin)); index < this.chunks.length; index++)
      for (const { at, id } of this.chunks[index]?.items ?? []) {
        isThere ||= at > after;
        if (isThere) yield id;
      }
  }

  /** The last chunk that begins with this item, or with one before it; -1 where none does. */
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

/** Where an item is among others, or would be. */
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
