import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** All files below a folder whose names match, without build output and installed packages. */
export function filesBelow(folder: string, name: RegExp): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) return ['node_modules', 'dist', '.git'].includes(entry.name) ? [] : filesBelow(full, name);
    return name.test(entry.name) ? [full] : [];
  });
}

const parsed = new Map<string, ts.SourceFile>();

/** The syntax tree of a source file, with parents. Each file is parsed once, because several tests read all of them. */
export function syntaxOf(file: string): ts.SourceFile {
  const known = parsed.get(file);
  if (known !== undefined) return known;
  const tree = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  parsed.set(file, tree);
  return tree;
}
