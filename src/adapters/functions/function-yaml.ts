import { TroupeError } from '#kernel/errors.js';
import { cut, inert } from '#kernel/text.js';

/**
 * Foreign YAML as data. What could mean more than it says is refused with its line: aliases (a few bytes of them can stand
 * for gigabytes), tags, keys given twice, a `__proto__` key, several documents.
 */
export async function parseYaml(text: string, name: string): Promise<unknown> {
  const { isNode, isScalar, LineCounter, parseDocument, visit } = await import('yaml');
  const lines = new LineCounter();
  const lineAt = (offset: number | undefined) => (offset === undefined ? undefined : lines.linePos(offset).line);
  try {
    const source = text.replace(/^\ufeff/, '');
    const document = parseDocument(source, { lineCounter: lines, customTags: [], strict: true, uniqueKeys: false });
    const problem = document.errors[0] ?? document.warnings[0];
    if (problem) throw refused(name, lineAt(problem.pos[0]), problem.message.split('\n')[0] ?? 'not understood');
    visit(document, {
      Alias: (_key, node) => {
        throw refused(name, lineAt(node.range?.[0]), 'aliases are not allowed');
      },
      Map: (_key, { items }) => {
        // The library looks for doubles by comparing each key with all others: too slow for a file made to be slow.
        const keys = new Set<unknown>();
        for (const { key } of items) {
          const value = isScalar(key) ? key.value : key;
          const line = isNode(key) ? lineAt(key.range?.[0]) : undefined;
          if (value === '__proto__' || (isNode(key) && !isScalar(key)))
            throw refused(name, line, 'this key is not allowed');
          if (keys.has(String(value))) throw refused(name, line, `the key ${String(value)} is given twice`);
          keys.add(String(value));
        }
      },
    });
    return document.toJS({ maxAliasCount: 0 });
  } catch (error) {
    // Nesting deep enough to exhaust the stack is a fault of the file.
    if (error instanceof RangeError) throw refused(name, undefined, 'nested too deeply');
    throw error;
  }
}

/** Data as YAML: without aliases, lines unbroken, so that a text comes back as it was. */
export async function yamlText(value: unknown): Promise<string> {
  const { stringify } = await import('yaml');
  return stringify(value, { aliasDuplicateObjects: false, lineWidth: 0 });
}

function refused(name: string, line: number | undefined, problem: string): TroupeError {
  const place = cut(inert(name), 200) + (line === undefined ? '' : `:${line}`);
  return new TroupeError('function_invalid', {
    what: `${place}: ${cut(inert(problem), 200)}`,
    details: { file: cut(inert(name), 200), ...(line === undefined ? {} : { line }) },
  });
}
