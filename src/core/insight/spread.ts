/**
 * Places items of a fixed order on a line, as near as possible to where each wants to be (least squares, each with its
 * weight above zero, 1 unless given), at least their gap apart, the first not before and the last not behind the bounds, if
 * there are any. The classic pooling of neighbours that would overlap; linear.
 */
export function spread(
  wanted: readonly number[],
  gaps: readonly number[],
  weights: readonly number[] = [],
  [first, last]: readonly [number, number] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
): number[] {
  const offsets: number[] = [];
  let offset = 0;
  for (let index = 0; index < wanted.length; index++) {
    if (index > 0) offset += gaps[index] ?? 0;
    offsets.push(offset);
  }
  const pools: Pool[] = [];
  wanted.forEach((value, index) => {
    const weight = weights[index] ?? 1;
    let pool: Pool = { sum: (value - (offsets[index] ?? 0)) * weight, weight, size: 1 };
    for (let near = pools.at(-1); near !== undefined && middle(near) >= middle(pool); near = pools.at(-1)) {
      pool = { sum: near.sum + pool.sum, weight: near.weight + pool.weight, size: near.size + pool.size };
      pools.pop();
    }
    pools.push(pool);
  });
  const places: number[] = [];
  const most = last - offset;
  for (const pool of pools) {
    const place = Math.max(first, Math.min(most, middle(pool)));
    for (let item = 0; item < pool.size; item++) places.push(place + (offsets[places.length] ?? 0));
  }
  return places;
}

/** Neighbours that touch and move as one. */
interface Pool {
  readonly sum: number;
  readonly weight: number;
  readonly size: number;
}

const middle = (pool: Pool): number => pool.sum / pool.weight;
