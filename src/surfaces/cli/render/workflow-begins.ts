import { inert } from '#kernel/text.js';

/** How it stands with a workflow that begins by itself. */
export interface Begins {
  readonly trigger: string;
  readonly next: string | null;
  readonly due: boolean;
  readonly last_run: string | null;
  readonly held: string | null;
}

/** In one line: when it begins next or what keeps it, and what it began last. */
export function beginsText({ trigger, next, due, last_run: last, held }: Begins): string {
  const when = next === null ? `begins by ${trigger}` : due ? 'is due now' : `begins next at ${local(next)}`;
  const kept = held === null ? '' : `, but does not: ${inert(held)}`;
  return `${when}${kept}${last === null ? '' : `; last run: ${inert(last)}`}`;
}

/** As the clock on the wall shows it. */
function local(time: string): string {
  const at = new Date(time);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
}
