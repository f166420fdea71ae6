const FIRST_BUCKETS = 16;
const GROW_AT = 24;
const GROWTH = 4;

function hash(key: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < key.length; index++) value = Math.imul(value ^ key.charCodeAt(index), 0x01000193);
  return value >>> 0;
}

/**
 * A map whose copies are free: `freeze()` hands out the present state, and later writes copy only the bucket they touch.
 * This is what lets a reader keep a consistent view of 100,000 tasks while writers go on, at the price of one array of
 * buckets per view.
 */
export class PersistentMap<Value> {
  private buckets: (Map<string, Value> | undefined)[];
  /** Buckets this instance may write in place; all others are shared with a frozen copy. */
  private owned: Set<number> | 'all';
  private frozen = false;
  private count: number;

  /** `expected`: about how many keys will come, so that they need not be moved while they do. */
  constructor(expected = 0) {
    let buckets = FIRST_BUCKETS;
    while (buckets * GROW_AT < expected) buckets *= GROWTH;
    this.buckets = new Array<Map<string, Value> | undefined>(buckets).fill(undefined);
    this.owned = 'all';
    this.count = 0;
  }

  get size(): number {
    return this.count;
  }

  get(key: string): Value | undefined {
    return this.buckets[hash(key) & (this.buckets.length - 1)]?.get(key);
  }

  has(key: string): boolean {
    return this.buckets[hash(key) & (this.buckets.length - 1)]?.has(key) ?? false;
  }

  set(key: string, value: Value): void {
    const bucket = this.writable(key);
    const before = bucket.size;
    bucket.set(key, value);
    if (bucket.size !== before) {
      this.count++;
      if (this.count > this.buckets.length * GROW_AT) this.grow();
    }
  }

  delete(key: string): boolean {
    if (!this.has(key)) return false;
    this.writable(key).delete(key);
    this.count--;
    return true;
  }

  *keys(): IterableIterator<string> {
    for (const bucket of this.buckets) if (bucket) yield* bucket.keys();
  }

  *values(): IterableIterator<Value> {
    for (const bucket of this.buckets) if (bucket) yield* bucket.values();
  }

  /** The present state as a map of its own that nobody can write. */
  freeze(): PersistentMap<Value> {
    const copy = this.fork();
    copy.frozen = true;
    return copy;
  }

  /** A copy that can go its own way; both sides copy a bucket before they write to it. */
  fork(): PersistentMap<Value> {
    const copy = new PersistentMap<Value>();
    copy.buckets = this.buckets.slice();
    copy.count = this.count;
    copy.owned = new Set();
    this.owned = new Set();
    return copy;
  }

  private writable(key: string): Map<string, Value> {
    if (this.frozen) throw new Error('A frozen map was written');
    const index = hash(key) & (this.buckets.length - 1);
    const present = this.buckets[index];
    if (present && (this.owned === 'all' || this.owned.has(index))) return present;
    const own = new Map(present);
    this.buckets[index] = own;
    if (this.owned !== 'all') this.owned.add(index);
    return own;
  }

  private grow(): void {
    const old = this.buckets;
    this.buckets = new Array<Map<string, Value> | undefined>(old.length * GROWTH).fill(undefined);
    this.owned = 'all';
    for (const bucket of old) {
      if (!bucket) continue;
      for (const [key, value] of bucket) {
        const index = hash(key) & (this.buckets.length - 1);
        let target = this.buckets[index];
        if (!target) {
          target = new Map();
          this.buckets[index] = target;
        }
        target.set(key, value);
      }
    }
  }
}
