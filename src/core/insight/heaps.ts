import { numberAt } from '#kernel/numbers.js';

/** Priority queue of numbers, ordered by `compare`; the order of a queued number must not change. */
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

  first(): number | undefined {
    return this.items[0];
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

/** Queue of timed events, earliest first; simultaneous events in the order of insertion. */
export class EventQueue<Value> {
  private readonly events = new Map<number, { readonly at: number; readonly value: Value }>();
  private readonly heap = new NumberHeap((left, right) => this.at(left) - this.at(right) || left - right);
  private added = 0;

  nextAt(): number | undefined {
    const first = this.heap.first();
    return first === undefined ? undefined : this.at(first);
  }

  add(at: number, value: Value): void {
    this.events.set(this.added, { at, value });
    this.heap.push(this.added++);
  }

  /** Removes and yields all events up to this time. */
  *take(now: number): Iterable<Value> {
    for (let next = this.heap.first(); next !== undefined && this.at(next) <= now; next = this.heap.first()) {
      this.heap.pop();
      const event = this.events.get(next);
      this.events.delete(next);
      if (event !== undefined) yield event.value;
    }
  }

  private at(number: number): number {
    return this.events.get(number)?.at ?? Number.POSITIVE_INFINITY;
  }
}
