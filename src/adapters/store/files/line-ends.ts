import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { replaceFile } from './disk.js';
import type { StorePaths } from './paths.js';

/** Text of a graph that is committed, by the folder below `.workgraph/`; what is compressed or runtime is left out. */
const COMMITTED = ['', 'agency', 'functions', 'formations'];
const DEPTH = 4;
const TEXT = /\.(?:jsonl?|ya?ml|toml|md|gitignore|gitattributes)$/;

/**
 * Files in which git put a carriage return before every line feed, as `core.autocrlf` does. One that has both kinds of line ends
 * was mixed by whoever wrote it, and is left alone; but lines of JSON hold no carriage return of their own.
 */
export function convertedFiles(paths: StorePaths): string[] {
  return COMMITTED.flatMap((below) => textsIn(path.join(paths.folder, below), below === '' ? 0 : DEPTH)).filter(
    (file) => isConverted(file),
  );
}

export function restoreLineEnds(file: string): void {
  const text = readFileSync(file, 'utf8').replaceAll('\r\n', '\n');
  replaceFile(file, text, { sync: true, draft: `${file}.draft` });
}

function textsIn(folder: string, depth: number): string[] {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const at = path.join(folder, entry.name);
    if (entry.isFile()) return TEXT.test(entry.name) ? [at] : [];
    return entry.isDirectory() && depth > 0 ? textsIn(at, depth - 1) : [];
  });
}

function isConverted(file: string): boolean {
  const bytes = readFileSync(file);
  if (!bytes.includes('\r\n')) return false;
  const text = bytes.toString('utf8');
  return file.endsWith('.jsonl') || !/(?<!\r)\n/.test(text);
}
