import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const COMPRESSED = '.gz';

export interface WebFile {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly type: string;
  readonly etag: string;
  /** Files below `assets/` carry a hash of their content in the name. */
  readonly cacheControl: string;
}

/**
 * The built dashboard, read once at the start and served by exact name. No request becomes a path on disk, which rules
 * out path traversal. An absent folder is an empty dashboard.
 */
export async function loadWebFiles(folder: string): Promise<ReadonlyMap<string, WebFile>> {
  const files = new Map<string, WebFile>();
  let names: string[];
  try {
    names = await readdir(folder, { recursive: true });
  } catch {
    return files; // not built: a request for a page reports it
  }
  for (const stored of names) {
    // A package holds the compressed file alone; a build has both.
    const isCompressed = stored.endsWith(COMPRESSED);
    const name = isCompressed ? stored.slice(0, -COMPRESSED.length) : stored;
    if (isCompressed && names.includes(name)) continue;
    const type = TYPES[path.extname(name)];
    const file = path.join(folder, stored);
    const facts = await stat(file);
    if (type === undefined || !facts.isFile() || facts.size > SURFACE_LIMITS.webFileBytes) continue;
    const bytes = await readFile(file);
    const body = new Uint8Array(
      isCompressed ? gunzipSync(bytes, { maxOutputLength: SURFACE_LIMITS.webFileBytes }) : bytes,
    );
    const address = `/${name.split(path.sep).join('/')}`;
    files.set(address, {
      body,
      type,
      etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
      cacheControl: address.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    });
  }
  const index = files.get('/index.html');
  if (index) files.set('/', index);
  return files;
}
