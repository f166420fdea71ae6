import { createHash } from 'node:crypto';

/** One file of `.squad/` that is not as the last commit has it. */
export interface SyncChange {
  /** Relative to the project, as bytes: names need not be text. */
  readonly path: Buffer;
  readonly kind: 'added' | 'modified' | 'deleted';
  /** As git writes it: `100644`; `000000` for what is gone. */
  readonly mode: string;
  /** The object that holds its bytes; absent for what is gone. */
  readonly object?: string;
}

/** What `.squad/` would be committed as, and what stands elsewhere in the same tree. */
export interface ReadDifference {
  readonly changes: readonly SyncChange[];
  /** Paths that are not below `.squad/`, relative to the top of the repository. */
  readonly outside: readonly Buffer[];
}

const KINDS: Readonly<Record<string, SyncChange['kind']>> = { A: 'added', D: 'deleted' };

/** Reads `git diff-index --raw -z --no-renames`, given as latin1; `prefix` is where the project lies below the top. */
export function readDifference(raw: string, prefix: Buffer): ReadDifference {
  const folder = Buffer.concat([prefix, Buffer.from('.squad/')]);
  const changes: SyncChange[] = [];
  const outside: Buffer[] = [];
  const parts = raw.split('\0');
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [, mode = '', , object = '', status = ''] = (parts[at] ?? '').slice(1).split(' ');
    const name = Buffer.from(parts[at + 1] ?? '', 'latin1');
    if (!name.subarray(0, folder.length).equals(folder)) {
      outside.push(name);
      continue;
    }
    const kind = KINDS[status.charAt(0)] ?? 'modified';
    const path = name.subarray(prefix.length);
    changes.push(kind === 'deleted' ? { path, kind, mode } : { path, kind, mode, object });
  }
  changes.sort((left, right) => Buffer.compare(left.path, right.path));
  return { changes, outside };
}

/** Names one set of changes, byte for byte: what somebody looked at is what is committed. Empty for none. */
export function changeSetHash(changes: readonly SyncChange[], contents: ReadonlyMap<string, Buffer>): string {
  if (changes.length === 0) return '';
  const hash = createHash('sha256');
  for (const { kind, path, mode, object } of changes) {
    const bytes = object === undefined ? undefined : contents.get(object);
    const digest = bytes === undefined ? '-' : createHash('sha256').update(bytes).digest('hex');
    for (const part of [kind, path, mode, digest]) hash.update(part).update('\0');
  }
  return hash.digest('hex');
}

/** Reads `git cat-file --batch`, given as latin1: object id → its bytes. */
export function readObjects(printed: string): Map<string, Buffer> {
  const objects = new Map<string, Buffer>();
  let at = 0;
  while (at < printed.length) {
    const end = printed.indexOf('\n', at);
    const [id = '', , size] = printed.slice(at, end === -1 ? undefined : end).split(' ');
    if (end === -1 || size === undefined) break;
    const bytes = Buffer.from(printed.slice(end + 1, end + 1 + Number(size)), 'latin1');
    objects.set(id, bytes);
    at = end + 1 + Number(size) + 1;
  }
  return objects;
}
