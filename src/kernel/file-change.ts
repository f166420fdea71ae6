/** One change of a file. Paths are relative to a base folder, with `/`; texts have LF line ends. */
export type FileChange =
  | { readonly kind: 'write'; readonly path: string; readonly text: string }
  /** Replaces a file that people also edit, only if its content has this SHA-256; null if it must not exist. */
  | { readonly kind: 'replace'; readonly path: string; readonly was: string | null; readonly text: string }
  /** Creates a file unless it exists, because an existing one may have grown since. */
  | { readonly kind: 'create'; readonly path: string; readonly text: string }
  /** Appends lines to a JSON-lines file, except lines whose `idField` value is already in the file. */
  | { readonly kind: 'append'; readonly path: string; readonly idField: string; readonly lines: readonly string[] }
  | { readonly kind: 'remove'; readonly path: string };

/** Content of a JSON-lines file after `lines` were appended; a missing final line end is added. */
export function appendLines(text: string | undefined, lines: readonly string[]): string {
  const before = text ?? '';
  const ended = before === '' || before.endsWith('\n') ? before : `${before}\n`;
  return ended + lines.map((line) => `${line}\n`).join('');
}
