import { TroupeError } from '#kernel/errors.js';
import type { CommandEntry } from './invocation.js';

/** Refuses `-` in the place of a text: only files are read from standard input. Errors: `usage`. */
export function refuseStandardInput(
  { command, arguments: parameters = [] }: CommandEntry,
  words: readonly string[],
): void {
  for (const [index, { field, path, many }] of parameters.entries()) {
    const given = many === true ? words.slice(index) : words.slice(index, index + 1);
    if (path !== undefined || !given.includes('-')) continue;
    throw new TroupeError('usage', {
      what: `${field.toUpperCase()} is a text, and \`-\` stands for standard input, which is not read here.`,
      hint: `Let the shell read it: \`troupe ${command} "$(cat)"\`.`,
    });
  }
}
