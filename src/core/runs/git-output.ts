import * as z from 'zod/mini';

/** Parsed output of `git status --porcelain=v2 --branch -z`. */
export interface StatusLines {
  /** Undefined before the first commit. */
  readonly head?: string;
  /** Missing if detached. */
  readonly branch?: string;
  /** Changed, staged or unmerged files. */
  readonly tracked: readonly string[];
  readonly untracked: readonly string[];
  readonly unmerged: readonly string[];
}

/** Number of blanks before the path of a changed, renamed or unmerged entry. */
const FIELDS: Readonly<Record<string, number>> = { '1': 8, '2': 9, u: 10 };

/** Parses the output. Names may contain any character except NUL, the only separator. */
export function parseStatus(text: string): StatusLines {
  const [tracked, untracked, unmerged]: [string[], string[], string[]] = [[], [], []];
  let head: string | undefined;
  let branch: string | undefined;
  const entries = text.split('\0').values();
  for (const entry of entries) {
    const kind = entry.charAt(0);
    const fields = FIELDS[kind];
    if (entry.startsWith('# branch.oid ')) head = entry.slice('# branch.oid '.length);
    else if (entry.startsWith('# branch.head ')) branch = entry.slice('# branch.head '.length);
    else if (kind === '?') untracked.push(entry.slice(2));
    else if (fields !== undefined) {
      const name = afterBlanks(entry, fields);
      tracked.push(name);
      if (kind === 'u') unmerged.push(name);
      if (kind === '2') entries.next(); // the name before the rename follows
    }
  }
  return {
    ...(head === undefined || head === '(initial)' ? {} : { head }),
    ...(branch === undefined || branch === '(detached)' ? {} : { branch: `refs/heads/${branch}` }),
    tracked,
    untracked,
    unmerged,
  };
}

function afterBlanks(entry: string, count: number): string {
  let at = -1;
  for (let blank = 0; blank < count; blank++) at = entry.indexOf(' ', at + 1);
  return entry.slice(at + 1);
}

/** One file of a diff. Counts are missing for binary files. */
export const changedFileShape = z.object({
  path: z.string(),
  /** Its former path, if it was renamed. */
  from: z.optional(z.string()),
  /** Lines; missing for binary files. */
  added: z.optional(z.number()),
  deleted: z.optional(z.number()),
});
export type ChangedFile = z.infer<typeof changedFileShape>;

export const changesShape = z.object({
  /** The first files in git's order. */
  files: z.readonly(z.array(changedFileShape)),
  total: z.number(),
  added: z.number(),
  deleted: z.number(),
});
export type Changes = z.infer<typeof changesShape>;

/** Parses `git diff --numstat -z`: totals of all files, names of the first `most`. */
export function parseNumstat(text: string, most: number): Changes {
  const files: ChangedFile[] = [];
  let [total, added, deleted] = [0, 0, 0];
  const entries = text.split('\0').values();
  for (const entry of entries) {
    const match = /^(\d+|-)\t(\d+|-)\t([\s\S]*)$/.exec(entry);
    if (match === null) continue;
    // The entry of a renamed file ends before its two names.
    const from = match[3] === '' ? entries.next().value : undefined;
    const path = from === undefined ? match[3] : entries.next().value;
    if (path === undefined || path === '') continue;
    const isText = match[1] !== '-';
    total++;
    added += isText ? Number(match[1]) : 0;
    deleted += isText ? Number(match[2]) : 0;
    if (files.length === most) continue;
    files.push({
      path,
      ...(from === undefined ? {} : { from }),
      ...(isText ? { added: Number(match[1]), deleted: Number(match[2]) } : {}),
    });
  }
  return { files, total, added, deleted };
}
