// How columns are read: a value that this version knows no meaning of is an error, never a default.
import { corrupt, type Row } from '#adapters/teams-database/database.js';

/** A word of a closed list; any other is said with its row. */
export function closedWord<Word extends string>(words: readonly Word[], table: string, row: Row, column: string): Word {
  const word = words.find((candidate) => candidate === row[column]);
  if (word === undefined) throw corrupt(table, row['id'] ?? row['seq'], column, row[column]);
  return word;
}

export function wordOrNull<Word extends string>(
  words: readonly Word[],
  table: string,
  row: Row,
  column: string,
): Word | null {
  return row[column] === null ? null : closedWord(words, table, row, column);
}

export const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);
export const numberOrNull = (value: unknown): number | null => (value === null ? null : Number(value));
