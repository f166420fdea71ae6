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
      if (this.compare(items[above] ?? 0, item) <= 0) break;
      items[place] = items[above] ?? 0;
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
      if (below + 1 < items.length && this.compare(items[below + 1] ?? 0, items[below] ?? 0) < 0) below++;
      if (this.compare(last, items[below] ?? 0) <= 0) break;
      items[place] = items[below] ?? 0;
      place = below;
    }
    items[place] = last;
    return first;
  }
}
