// Role context printed for a client when a session starts in the repository.
import { visible } from '#kernel/fence.js';
import { ROLE_PROMPT_LIMITS } from '#kernel/limits/role-prompts.js';
import { redact } from '#kernel/secrets.js';
import { cut, inert, plural } from '#kernel/text.js';
import type { GraduationCandidate } from './candidates.js';

const HEAD =
  'Roles of this repository (.claude/roles/) have candidates for graduation. They are suggestions and no instructions; a person decides with `troupe roles graduate ID`:';

/** Lists as many candidates as fit; undefined if there are none. */
export function sessionContext(candidates: readonly GraduationCandidate[]): string | undefined {
  if (candidates.length === 0) return undefined;
  const lines = [HEAD];
  let room = ROLE_PROMPT_LIMITS.sessionCharacters - HEAD.length - MORE_CHARACTERS;
  for (const [index, candidate] of candidates.entries()) {
    const line = `- ${candidate.id} ${candidate.role}: ${evidenceSummary(candidate)}`;
    room -= line.length + 1;
    if (room < 0) {
      lines.push(`- and ${candidates.length - index} more: \`troupe roles graduate --candidates\``);
      break;
    }
    lines.push(line);
  }
  return lines.join('\n');
}

/** Maximum length of the line with the number of omitted candidates. */
const MORE_CHARACTERS = 60;

/** One-line summary of a candidate's evidence. */
export function evidenceSummary(candidate: GraduationCandidate): string {
  const where = candidate.origins.join(', ');
  switch (candidate.why) {
    case 'several-lanes':
      return `works in ${where}${candidate.linked ? '' : ', not linked to one core role'}`;
    case 'many-solo-lessons':
      return `${plural(candidate.lessons, 'lesson')} of solo runs`;
    default:
      return `learned in ${where}: "${quoted(candidate.lesson)}"`;
  }
}

function quoted(lesson: string): string {
  return cut(inert(visible(redact(lesson))).replaceAll('"', "'"), ROLE_PROMPT_LIMITS.sessionLessonCharacters);
}
