import { inert, plural } from '#kernel/text.js';
import { bar } from '../chart.js';
import type { AnswerOf, Screen } from '../screen.js';
import { shownState, stateMark } from '../status-mark.js';

const ROWS = 20;
const MEMBERS = 8;
const BAR = 10;

/** A block a cycle: how far it is, what becomes of it, who is in it. */
export function render({ cycles, cycle_count }: AnswerOf<'analysis.cycles'>, screen: Screen): void {
  const { colour } = screen;
  if (cycle_count === 0) {
    screen.line('No cycles. One is made with `troupe edit FIRST --add-after LAST --max-iterations 3`.');
    return;
  }
  for (const [place, cycle] of cycles.slice(0, ROWS).entries()) {
    if (place > 0) screen.line();
    const { max_iterations: most, iteration } = cycle;
    const loop = screen.unicode ? '↺' : '@';
    const count =
      most === null
        ? colour.red('not configured')
        : `${iteration}/${most}  ${bar(iteration, most, BAR, screen)}`.trimEnd();
    screen.line(`${colour.bold(`${loop} ${inert(cycle.header)}`)}  ${count}`);
    screen.line(`  ${inert(cycle.last_decision)}`);
    const shown = cycle.members.slice(0, MEMBERS).map((id) => {
      const glyph = stateMark(shownState(cycle.member_statuses[id] ?? 'open', false), screen, '').trim();
      return `${glyph} ${inert(id)}`;
    });
    const more = cycle.member_count > MEMBERS ? `  and ${cycle.member_count - MEMBERS} more` : '';
    screen.line(colour.dim(`  ${shown.join('  ')}${more}`));
    if (!cycle.reducible) screen.line(colour.dim('  It can be entered elsewhere than at its header.'));
  }
  if (cycles.length > ROWS) screen.line(colour.dim(`and ${plural(cycles.length - ROWS, 'more cycle')}`));
}
