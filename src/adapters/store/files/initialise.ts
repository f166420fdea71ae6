import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { makeFolder } from '#adapters/disk/personal-folder.js';
import { type GraphLayout, graphLayout } from '#kernel/graph-folder.js';
import { readText, refuseLink, refuseLinks, storeError } from './disk.js';
import { takeOriginalFolder } from './original-folder.js';
import { holdsGraph } from './paths.js';

/** Takes over the graph of the original beside the folder, or creates one there, as `initialiseStore` does. */
export function takeOrInitialise(folder: string): { created: boolean } {
  takeOriginalFolder(folder);
  return initialiseStore(folder);
}

/** Creates an empty graph folder with its git files. Existing files stay. */
export function initialiseStore(folder: string): { created: boolean } {
  const paths = graphLayout(folder);
  refuseLinks(paths);
  const created = !holdsGraph(paths);
  try {
    makeFolder(paths.service, 'Name a folder in which you may make files: `troupe init --dir FOLDER`.');
    for (const name of ['.gitignore', '.gitattributes'] as const) {
      const file = gitFile(paths, name);
      refuseLink(file);
      addLines(file, WANTED_LINES[name]);
    }
    writeOnce(paths.log, '');
    writeOnce(paths.graph, '');
  } catch (error) {
    throw storeError(error, folder);
  }
  return { created };
}

function writeOnce(file: string, text: string): void {
  if (!existsSync(file)) writeFileSync(file, text);
}

/** Lines of the git files: paths to ignore, and merge drivers. Each missing line is added. */
export const WANTED_LINES = {
  '.gitignore': ['service/', 'agents/', 'reports/', 'worktrees/', 'teams.db*'],
  // Hashed files must stay byte-identical, regardless of `core.autocrlf`.
  '.gitattributes': ['* -text', 'operations.jsonl merge=union', 'graph.jsonl merge=workgraph'],
} as const;

/** Path of a graph's own git file. */
export function gitFile(paths: GraphLayout, name: keyof typeof WANTED_LINES): string {
  return name === '.gitignore' ? paths.gitIgnore : paths.gitAttributes;
}

/** Lines missing from a git file; all of them if the file does not exist. */
export function missingLines(file: string, name: keyof typeof WANTED_LINES): string[] {
  return linesLacking(file, WANTED_LINES[name]);
}

function linesLacking(file: string, lines: readonly string[]): string[] {
  const present = new Set((readText(file) ?? '').split('\n').map((line) => line.trim()));
  return lines.filter((line) => !present.has(line));
}

/** Creates the file or appends the missing lines; existing lines stay. */
export function addLines(file: string, lines: readonly string[]): void {
  const missing = linesLacking(file, lines);
  if (missing.length === 0) return;
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const separator = before === '' || before.endsWith('\n') ? '' : '\n';
  writeFileSync(file, `${before}${separator}${missing.join('\n')}\n`);
}
