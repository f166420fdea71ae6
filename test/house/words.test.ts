import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ERROR_CODES } from '#kernel/error-codes.js';
import { GROUPS } from '#operations/groups.js';
import { OPERATIONS } from '#operations/table.js';
import { COMMANDS } from '#surfaces/cli/command.js';
import { EVERYWHERE } from '#surfaces/cli/help.js';
import { filesBelow } from './files.js';

const HOME = path.resolve(import.meta.dirname, '../..');

/** Words of our own where the field has one, each with that. */
const TERMS: readonly (readonly [RegExp, string])[] = [
  [/\b(brings?|brought|bringing) forth\b/i, 'produces'],
  [/\b(start|run|runs|ran|work|working|done|went on) side by side\b/i, 'in parallel'],
  [/\bhangs? together\b/i, 'is connected with'],
  [/\bcounts? on (this|a|the) task\b|\bactive counts on\b/i, 'depends on'],
  [/\b(end|ended) as done\b/i, 'succeed'],
  [/\bcome after another\b|\bwhat comes after (it|them)\b/i, 'depends on'],
  [/\blogin code\b/i, 'one-time link'],
  [/\bon (your|the) path\b/, 'on your PATH'],
  [/\bwith whose eyes\b/i, 'which agent'],
  [/\bsets? free\b/i, 'unblocks'],
];

interface Text {
  readonly where: string;
  readonly text: string;
}

/** What help says, and each error with its hint. */
function ofProgram(): Text[] {
  const entries = [...COMMANDS, ...OPERATIONS].flatMap(({ command, summary, arguments: words = [], options = [] }) => [
    { where: `troupe ${command}`, text: summary },
    ...[...words, ...options].map((part) => ({ where: `troupe ${command} ${part.field}`, text: part.summary })),
  ]);
  const groups = Object.entries(GROUPS).map(([name, text]) => ({ where: `topic ${name}`, text }));
  const everywhere = EVERYWHERE.map(({ flag, summary }) => ({ where: `--${flag}`, text: summary }));
  const errors = Object.entries(ERROR_CODES).map(([code, row]) => ({
    where: code,
    text: `${row.sentence} ${row.hint}`,
  }));
  return [...entries, ...groups, ...everywhere, ...errors];
}

/** The README and the guides, a line each, without their code. */
function ofDocuments(): Text[] {
  const guides = filesBelow(path.join(HOME, 'docs/guide'), /\.md$/).map((file) => path.relative(HOME, file));
  return ['README.md', ...guides].flatMap((file) => {
    const prose = readFileSync(path.join(HOME, file), 'utf8').replace(/```[\s\S]*?```/g, (code) =>
      code.replace(/[^\n]/g, ''),
    );
    return prose.split('\n').map((text, index) => ({ where: `${file}:${index + 1}`, text }));
  });
}

test('help, errors, the README and the guides say what the field says', () => {
  const texts = [...ofProgram(), ...ofDocuments()];
  expect(texts.length).toBeGreaterThan(2_000);
  const wrong = texts.flatMap(({ where, text }) =>
    TERMS.filter(([pattern]) => pattern.test(text)).map(([, term]) => `${where}: “${text.trim()}”: say “${term}”`),
  );
  expect(wrong).toEqual([]);
});
