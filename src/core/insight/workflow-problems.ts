import type { Problem } from './problem.js';
import { typed } from './typed.js';

/** A workflow that begins by itself, as far as it may need somebody. */
export interface TriggerFact {
  readonly id: string;
  readonly due: boolean;
  /** Why it does not begin. */
  readonly held: string | null;
  readonly last_run: string | null;
}

/** What keeps workflows from beginning by themselves: nobody sees them not happen. */
export function workflowProblems(facts: readonly TriggerFact[], running: boolean): Problem[] {
  return facts.flatMap(({ id, due, held, last_run: last }): Problem[] => {
    if (held !== null) return [row(`${id} does not begin by itself: ${held}`, commandFor(id, held, last))];
    return due && !running ? [row(`${id} is due, and no service is running`, 'troupe service start')] : [];
  });
}

function commandFor(id: string, held: string, last: string | null): string {
  if (last !== null && held.includes(last)) return `troupe workflow status ${typed(last)}`;
  return held.includes('agreed to its commands')
    ? `troupe workflow trust ${typed(id)}`
    : `troupe workflow show ${typed(id)}`;
}

function row(text: string, command: string): Problem {
  return { kind: 'workflow', task: null, title: null, text, since: null, command };
}
