import { spread } from '#core/insight/layout.js';
import { numberAt, numberOf } from '#kernel/numbers.js';
import { stepTo } from './rows.js';
import type { Joint, Scaffold, Slot } from './scaffold.js';

const SWEEPS = 20;
/** Drawings with more slots are overviews, for which fewer sweeps suffice. */
const SLOTS_MANY = 600;
const SWEEPS_MANY = 6;
/** Weights of connections: bends in long lines are the most disturbing. */
const PULL = { passing: 32, ending: 4, single: 2, shared: 1 } as const;
const LONELY = 0.001;

/** Computes the left edge of each slot in whole cells: near its neighbours, in order, within the width. */
export function placeSlots({ rows }: Scaffold, width: number): void {
  const gapsOf = rows.map((row) => row.map((slot, index) => stepTo(row[index - 1], slot)));
  rows.forEach((row, index) => {
    const still = row.map(() => ({ target: 0, weight: 1 }));
    settle(row, gapsOf[index] ?? [], still, width);
  });
  const slots = rows.reduce((sum, row) => sum + row.length, 0);
  const sweeps = slots > SLOTS_MANY ? SWEEPS_MANY : SWEEPS;
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const both = sweep >= sweeps - 2;
    const indexes = rows.map((_, index) => index);
    for (const index of sweep % 2 === 0 ? indexes : indexes.reverse()) {
      const row = rows[index] ?? [];
      const pulls = row.map((slot) => {
        const up = pullOf(slot, 'above');
        const down = pullOf(slot, 'below');
        if (both) return together(up, down) ?? { target: slot.x, weight: LONELY };
        return (sweep % 2 === 0 ? (up ?? down) : (down ?? up)) ?? { target: slot.x, weight: LONELY };
      });
      settle(row, gapsOf[index] ?? [], pulls, width);
    }
  }
  straighten(rows, width);
  const edge = Math.min(...rows.map((row) => row[0]?.x ?? 0));
  for (const row of rows) for (const slot of row) slot.x -= edge;
}

interface Pull {
  readonly target: number;
  readonly weight: number;
}

function settle(row: readonly Slot[], gaps: readonly number[], pulls: readonly Pull[], width: number): void {
  const last = row.at(-1);
  const places = spread(
    pulls.map((pull) => pull.target),
    gaps,
    pulls.map((pull) => pull.weight),
    [0, width - (last?.breadth ?? 0)],
  );
  row.forEach((slot, index) => {
    slot.x = Math.round(numberAt(places, index));
  });
}

/** Position that the lines on one side pull the slot to. */
function pullOf(slot: Slot, side: 'above' | 'below'): Pull | undefined {
  let [sum, weight] = [0, 0];
  for (const joint of side === 'above' ? slot.left : slot.right) {
    const others = pulling(slot, side === 'above' ? joint.left : joint.right);
    const own = slot[side].get(joint) ?? 0;
    let mean = 0;
    for (const other of others) {
      mean += (other.x + ((side === 'above' ? other.below : other.above).get(joint) ?? 0)) / others.length;
    }
    const strength = strengthOf(slot, joint, others);
    sum += (mean - own) * strength;
    weight += strength;
  }
  return weight === 0 ? undefined : { target: sum / weight, weight };
}

/** A passing line continues in its column, even if other lines join or leave it. */
function pulling(slot: Slot, others: readonly Slot[]): readonly Slot[] {
  const on = slot.id === undefined ? others.find((other) => other.id === undefined) : undefined;
  return on === undefined ? others : [on];
}

function strengthOf(slot: Slot, joint: Joint, others: readonly Slot[]): number {
  const single = joint.left.length === 1 && joint.right.length === 1;
  const lines = (slot.id === undefined ? 1 : 0) + (others.length === 1 && others[0]?.id === undefined ? 1 : 0);
  if (lines === 2) return PULL.passing;
  if (lines === 1) return PULL.ending;
  return single ? PULL.single : PULL.shared;
}

function together(up: Pull | undefined, down: Pull | undefined): Pull | undefined {
  if (!up || !down) return up ?? down;
  const weight = up.weight + down.weight;
  return { target: (up.target * up.weight + down.target * down.weight) / weight, weight };
}

/** A slot of a chain, and the offset from its left edge to the shared column. */
interface Link {
  readonly slot: Slot;
  readonly offset: number;
}

/**
 * Removes small bends: slots in an unbranched sequence move into one column if their neighbours leave room. Long lines
 * first, because bends in them are the most disturbing; no slot moves twice.
 */
function straighten(rows: readonly (readonly Slot[])[], width: number): void {
  const settled = new Set<Slot>();
  const align = (chain: readonly Link[]): boolean => {
    const free = chain.filter((link) => !settled.has(link.slot));
    const fixed = chain.find((link) => settled.has(link.slot));
    const [from, to] = common(free, rows, width);
    const target = fixed === undefined ? middleOf(free) : fixed.slot.x + fixed.offset;
    if (from > to || (fixed !== undefined && (target < from || target > to))) return false;
    const column = Math.max(from, Math.min(to, target));
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

/** Sequences of slots joined one to one, longest first. */
function chainsOf(rows: readonly (readonly Slot[])[]): Link[][] {
  const chains: Link[][] = [];
  const visited = new Set<Joint>();
  for (const row of rows) {
    for (const slot of row) {
      for (const joint of slot.right) {
        const chain: Link[] = [{ slot, offset: numberOf(slot.below, joint) }];
        let next: Joint | undefined = joint;
        while (next !== undefined && !visited.has(next)) {
          const other = follower(chain.at(-1)?.slot ?? slot, next);
          if (other === undefined) break;
          visited.add(next);
          chain.push({ slot: other, offset: numberOf(other.above, next) });
          next = other.id === undefined ? other.right[0] : undefined;
        }
        if (chain.length > 1) chains.push(chain);
      }
    }
  }
  return chains.sort((a, b) => b.length - a.length);
}

/** Slot that continues in one line: the only successor, or the same line passing on. */
function follower(slot: Slot, joint: Joint): Slot | undefined {
  if (joint.left.length === 1 && joint.right.length === 1) return joint.right[0];
  return slot.id === undefined ? joint.right.find((other) => other.id === undefined) : undefined;
}

/** Range of columns that all links could share without moving their neighbours. */
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
  return numberAt(columns, columns.length >> 1);
}
