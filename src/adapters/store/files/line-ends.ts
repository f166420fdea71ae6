import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { GraphLayout } from '#kernel/graph-folder.js';
import { isInside } from '#kernel/paths.js';
import { replaceFile } from './disk.js';

/** Folders outside the graph with hashed files of teams and roles, relative to the project. */
const BESIDE = ['.squad', '.claude/roles', '.claude/agents'];
const DEPTH = 6;
const TEXT = /\.(?:jsonl?|ya?ml|toml|md|gitignore|gitattributes)$/;

/**
 * Finds files in which git put a carriage return before every line feed, as `core.autocrlf` does. A file with mixed
 * line ends was written that way and is left alone, except JSON lines, which contain no carriage return of their own.
 */
export function convertedFiles(paths: GraphLayout): string[] {
  const project = path.dirname(paths.folder);
  const { folder, agency, functions, formations } = paths; // compressed and runtime files are left out
  const graph = [...textsIn(folder, 0), ...[agency, functions, formations].flatMap((below) => textsIn(below, DEPTH))];
  const beside = BESIDE.filter((below) => isFolder(path.dirname(path.join(project, below)))).flatMap((below) =>
    textsIn(path.join(project, below), DEPTH),
  );
  return [...graph, ...beside].filter((file) => isConverted(file));
}

/** Lines for the project's `.gitattributes` that exempt these files from conversion, for files outside `.workgraph`. */
export function keepingLines(paths: GraphLayout, files: readonly string[]): string[] {
  const project = path.dirname(paths.folder);
  return BESIDE.filter((below) => files.some((file) => isInside(path.join(project, below), file))).map(
    (below) => `${below}/** -text`,
  );
}

export function restoreLineEnds(file: string): void {
  const text = readFileSync(file, 'utf8').replaceAll('\r\n', '\n');
  replaceFile(file, text, { sync: true, draft: `${file}.draft` });
}

function textsIn(folder: string, depth: number): string[] {
  if (!isFolder(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const at = path.join(folder, entry.name);
    if (entry.isFile()) return TEXT.test(entry.name) ? [at] : [];
    return entry.isDirectory() && depth > 0 ? textsIn(at, depth - 1) : [];
  });
}

function isFolder(place: string): boolean {
  return lstatSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
}

function isConverted(file: string): boolean {
  const bytes = readFileSync(file);
  if (!bytes.includes('\r\n')) return false;
  const text = bytes.toString('utf8');
  return file.endsWith('.jsonl') || !/(?<!\r)\n/.test(text);
}
