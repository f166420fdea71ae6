import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { SHOWN_STATES, STATUS_LOOK } from '#core/graph/status-look.js';
import { OPERATIONS } from '#operations/table.js';
import { ALL_COMMANDS } from '#surfaces/cli/command.js';
import { contrast } from '../contrast.js';
import { verifies } from '../verifies.js';
import { filesBelow } from './files.js';

const HOME = path.resolve(import.meta.dirname, '../..');
const TABLE = 'src/core/graph/status-look.ts';
/** The accent of all pages; a ready task has it too. Grey is also what is said beside something. */
const SHARED = ['#1D5FD1', '#7FB0FF', '#5B6472', '#9AA4B2'];

const sources = ['src', 'web'].flatMap((folder) =>
  filesBelow(path.join(HOME, folder), /\.(ts|tsx|css)$/).map((file) => ({
    file: path.relative(HOME, file),
    text: readFileSync(file, 'utf8'),
  })),
);

verifies('ui.status.same', 'terminal, browser, Markdown and charts read one table of how a state looks', () => {
  const readers = sources.filter(({ text }) => text.includes('STATUS_LOOK')).map(({ file }) => file);
  expect(readers).toEqual(
    expect.arrayContaining([
      'src/surfaces/cli/status-mark.ts',
      'web/app/status/Status.tsx',
      'web/app/data/theme.ts',
      'src/core/review/markdown-report.ts',
      'src/core/review/html/style.ts',
      'src/core/insight/text-formats.ts',
    ]),
  );
  // A severity looks like the state it leads to: its table is the second and last place.
  const others = sources.filter(({ file }) => file !== TABLE && file !== 'src/core/review/finding.ts');
  for (const state of SHOWN_STATES) {
    const { light, dark } = STATUS_LOOK[state];
    const colours = [light, dark].filter((colour) => !SHARED.includes(colour));
    const copies = others.filter(({ text }) => colours.some((colour) => text.toUpperCase().includes(colour)));
    expect(
      copies.map(({ file }) => file),
      state,
    ).toEqual([]);
  }
});

verifies('ui.status.same', 'every state is readable on both grounds, and told by sign and word without colour', () => {
  const looks = SHOWN_STATES.map((state) => STATUS_LOOK[state]);
  for (const look of looks) {
    expect(contrast(look.light, '#FFFFFF'), look.word).toBeGreaterThanOrEqual(4.5);
    expect(contrast(look.dark, '#0F1217'), look.word).toBeGreaterThanOrEqual(4.5);
  }
  for (const part of ['glyph', 'ascii', 'word'] as const) expect(new Set(looks.map((look) => look[part])).size).toBe(9);
});

/** They write outside of `.squad/` too, but nothing that a client reads as its own. */
const NONE_FOR_CLIENTS = ['team.ensure', 'memory.export'];

verifies('ui.cli.ask', 'whatever asks on a terminal has a flag that answers', () => {
  const asking = sources.filter(({ text }) => /host\.ask\(/.test(text)).map(({ file }) => file);
  expect(asking.sort()).toEqual([
    'src/surfaces/cli/commands/agree-to-checks.ts',
    'src/surfaces/cli/commands/run.ts', // the plan for a goal
    'src/surfaces/cli/commands/setup.ts',
    'src/surfaces/cli/commands/sweep.ts',
    'src/surfaces/cli/commands/worker-leaders.ts',
    'src/surfaces/cli/commands/worktree-land.ts',
    'src/surfaces/cli/outside-files.ts', // any operation that may write files for clients
    'src/surfaces/cli/program.ts', // any operation that answers `confirmation_needed`
  ]);
  const answers = (command: string) =>
    ALL_COMMANDS.find((entry) => entry.command === command)?.options?.some(({ flag }) => flag === 'yes');
  for (const command of ['run', 'setup', 'trial', 'sweep', 'worker start', 'worktree land'])
    expect(answers(command), command).toBe(true);
  const forClients = OPERATIONS.filter(({ name, writesOutside }) => writesOutside && !NONE_FOR_CLIENTS.includes(name));
  expect(forClients.length).toBeGreaterThan(5);
  for (const { command, options } of forClients)
    expect(
      options?.map(({ flag }) => flag),
      command,
    ).toContain('clients');
  const refusing = sources.filter(
    ({ file, text }) => file.startsWith('src/operations/') && text.includes("'confirmation_needed'"),
  );
  expect(refusing.length).toBeGreaterThan(0);
  for (const { file, text } of refusing) expect(text, `${file} has a way to say yes`).toMatch(/\byes\b|\bagree: \{/);
});

/** Classes that the highlighter gives to parts of a line of code. */
const TOKENS = ['comment', 'string', 'keyword', 'function', 'property', 'tag', 'url', 'title', 'code', 'table'];

verifies('web.review', 'no style of the dashboard is also that of a part of highlighted code', () => {
  const styles = sources.filter(({ file }) => file.endsWith('.css'));
  const shared = new RegExp(`^\\.(?:${TOKENS.join('|')})[ ,{:]`, 'm');
  expect(styles.length).toBeGreaterThan(5);
  expect(styles.filter(({ text }) => shared.test(text)).map(({ file }) => file)).toEqual([]);
});
