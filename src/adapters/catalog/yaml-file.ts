import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { CatalogFile } from '#core/catalog/catalog-file.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';

/** A text file of the catalog folder, LF only; undefined when it does not exist. `name` is relative to the folder. */
export async function readText(folder: string, name: string): Promise<string | undefined> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path.join(folder, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new TroupeError('unreadable', { what: `The catalog file ${name} cannot be read.`, cause: error });
  }
  if (bytes.length > LIMITS.catalogFileBytes) {
    throw new TroupeError('catalog_invalid', { what: `${name}: larger than ${LIMITS.catalogFileBytes} bytes` });
  }
  return bytes.toString('utf8').replace(/\r\n/g, '\n');
}

/**
 * A YAML file as data. What could mean more than it says is refused with its line: aliases (a few bytes of them can
 * stand for gigabytes), keys given twice, a `__proto__` key, a byte order mark, several documents, tags.
 */
export async function readYaml(folder: string, name: string): Promise<CatalogFile> {
  const text = await readText(folder, name);
  if (text === undefined) throw new TroupeError('catalog_invalid', { what: `${name}: the file is missing` });
  if (text.startsWith('\ufeff')) refuse(name, 1, 'begins with a byte order mark');
  const { LineCounter, isMap, isNode, isPair, isScalar, parseDocument, visit } = await import('yaml');
  const lines = new LineCounter();
  const lineAt = (offset: number | undefined) => (offset === undefined ? undefined : lines.linePos(offset).line);
  const document = parseAtDepth(name, () => parseDocument(text, { lineCounter: lines, customTags: [], strict: true }));
  const problem = document.errors[0] ?? document.warnings[0];
  if (problem) refuse(name, lineAt(problem.pos[0]), problem.message.split('\n')[0] ?? 'not understood');
  parseAtDepth(name, () =>
    visit(document, {
      Alias: (_key, node) => refuse(name, lineAt(node.range?.[0]), 'aliases are not allowed'),
      Pair: (_key, pair) => {
        if (isScalar(pair.key) && pair.key.value === '__proto__') {
          refuse(name, lineAt(pair.key.range?.[0]), 'the key __proto__ is not allowed');
        }
      },
    }),
  );
  return {
    name,
    value: document.toJS({ maxAliasCount: 0 }),
    lineOf(field) {
      // An unknown or missing field has no node of its own: then the nearest one around it is named.
      for (let depth = field.length; depth >= 0; depth--) {
        const keys = field.slice(0, depth);
        const parent = document.getIn(keys.slice(0, -1), true);
        const pair = isMap(parent)
          ? parent.items.find((item) => isPair(item) && isScalar(item.key) && item.key.value === keys.at(-1))
          : undefined;
        const node = pair ? pair.key : document.getIn(keys, true);
        if (isNode(node) && node.range) return lineAt(node.range[0]);
      }
      return undefined;
    },
  };
}

/** Nesting deep enough to exhaust the stack is a fault of the file. */
function parseAtDepth<Value>(name: string, parse: () => Value): Value {
  try {
    return parse();
  } catch (error) {
    if (error instanceof RangeError) refuse(name, undefined, 'nested too deeply');
    throw error;
  }
}

function refuse(name: string, line: number | undefined, message: string): never {
  throw new TroupeError('catalog_invalid', {
    what: `${line === undefined ? name : `${name}:${line}`}: ${message}`,
    details: { file: name, ...(line === undefined ? {} : { line }) },
  });
}
