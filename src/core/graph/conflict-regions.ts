export interface ConflictRegions {
  /** Indexes of the markers, and of what git quotes between them from before both sides. */
  readonly marks: ReadonlySet<number>;
  /** Indexes of the lines that one of the sides has. */
  readonly inside: ReadonlySet<number>;
  /** Number of each opening marker's line, counted from 1. */
  readonly begins: readonly number[];
}

/** Where git left a conflict in a text. A marker without its counterparts is an ordinary line. */
export function conflictRegions(lines: readonly string[]): ConflictRegions {
  const marks = new Set<number>();
  const inside = new Set<number>();
  const begins: number[] = [];
  let open: { begin: number; quoted: number | undefined; divided: number | undefined } | undefined;
  for (const [index, line] of lines.entries()) {
    if (line.startsWith('<<<<<<<')) open = { begin: index, quoted: undefined, divided: undefined };
    else if (!open) continue;
    else if (line.startsWith('|||||||') && open.divided === undefined) open.quoted ??= index;
    else if (line.startsWith('=======')) open.divided ??= index;
    else if (line.startsWith('>>>>>>>') && open.divided !== undefined) {
      const { begin, divided, quoted = divided } = open;
      for (let at = begin; at <= index; at++) {
        if (at === begin || at === index || (at >= quoted && at <= divided)) marks.add(at);
        else inside.add(at);
      }
      begins.push(begin + 1);
      open = undefined;
    }
  }
  return { marks, inside, begins };
}
