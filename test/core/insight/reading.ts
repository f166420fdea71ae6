/**
 * Parses drawings as a person reads them: follows every line from the task it leaves to its arrows, and reads the names
 * beside it. Independent of the code that draws. Titles must be the ids: `t0`, `t1`, …
 */
const [UP, RIGHT, DOWN, LEFT] = [1, 2, 4, 8];
const ARMS = [' ', '╵', '╶', '╰', '╷', '│', '╭', '├', '╴', '╯', '─', '┴', '╮', '┤', '┬', '┼'];
const STEPS: readonly (readonly [arm: number, facing: number, dx: number, dy: number])[] = [
  [UP, DOWN, 0, -1],
  [RIGHT, LEFT, 1, 0],
  [DOWN, UP, 0, 1],
  [LEFT, RIGHT, -1, 0],
];

export interface Read {
  readonly ids: string[];
  /** Edges as `from to`, each as often as it is drawn. */
  readonly edges: string[];
}

interface Net {
  readonly sources: Set<string>;
  readonly targets: Set<string>;
}

/** Ends of lines, by `x y`. */
type Ends = ReadonlyMap<string, { readonly id: string; readonly target: boolean }>;

/** Follows the line at a place in all its directions. A vertical line passes below a horizontal one that it crosses. */
function follow(grid: readonly string[][], ends: Ends, x: number, y: number, seen: Set<string>, net: Net): void {
  const pending: [x: number, y: number][] = [[x, y]];
  for (let place = pending.pop(); place; place = pending.pop()) {
    const [atX, atY] = place;
    const key = `${atX} ${atY}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const arms = ARMS.indexOf(grid[atY]?.[atX] ?? ' ');
    if (arms < 1) throw new Error(`no line at ${key}`);
    for (const [arm, facing, dx, dy] of STEPS) {
      if ((arms & arm) === 0) continue;
      let nextX = atX + dx;
      const nextY = atY + dy;
      while (dx !== 0 && !ends.has(`${nextX} ${nextY}`) && grid[nextY]?.[nextX] === '│') nextX += dx;
      const end = ends.get(`${nextX} ${nextY}`);
      if (end) {
        (end.target ? net.targets : net.sources).add(end.id);
        continue;
      }
      const there = ARMS.indexOf(grid[nextY]?.[nextX] ?? ' ');
      if (there < 1 || (there & facing) === 0) throw new Error(`the line at ${key} leads nowhere`);
      pending.push([nextX, nextY]);
    }
  }
}

interface Box {
  readonly id: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export function readGraph(lines: readonly string[]): Read {
  const grid = lines.map((line) => [...line]);
  const boxes: Box[] = [];
  const edges: string[] = [];
  grid.forEach((row, top) => {
    row.forEach((sign, left) => {
      if (sign !== '┌') return;
      const right = row.indexOf('┐', left);
      let bottom = top + 1;
      while (grid[bottom]?.[left] === '│') bottom++;
      const texts = grid.slice(top + 1, bottom).map((line) =>
        line
          .slice(left + 1, right)
          .join('')
          .trim(),
      );
      const id = texts[0]?.split(' ')[1] ?? '';
      boxes.push({ id, left, right, top, bottom });
      for (const text of texts.slice(1)) {
        const [mark, other] = text.split(' ');
        if ((mark === '←' || mark === '↺') && /^t\d+$/.test(other ?? '')) {
          edges.push(`${other} ${id}`);
        }
      }
    });
  });
  const ends = new Map<string, { id: string; target: boolean }>();
  const begins: [x: number, y: number][] = [];
  for (const { id, left, right, top, bottom } of boxes) {
    if (grid[bottom]?.[right] === '┴') edges.push(`${id} ${id}`);
    for (let x = left + 1; x < right; x++) {
      if (grid[bottom]?.[x] === '┬') {
        ends.set(`${x} ${bottom}`, { id, target: false });
        begins.push([x, bottom + 1]);
      }
      if (grid[top - 1]?.[x] === '▼') ends.set(`${x} ${top - 1}`, { id, target: true });
    }
    for (let y = top + 1; y < bottom; y++) {
      if (grid[y]?.[right] === '├') {
        ends.set(`${right} ${y}`, { id, target: false });
        begins.push([right + 1, y]);
      }
      if (grid[y]?.[right + 1] === '◀') ends.set(`${right + 1} ${y}`, { id, target: true });
    }
  }
  edges.push(...netsFrom(begins, grid, ends));
  return { ids: boxes.map((box) => box.id).sort(), edges: edges.sort() };
}

function netsFrom(begins: readonly [x: number, y: number][], grid: readonly string[][], ends: Ends): string[] {
  const edges: string[] = [];
  const seen = new Set<string>();
  for (const [x, y] of begins) {
    const arrow = ends.get(`${x} ${y}`);
    const above = ends.get(`${x} ${y - 1}`);
    if (arrow?.target && above) {
      edges.push(`${above.id} ${arrow.id}`);
      continue;
    }
    // A line that begins behind a crossing begins on its other side.
    let at = x;
    while (ends.has(`${x - 1} ${y}`) && grid[y]?.[at] === '│') at++;
    if (seen.has(`${at} ${y}`)) continue;
    const net: Net = { sources: new Set(), targets: new Set() };
    follow(grid, ends, at, y, seen, net);
    for (const from of net.sources) for (const to of net.targets) edges.push(`${from} ${to}`);
  }
  return edges;
}

export function readTree(lines: readonly string[]): Read {
  const grid = lines.map((line) => [...line]);
  const ids: string[] = [];
  const edges: string[] = [];
  const ends = new Map<string, { id: string; target: boolean }>();
  const begins: [x: number, y: number][] = [];
  const path: string[] = [];
  lines.forEach((line, y) => {
    const found = /^((?:│ | {2})*)(├─|╰─)?([○◎]) (t\d+)/.exec(line);
    let rest = line;
    if (found) {
      const [all, stem = '', branch, , id = ''] = found;
      const depth = branch === undefined ? 0 : stem.length / 2 + 1;
      if (depth > 0) edges.push(`${path[depth - 1]} ${id}`);
      path.splice(depth, path.length, id);
      ids.push(id);
      rest = line.slice(all.length);
      const behind = /(?: {2}[^ ].*?)? ([◀─])/.exec(rest);
      if (behind) {
        const x = all.length + rest.indexOf(behind[1] ?? '');
        const arrow = behind[1] === '◀';
        ends.set(`${arrow ? x : x - 1} ${y}`, { id, target: arrow });
        begins.push([arrow ? x + 1 : x, y]);
      }
    }
    const id = path.at(-1) ?? '';
    for (const word of rest.replace(/[│╮╯╰╭├┤─┼┬┴◀]/g, ' ').split(/[ ,]+/)) {
      if (word === 'itself') edges.push(`${id} ${id}`);
      else if (/^t\d+$/.test(word)) edges.push(`${word} ${id}`);
    }
  });
  edges.push(...netsFrom(begins, grid, ends));
  return { ids: ids.sort(), edges: edges.sort() };
}
