import { readdirSync } from 'node:fs';
import path from 'node:path';

/** All files below a folder whose names match, without build output and installed packages. */
export function filesBelow(folder: string, name: RegExp): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) return ['node_modules', 'dist', '.git'].includes(entry.name) ? [] : filesBelow(full, name);
    return name.test(entry.name) ? [full] : [];
  });
}
