import pc from 'picocolors';
import { expect } from 'vitest';
import { cellsOf } from '#kernel/cells.js';
import { ALL_COMMANDS } from '#surfaces/cli/command.js';
import { printEntries, printHelp, printOverview, printTopics } from '#surfaces/cli/help.js';
import type { Screen } from '#surfaces/cli/screen.js';
import { topicsOf } from '#surfaces/cli/topics.js';
import { verifies } from '../verifies.js';

/** What is printed where the columns do not end, as in a pipe. */
function printed(print: (screen: Screen) => void): string[] {
  const lines: string[] = [];
  const line = (text = '') => lines.push(text);
  const width = Number.POSITIVE_INFINITY;
  print({ width, colour: pc.createColors(false), unicode: true, terminal: false, line, aside: line });
  return lines;
}

const tooWide = (lines: readonly string[]) => lines.filter((line) => cellsOf(line) > 80);

verifies('ui.help.short', 'no help of any command or topic is wider than 80 columns, in a pipe either', () => {
  for (const entry of ALL_COMMANDS) {
    const lines = printed((screen) => printHelp(screen, entry, ALL_COMMANDS));
    expect(tooWide(lines), entry.command).toEqual([]);
    // Nothing is lost where a line is broken.
    const text = lines.join(' ').replaceAll(' \\ ', ' ').replace(/\s+/g, ' ');
    for (const part of [`troupe ${entry.command}: ${entry.summary}`, ...entry.examples]) expect(text).toContain(part);
  }
  const topics = topicsOf(ALL_COMMANDS);
  for (const topic of topics)
    expect(tooWide(printed((screen) => printTopics(screen, [topic]))), topic.name).toEqual([]);
  expect(tooWide(printed((screen) => printOverview(screen, topics)))).toEqual([]);
  expect(tooWide(printed((screen) => printEntries(screen, ALL_COMMANDS, ({ options = [] }) => options)))).toEqual([]);
});
