import { TALK_LIMITS } from '#kernel/limits/talk.js';
import { objectIn } from '#kernel/question.js';
import { slugOf } from '#kernel/slug.js';
import type { TeamLabel } from './team.js';

/** One line of letters, digits, blanks, `-` and `'`, and something beside these two. */
const NAME = /^(?=.*[\p{L}\p{N}])[\p{L}\p{N}][\p{L}\p{M}\p{N} '-]*$/u;

/** The name that an answer proposes for a team; undefined for anything else than one usable line. */
export function nameIn(answer: string): string | undefined {
  return objectIn(answer, ({ name }) => {
    if (typeof name !== 'string') return undefined;
    const line = name.trim().normalize('NFC');
    return line.length <= TALK_LIMITS.teamAutoNameCharacters && NAME.test(line) ? line.replace(/ +/g, ' ') : undefined;
  });
}

/** The name, or with ` 2`, ` 3` … where teams at work, or the one that is kept for the project, have it. */
export function freeTeamName(
  name: string,
  labels: readonly Pick<TeamLabel, 'id' | 'name' | 'status'>[],
  { reserved, own }: { readonly reserved: string; readonly own: string },
): string {
  const others = labels.filter(({ id, status }) => status === 'active' && id !== own).map((label) => label.name);
  const taken = new Set([reserved, ...others].map(slugOf));
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : ` ${number}`;
    const candidate = `${name.slice(0, TALK_LIMITS.teamAutoNameCharacters - suffix.length).trim()}${suffix}`;
    if (!taken.has(slugOf(candidate))) return candidate;
  }
}
