const FIRST_BUCKETS = 16;
const KEYS_A_BUCKET = 24;
const GROWTH = 4;
/** Buckets per group: the first write after a copy duplicates the group, in addition to the bucket. */
const GROUP_BITS = 6;
const GROUP_SIZE = 1 << GROUP_BITS;
/** Buckets that may differ for a comparison to be worth its time, in one of so many. */
const FEW = 8;

/** Ownership token of one map between two copies: only parts with the present token may be written in place. */
type Owner = object;

interface Bucket<Value> {
  readonly owner: Owner;
  readonly entries: Map<string, Value>;
}

interface Group<Value> {
  readonly owner: Owner;
  readonly buckets: (Bucket<Value> | undefined)[];
}
type Groups<Value> = (Group<Value> | undefined)[];

/**
 * Map with cheap copies: `freeze()` returns the present state, `fork()` an independent copy, and later writes duplicate
 * only the group and the bucket that they touch. Readers can thus keep a consistent view of 100,000 tasks while writers
 * continue. A hash table in three levels: groups, buckets, entries.
 */
export class PersistentMap<Value> {
  /** Groups without entries are not allocated. */
  private groups: Groups<Value> = [];
  private bucketCount: number;
  private owner: Owner = {};
  private frozen = false;
  private count = 0;

  /** `expected`: approximate number of keys, to avoid rehashing. */
  constructor(expected = 0) {
    this.bucketCount = FIRST_BUCKETS;
    while (this.bucketCount * KEYS_A_BUCKET < expected) this.bucketCount *= GROWTH;
  }

  get size(): number {
    return this.count;
  }

  get(key: string): Value | undefined {
    return this.bucketOf(key)?.entries.get(key);
  }

  has(key: string): boolean {
    return this.bucketOf(key)?.entries.has(key) ?? false;
  }

  set(key: string, value: Value): void {
    const { entries } = this.writable(key);
    const before = entries.size;
    entries.set(key, value);
    if (entries.size === before) return;
    this.count++;
    if (this.count > this.bucketCount * KEYS_A_BUCKET) this.grow();
  }

  delete(key: string): boolean {
    if (!this.has(key)) return false;
    this.writable(key).entries.delete(key);
    this.count--;
    return true;
  }

  *keys(): IterableIterator<string> {
    for (const bucket of this.allBuckets()) yield* bucket.entries.keys();
  }

  *values(): IterableIterator<Value> {
    for (const bucket of this.allBuckets()) yield* bucket.entries.values();
  }

  /** Returns the present state as an immutable map. */
  freeze(): PersistentMap<Value> {
    const copy = this.fork();
    copy.frozen = true;
    return copy;
  }

  /** Returns an independent copy; both sides duplicate shared parts before they write to them. */
  fork(): PersistentMap<Value> {
    const copy = new PersistentMap<Value>();
    copy.groups = this.groups.slice();
    copy.bucketCount = this.bucketCount;
    copy.count = this.count;
    this.owner = {};
    return copy;
  }

  /**
   * Keys whose values are not those of an earlier copy of this map. Takes as long as there are groups and changes;
   * undefined if much has changed, or if the other map is no copy of this one.
   */
  changedSince(earlier: PersistentMap<Value>): ReadonlySet<string> | undefined {
    if (earlier.bucketCount !== this.bucketCount) return undefined;
    const changed = new Set<string>();
    let left = Math.max(GROUP_SIZE, this.bucketCount / FEW);
    for (const [at, group] of this.groups.entries()) {
      const before = earlier.groups[at];
      if (group === before) continue;
      for (let place = 0; place < GROUP_SIZE; place++) {
        const [now, then] = [group?.buckets[place]?.entries, before?.buckets[place]?.entries];
        if (now === then) continue;
        if (--left < 0) return undefined;
        for (const [key, value] of now ?? []) if (then?.get(key) !== value) changed.add(key);
        for (const key of then?.keys() ?? []) if (now?.has(key) !== true) changed.add(key);
      }
    }
    return changed;
  }

  private bucketOf(key: string): Bucket<Value> | undefined {
    const index = hash(key) & (this.bucketCount - 1);
    return this.groups[index >>> GROUP_BITS]?.buckets[index & (GROUP_SIZE - 1)];
  }

  private writable(key: string): Bucket<Value> {
    if (this.frozen) throw new Error('A frozen map was written');
    const { owner } = this;
    const index = hash(key) & (this.bucketCount - 1);
    const place = index & (GROUP_SIZE - 1);
    let group = this.groups[index >>> GROUP_BITS];
    if (group?.owner !== owner) {
      group = { owner, buckets: group?.buckets.slice() ?? [] };
      this.groups[index >>> GROUP_BITS] = group;
    }
    let bucket = group.buckets[place];
    if (bucket?.owner !== owner) {
      bucket = { owner, entries: new Map(bucket?.entries) };
      group.buckets[place] = bucket;
    }
    return bucket;
  }

  private *allBuckets(): IterableIterator<Bucket<Value>> {
    for (const group of this.groups) for (const bucket of group?.buckets ?? []) if (bucket) yield bucket;
  }

  private grow(): void {
    const old = [...this.allBuckets()];
    this.bucketCount *= GROWTH;
    this.groups = [];
    for (const bucket of old) {
      for (const [key, value] of bucket.entries) this.writable(key).entries.set(key, value);
    }
  }
}

/** FNV-1a over the code units of a key. */
function hash(key: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < key.length; index++) value = Math.imul(value ^ key.charCodeAt(index), 0x01000193);
  return value >>> 0;
}
