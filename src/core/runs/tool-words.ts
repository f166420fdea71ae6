import { isJsonObject, type Json, type JsonObject } from '#kernel/json.js';
import { LIMITS } from '#kernel/limits.js';
import { cut, inert } from '#kernel/text.js';

/** What a tool is used on, by the names clients give that, the most telling first. */
const TARGETS = [
  ...[
    'command',
    'cmd',
    'script',
    'file_path',
    'filePath',
    'notebook_path',
    'path',
    'absolute_path',
    'pattern',
    'query',
  ],
  ...['url', 'description', 'skill', 'prompt', 'id', 'title', 'message', 'reason'],
];

/** What a call is about, on one line: the command, the file, the address; else the first text there is. Undefined for nothing. */
export function targetOf(input: JsonObject | undefined): string | undefined {
  if (input === undefined) return undefined;
  const named = TARGETS.map((key) => input[key]).find(isWords);
  const first = named ?? Object.values(input).find(isWords);
  return first === undefined ? undefined : onOneLine(first);
}

/** What came of a call, on one line: the first that it says, and how many lines there are beyond. */
export function resultOf(value: Json | undefined): string | undefined {
  const lines = textIn(value)
    .slice(0, LIMITS.executorToolRead)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const [first] = lines;
  if (first === undefined) return undefined;
  return `${onOneLine(first)}${lines.length === 1 ? '' : ` (+${lines.length - 1} lines)`}`;
}

/** Text as clients write it: plain, or in blocks. */
function textIn(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textIn).join('\n');
  if (isJsonObject(value)) return textIn(value['text'] ?? value['content']);
  return '';
}

function isWords(value: Json | undefined): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function onOneLine(text: string): string {
  const read = text
    .slice(0, LIMITS.executorToolRead)
    .trim()
    .replace(/\s*\n\s*/g, ' ; ');
  return cut(inert(read), LIMITS.executorToolCharacters);
}
