import { SKILL_KINDS } from '#core/agency/entities.js';
import { cut, inert } from '#kernel/text.js';

/** A file that cannot be read as data: where, and why. */
export class BadRecord extends Error {
  readonly line: number;

  constructor(line: number, why: string) {
    super(cut(inert(why), 200));
    this.line = line;
  }
}

/** Foreign YAML as data, with skills as they are tagged: `!name x`, `!file p`. Throws `BadRecord`. */
export async function parseRecord(text: string): Promise<unknown> {
  const { LineCounter, parseDocument, visit } = await import('yaml');
  const lines = new LineCounter();
  const lineAt = (offset: number | undefined) => (offset === undefined ? 1 : lines.linePos(offset).line);
  // Older tools wrote the kinds with a capital.
  const words = SKILL_KINDS.flatMap((kind) => [kind, `${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}`]);
  const customTags = words.map((word) => ({
    tag: `!${word}`,
    resolve: (value: string) => ({ [word.toLowerCase()]: value }),
  }));
  try {
    const document = parseDocument(text, { lineCounter: lines, customTags, strict: true });
    const problem = document.errors[0] ?? document.warnings[0];
    if (problem) throw new BadRecord(lineAt(problem.pos[0]), problem.message.split('\n')[0] ?? 'not understood');
    visit(document, {
      Alias: (_key, node) => {
        throw new BadRecord(lineAt(node.range?.[0]), 'aliases are not allowed');
      },
      Pair: (_key, { key }) => {
        if (String(key) === '__proto__') throw new BadRecord(1, 'this key is not allowed');
      },
    });
    return document.toJS({ maxAliasCount: 0 });
  } catch (error) {
    if (error instanceof RangeError) throw new BadRecord(1, 'nested too deeply');
    throw error;
  }
}
