// Tasks of a formation that only a command of that formation may release: no other command starts, ends or changes
// them.

import { TroupeError } from '#kernel/errors.js';
import { isJsonObject } from '#kernel/json.js';
import { shellWord } from '#kernel/text.js';
import type { Patch } from './event.js';
import { decidedProposal } from './evolve-review.js';
import { isTerminal, type Task } from './task.js';
import { taskField } from './task-field.js';
import { isFreeWork } from './team-work.js';
import type { GraphView } from './view.js';

/** `start` accepts the line-up of a formation run, `go` approves its release. */
export interface FormationGate {
  readonly run: string;
  readonly command: 'start' | 'go';
}

/** Present until a person has given that command; permanent on the approval task itself. */
export const FORMATION_GATE = taskField('formation_gate', (value): FormationGate | undefined => {
  if (!isJsonObject(value)) return undefined;
  const { run, command } = value;
  return typeof run === 'string' && (command === 'start' || command === 'go') ? { run, command } : undefined;
});

/** Whether the task belongs to a line-up that is not yet accepted. The task is paused as well. */
export function isProposed(task: Task): boolean {
  return FORMATION_GATE.of(task)?.command === 'start';
}

/** Command with which a person decides about the task; undefined if ordinary moves do. */
export function gateCommand(task: Task): string | undefined {
  const gate = FORMATION_GATE.of(task);
  if (gate !== undefined) return `troupe playbook ${gate.command === 'start' ? 'accept' : 'go'} ${shellWord(gate.run)}`;
  if (isFreeWork(task)) return `troupe team tasks ${shellWord(task.id)} --take`;
  const proposal = decidedProposal(task);
  return proposal === undefined ? undefined : `troupe evolve review ${shellWord(proposal)}`;
}

/** Refuses to start, end or change a gated task. Errors: `formation_gate`. */
export function refuseGated(task: Task): void {
  const gate = FORMATION_GATE.of(task);
  if (gate === undefined) return;
  const { id, status } = task;
  const run = shellWord(gate.run);
  const proposed = gate.command === 'start';
  throw new TroupeError('formation_gate', {
    what: proposed
      ? `${id} belongs to a line-up that nobody has accepted.`
      : `${id} belongs to a release that only \`playbook go\` approves.`,
    hint:
      proposed && isTerminal(status)
        ? `Run \`troupe playbook status ${run}\` to see what became of the line-up.`
        : `${proposed ? 'Accept it' : 'Approve it'}: \`${gateCommand(task)}\`.`,
    details: { id, run: gate.run },
  });
}

/** Patch that gates these tasks or, with null, releases them. Missing tasks are skipped. */
export function gatePatch(view: GraphView, ids: Iterable<string>, gate: FormationGate | null): Patch[] {
  return [...new Set(ids)]
    .filter((id) => view.task(id) !== undefined)
    .map((id) => (gate === null ? { id, unset: [FORMATION_GATE.name] } : { id, set: { [FORMATION_GATE.name]: gate } }));
}
