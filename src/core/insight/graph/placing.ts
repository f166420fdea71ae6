import { spread } from '../spread.js';
import { stepTo } from './rows.js';
import type { Joint, Scaffold, Slot } from './scaffold.js';
import { straighten } from './straighten.js';

const SWEEPS = 20;
/** A picture with more slots than this is an overview: fewer sweeps do. */
const SLOTS_MANY = 600;
const SWEEPS_MANY = 6;
/** How much a connection pulls: bends in long lines disturb most. */
const PULL = { passing: 32, ending: 4, single: 2, shared: 1 } as const;
const LONELY = 0.001;

/** Gives each slot its left edge: near its neighbours, in its order, within the width. Whole cells. */
export function placeSlots({ rows }: Scaffold, width: number): void {
  const gapsOf = rows.map((row) => row.map((slot, index) => stepTo(row[index - 1], slot)));
  rows.forEach((row, index) => {
    const still = row.map(() => ({ wanted: 0, weight: 1 }));
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
        if (both) return together(up, down) ?? { wanted: slot.x, weight: LONELY };
        return (sweep % 2 === 0 ? (up ?? down) : (down ?? up)) ?? { wanted: slot.x, weight: LONELY };
      });
      settle(row, gapsOf[index] ?? [], pulls, width);
    }
  }
  straighten(rows, width);
  const left = Math.min(...rows.map((row) => row[0]?.x ?? 0));
  for (const row of rows) for (const slot of row) slot.x -= left;
}

interface Pull {
  readonly wanted: number;
  readonly weight: number;
}

function settle(row: readonly Slot[], gaps: readonly number[], pulls: readonly Pull[], width: number): void {
  const last = row.at(-1);
  const places = spread(
    pulls.map((pull) => pull.wanted),
    gaps,
    pulls.map((pull) => pull.weight),
    [0, width - (last?.breadth ?? 0)],
  );
  row.forEach((slot, index) => {
    slot.x = Math.round(places[index] ?? 0);
  });
}

/** Where the lines on one side want the slot to be. */
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
  return weight === 0 ? undefined : { wanted: sum / weight, weight };
}

/** A line that passes goes on in its column, whatever joins or leaves it. */
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
  return { wanted: (up.wanted * up.weight + down.wanted * down.weight) / weight, weight };
}
