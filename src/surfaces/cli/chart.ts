import type { Screen } from './screen.js';

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
const STEPS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const ASCII_STEPS = ['_', '.', ':', '-', '=', '+', '*', '#'];

/** A bar for a part of a whole, at most `width` long; anything above nothing can be seen. */
export function bar(value: number, most: number, width: number, screen: Screen): string {
  if (!(value > 0) || !(most > 0)) return '';
  const eighths = Math.max(1, Math.round(Math.min(1, value / most) * width * 8));
  if (!screen.unicode) return '#'.repeat(Math.max(1, Math.round(eighths / 8)));
  return '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '');
}

/** Values one beside another as heights, the largest the highest. */
export function spark(values: readonly number[], screen: Screen): string {
  const most = Math.max(...values, 0);
  const steps = screen.unicode ? STEPS : ASCII_STEPS;
  return values
    .map((value) => steps[most > 0 ? Math.round((Math.max(0, value) / most) * (steps.length - 1)) : 0] ?? '')
    .join('');
}
