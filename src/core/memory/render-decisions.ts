import type { Decision } from '#core/memory/memory.js';
import { timestamp } from '#kernel/clock.js';

/** What decisions.md says before anything was decided; a cast begins with it. */
export const NO_DECISIONS = '# Decisions\n\nWhat the team has agreed on, newest last.\n';

/** `decisions.md`: the active decisions, each in one section. */
export function renderDecisions(decisions: readonly Decision[]): string {
  return [NO_DECISIONS, ...decisions.map((decision) => sectionOf(decision))].join('\n');
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
  const facts = [`- **Type:** ${type}`, `- **Decided:** ${timestamp(created_at).slice(0, 10)}`];
  if (agent !== undefined) facts.push(`- **Proposed by:** ${agent}`);
  const parts = [`${mark} ${number}. ${title}`, facts.join('\n'), shut(content)];
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

function closes(fence: string, open: string, line: string): boolean {
  return fence[0] === open[0] && fence.length >= open.length && line.trim() === fence;
}
