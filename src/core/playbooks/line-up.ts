import type { CoreRole, Lane, LaneRow, RoleRegistry } from '#core/roles/lane.js';
import { CHARTER_FIELD, type NewRow } from '#core/roles/lane-edit.js';
import { roleName } from '#core/roles/role-name.js';
import { TroupeError } from '#kernel/errors.js';
import { FORMATION_LIMITS } from '#kernel/limits/formations.js';
import { compareText } from '#kernel/order.js';
import { didYouMean } from '#kernel/text.js';
import { wordStem, wordsOf } from '#kernel/words.js';
import type { Seat } from './formation.js';
import { handoffFiles } from './handoffs.js';
import type { SeatRecord } from './record.js';

/** Topics of a goal, as stems of its words; a model may add more. */
export function topicStems(goal: string, more: readonly string[] = []): ReadonlySet<string> {
  return new Set(
    [goal, ...more]
      .flatMap(wordsOf)
      .map(wordStem)
      .filter((word) => word.length > 2 && !STOP_WORDS.has(word)),
  );
}

/** Stop words of goals and triggers. */
const STOP_WORDS = new Set(
  [
    ...['the', 'and', 'for', 'with', 'from', 'into', 'that', 'this', 'when', 'are', 'any', 'all', 'new', 'not', 'but'],
    ...[
      'what',
      'which',
      'where',
      'who',
      'whoever',
      'whose',
      'how',
      'why',
      'its',
      'they',
      'them',
      'their',
      'than',
      'then',
    ],
    ...['have', 'has', 'had', 'can', 'cannot', 'may', 'must', 'should', 'would', 'could', 'will', 'does', 'did', 'was'],
    ...['were', 'been', 'being', 'need', 'needs', 'there', 'these', 'those', 'some', 'such', 'each', 'every', 'only'],
    ...['also', 'other', 'somebody', 'nobody', 'something', 'nothing', 'belongs'],
  ].map(wordStem),
);

/** Fields of a row that describe when it is needed, in all lanes. */
const TRIGGERS = ['when-to-seat', 'when-to-cover', 'owns', 'lens', 'angle'];

/** Number of words in a row's triggers, and its core role's, that are among the axes. */
export function triggerOverlap(row: LaneRow, core: CoreRole | undefined, axes: ReadonlySet<string>): number {
  const texts = [...TRIGGERS.flatMap((key) => row.fields.get(key) ?? []), ...(core?.whenToUse ?? [])];
  const words = new Set(texts.flatMap(wordsOf).map(wordStem));
  return [...words].filter((word) => axes.has(word)).length;
}

/**
 * Rows of a lane that match a goal: stable before probationary, then by overlap, then by name. Retired rows are
 * excluded.
 */
export function matchingRows(registry: RoleRegistry, lane: Lane, axes: ReadonlySet<string>): LaneRow[] {
  return registry.rows[lane]
    .filter((row) => row.status !== 'retired')
    .map((row) => ({ row, overlap: triggerOverlap(row, coreOf(registry, row), axes) }))
    .filter(({ overlap }) => overlap > 0)
    .sort(
      (left, right) =>
        Number(right.row.status === 'stable') - Number(left.row.status === 'stable') ||
        right.overlap - left.overlap ||
        compareText(left.row.name, right.row.name),
    )
    .map(({ row }) => row);
}

/** Core role a row is linked to; undefined for a broken link. */
export function coreOf(registry: RoleRegistry, row: LaneRow): CoreRole | undefined {
  return row.role === undefined ? undefined : registry.cores.get(row.role);
}

/** Seat of a row. */
export function seatOf(registry: RoleRegistry, row: LaneRow): Seat {
  return { name: row.name, row, core: coreOf(registry, row), tier: row.fields.get('model'), minted: false };
}

/**
 * Seat without an existing row; its future row is probationary. A core role of the same name is linked and provides the
 * charter.
 */
export function mintedSeat(registry: RoleRegistry, lane: Lane, name: string, charter: string): Seat {
  const core = registry.cores.get(name);
  const row: LaneRow = {
    lane,
    name,
    line: 0,
    role: core?.name,
    status: 'probationary',
    runs: { clean: 0, thin: 0, cuts: 0 },
    fields: new Map(core === undefined ? [[CHARTER_FIELD[lane], charter]] : []),
    lessons: [],
  };
  return { name, row, core, tier: undefined, minted: true };
}

/**
 * New row of a minted seat. The identity of a linked role is only in its core role; a crew row also has the fields the
 * ladder needs.
 */
