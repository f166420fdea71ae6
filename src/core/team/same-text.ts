import { parseJsonObject, sameJson } from '#kernel/json.js';

/**
 * Whether two Markdown texts say the same. How it is laid out counts for nothing: line ends, blank lines, padding of tables, the
 * sign a list begins with, code marks and links around a cell. A clone on another system or a formatter changes that much.
 */
export function sameMarkdown(left: string | undefined, right: string): boolean {
  return left !== undefined && (left === right || meaningOf(left) === meaningOf(right));
}

/** Whether two JSON files hold the same; what is no object says nothing. */
export function sameJsonText(left: string | undefined, right: string): boolean {
  const [one, other] = [parseJsonObject(left ?? ''), parseJsonObject(right)];
  return one !== undefined && other !== undefined && sameJson(one, other);
}

/** The text of a table cell without the marks around it. */
export function cellMeaning(cell: string): string {
  const plain = cell.replace(/\[([^\]]*)\]\(([^)]*)\)/g, (_, words: string, to: string) =>
    words.includes('/') ? words : to,
  );
  return plain.replaceAll('`', '').replace(/\*\*/g, '').replace(/\s+/g, ' ').trim();
}

function meaningOf(text: string): string {
  return text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .map((line) => lineMeaning(line))
    .filter((line) => line !== '')
    .join('\n');
}

function lineMeaning(line: string): string {
  const trimmed = line.trim();
  if (!trimmed.startsWith('|')) return trimmed.replace(/^[*+]\s+/, '- ').replace(/\s+/g, ' ');
  if (/^[|:\s-]+$/.test(trimmed)) return '|-';
  return trimmed
    .split(/(?<!\\)\|/)
    .map(cellMeaning)
    .join('|');
}
