interface Waiting<Item, Answer> {
  readonly item: Item;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Batches work whose cost hardly depends on the number of items: items added together are processed together, and items
 * added meanwhile wait for the next batch.
 */
export class Batches<Item, Answer> {
  private queue: Waiting<Item, Answer>[] = [];
  private pumping: Promise<void> | undefined;
  private readonly work: (items: readonly Item[]) => Promise<readonly Answer[]>;
  private readonly most: number;

  /**
   * `work` returns the answers to up to `most` items, in their order. If it throws, the error rejects all items of the
   * batch.
   */
  constructor(work: (items: readonly Item[]) => Promise<readonly Answer[]>, most: number) {
    this.work = work;
    this.most = most;
  }

  add(item: Item): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      this.queue.push({ item, resolve, reject });
      this.pumping ??= this.pump();
    });
  }

  private async pump(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    while (this.queue.length > 0) {
      const batch = this.queue.splice(0, this.most);
      try {
        const answers = await this.work(batch.map(({ item }) => item));
        for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.pumping = undefined;
  }
}
