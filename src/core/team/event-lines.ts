import { type JsonObject, parseJsonObject } from '#kernel/json.js';

/** A line that could not be understood. It stays where it is: the file is append-only. */
export interface BadLine {
  readonly file: string;
  readonly line: number;
}

/**
 * The objects of a JSON-lines file. Blank lines are passed over, bad ones reported; of several lines with the same id
 * (a merge can bring one in twice) the first counts.
 */
export function readEventLines<Event>(
  text: string | undefined,
  file: string,
  idField: string,
  parse: (value: JsonObject) => Event | undefined,
): { events: readonly Event[]; badLines: readonly BadLine[] } {
  const events: Event[] = [];
  const badLines: BadLine[] = [];
  const seen = new Set<string>();
  for (const [index, line] of (text ?? '').split('\n').entries()) {
    if (line.trim() === '') continue;
    const value = parseJsonObject(line);
    const event = value === undefined ? undefined : parse(value);
    if (value === undefined || event === undefined) {
      badLines.push({ file, line: index + 1 });
      continue;
    }
    const id = value[idField];
    if (typeof id === 'string') {
      if (seen.has(id)) continue;
      seen.add(id);
    }
    events.push(event);
  }
  return { events, badLines };
}
