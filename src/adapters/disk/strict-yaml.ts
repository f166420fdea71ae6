import { isMap, isNode, isScalar, LineCounter, parseDocument, stringify, visit } from 'yaml';
import { LIMITS } from '#kernel/limits.js';
import { UnreadableData } from './unreadable-data.js';

/** A tag of the file's own, `!name`, and what the text behind it becomes. */
export interface Tag {
  readonly tag: string;
  readonly resolve: (text: string) => unknown;
}

/** Counted from 1. */
export interface YamlPlace {
  readonly line: number;
  readonly column: number;
}

export interface YamlData {
  readonly value: unknown;
  /** Where a field stands, given as the keys that lead to it; the nearest one around it where it is not there itself. */
  placeOf(field: readonly PropertyKey[]): YamlPlace | undefined;
  /** The line of the same. */
  lineOf(field: readonly PropertyKey[]): number | undefined;
}

/**
 * YAML of somebody else as data, JSON too. What could mean more than it says is refused with its line: aliases (a few bytes
 * of them can stand for gigabytes), tags, keys given twice, keys that are no plain text, `__proto__`, several documents,
 * nesting beyond the stack. The cost grows with the size of the text and with nothing else. Throws `UnreadableData`.
 */
export function strictYaml(text: string, tags: readonly Tag[] = []): YamlData {
  refuseDepth(text);
  const lines = new LineCounter();
  const placeAt: PlaceAt = (offset) => {
    if (offset === undefined) return undefined;
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  // Prettier errors would each quote the line they are in: costly where there are thousands in a long one.
  const options = { lineCounter: lines, customTags: [...tags], strict: true, uniqueKeys: false, prettyErrors: false };
  try {
    const document = parseDocument(text, options);
    const problem = document.errors[0] ?? document.warnings[0];
    if (problem) throw unreadable(problem.message.split('\n')[0] ?? 'not understood', placeAt(problem.pos[0]));
    visit(document, {
      Alias: (_key, node) => {
        throw unreadable('aliases are not allowed', placeAt(node.range?.[0]));
      },
      // The library finds doubles by comparing each key with all others: too slow for a file made to be slow.
      Map: (_key, { items }) => refuseKeys(items, placeAt),
    });
    const placeOf = (field: readonly PropertyKey[]) => placeIn(document, field, placeAt);
    return { value: document.toJS({ maxAliasCount: 0 }), placeOf, lineOf: (field) => placeOf(field)?.line };
  } catch (error) {
    if (error instanceof RangeError) throw new UnreadableData('nested too deeply');
    throw error;
  }
}

/**
 * The library goes down by recursion. Near the end of the stack it can take the whole process with it (a pattern that is
 * compiled there is fatal to the engine), so depth is refused before: brackets that stay open, indentation, and lists or
 * maps begun on one line. Brackets in texts count as well; so many stay open in none.
 */
function refuseDepth(text: string): void {
  let open = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === OPEN_SQUARE || sign === OPEN_CURLY) open++;
    else if ((sign === CLOSE_SQUARE || sign === CLOSE_CURLY) && open > 0) open--;
    if (open > LIMITS.yamlDepth) throw new UnreadableData('nested too deeply');
  }
  for (const [, begin = ''] of text.matchAll(LINE_BEGIN)) {
    if (begin.length > LIMITS.yamlDepth) throw new UnreadableData('nested too deeply');
  }
}

const [OPEN_SQUARE, CLOSE_SQUARE, OPEN_CURLY, CLOSE_CURLY] = [0x5b, 0x5d, 0x7b, 0x7d];
/** Blanks, and signs that begin a list, a key or a value, each of which may be a level of its own. */
const LINE_BEGIN = /^([ \t?:-]*)(?=\S)/gm;

/** Data as YAML: without aliases, lines unbroken, so that a text comes back as it was. */
export function yamlText(value: unknown): string {
  return stringify(value, { aliasDuplicateObjects: false, lineWidth: 0 });
}

type PlaceAt = (offset: number | undefined) => YamlPlace | undefined;

function unreadable(why: string, place: YamlPlace | undefined): UnreadableData {
  return new UnreadableData(why, place?.line, place?.column);
}

function refuseKeys(items: readonly { readonly key: unknown }[], placeAt: PlaceAt): void {
  const keys = new Set<string>();
  for (const { key } of items) {
    const place = isNode(key) ? placeAt(key.range?.[0]) : undefined;
    if (isNode(key) && !isScalar(key)) throw unreadable('a key is more than plain text', place);
    const name = String(isScalar(key) ? key.value : key);
    if (name === '__proto__') throw unreadable('the key __proto__ is not allowed', place);
    if (keys.has(name)) throw unreadable(`the key ${name} appears twice`, place);
    keys.add(name);
  }
}

function placeIn(
  document: ReturnType<typeof parseDocument>,
  field: readonly PropertyKey[],
  placeAt: PlaceAt,
): YamlPlace | undefined {
  for (let depth = field.length; depth >= 0; depth--) {
    const keys = field.slice(0, depth);
    const parent = document.getIn(keys.slice(0, -1));
    const pair = isMap(parent)
      ? parent.items.find((item) => isScalar(item.key) && item.key.value === keys.at(-1))
      : undefined;
    const node = pair ? pair.key : document.getIn(keys, true);
    if (isNode(node)) return placeAt(node.range?.[0]);
  }
  return undefined;
}
