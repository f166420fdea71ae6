import { isMap, isNode, isScalar, LineCounter, parseDocument, stringify, visit } from 'yaml';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { UnreadableData } from './unreadable-data.js';

/** Custom tag `!name`, with a function that resolves the text after it. */
export interface Tag {
  readonly tag: string;
  readonly resolve: (text: string) => unknown;
}

/** 1-based position. */
export interface YamlPlace {
  readonly line: number;
  readonly column: number;
}

export interface YamlData {
  readonly value: unknown;
  /** Position of a field, given by its key path; of the nearest enclosing field if it is missing. */
  placeOf(field: readonly PropertyKey[]): YamlPlace | undefined;
  /** Line of a field, found like `placeOf`. */
  lineOf(field: readonly PropertyKey[]): number | undefined;
}

/**
 * Parses untrusted YAML or JSON. Rejects constructs with hidden meaning or cost, with their line: aliases (a few bytes
 * can expand to gigabytes), tags, duplicate keys, non-scalar keys, `__proto__`, multiple documents, and excessive
 * nesting. Cost depends only on the size of the text. Throws `UnreadableData`.
 */
export function strictYaml(text: string, tags: readonly Tag[] = []): YamlData {
  refuseDepth(text);
  const lines = new LineCounter();
  const placeAt: PlaceAt = (offset) => {
    if (offset === undefined) return undefined;
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  // `prettyErrors` would quote the line in each error: costly for thousands of errors in a long line.
  const options = { lineCounter: lines, customTags: [...tags], strict: true, uniqueKeys: false, prettyErrors: false };
  try {
    const document = parseDocument(text, options);
    const problem = document.errors[0] ?? document.warnings[0];
    if (problem) throw unreadable(problem.message.split('\n')[0] ?? 'not understood', placeAt(problem.pos[0]));
    visit(document, {
      Alias: (_key, node) => {
        throw unreadable('aliases are not allowed', placeAt(node.range?.[0]));
      },
      // The library finds duplicate keys by pairwise comparison: too slow for a malicious file.
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
 * Rejects deep nesting before parsing. The library recurses, and a regular expression compiled near the end of the
 * stack crashes the whole process. Counts open brackets, indentation, and lists or maps that start on one line.
 * Brackets within texts count too, but no ordinary text leaves so many open.
 */
function refuseDepth(text: string): void {
  let open = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === OPEN_SQUARE || sign === OPEN_CURLY) open++;
    else if ((sign === CLOSE_SQUARE || sign === CLOSE_CURLY) && open > 0) open--;
    if (open > WORK_LIMITS.yamlDepth) throw new UnreadableData('nested too deeply');
  }
  for (const [, begin = ''] of text.matchAll(LINE_BEGIN)) {
    if (begin.length > WORK_LIMITS.yamlDepth) throw new UnreadableData('nested too deeply');
  }
}

const [OPEN_SQUARE, CLOSE_SQUARE, OPEN_CURLY, CLOSE_CURLY] = [0x5b, 0x5d, 0x7b, 0x7d];
/** Blanks, and characters that begin a list, a key or a value; each may be a nesting level. */
const LINE_BEGIN = /^([ \t?:-]*)(?=\S)/gm;

/** Serialises data as YAML without aliases and line wrapping, to preserve texts exactly. */
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
