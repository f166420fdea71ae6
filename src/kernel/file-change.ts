/** One change of a file, as data. Paths are relative to a base folder, with `/`; texts have LF only. */
export type FileChange =
  | { readonly kind: 'write'; readonly path: string; readonly text: string }
  /** A file that people edit too: written only while its content still has this SHA-256, null for no file. */
  | { readonly kind: 'replace'; readonly path: string; readonly was: string | null; readonly text: string }
  /** A file that is left as it is where there is one: it may have grown since. */
  | { readonly kind: 'create'; readonly path: string; readonly text: string }
  /** Adds lines to a JSON-lines file; a line whose `idField` value stands in the file already is passed over. */
  | { readonly kind: 'append'; readonly path: string; readonly idField: string; readonly lines: readonly string[] }
  | { readonly kind: 'remove'; readonly path: string };

/** The text of a JSON-lines file after `lines` were added, a missing final line end mended. */
export function appendLines(text: string | undefined, lines: readonly string[]): string {
  const before = text ?? '';
  const ended = before === '' || before.endsWith('\n') ? before : `${before}\n`;
  return ended + lines.map((line) => `${line}\n`).join('');
}
