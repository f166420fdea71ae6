import { inert } from '#kernel/text.js';
import type { Screen } from '#surfaces/cli/screen.js';

export interface LeftAlone {
  readonly file: string;
  readonly reason: string;
}

/** Files that were not taken or not written, each with its reason. */
export function printLeftAlone(rows: readonly LeftAlone[], { colour, line }: Screen): void {
  for (const { file, reason } of rows) line(`${colour.yellow('left')}     ${inert(file)}: ${inert(reason)}`);
}

/** A text of many lines, below what it belongs to. */
export function printText(text: string, screen: Screen): void {
  if (text === '') return;
  for (const line of inert(text, true).split('\n')) screen.line(`   ${line}`.trimEnd());
}

/** What it says, in one line. */
export const firstLine = (text: string): string => inert(text.split('\n', 1)[0] ?? '');

export const day = (at: string): string => at.slice(0, 10);
