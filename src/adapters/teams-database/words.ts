import { TroupeError } from '#kernel/errors.js';
import { cut, inert } from '#kernel/text.js';

/** Checks an enumerated value. Errors: `data_corrupt`, with the row, for an unknown one instead of a default. */
export function known<const Words extends readonly string[]>(
  words: Words,
  value: unknown,
  table: string,
  row: unknown,
  column: string,
): Words[number] {
  const word = words.find((candidate) => candidate === value);
  if (word === undefined) throw corrupt(table, row, column, value);
  return word;
}

/** Error for a row with a value unknown to this version. */
export function corrupt(table: string, row: unknown, column: string, value: unknown): TroupeError {
  const printable = cut(inert(String(value)), 60);
  return new TroupeError('data_corrupt', {
    what: `teams.db ${table} ${cut(inert(String(row)), 60)}: ${column} has unknown value ${printable}`,
  });
}
