import type { OptionSpec } from '#operations/operation-spec.js';
import type { CommandEntry, FoundEntry } from './invocation.js';

/** The flag of a command with this spelling. */
export function optionOf({ options }: CommandEntry, word: string): OptionSpec | undefined {
  return options?.find(
    ({ flag, short, aliases = [] }) =>
      word === `-${short}` || [flag, ...aliases].some((spelling) => word === `--${spelling}`),
  );
}

/** Whether people find a command: it has no other name, and not only programs type it. */
export const isShown = (entry: CommandEntry): boolean => !('instead' in entry) && entry.forPrograms !== true;

/** Whether a command takes these flags and this number of words. */
export function isUnderstood({ entry, rest }: FoundEntry): boolean {
  if ('isChosen' in entry) return rest[0] === '--help' || rest[0] === '-h';
  const parameters = entry.arguments ?? [];
  let count = 0;
  for (let index = 0; index < rest.length; index++) {
    const word = rest[index] ?? '';
    if (word === '--help' || word === '-h') return true;
    if (!word.startsWith('-') || word === '-') count++;
    else if (word === '--') {
      count += rest.length - index - 1;
      break;
    } else {
      const [flag = ''] = word.split('=', 1);
      const option = optionOf(entry, flag);
      if (option === undefined) return false;
      if (option.type !== 'switch' && flag === word) index++;
    }
  }
  const least = parameters.filter(({ required }) => required).length;
  return count >= least && (count <= parameters.length || parameters.at(-1)?.many === true);
}