export function newRowOf(lane: Lane, { name, phase = name, core, charter, tier, tools }: SeatRecord): NewRow {
  const identity: Readonly<Record<string, string>> =
    core === undefined ? { [CHARTER_FIELD[lane]]: charter ?? name } : { role: core };
  if (lane !== 'crew') return { name, fields: identity };
  const model = tier === undefined ? {} : { model: tier };
  return {
    name,
    fields: { ...identity, ...model, tools: tools ?? ALL_TOOLS, handoff: handoffFiles(phase).join(', ') },
  };
}

const ALL_TOOLS = 'all';

/** Seat by name: the existing row unless retired, else a new one. */
export function namedSeat(registry: RoleRegistry, lane: Lane, name: string, charter: string): Seat {
  const row = registry.rows[lane].find((one) => one.name === name && one.status !== 'retired');
  return row ? seatOf(registry, row) : mintedSeat(registry, lane, name, charter);
}

/** Changes by a person to a proposed line-up. */
export interface LineUpEdit {
  readonly add?: readonly string[] | undefined;
  readonly drop?: readonly string[] | undefined;
  /** `OLD=NEW` */
  readonly swap?: readonly string[] | undefined;
  /** `SEAT=MODEL` */
  readonly tier?: readonly string[] | undefined;
  /** All seats, in their new order. */
  readonly order?: readonly string[] | undefined;
}

/** Names and tiers of the changed line-up. Errors: `not_found`, `bad_role_name`, `bad_input`. */
export function editedNames(
  present: readonly { readonly name: string; readonly tier?: string | undefined }[],
  edit: LineUpEdit,
): { readonly name: string; readonly tier: string | undefined; readonly was: string | undefined }[] {
  let seats = present.map(({ name, tier }) => ({ name, tier, was: name as string | undefined }));
  const at = (name: string) => {
    const index = seats.findIndex((seat) => seat.name === name);
    if (index !== -1) return index;
    const near = didYouMean(
      name.slice(0, 64),
      seats.map((seat) => seat.name),
    );
    throw new TroupeError('not_found', {
      what: `No seat is called ${JSON.stringify(name.slice(0, 64))}.`,
      hint: near ? `Did you mean ${near}?` : `The seats are: ${seats.map((seat) => seat.name).join(', ')}.`,
    });
  };
  for (const name of edit.drop ?? []) seats.splice(at(name), 1);
  for (const pair of edit.swap ?? []) {
    const [old, fresh] = pairOf(pair, '--swap OLD=NEW');
    seats[at(old)] = { name: roleName(fresh), tier: undefined, was: old };
  }
  for (const name of edit.add ?? []) seats.push({ name: roleName(name), tier: undefined, was: undefined });
  for (const pair of edit.tier ?? []) {
    const [name, tier] = pairOf(pair, '--tier SEAT=MODEL');
    const index = at(name);
    seats = seats.map((seat, place) => (place === index ? { ...seat, tier } : seat));
  }
  if (edit.order !== undefined) {
    const order = edit.order.map(at);
    if (new Set(order).size !== seats.length)
      throw new TroupeError('bad_input', {
        what: '--order names all seats, each once.',
        hint: `The seats are: ${seats.map((seat) => seat.name).join(', ')}.`,
      });
    seats = order.flatMap((index) => seats[index] ?? []);
  }
  return checkedSeats(seats);
}

/** Checks the number of seats, at least one and bounded, and that none appears twice. */
export function checkedSeats<One extends { readonly name: string }>(seats: One[]): One[] {
  const names = new Set(seats.map((seat) => roleName(seat.name)));
  if (names.size !== seats.length) throw new TroupeError('bad_input', { what: 'A seat appears twice.' });
  if (seats.length === 0)
    throw new TroupeError('bad_input', {
      what: 'No seats are left.',
      hint: 'Stop an unwanted run: `troupe playbook stop RUN`.',
    });
  if (seats.length > FORMATION_LIMITS.seats)
    throw new TroupeError('bad_input', { what: `A line-up has at most ${FORMATION_LIMITS.seats} seats.` });
  return seats;
}

function pairOf(pair: string, form: string): [string, string] {
  const [, left = '', right = ''] = /^([^=]{1,64})=([^=]{1,100})$/.exec(pair) ?? [];
  if (left === '')
    throw new TroupeError('bad_input', { what: `Write ${form}, not ${JSON.stringify(pair.slice(0, 60))}.` });
  return [left, right];
}

/** Seats a person cut from or added to the default line-up; both are counted in the rows. */
export function changesOf(
  defaults: readonly string[],
  seats: readonly { readonly name: string }[],
): { cut: string[]; added: string[] } {
  const names = seats.map((seat) => seat.name);
  return {
    cut: defaults.filter((name) => !names.includes(name)),
    added: names.filter((name) => !defaults.includes(name)),
  };
}
