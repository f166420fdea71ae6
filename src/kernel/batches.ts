interface Waiting<Item, Answer> {
  readonly item: Item;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Work that costs about the same for one as for many: what comes in together is done together, and what comes while that is under way waits
 * for the next time.
 */
export class Batches<Item, Answer> {
  private queue: Waiting<Item, Answer>[] = [];
  private pumping: Promise<void> | undefined;
  private readonly work: (items: readonly Item[]) => Promise<readonly Answer[]>;
  private readonly most: number;

  /** `work` answers each of up to `most` items in their order; what it throws all of them are told. */
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
