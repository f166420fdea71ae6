import ts from 'typescript';

/** A comment of a source file, without its marks. */
export interface Comment {
  readonly file: string;
  readonly line: number;
  /** Position in the file. */
  readonly at: number;
  readonly text: string;
  readonly isDoc: boolean;
}

/** Every comment of a file; consecutive lines of `//` count one by one. */
export function commentsOf(source: ts.SourceFile): Comment[] {
  const found = new Map<number, Comment>();
  const visit = (node: ts.Node): void => {
    const children = node.getChildren(source);
    if (children.length === 0 && node.kind !== ts.SyntaxKind.JsxText) {
      const from = node.getFullStart();
      for (const [raw, at] of commentsIn(source.text.slice(from, node.getStart(source, false))))
        found.set(from + at, {
          file: source.fileName,
          line: source.getLineAndCharacterOfPosition(from + at).line + 1,
          at: from + at,
          text: raw.replace(/^\/\*\*?|\*\/$|^\/\/|^[ \t]*\* ?/gm, ' ').trim(),
          isDoc: raw.startsWith('/**'),
        });
    }
    children.forEach(visit);
  };
  visit(source);
  return [...found.values()];
}

/** Comments in the text between two tokens, where nothing else than blanks can stand, and their positions. */
function commentsIn(trivia: string): [text: string, at: number][] {
  return [...trivia.matchAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g)].map(({ 0: text, index }) => [text, index]);
}
