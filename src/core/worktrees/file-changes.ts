/** One file of a difference. Counts are absent for what is no text. */
export interface FileChange {
  readonly path: string;
  readonly added?: number;
  readonly deleted?: number;
}

export interface Changes {
  /** The first of them, as git sorts them. */
  readonly files: readonly FileChange[];
  readonly total: number;
  readonly added: number;
  readonly deleted: number;
}

/** Reads `git diff --numstat -z --no-renames`: counts of all files, names of the first `most`. */
export function parseNumstat(text: string, most: number): Changes {
  const files: FileChange[] = [];
  let [total, added, deleted] = [0, 0, 0];
  for (const entry of text.split('\0')) {
    const match = /^(\d+|-)\t(\d+|-)\t([\s\S]+)$/.exec(entry);
    if (match?.[3] === undefined) continue;
    const isText = match[1] !== '-';
    total++;
    added += isText ? Number(match[1]) : 0;
    deleted += isText ? Number(match[2]) : 0;
    if (files.length === most) continue;
    files.push({ path: match[3], ...(isText ? { added: Number(match[1]), deleted: Number(match[2]) } : {}) });
  }
  return { files, total, added, deleted };
}
