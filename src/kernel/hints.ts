import { inert, shellWord } from './text.js';

/** A command in a text, and a placeholder in it: a whole word in capitals. */
const COMMAND = /`troupe [^`]*`/g;
const PLACEHOLDER = /(?<![\w-])[A-Z]{2,}(?![\w-])/g;
/** Never replaced: the person chooses this file, and a file named by an error is a different one. */
const CHOSEN = 'FILE';
/** Longer values would hide the command. */
const LONGEST = 200;

/**
 * Replaces placeholders in the commands of a text by the values that `valueFor` returns: `troupe show ID` becomes
 * `troupe show t-1`. Values are escaped for screens and quoted as one shell word.
 */
export function withValues(text: string, valueFor: (placeholder: string, command: string) => unknown): string {
  return text.replace(COMMAND, (command) =>
    command.replace(PLACEHOLDER, (placeholder) => {
      if (placeholder === CHOSEN) return placeholder;
      const value = valueFor(placeholder, command);
      return typeof value === 'string' && value !== '' && value.length <= LONGEST
        ? shellWord(inert(value))
        : placeholder;
    }),
  );
}
