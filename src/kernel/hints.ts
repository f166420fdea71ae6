import { inert, shellWord } from './text.js';

/** A command in a text, and a placeholder in it: a whole word in capitals. */
const COMMAND = /`troupe [^`]*`/g;
const PLACEHOLDER = /(?<![\w-])[A-Z]{2,}(?![\w-])/g;
/** The person chooses it: a file that an error names is another one. */
const CHOSEN = 'FILE';
/** Longer values would hide the command. */
const LONGEST = 200;

/**
 * A text whose commands have values in place of the placeholders that `valueFor` knows: `troupe show ID` becomes
 * `troupe show t-1`. A value is harmless for a screen, and one word of a shell.
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
