/** Items that may have gone and come at one place before the rest is compared as sets. */
const AHEAD = 8;
/** The same where as many went as came, as with thousands of new runs, or where only some went or only some came. */
const FAR_AHEAD = 1_000;

interface ListChanges<Item> {
  readonly gone: readonly Item[];
  readonly come: readonly Item[];
}

/**
 * Items that only one of two lists has. For thousands of immutable items in the same order of which few were replaced:
 * they are compared without being read. Items whose order is another are in both answers.
 */
export function listChanges<Item>(earlier: readonly Item[], items: readonly Item[]): ListChanges<Item> {
  const gone: Item[] = [];
  const come: Item[] = [];
  if (earlier === items) return { gone, come };
  let [before, now] = [0, 0];
  while (before < earlier.length && now < items.length) {
    if (earlier[before] === items[now]) {
      before++;
      now++;
      continue;
    }
    const skipped = nextCommon(earlier, before, items, now);
    if (skipped === undefined) break;
    gone.push(...earlier.slice(before, before + skipped.gone));
    come.push(...items.slice(now, now + skipped.come));
    before += skipped.gone;
    now += skipped.come;
  }
  const rest = changesAsSets(earlier.slice(before), items.slice(now));
  return { gone: gone.concat(rest.gone), come: come.concat(rest.come) };
}

/** The same for lists that may have little in common. */
function changesAsSets<Item>(earlier: readonly Item[], items: readonly Item[]): ListChanges<Item> {
  if (earlier.length === 0 || items.length === 0) return { gone: earlier, come: items };
  const [had, has] = [new Set(earlier), new Set(items)];
  const stayed = items.filter((item) => had.has(item));
  const isInOrder = earlier.filter((item) => has.has(item)).every((item, at) => item === stayed[at]);
  if (!isInOrder) return { gone: earlier, come: items };
  return { gone: earlier.filter((item) => !has.has(item)), come: items.filter((item) => !had.has(item)) };
}

/** Number of items to skip in both lists up to the next common one; undefined if it is far away. */
function nextCommon<Item>(
  earlier: readonly Item[],
  before: number,
  items: readonly Item[],
  now: number,
): { readonly gone: number; readonly come: number } | undefined {
  const isCommon = (gone: number, come: number): boolean =>
    before + gone < earlier.length && now + come < items.length && earlier[before + gone] === items[now + come];
  for (let both = 1; both <= 2 * AHEAD; both++)
    for (let gone = Math.max(0, both - AHEAD); gone <= Math.min(both, AHEAD); gone++) {
      const come = both - gone;
      if (isCommon(gone, come)) return { gone, come };
    }
  for (let far = AHEAD + 1; far < FAR_AHEAD; far++) {
    if (isCommon(far, far)) return { gone: far, come: far };
    if (isCommon(far, 0)) return { gone: far, come: 0 };
    if (isCommon(0, far)) return { gone: 0, come: far };
  }
  return undefined;
}

/** Items of a list that have a property, found again only when some with it went or came. */
export class KeptFilter<Item> {
  private readonly has: (item: Item) => boolean;
  private items: readonly Item[] = [];
  private kept: readonly Item[] = [];

  constructor(has: (item: Item) => boolean) {
    this.has = has;
  }

  of(items: readonly Item[]): readonly Item[] {
    const { gone, come } = listChanges(this.items, items);
    if (gone.some(this.has) || come.some(this.has)) this.kept = items.filter(this.has);
    this.items = items;
    return this.kept;
  }
}
