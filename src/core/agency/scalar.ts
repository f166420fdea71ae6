/**
 * A text as YAML writes it, by our own rules: libraries change how they quote from version to version, and ids hang on it.
 * May be several lines, which go on at an indentation of two; no line feed at the end but where the text asks for it.
 */
export function scalar(text: string): string {
  if (text === '') return "''";
  if (needsEscapes(text)) return `"${[...text].map(escaped).join('')}"`;
  if (text.includes('\n')) return literal(text);
  if (readsAsOther(text) || beginsLikeMore(text) || separates(text)) return `'${text.replaceAll("'", "''")}'`;
  return text;
}

function needsEscapes(text: string): boolean {
  return (
    /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\ufeff]|[\u{10000}-\u{10ffff}]/u.test(text) ||
    text.includes(' \n') ||
    (text.includes('\n') && text.endsWith(' '))
  );
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = (digits: number) => code.toString(16).toUpperCase().padStart(digits, '0');
  if (character === '\t') return '\\t';
  if (character === '\n') return '\\n';
  if (character === '"' || character === '\\') return `\\${character}`;
  if (code < 0x20 || (code >= 0x7f && code <= 0x9f)) return `\\x${hex(2)}`;
  if (code === 0xfeff) return `\\u${hex(4)}`;
  return code > 0xffff ? `\\U${hex(8)}` : character;
}

function literal(text: string): string {
  const digit = /^[ \n]/.test(text) ? '2' : '';
  const ends = text.endsWith('\n');
  const keep = text.endsWith('\n\n') || /^\n+$/.test(text);
  const body = ends ? text.slice(0, -1) : text;
  const lines = body.split('\n').map((line) => (line === '' ? '' : `  ${line}`));
  return [`|${digit}${ends ? (keep ? '+' : '') : '-'}`, ...lines].join('\n');
}

const WORDS = new Set(
  ['null', 'true', 'false', 'y', 'n', 'yes', 'no', 'on', 'off'].flatMap((word) => [
    word,
    word.toUpperCase(),
    `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`,
  ]),
);
const INTEGER = /^[-+]?(?:0x[0-9a-fA-F]+|0o[0-7]+|0b[01]+|\d+)$/;
const FLOAT = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
const NO_NUMBER = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;

/** Would it be read as something else than text? */
function readsAsOther(text: string): boolean {
  return text === '~' || WORDS.has(text) || INTEGER.test(text) || FLOAT.test(text) || NO_NUMBER.test(text);
}

function beginsLikeMore(text: string): boolean {
  return /^(?:[#,[\]{}&*!>'"%@|`]|---|\.\.\.|[-?:](?: |$))/.test(text);
}

function separates(text: string): boolean {
  return text.includes(': ') || text.includes(' #') || text.endsWith(':') || /^ | $/.test(text);
}
