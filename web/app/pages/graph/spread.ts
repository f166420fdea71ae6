/**
 * Places items of a fixed order on a line, as near as possible to where each wants to be (least squares, each with its
 * weight above zero, 1 unless given), at least their gap apart. The classic pooling of neighbours that would overlap; linear.
 */
export function spread(wanted: readonly number[], gaps: readonly number[], weights: readonly number[] = []): number[] {
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
    for (let last = pools.at(-1); last !== undefined && middle(last) >= middle(pool); last = pools.at(-1)) {
      pool = { sum: last.sum + pool.sum, weight: last.weight + pool.weight, size: last.size + pool.size };
      pools.pop();
    }
    pools.push(pool);
  });
  const places: number[] = [];
  for (const pool of pools) {
    for (let item = 0; item < pool.size; item++) places.push(middle(pool) + (offsets[places.length] ?? 0));
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
