/** A line of Markdown. `start` and `end` are offsets in the text; `next` is the offset of the following line. */
export interface MarkdownLine {
  readonly kind: 'text' | 'code' | 'comment';
  /** Text without its line end; in a `text` line, comments that start and end in it are replaced by spaces. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly next: number;
}

/**
 * Splits a text into lines and classifies them: `code` for fenced code with its fences, `comment` for HTML comments at
 * the start of a line. Line ends may be LF, CRLF or CR; a byte order mark is not part of the first line. Linear time.
 */
export function markdownLines(text: string): readonly MarkdownLine[] {
  const lines: MarkdownLine[] = [];
  let fence: string | undefined;
  let inComment = false;
  for (const { start, end, next } of lineBounds(text)) {
    const raw = text.slice(start, end);
    const opens = fence === undefined && raw !== '' ? opensFence(raw) : undefined;
    const at = { start, end, next };
    if (inComment) {
      inComment = !raw.includes('-->');
      lines.push({ kind: 'comment', text: raw, ...at });
    } else if (fence !== undefined) {
      if (closesFence(raw, fence)) fence = undefined;
      lines.push({ kind: 'code', text: raw, ...at });
    } else if (opens !== undefined) {
      fence = opens;
      lines.push({ kind: 'code', text: raw, ...at });
    } else if (/^ {0,3}<!--/.test(raw)) {
      inComment = !raw.slice(raw.indexOf('<!--') + 4).includes('-->');
      lines.push({ kind: 'comment', text: raw, ...at });
    } else lines.push({ kind: 'text', text: withoutComments(raw), ...at });
  }
  return lines;
}

/** Level and title of a heading; undefined for other lines. */
export function headingOf({
  kind,
  text,
}: MarkdownLine): { readonly level: number; readonly title: string } | undefined {
  const [, marks, rest = ''] = kind === 'text' ? (/^ {0,3}(#{1,6})(?:[ \t](.*))?$/s.exec(text) ?? []) : [];
  if (marks === undefined) return undefined;
  const title = rest.trim();
  const closing = /(?:^|[ \t])#+$/.exec(title.slice(-64)); // `## Needs ##`
  return { level: marks.length, title: closing ? title.slice(0, -closing[0].length).trim() : title };
}

/** Bounds of the lines of any text. */
export function* lineBounds(text: string): Generator<Pick<MarkdownLine, 'start' | 'end' | 'next'>> {
  let start = text.startsWith('\ufeff') ? 1 : 0;
  while (start < text.length) {
    const end = endOfLine(text, start);
    const next = end + (text.startsWith('\r\n', end) ? 2 : end < text.length ? 1 : 0);
    yield { start, end, next };
    start = next;
  }
}

function endOfLine(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === LINE_FEED || sign === CARRIAGE_RETURN) return at;
  }
  return text.length;
}

const [LINE_FEED, CARRIAGE_RETURN] = [0x0a, 0x0d];

/** Opening fence of a code block: backticks or tildes. The info string after backticks contains no backticks. */
function opensFence(line: string): string | undefined {
  const [, marks, words = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/s.exec(line) ?? [];
  return marks?.startsWith('`') && words.includes('`') ? undefined : marks;
}

function closesFence(line: string, fence: string): boolean {
  const [, marks] = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line) ?? [];
  return marks !== undefined && marks[0] === fence[0] && marks.length >= fence.length;
}

/** Replaces comments within a line by spaces. A comment that is not closed in the line is text. */
function withoutComments(line: string): string {
  let shown = '';
  let from = 0;
  for (;;) {
    const open = line.indexOf('<!--', from);
    const close = open < 0 ? -1 : line.indexOf('-->', open + 4);
    if (close < 0) return shown + line.slice(from);
    shown += line.slice(from, open) + ' '.repeat(close + 3 - open);
    from = close + 3;
  }
}
