import { asksPerson, questionOf } from '#core/graph/asks-person.js';
import type { GraphView } from '#core/graph/view.js';
import { NOTICE_LIMITS } from '#kernel/limits/notices.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { redact } from '#kernel/secrets.js';
import { cut, inert, plural, shellWord } from '#kernel/text.js';
import { HAPPENING_KINDS, type Happening, type HappeningKind } from './happenings.js';

const NOUNS: Readonly<Record<HappeningKind, string>> = {
  review: 'review',
  question: 'question',
  failed: 'failure',
  plan: 'plan finished',
  budget: 'budget nearly spent',
};

/**
 * Subject and text of a notice in plain text. Titles, reasons and questions are foreign: cut, escaped and without
 * secrets, since they leave this machine.
 */
export function noticeText(
  view: GraphView,
  { project, happenings, more }: { project: string; happenings: readonly Happening[]; more: number },
): { readonly subject: string; readonly text: string } {
  const [only] = happenings;
  const about = happenings.length + more === 1 && only ? headOf(view, only) : countsOf(happenings, more);
  const sections = happenings.slice(0, NOTICE_LIMITS.shown).map((one) => sectionOf(view, one).join('\n'));
  const rest = happenings.length - sections.length + more;
  return {
    subject: cut(redact(`[${inert(project)}] ${about}`), TEAM_LIMITS.notifySubjectCharacters),
    text: redact([...sections, ...(rest > 0 ? [`${rest} more: troupe problems`] : [])].join('\n\n')),
  };
}

/** `2 reviews, 1 failure`. */
function countsOf(happenings: readonly Happening[], more: number): string {
  const counts = HAPPENING_KINDS.flatMap((kind) => {
    const count = happenings.filter((one) => one.kind === kind).length;
    if (count === 0) return [];
    const [noun = '', ...others] = NOUNS[kind].split(' ');
    return [[plural(count, noun), ...others].join(' ')];
  });
  return [...counts, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

function headOf(view: GraphView, { kind, about, detail }: Happening): string {
  switch (kind) {
    case 'review':
      return `Review: ${titleOf(view, about)}`;
    case 'question':
      return `Waits for you: ${titleOf(view, about)}`;
    case 'failed':
      return `Failed: ${titleOf(view, about)}`;
    case 'plan':
      return `Finished: ${short(about)} (${short(detail)})`;
    case 'budget':
      return `Budget: ${short(detail)} spent`;
  }
}

/** Head, what there is to know, and the command that helps. */
function sectionOf(view: GraphView, happening: Happening): string[] {
  const { kind, about } = happening;
  const head = headOf(view, happening);
  const task = view.task(about);
  const id = shellWord(inert(about));
  switch (kind) {
    case 'review':
      return [head, ...words(task?.failure_reason ?? task?.verify), `  troupe show ${id}`, `  troupe approve ${id}`];
    case 'question': {
      const asks = task !== undefined && asksPerson(task);
      const question = asks ? words(questionOf(task)) : [];
      return [head, ...question, asks ? `  troupe answer ${id} "…"` : `  troupe show ${id}`];
    }
    case 'failed':
      return [head, ...words(task?.failure_reason), `  troupe show ${id}`, `  troupe retry ${id}`];
    default:
      return [head, '  troupe status'];
  }
}

function words(text: unknown): string[] {
  if (typeof text !== 'string' || text.trim() === '') return [];
  return [`  ${cut(inert(text.trim()), NOTICE_LIMITS.reasonCharacters)}`];
}

function titleOf(view: GraphView, id: string): string {
  return short(view.task(id)?.title ?? id);
}

function short(text: string): string {
  return cut(inert(text), NOTICE_LIMITS.titleCharacters);
}
