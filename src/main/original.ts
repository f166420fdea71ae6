import { existsSync } from 'node:fs';
import path from 'node:path';
import {
  createSettings,
  linkOriginalFolder,
  takeNamedFolder,
  takeOriginalFolder,
} from '#adapters/store/files/original-folder.js';
import { layoutOf } from '#kernel/graph-folder.js';
import type { CommandHost } from '#surfaces/cli/host.js';
import { runAsOriginal } from '#surfaces/cli/wg/original.js';

/** Runs one command line under the name of the original workgraph, on the graph folder of either. */
export function mainAsOriginal(words: readonly string[], host: CommandHost): Promise<number> {
  return runAsOriginal(words, host, {
    take: takeAround,
    takeNamed: takeNamedFolder,
    createSettings: (project) => createSettings(layoutOf(project)),
    link: (project) => linkOriginalFolder(layoutOf(project).folder),
  });
}

/** Takes over the nearest graph of the original at or above a folder, up to the top of its repository. */
function takeAround(folder: string): string | undefined {
  for (let current = folder; ; current = path.dirname(current)) {
    if (takeOriginalFolder(layoutOf(current).folder)) return current;
    const isTop = existsSync(path.join(current, '.git')) || current === path.dirname(current);
    if (isTop || existsSync(layoutOf(current).folder)) return undefined;
  }
}
