import type { Section } from '#core/runs/prompt-section.js';
import { oneLine } from '#kernel/fence.js';
import { LIMITS } from '#kernel/limits.js';
import { name, type PromptContext, safe } from './prompt-context.js';

/** What the member itself has learned, and of each decision that holds the title. */
export function memory(section: Section, told: PromptContext): void {
  const { learnings = [], decisions: all = [], older } = told.facts.memory ?? {};
  if (learnings.length + all.length === 0) return;
  section.say(told.words('memory'));
  const lessons = learnings.map(({ content }) => `- ${oneLine(safe(content), LIMITS.promptLogLineBytes)}`);
  section.block('memory: what you have learned', more(lessons, older?.learnings), LIMITS.promptMemoryBytes);
  const titles = all.map(({ number, title }) => `- ${number}. ${name(safe(title))}`);
  section.block('memory: decisions', more(titles, older?.decisions), LIMITS.promptMemoryBytes);
}

/** The texts of the decisions, each in a block: who changes how things are built has to know why they are so. */
export function decisions(section: Section, told: PromptContext): void {
  const all = (told.facts.memory?.decisions ?? []).filter(({ content, rationale }) => `${content}${rationale}` !== '');
  if (all.length === 0) return;
  section.say(told.words('decisions'));
  for (const { number, title, content, rationale } of all) {
    const why = rationale === '' ? [] : [`Rationale: ${safe(rationale)}`];
    const text = [`${number}. ${name(safe(title))}`, ...(content === '' ? [] : [safe(content)]), ...why].join('\n');
    section.block('decision', text, LIMITS.promptReasonBytes);
  }
}

/** A list whose beginning is missing says so. */
function more(lines: readonly string[], older = 0): string {
  return [...(older > 0 && lines.length > 0 ? [`[cut: ${older} older ones are not shown]`] : []), ...lines].join('\n');
}
