// A task of a formation that only a command of that formation lets go on: no other door begins it, ends it or changes it.

import { TroupeError } from '#kernel/errors.js';
import { isJsonObject } from '#kernel/json.js';
import { shellWord } from '#kernel/text.js';
import type { Patch } from './event.js';
import { decidedProposal } from './evolve-review.js';
import { isTerminal, type Task } from './task.js';
import { taskField } from './task-field.js';
import { isFreeWork } from './team-work.js';
import type { GraphView } from './view.js';

/** `start` accepts the line-up of a run, `go` approves its release. */
export interface FormationGate {
  readonly run: string;
  readonly command: 'start' | 'go';
}

/** Stays until a person has given that command; on the task of the approval itself it stays for good. */
export const FORMATION_GATE = taskField('formation_gate', (value): FormationGate | undefined => {
  if (!isJsonObject(value)) return undefined;
  const { run, command } = value;
  return typeof run === 'string' && (command === 'start' || command === 'go') ? { run, command } : undefined;
});

/** Whether the task stands in a line-up that nobody has accepted. Such a task is paused as well. */
export function isProposed(task: Task): boolean {
  return FORMATION_GATE.of(task)?.command === 'start';
}

/** The command by which a person decides about the task; undefined where no other command than a move does. */
export function gateCommand(task: Task): string | undefined {
  const gate = FORMATION_GATE.of(task);
  if (gate !== undefined) return `troupe formation ${gate.command} ${shellWord(gate.run)}`;
  if (isFreeWork(task)) return `troupe team take ${shellWord(task.id)}`;
  const proposal = decidedProposal(task);
  return proposal === undefined ? undefined : `troupe evolve review show ${shellWord(proposal)}`;
}

/** Refuses whatever would begin, end or change a gated task. Errors: `formation_gate`. */
export function refuseGated(task: Task): void {
  const gate = FORMATION_GATE.of(task);
  if (gate === undefined) return;
  const { id, status } = task;
  const run = shellWord(gate.run);
  const proposed = gate.command === 'start';
  throw new TroupeError('formation_gate', {
    what: proposed
      ? `${id} belongs to a line-up that nobody has accepted.`
      : `${id} belongs to a release that only \`formation go\` approves.`,
    hint:
      proposed && isTerminal(status)
        ? `Run \`troupe formation show ${run}\` to see what became of the line-up.`
        : `${proposed ? 'Accept it' : 'Approve it'}: \`${gateCommand(task)}\`.`,
    details: { id, run: gate.run },
  });
}

/** The change that gates these tasks, or with null lets them go. Tasks that are gone are left out. */
export function gatePatch(view: GraphView, ids: Iterable<string>, gate: FormationGate | null): Patch[] {
  return [...new Set(ids)]
    .filter((id) => view.task(id) !== undefined)
    .map((id) => (gate === null ? { id, unset: [FORMATION_GATE.name] } : { id, set: { [FORMATION_GATE.name]: gate } }));
}
