import { TALK_LIMITS } from '#kernel/limits/talk.js';
import { objectIn } from '#kernel/question.js';
import { slugOf } from '#kernel/slug.js';
import type { TeamReference } from './team.js';

/** One line of letters, digits, blanks, `-` and `'`, not of `-` and `'` alone. */
const NAME = /^(?=.*[\p{L}\p{N}])[\p{L}\p{N}][\p{L}\p{M}\p{N} '-]*$/u;

/** Parses the proposed team name; undefined unless the answer is one usable line. */
export function nameIn(answer: string): string | undefined {
  return objectIn(answer, ({ name }) => {
    if (typeof name !== 'string') return undefined;
    const line = name.trim().normalize('NFC');
    return line.length <= TALK_LIMITS.teamAutoNameCharacters && NAME.test(line) ? line.replace(/ +/g, ' ') : undefined;
  });
}

/** The name, with ` 2`, ` 3` … appended if an active team has it or it is reserved for the project. */
export function freeTeamName(
  name: string,
  labels: readonly Pick<TeamReference, 'id' | 'name' | 'status'>[],
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
