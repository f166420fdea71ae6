export const UP = 1;
export const RIGHT = 2;
export const DOWN = 4;
export const LEFT = 8;

interface BoxGlyphs {
  /** Top left, top right, bottom left, bottom right. */
  readonly corners: Four<string>;
  readonly flat: string;
  readonly side: string;
  /** Junctions where a line leaves at the bottom, and on the right. */
  readonly below: string;
  readonly beside: string;
}

type Four<Item> = readonly [Item, Item, Item, Item];
type Sixteen<Item> = readonly [...Four<Item>, ...Four<Item>, ...Four<Item>, ...Four<Item>];

/** Characters of a drawing. */
export interface Glyphs {
  /** Line characters, indexed by the sum of UP, RIGHT, DOWN and LEFT. */
  readonly arms: Sixteen<string>;
  readonly down: string;
  readonly left: string;
  /** Start of a horizontal line. */
  readonly flat: string;
  readonly box: BoxGlyphs;
  /** Box of a task on the critical path. */
  readonly strongBox: BoxGlyphs;
  readonly branch: string;
  readonly lastBranch: string;
  readonly stem: string;
  readonly loop: string;
  /** Mark before the name of a predecessor without a line. */
  readonly from: string;
  readonly star: string;
  readonly ellipsis: string;
}

const UNICODE: Glyphs = {
  arms: [' ', '╵', '╶', '╰', '╷', '│', '╭', '├', '╴', '╯', '─', '┴', '╮', '┤', '┬', '┼'],
  down: '▼',
  left: '◀',
  flat: '─',
  box: { corners: ['┌', '┐', '└', '┘'], flat: '─', side: '│', below: '┬', beside: '├' },
  strongBox: { corners: ['┏', '┓', '┗', '┛'], flat: '━', side: '┃', below: '┯', beside: '┠' },
  branch: '├─',
  lastBranch: '╰─',
  stem: '│ ',
  loop: '↺',
  from: '←',
  star: '★',
  ellipsis: '…',
};

const ASCII: Glyphs = {
  arms: [' ', '|', '-', '+', '|', '|', '+', '+', '-', '+', '-', '+', '+', '+', '+', '+'],
  down: 'v',
  left: '<',
  flat: '-',
  box: { corners: ['+', '+', '+', '+'], flat: '-', side: '|', below: '+', beside: '+' },
  strongBox: { corners: ['#', '#', '#', '#'], flat: '=', side: '#', below: '+', beside: '+' },
  branch: '|-',
  lastBranch: '`-',
  stem: '| ',
  loop: '@',
  from: '<-',
  star: '*',
  ellipsis: '...',
};

export function glyphsFor(unicode: boolean): Glyphs {
  return unicode ? UNICODE : ASCII;
}
