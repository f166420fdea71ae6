import type { SquadTexts } from './squad-texts.js';

/** One change of a file, as data. Paths are relative to the project, with `/`; texts have LF only. */
export type FileChange =
  | { readonly kind: 'write'; readonly path: string; readonly text: string }
  /** A file that is left as it is where there is one: it may have grown since. */
  | { readonly kind: 'create'; readonly path: string; readonly text: string }
  /** Adds lines to a JSON-lines file; a line whose `idField` value stands in the file already is passed over. */
  | { readonly kind: 'append'; readonly path: string; readonly idField: string; readonly lines: readonly string[] }
  | { readonly kind: 'remove'; readonly path: string };

/** What a decision wants written, all or nothing, and what it answers. No changes: nothing is touched. */
export interface SquadPlan<Result> {
  readonly changes: readonly FileChange[];
  readonly result: Result;
  /** When writing fails half way, everything is put back as it was; otherwise whoever comes next finishes it. */
  readonly restore?: boolean;
}

/** The text of a JSON-lines file after `lines` were added, a missing final line end mended. */
export function appendLines(text: string | undefined, lines: readonly string[]): string {
  const before = text ?? '';
  const ended = before === '' || before.endsWith('\n') ? before : `${before}\n`;
  return ended + lines.map((line) => `${line}\n`).join('');
}

/** The files as they are after changes. */
export function withChanges(texts: SquadTexts, changes: readonly FileChange[]): SquadTexts {
  const after = new Map(texts);
  for (const change of changes) {
    if (change.kind === 'write') after.set(change.path, change.text);
    else if (change.kind === 'create') after.set(change.path, after.get(change.path) ?? change.text);
    else if (change.kind === 'append') after.set(change.path, appendLines(after.get(change.path), change.lines));
    else after.delete(change.path);
  }
  return after;
}
