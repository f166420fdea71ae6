import path from 'node:path';
import { expect, test } from 'vitest';
import type { LedgerPicture, MemoryRows } from '#core/squad/memory-state.js';
import { readMemory } from '#core/squad/memory-state.js';
import { readRecords, recordLine, type SharedRecord } from '#core/squad/shared-record.js';
import { timestamp } from '#kernel/clock.js';

const GOLDEN = path.join(import.meta.dirname, 'golden');
const AT = Date.parse('2026-03-01T10:00:00.000Z');
const DAY = 86_400_000;
const id = (letter: string) => letter.repeat(16);
const made = (at: number) => ({ rev: 1, createdBy: 'ann', createdAt: timestamp(at) });
const decision = (letter: string, number: number, more: object = {}) => ({
  ...{ kind: 'decision', id: id(letter), number, ...made(AT), type: 'process', title: `Title ${letter}` },
  ...{ content: 'Text.', rationale: '', status: 'active', ...more },
});
const memory = (letter: string, number: number, more: object = {}) => ({
  ...{ kind: 'memory', id: id(letter), number, ...made(AT), agent: 'neo', type: 'learning', importance: 'high' },
  ...{ content: `Learned ${letter}`, ...more },
});
const session = (letter: string, number: number, at: number, more: object = {}) => ({
  ...{ kind: 'session', id: id(letter), number, ...made(at), focus: 'Ship it', context: 'Soon.', ...more },
});

const RECORDS = [
  decision('a', 1, { status: 'superseded', supersededBy: id('b'), source: 'cast:1' }),
  decision('b', 2, { agent: 'neo', rationale: 'Why.', source: 'entry:7' }),
  decision('c', 2, { title: 'Same number', createdAt: timestamp(AT + DAY), source: 'entry:7' }),
  memory('d', 1),
  memory('e', 1, { source: 'request:r' }),
  session('1', 1, AT, { endedAt: timestamp(AT + 5) }),
  session('2', 2, AT + 9),
  session('3', 3, AT + 7),
] as readonly SharedRecord[];
const lines = (records: readonly object[]) => records.map((record) => recordLine(record as SharedRecord));
const text = (records: readonly object[]) =>
  lines(records)
    .map((line) => `${line}\n`)
    .join('');

const reading = {
  ...{ kind: 'decision', mark: undefined, at: AT, number: 9, type: undefined, title: 'By hand', content: 'C' },
  ...{ rationale: 'R', agent: undefined },
};
const marked = (letter: string, intact: boolean) => ({
  ...reading,
  mark: { id: id(letter), intact },
  title: 'Title b',
});
const begun = {
  kind: 'session',
  mark: undefined,
  at: AT,
  number: undefined,
  focus: 'F',
  context: '',
  by: 'x'.repeat(120),
};
const learned = {
  ...{ kind: 'memory', mark: undefined, at: undefined, agent: 'neo', type: 'update', importance: undefined },
  content: 'New',
};
const told = (readings: readonly object[], merged = false) => [{ readings, merged }] as LedgerPicture['files'];

const PICTURES: Readonly<Record<string, Partial<LedgerPicture>>> = {
  nothing: { kept: readRecords(undefined) },
  'as it was written': {},
  'lines in another order, one of them odd': { kept: readRecords(`${lines(RECORDS).reverse().join('\n')}\nodd\n`) },
  'lines that wait': { kept: readRecords(text(RECORDS.slice(0, 2))), waiting: lines(RECORDS.slice(3, 4)) },
  'a line that waits and is older, one that is newer': {
    kept: readRecords(text([memory('d', 1, { rev: 2 }), memory('e', 2)])),
    waiting: lines([memory('d', 1, { content: 'Old' }), memory('e', 2, { rev: 2, content: 'Newer' })]),
  },
  'edited by hand': { files: told([marked('b', false)]) },
  untouched: { files: told([marked('b', true)]) },
  'edited, and put into one by git': { files: told([marked('b', false)], true) },
  'of a record that is gone': { files: told([marked('f', true)]) },
  'written by hand': {
    files: told([reading, { ...reading, number: undefined, at: undefined, type: 'scope', agent: 'neo' }]),
  },
  'gone on with by hand': { files: told([{ ...reading, title: 'Title b', number: 4 }]) },
  'a learning, and a session while one is open': { files: told([learned, begun]) },
  'a session while another has ended': { kept: readRecords(text(RECORDS.slice(5, 6))), files: told([begun]) },
  'a session where none is open': { kept: readRecords(undefined), files: told([begun]) },
};

test('the memory as its files tell it, and what they lack of it', async () => {
  const states = Object.entries(PICTURES).flatMap(([title, picture]) => {
    const state = readMemory({ kept: readRecords(text(RECORDS)), waiting: [], files: [], ...picture }, AT + DAY);
    const { memories, decisions, sessions }: MemoryRows = state;
    return [
      `# ${title}`,
      ...Object.entries({ memories, decisions, sessions }).flatMap(([kind, rows]) =>
        rows.map((one) => `  ${kind} ${JSON.stringify(one)}`),
      ),
      ...state.lines.map((line) => `  + ${line}`),
    ];
  });
  await expect(`${states.join('\n')}\n`).toMatchFileSnapshot(path.join(GOLDEN, 'memory-states.txt'));
});

test('a memory that was written lacks nothing', () => {
  const files = told([marked('b', false), reading, learned]);
  const state = readMemory({ kept: readRecords(text(RECORDS)), waiting: [], files }, AT + DAY);
  const again = readMemory(
    { kept: readRecords(`${text(RECORDS)}${state.lines.join('\n')}\n`), waiting: [], files },
    AT + 2 * DAY,
  );
  expect(again.lines).toEqual([]);
  expect({ ...again, lines: [], written: [] }).toEqual({ ...state, lines: [], written: [] });
});
