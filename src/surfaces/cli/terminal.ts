import pico from 'picocolors';
import type { Screen } from './screen.js';
import { terminalSize } from './terminal-size.js';

/** Line width of output that is not a terminal. */
export const NO_LIMIT = 100_000;

export interface ScreenOptions {
  readonly out: NodeJS.WriteStream;
  readonly err: NodeJS.WriteStream;
  readonly environment: NodeJS.ProcessEnv;
  /** From `--no-color`. */
  readonly noColour?: boolean;
  /** From `--quiet`: only results. */
  readonly quiet?: boolean;
}

/** Whether to colour: only on a capable terminal, unless overridden. */
export function wantsColour(out: { isTTY?: boolean }, environment: NodeJS.ProcessEnv, noColour = false): boolean {
  if (noColour || environment['NO_COLOR']) return false;
  if (environment['FORCE_COLOR'] && environment['FORCE_COLOR'] !== '0') return true;
  return out.isTTY === true && environment['TERM'] !== 'dumb';
}

/** Whether the terminal can show the glyphs, according to its type and locale. */
export function wantsUnicode(environment: NodeJS.ProcessEnv): boolean {
  if (environment['TERM'] === 'dumb' || environment['TERM'] === 'linux') return false;
  const locale = environment['LC_ALL'] || environment['LC_CTYPE'] || environment['LANG'] || 'C.UTF-8';
  return /utf-?8/i.test(locale);
}

export function makeScreen(options: ScreenOptions): Screen {
  const { out, err, environment } = options;
  return {
    width: out.isTTY ? terminalSize(out).columns : NO_LIMIT,
    colour: pico.createColors(wantsColour(out, environment, options.noColour)),
    unicode: wantsUnicode(environment),
    terminal: out.isTTY === true,
    line: (text = '') => {
      out.write(`${text}\n`);
    },
    aside: (text) => {
      if (!options.quiet) err.write(`${text}\n`);
    },
  };
}
