import { shellWord } from '#kernel/text.js';
import type { Problem } from './problem.js';

/** State of a workflow that starts automatically. */
export interface TriggerFact {
  readonly id: string;
  readonly due: boolean;
  /** Reason why it does not start. */
  readonly held: string | null;
  /** Kind of the reason: its commands, its last run, or another. */
  readonly held_by: 'trust' | 'run' | 'other' | null;
  readonly last_run: string | null;
}

/** Problems that keep workflows from starting automatically, which would otherwise go unnoticed. */
export function workflowProblems(facts: readonly TriggerFact[], running: boolean): Problem[] {
  return facts.flatMap((fact): Problem[] => {
    const { id, due, held } = fact;
    if (held !== null) return [row(`${id} cannot start automatically: ${held}`, commandFor(fact))];
    return due && !running ? [row(`${id} is due, and no service is running`, 'troupe service start')] : [];
  });
}

function commandFor({ id, held_by: cause, last_run: last }: TriggerFact): string {
  if (cause === 'run' && last !== null) return `troupe playbook status ${shellWord(last)}`;
  return `troupe ${cause === 'trust' ? 'trust workflow' : 'playbooks'} ${shellWord(id)}`;
}

function row(text: string, command: string): Problem {
  return { kind: 'workflow', task: null, title: null, text, since: null, command };
}
