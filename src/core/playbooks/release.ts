import { FORMATION_LIMITS } from '#kernel/limits/formations.js';
import { headingOf, type MarkdownLine, markdownLines } from '#kernel/markdown-lines.js';

/**
 * Commands of a release: the content of the single fenced block in the section `## Commands` of a DEPLOY.md; empty if
 * the section has none. Several blocks or sections are ambiguous and reported as `problem`.
 */
export function releaseCommands(text: string): { readonly commands: string } | { readonly problem: string } {
  const lines = markdownLines(text);
  const starts = lines.flatMap((line, at) => (isCommands(line) ? [at + 1] : []));
  const [start, ...others] = starts;
  if (start === undefined) return { problem: 'has no section `## Commands`' };
  if (others.length > 0) return { problem: 'has more than one section `## Commands`' };
  const length = lines.slice(start).findIndex((line) => (headingOf(line)?.level ?? 3) <= 2);
  const blocks = blocksOf(lines.slice(start, length === -1 ? undefined : start + length));
  const [block, ...more] = blocks;
  if (block === undefined) return { commands: '' };
  if (more.length > 0) return { problem: 'has more than one block of commands' };
  if (block.close === undefined) return { problem: 'has a block of commands without an end' };
  const commands = text.slice(block.open.next, block.close.start);
  if (commands.includes('\0')) return { problem: 'holds a NUL among its commands' };
  if (new TextEncoder().encode(commands).length > FORMATION_LIMITS.releaseBytes)
    return { problem: `has more than ${FORMATION_LIMITS.releaseBytes} bytes of commands` };
  return { commands };
}

function isCommands(line: MarkdownLine): boolean {
  const heading = headingOf(line);
  return heading?.level === 2 && /^commands *:?$/i.test(heading.title);
}

interface Block {
  readonly open: MarkdownLine;
  readonly close: MarkdownLine | undefined;
}

/** Fenced blocks among these lines, each with its opening and closing fence. */
function blocksOf(lines: readonly MarkdownLine[]): Block[] {
  const blocks: Block[] = [];
  let open: { line: MarkdownLine; mark: string } | undefined;
  for (const line of lines) {
    if (line.kind !== 'code') continue;
    const [, mark = ''] = /^ {0,3}(`{3,}|~{3,})/.exec(line.text) ?? [];
    if (open === undefined) open = { line, mark };
    else if (mark[0] === open.mark[0] && mark.length >= open.mark.length && /^[ `~\t]+$/.test(line.text)) {
      blocks.push({ open: open.line, close: line });
      open = undefined;
    }
  }
  return open === undefined ? blocks : [...blocks, { open: open.line, close: undefined }];
}
