import { TroupeError } from '#kernel/errors.js';
import { cut, inert } from '#kernel/text.js';

/** A row that holds a value this version knows no meaning of: told, and never read as something else. */
export function corrupt(table: string, row: unknown, column: string, value: unknown): TroupeError {
  const shown = cut(inert(String(value)), 60);
  return new TroupeError('data_corrupt', {
    what: `teams.db ${table} ${cut(inert(String(row)), 60)}: ${column} has unknown value ${shown}`,
  });
}
