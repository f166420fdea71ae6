import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { CLIENTS } from '#core/runs/plan.js';

/**
 * Returns this PATH without model clients: a test must never start a real one, which would spend the money of the
 * person who runs it. Folders that hold one are replaced by links to all their other entries.
 */
export function withoutClients(searchPath: string, below: string): string {
  const folders = searchPath.split(path.delimiter).map((folder, number) => {
    if (!CLIENTS.some((client) => existsSync(path.join(folder, client)))) return folder;
    const links = path.join(below, `programs-${number}`);
    mkdirSync(links, { recursive: true });
    for (const name of readdirSync(folder)) {
      if (!CLIENTS.some((client) => client === name)) symlinkSync(path.join(folder, name), path.join(links, name));
    }
    return links;
  });
  return folders.join(path.delimiter);
}
