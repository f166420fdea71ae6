/**
 * A list that never changes, whose copy with one more at the end is nearly free: copies share what they have in common and
 * each knows how much of it is its own. A task that 100,000 others come after would else copy the list each time.
 */
export class GrowingList {
  private readonly shared: string[];
  readonly length: number;

  constructor(values: string[], length = values.length) {
    this.shared = values;
    this.length = length;
  }

  /** Only the longest of the copies can grow in place; another one copies first. */
  with(value: string): GrowingList {
    const values = this.shared.length === this.length ? this.shared : this.values();
    values.push(value);
    return new GrowingList(values, this.length + 1);
  }

  without(value: string): GrowingList {
    return new GrowingList(this.values().filter((other) => other !== value));
  }

  values(): string[] {
    return this.shared.slice(0, this.length);
  }
}
