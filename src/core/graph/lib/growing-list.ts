/**
 * Immutable list with cheap append: copies share one array, and each stores its own length. Otherwise a task with
 * 100,000 dependents would copy its list on each append.
 */
export class GrowingList {
  private readonly shared: string[];
  readonly length: number;

  constructor(values: string[], length = values.length) {
    this.shared = values;
    this.length = length;
  }

  /** Only the longest copy can grow in place; a shorter one copies first. */
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
