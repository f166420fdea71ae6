import { numberAt } from '#kernel/numbers.js';

/** A queue of numbers that hands out the one that comes first by `compare`; a number's place must not change while it waits. */
export class NumberHeap {
  private readonly items: number[] = [];
  private readonly compare: (left: number, right: number) => number;

  constructor(compare: (left: number, right: number) => number) {
    this.compare = compare;
  }

  push(item: number): void {
    const { items } = this;
    let place = items.push(item) - 1;
    while (place > 0) {
      const above = (place - 1) >> 1;
      if (this.compare(numberAt(items, above), item) <= 0) break;
      items[place] = numberAt(items, above);
      place = above;
    }
    items[place] = item;
  }

  pop(): number | undefined {
    const { items } = this;
    const first = items[0];
    const last = items.pop();
    if (first === undefined || last === undefined || items.length === 0) return first;
    let place = 0;
    for (;;) {
      let below = 2 * place + 1;
      if (below >= items.length) break;
      if (below + 1 < items.length && this.compare(numberAt(items, below + 1), numberAt(items, below)) < 0) below++;
      if (this.compare(last, numberAt(items, below)) <= 0) break;
      items[place] = numberAt(items, below);
      place = below;
    }
    items[place] = last;
    return first;
  }
}

/** Things that happen at moments, the earliest first; at one moment in the order in which they were added. */
export class EventQueue<Value> {
  private readonly heap: { readonly at: number; readonly order: number; readonly value: Value }[] = [];
  private added = 0;

  nextAt(): number | undefined {
    return this.heap[0]?.at;
  }

  add(at: number, value: Value): void {
    const { heap } = this;
    heap.push({ at, order: this.added++, value });
    let place = heap.length - 1;
    while (place > 0) {
      const above = (place - 1) >> 1;
      if (!this.earlier(place, above)) break;
      this.swap(place, above);
      place = above;
    }
  }

  /** All that happens up to this moment. */
  *take(now: number): Iterable<Value> {
    while ((this.nextAt() ?? Number.POSITIVE_INFINITY) <= now) {
      const first = this.pop();
      if (first !== undefined) yield first;
    }
  }

  private pop(): Value | undefined {
    const { heap } = this;
    const [first] = heap;
    const last = heap.pop();
    if (first === undefined || last === undefined) return undefined;
    if (heap.length === 0) return first.value;
    heap[0] = last;
    for (let place = 0; ; ) {
      let least = place;
      for (const below of [2 * place + 1, 2 * place + 2]) {
        if (below < heap.length && this.earlier(below, least)) least = below;
      }
      if (least === place) return first.value;
      this.swap(place, least);
      place = least;
    }
  }

  private earlier(left: number, right: number): boolean {
    const [one, other] = [this.heap[left], this.heap[right]];
    if (!one || !other) return false;
    return one.at < other.at || (one.at === other.at && one.order < other.order);
  }

  private swap(left: number, right: number): void {
    const [one, other] = [this.heap[left], this.heap[right]];
    if (!one || !other) return;
    this.heap[left] = other;
    this.heap[right] = one;
  }
}
