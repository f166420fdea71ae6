import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type GraphLayout, graphLayout } from '#kernel/graph-folder.js';
import { readText, refuseLink, refuseLinks, storeError } from './disk.js';
import { holdsGraph } from './paths.js';

/** Makes an empty graph folder, with what git should and should not keep. What is there already stays. */
export function initialiseStore(folder: string): { created: boolean } {
  const paths = graphLayout(folder);
  refuseLinks(paths);
  const created = !holdsGraph(paths);
  try {
    mkdirSync(paths.service, { recursive: true, mode: 0o700 });
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

/** What git should not keep, and how it should merge what it keeps. Each line is added where it is missing. */
export const WANTED_LINES = {
  '.gitignore': ['service/', 'agents/', 'reports/', 'worktrees/', 'teams.db*'],
  // What is hashed has to stay as it is to the byte, whatever `core.autocrlf` says.
  '.gitattributes': ['* -text', 'operations.jsonl merge=union', 'graph.jsonl merge=workgraph'],
} as const;

/** Where a file of git's lies that speaks of one graph. */
export function gitFile(paths: GraphLayout, name: keyof typeof WANTED_LINES): string {
  return name === '.gitignore' ? paths.gitIgnore : paths.gitAttributes;
}

/** Lines that a file of git's lacks; none when there is no such file to look at. */
export function missingLines(file: string, name: keyof typeof WANTED_LINES): string[] {
  return linesLacking(file, WANTED_LINES[name]);
}

function linesLacking(file: string, lines: readonly string[]): string[] {
  const present = new Set((readText(file) ?? '').split('\n').map((line) => line.trim()));
  return lines.filter((line) => !present.has(line));
}

/** Makes the file, or adds what it lacks; a person's own lines stay. */
export function addLines(file: string, lines: readonly string[]): void {
  const missing = linesLacking(file, lines);
  if (missing.length === 0) return;
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const separator = before === '' || before.endsWith('\n') ? '' : '\n';
  writeFileSync(file, `${before}${separator}${missing.join('\n')}\n`);
}
