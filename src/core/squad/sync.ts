import { createHash } from 'node:crypto';

/** A file of `.squad/` that differs from the last commit. */
export interface SyncChange {
  /** Relative to the project, as bytes: names need not be valid UTF-8. */
  readonly path: Buffer;
  readonly kind: 'added' | 'modified' | 'deleted';
  /** File mode as git prints it: `100644`; `000000` for a deleted file. */
  readonly mode: string;
  /** Id of the git object with its content; absent for a deleted file. */
  readonly object?: string;
}

/** Pending changes of `.squad/`, and changed paths elsewhere in the same tree. */
export interface ReadDifference {
  readonly changes: readonly SyncChange[];
  /** Paths outside of `.squad/`, relative to the root of the repository. */
  readonly outside: readonly Buffer[];
}

const KINDS: Readonly<Record<string, SyncChange['kind']>> = { A: 'added', D: 'deleted' };

/**
 * Parses the output of `git diff-index --raw -z --no-renames`, decoded as latin1; `prefix` is the path of the project
 * below the root.
 */
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

/**
 * Returns a hash of a set of changes and their bytes, so that only the reviewed changes are committed. Empty for no
 * changes.
 */
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

/** Parses the output of `git cat-file --batch`, decoded as latin1: object id → bytes. */
export function readObjects(printed: string): Map<string, Buffer> {
  const objects = new Map<string, Buffer>();
  let at = 0;
  for (let end = printed.indexOf('\n'); end !== -1; end = printed.indexOf('\n', at)) {
    const [id = '', , size] = printed.slice(at, end).split(' ');
    if (size === undefined) break;
    const bytes = Buffer.from(printed.slice(end + 1, end + 1 + Number(size)), 'latin1');
    objects.set(id, bytes);
    at = end + 1 + Number(size) + 1;
  }
  return objects;
}
