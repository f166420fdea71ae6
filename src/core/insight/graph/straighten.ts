import { stepTo } from './rows.js';
import type { Joint, Slot } from './scaffold.js';

/** A slot of a chain and how far its left edge lies before the column they would share. */
interface Link {
  readonly slot: Slot;
  readonly offset: number;
}

/**
 * Takes out small bends: slots that follow one another without a branch move into one column, where their neighbours leave
 * room for that. Long lines first, because a bend in them disturbs most; no slot moves twice.
 */
export function straighten(rows: readonly (readonly Slot[])[], width: number): void {
  const settled = new Set<Slot>();
  const align = (chain: readonly Link[]): boolean => {
    const free = chain.filter((link) => !settled.has(link.slot));
    const fixed = chain.find((link) => settled.has(link.slot));
    const [from, to] = common(free, rows, width);
    const wanted = fixed === undefined ? middleOf(free) : fixed.slot.x + fixed.offset;
    if (from > to || (fixed !== undefined && (wanted < from || wanted > to))) return false;
    const column = Math.max(from, Math.min(to, wanted));
    for (const { slot, offset } of free) {
      slot.x = column - offset;
      settled.add(slot);
    }
    return true;
  };
  for (const chain of chainsOf(rows)) {
    if (!align(chain)) align(chain.filter((link) => link.slot.id === undefined));
  }
}

/** Runs of slots joined one to one, those with most lines that only pass first. */
function chainsOf(rows: readonly (readonly Slot[])[]): Link[][] {
  const chains: Link[][] = [];
  const seen = new Set<Joint>();
  for (const row of rows) {
    for (const slot of row) {
      for (const joint of slot.right) {
        const chain: Link[] = [{ slot, offset: slot.below.get(joint) ?? 0 }];
        let next: Joint | undefined = joint;
        while (next !== undefined && !seen.has(next)) {
          const other = follower(chain.at(-1)?.slot ?? slot, next);
          if (other === undefined) break;
          seen.add(next);
          chain.push({ slot: other, offset: other.above.get(next) ?? 0 });
          next = other.id === undefined ? other.right[0] : undefined;
        }
        if (chain.length > 1) chains.push(chain);
      }
    }
  }
  return chains.sort((a, b) => b.length - a.length);
}

/** What goes on from a slot in one line: the only thing that follows, or the same line passing on. */
function follower(slot: Slot, joint: Joint): Slot | undefined {
  if (joint.left.length === 1 && joint.right.length === 1) return joint.right[0];
  return slot.id === undefined ? joint.right.find((other) => other.id === undefined) : undefined;
}

/** The columns all of them could share with their neighbours where they are. */
function common(links: readonly Link[], rows: readonly (readonly Slot[])[], width: number): [number, number] {
  let [from, to] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const { slot, offset } of links) {
    const row = rows[slot.row] ?? [];
    const before = row[slot.rank - 1];
    const behind = row[slot.rank + 1];
    const least = before === undefined ? 0 : before.x + stepTo(before, slot);
    const most = behind === undefined ? width - slot.breadth : behind.x - stepTo(slot, behind);
    from = Math.max(from, least + offset);
    to = Math.min(to, most + offset);
  }
  return [from, to];
}

function middleOf(links: readonly Link[]): number {
  const columns = links.map(({ slot, offset }) => slot.x + offset).sort((a, b) => a - b);
  return columns[columns.length >> 1] ?? 0;
}
