import { constants } from 'node:fs';
import { lstat, open, readlink } from 'node:fs/promises';
import path from 'node:path';
import { firstBytes } from '#adapters/disk/first-bytes.js';

/** Bytes in which git looks for a NUL to recognise a binary file. */
const BINARY_BYTES = 8_000;
/** A name that git quotes in a patch. */
const QUOTED = /["\\\u0000-\u001f\u007f]/;

/**
 * Patch that adds these files of a worktree, at most `maxBytes` of it. git would have to be started once for each, or to
 * change the index.
 */
export async function newFilesPatch(tree: string, names: readonly string[], maxBytes: number): Promise<string> {
  let patch = '';
  let left = maxBytes;
  for (const name of names) {
    if (left <= 0) break;
    const one = Buffer.from(await newFilePatch(tree, name, left)).subarray(0, left);
    left -= one.length;
    patch += one.toString('utf8');
  }
  return patch;
}

/** Empty if it is gone, unreadable, or a repository of its own: an agent at work changes files while they are read. */
async function newFilePatch(tree: string, name: string, most: number): Promise<string> {
  try {
    const file = path.join(tree, name);
    const stats = await lstat(file);
    if (stats.isSymbolicLink()) return addition(name, '120000', Buffer.from(await readlink(file)));
    if (!stats.isFile()) return '';
    const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const { bytes } = await firstBytes(handle, Math.min(stats.size, most));
      return addition(name, stats.mode & 0o100 ? '100755' : '100644', bytes);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    return '';
  }
}

function addition(name: string, mode: string, bytes: Buffer): string {
  const [before, after] = [quoted(`a/${name}`), quoted(`b/${name}`)];
  const head = `diff --git ${before} ${after}\nnew file mode ${mode}\n`;
  if (bytes.length === 0) return head;
  if (bytes.subarray(0, BINARY_BYTES).includes(0)) return `${head}Binary files /dev/null and ${after} differ\n`;
  const text = bytes.toString('utf8');
  const ends = text.endsWith('\n');
  const lines = (ends ? text.slice(0, -1) : text).split('\n');
  const body = lines.map((line) => `+${line}\n`).join('');
  const note = ends ? '' : '\\ No newline at end of file\n';
  return `${head}--- /dev/null\n+++ ${after}\n@@ -0,0 +1,${lines.length} @@\n${body}${note}`;
}

const quoted = (name: string): string => (QUOTED.test(name) ? JSON.stringify(name) : name);
