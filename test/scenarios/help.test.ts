import { expect } from 'vitest';
import { cellsOf } from '#kernel/cells.js';
import { ALL_COMMANDS } from '#surfaces/cli/command.js';
import { room } from '../room.js';
import { verifies } from '../verifies.js';
import { asked, troupe } from './program.js';

const firstWord = (command: string) => command.split(' ')[0] ?? '';

/** What a command prints, that has to work, as lines. */
async function linesOf(...words: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await troupe(words, { cwd: room() });
  expect([words, code, stderr]).toEqual([words, 0, '']);
  return stdout.trimEnd().split('\n');
}

/** The commands a page names at the beginning of its lines. */
const commandsOf = (lines: readonly string[]): string[] =>
  lines.flatMap((line) => /^ {2}([a-z][a-z -]*?)(?: {2}|$)/.exec(line)?.[1] ?? []);

verifies('ui.help.short', 'help fits 40 lines of 80 columns: a dozen commands in order, then topics', async () => {
  for (const words of [['--help'], ['-h'], ['help']]) {
    const lines = await linesOf(...words);
    expect(lines.length).toBeLessThanOrEqual(40);
    expect(Math.max(...lines.map(cellsOf)), lines.join('\n')).toBeLessThanOrEqual(80);
    const days = commandsOf(lines.slice(lines.indexOf('Everyday'), lines.indexOf('Topics')));
    expect(days).toHaveLength(12);
    expect(days.filter((command) => !ALL_COMMANDS.some((entry) => entry.command === command))).toEqual([]);
    const order = ['init', 'add', 'service start', 'status', 'approve', 'worktree land'].map((one) =>
      days.indexOf(one),
    );
    expect(order).toEqual([...order].sort((left, right) => left - right));
  }
});

verifies('ui.help.short', 'every command stands in one topic, beside those that begin with the same word', async () => {
  const lines = await linesOf('help');
  const topics = commandsOf(lines.slice(lines.indexOf('Topics'), lines.lastIndexOf('')));
  expect(topics.length).toBeGreaterThan(8);
  const places: string[] = [];
  for (const topic of topics) {
    expect(
      ALL_COMMANDS.filter(({ command }) => command === topic),
      'a topic is no command',
    ).toEqual([]);
    const commands = commandsOf(await linesOf('help', topic));
    expect(commands.length, topic).toBeLessThanOrEqual(36);
    const words = commands.map(firstWord).filter((word, index, all) => word !== all[index - 1]);
    expect(new Set(words).size, `${topic}: ${words}`).toBe(words.length);
    // The commands below a word are in one topic; where that is called the same, it is this one.
    if (ALL_COMMANDS.some(({ command }) => command.startsWith(`${topic} `))) expect(words).toContain(topic);
    places.push(...commands);
  }
  expect([...places].sort()).toEqual(ALL_COMMANDS.map(({ command }) => command).sort());
  const families = topics.length + new Set(places.map(firstWord)).size;
  const all = commandsOf(await linesOf('help', '--all'));
  expect(all).toEqual(places);
  const runs = all.map(firstWord).filter((word, index, words) => word !== words[index - 1]);
  expect(runs.length + topics.length).toBe(families);
});

verifies('ui.help.short', 'a word is looked for in names, summaries and flags', async () => {
  const matches = async (...words: string[]) => commandsOf(await linesOf('help', ...words));
  expect(await matches('-k', 'worktree')).toEqual(expect.arrayContaining(['worktree land', 'commit']));
  expect((await matches('-k', 'WORKTREE'))[0]).toMatch(/^worktree /);
  const flagged = await linesOf('help', '-k', '--max-iterations');
  expect(commandsOf(flagged)).toContain('add');
  expect(flagged.join('\n')).toMatch(/^ {4}--max-iterations /m);
  expect(await matches('--keyword', 'without an active run')).toContain('sweep');
  const rows = await asked<{ command: string }[]>(['help', '-k', 'worktree'], { cwd: room() });
  expect(rows.map(({ command }) => command)).toEqual(await matches('-k', 'worktree'));
});

verifies('ui.help.short', 'a topic that is none is an error with the nearest, an empty one too', async () => {
  const cases: [string[], number, RegExp][] = [
    [['help', 'taks'], 2, /Did you mean `troupe help tasks`/],
    [['help', 'servic', 'start'], 2, /Did you mean `troupe help service start`/],
    [['help', ''], 2, /A topic is required[\s\S]*`troupe help --all`/],
    [['help', '\u001b[2J'], 2, /no topic or command[\s\S]*`troupe help`/],
    [['help', '-k', ' '], 2, /--keyword requires a word/],
    [['help', '-k', 'quetzalcoatl'], 1, /No command matches[\s\S]*`troupe help --all`/],
    [['help', 'tasks', '--all'], 2, /only one of/],
  ];
  for (const [words, exit, wanted] of cases) {
    const { code, stdout, stderr } = await troupe(words, { cwd: room() });
    expect([words, code, stdout]).toEqual([words, exit, '']);
    expect(stderr).toMatch(wanted);
    expect(stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f]/);
  }
  const start = await linesOf('help', 'service', 'start');
  expect(start).toEqual(await linesOf('service', 'start', '--help'));
  expect(start).toEqual(await linesOf('--help', 'service start'));
});
