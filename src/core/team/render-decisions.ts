import { timestamp } from '#kernel/clock.js';
import type { Decision } from './memory.js';
import { recordMark } from './record-mark.js';

/** What decisions.md says before anything was decided; a cast begins with it. */
export const NO_DECISIONS = '# Decisions\n\nWhat the team has agreed on, newest last.\n';

/** The part of `decisions.md` that is ours: the active decisions, each in one section with the id it has everywhere. */
export function renderDecisions(
  decisions: readonly Decision[],
  idOf: (decision: Decision) => string | undefined,
): string {
  return decisions.map((decision) => markedSection(decision, idOf(decision))).join('\n');
}

/**
 * The mark stands beside the heading and the facts in one line: where git puts two files into one it keeps together what has no
 * more than three equal lines in between.
 */
function markedSection(decision: Decision, id: string | undefined): string {
  const section = sectionOf(decision);
  if (id === undefined) return section;
  const [heading = '', ...rest] = section.split('\n');
  return [heading, recordMark('decision', id, section), ...rest].join('\n');
}

/** `boundaries.md`: what the team does and does not build, in which bounds. */
export function renderBoundaries(decisions: readonly Decision[]): string {
  const parts = [
    ['Architecture', decisions.filter(({ type }) => type === 'architectural')],
    ['Scope', decisions.filter(({ type }) => type === 'scope')],
  ] as const;
  const head = '# Boundaries\n\nDecisions that say what belongs to this project and how it is built.\n';
  const sections = parts
    .filter(([, rows]) => rows.length > 0)
    .map(([title, rows]) => [`## ${title}\n`, ...rows.map((row) => sectionOf(row, '###'))].join('\n'));
  return [head, ...sections].join('\n');
}

function sectionOf({ number, title, type, agent, created_at, content, rationale }: Decision, mark = '##'): string {
  const facts = [`**Type:** ${type}`, `**Decided:** ${timestamp(created_at).slice(0, 10)}`];
  if (agent !== undefined) facts.push(`**Proposed by:** ${agent}`);
  const parts = [`${mark} ${number}. ${title}`, `- ${facts.join(', ')}`, shut(content)];
  if (rationale !== '') parts.push(`**Rationale:** ${shut(rationale)}`);
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** A text that cannot end the section it stands in: its headings are quoted, and code it leaves open is closed. */
export function shut(text: string): string {
  let open: string | undefined;
  const lines = text.split('\n').map((line) => {
    const fence = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== undefined && open === undefined) open = fence;
    else if (fence !== undefined && open !== undefined && closes(fence, open, line)) open = undefined;
    else if (open === undefined && /^ {0,3}#{1,6}(?:\s|$)/.test(line)) return line.replace('#', '\\#');
    return line.includes('<!--') || line.includes('-->')
      ? line.replaceAll('<!--', '&lt;!--').replaceAll('-->', '--&gt;')
      : line;
  });
  return open === undefined ? lines.join('\n') : [...lines, open].join('\n');
}

/** The text that was shut. */
export function opened(text: string): string {
  return text
    .split('\n')
    .map((line) =>
      line
        .replace(/^( {0,3})\\#/, '$1#')
        .replaceAll('&lt;!--', '<!--')
        .replaceAll('--&gt;', '-->'),
    )
    .join('\n');
}

function closes(fence: string, open: string, line: string): boolean {
  return fence[0] === open[0] && fence.length >= open.length && line.trim() === fence;
}
