import { expect, test } from 'vitest';
import { errorCodes } from '#kernel/errors.js';
import { GROUPS } from '#operations/groups.js';
import { ALL_COMMANDS } from '#surfaces/cli/command.js';
import { GLOBAL_OPTIONS } from '#surfaces/cli/help.js';
import { DOCUMENTS, paragraphsOf, type Text } from './prose.js';
import { TERMS } from './terms.js';

/** What help says, and each error with its hint. */
function ofProgram(): Text[] {
  const entries = ALL_COMMANDS.flatMap(({ command, summary, arguments: words = [], options = [] }) => [
    { where: `troupe ${command}`, text: summary },
    ...[...words, ...options].map((part) => ({ where: `troupe ${command} ${part.field}`, text: part.summary })),
  ]);
  const groups = Object.entries(GROUPS).map(([name, text]) => ({ where: `topic ${name}`, text }));
  const everywhere = GLOBAL_OPTIONS.map(({ flag, summary }) => ({ where: `--${flag}`, text: summary }));
  const errors = Object.entries(errorCodes()).map(([code, row]) => ({
    where: code,
    text: `${row.sentence} ${row.hint}`,
  }));
  return [...entries, ...groups, ...everywhere, ...errors];
}

test('help, errors, the README and the guides say what the field says', () => {
  const texts = [...ofProgram(), ...DOCUMENTS.flatMap(paragraphsOf)];
  expect(texts.length).toBeGreaterThan(1_500);
  const wrong = texts.flatMap(({ where, text }) =>
    TERMS.filter(([pattern]) => pattern.test(text)).map(([, term]) => `${where}: “${text.trim()}”: say “${term}”`),
  );
  expect(wrong).toEqual([]);
});
