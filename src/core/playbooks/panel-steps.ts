import { addTask } from '#core/graph/add.js';
import { editTask } from '#core/graph/edit.js';
import type { Plan } from '#core/graph/event.js';
import { checkClaim, type Mover } from '#core/graph/moves.js';
import type { GraphView } from '#core/graph/view.js';
import { lessonGroups } from '#core/roles/lesson-likeness.js';
import { plural } from '#kernel/text.js';
import { changesOf } from './line-up.js';
import { noteFile, steelmanTask } from './panel.js';
import type { PanelDecision, PanelState } from './panel-decision.js';
import type { PanelNote } from './panel-note.js';
import { type FormationRecord, recordEvent, stepId } from './record.js';
import { logEntry } from './run-log.js';
import type { PanelVotes } from './unanimity.js';

/** Time and claim of a code step. */
export interface StepCall {
  readonly now: number;
  readonly by: Mover;
}

/** Files of the notes that count, those of the last round, by seat. */
export function lastNotes(record: FormationRecord): ReadonlyMap<string, string> {
  const round = Number(record.options['rounds'] ?? '1');
  return new Map(record.seats.map(({ name }) => [name, noteFile(name, round)]));
}

/** Records the votes. If they are unanimous, adds the steelman task, and the decision waits for its end. Idempotent. */
export function settleVotes(
  view: GraphView,
  record: FormationRecord,
  { votes, tier }: { readonly votes: PanelVotes; readonly tier: string | undefined },
  { now, by }: StepCall,
): Plan<{ readonly added: readonly string[] }> {
  checkClaim(view, by);
  const { run, goal } = record;
  const agreement = agreementOf(votes);
  const missing = votes.missing.map(({ seat }) => seat).join(', ');
  const kept = { ...record.kept, unanimity: agreement ?? 'none', missing };
  const steelman = stepId(run, 'steelman');
  // Decided by the record: an existing task of this name that the run did not create makes the addition fail.
  const isNew = agreement !== undefined && !record.tasks.includes(steelman);
  if (!isNew) {
    const events = [recordEvent(view, { ...record, kept }, 'formation_votes', { actor: by.name })];
    return { events, result: { added: [] } };
  }
  const task = { ...steelmanTask(goal, run, agreement, tier), after: [stepId(run, 'unanimity')] };
  const waiting = { ...record, kept, tasks: [...record.tasks, steelman] };
  return {
    events: [
      ...addTask(view, task, { now, actor: by.name, unknown: 'refuse' }).events,
      // The decision waits for its end, not its success: a person may waive it, which the decision must then mention.
      ...editTask(view, decidingTask(view, record), { add_after: [steelman] }, { by: { name: by.name } }).events,
      recordEvent(view, waiting, 'formation_votes', { actor: by.name, detail: { unanimity: agreement } }),
    ],
    result: { added: [steelman] },
  };
}

/** Step after the count: the decision, or in a relay its first draft. */
function decidingTask(view: GraphView, { run }: FormationRecord): string {
  const drafts = [...view.dependents(stepId(run, 'unanimity'))].filter((id) => id.startsWith(stepId(run, 'relay-')));
  return drafts[0] ?? stepId(run, 'decision');
}

function agreementOf({ unanimous }: PanelVotes): string | undefined {
  if (unanimous === undefined) return undefined;
  return unanimous.on === 'sign-off' ? 'all sign off' : `all are for one option: ${unanimous.option}`;
}

/** Votes as shown to the decider: verdicts by seat, and missing notes. */
export function votesText({ notes, missing, unanimous }: PanelVotes): string {
  return [
    '# Votes',
    '',
    ...[...notes].map(([seat, { verdict, option, points, uncounted }]) => {
      const more = [option && `option: ${option}`, uncounted > 0 && `${plural(uncounted, 'point')} without a move`];
      const said = [verdict, plural(points.length, 'point'), ...more.filter(Boolean)].join(', ');
      return `- ${seat}: ${said}`;
    }),
    ...missing.map(({ seat, why }) => `- ${seat}: missing, ${why}`),
    '',
    unanimous === undefined ? 'They do not all agree.' : 'They all agree: that is a warning, see steelman.md.',
    '',
  ].join('\n');
}

/** Facts a decision must account for, from the record and the state of its tasks. */
export function panelState(view: GraphView, record: FormationRecord, steelmanWritten: boolean): PanelState {
  const { unanimity = 'none', missing = '' } = record.kept;
  const id = stepId(record.run, 'steelman');
  const steelman = record.tasks.includes(id) ? view.task(id) : undefined;
  // After a first attempt it is either done or missing: only a task never started was waived.
  const waived = steelman?.status === 'abandoned' && steelman.fence === undefined;
  const words = steelman?.log?.at(-1)?.message.replace(/^Abandoned(?:: )?/, '') ?? '';
  return {
    missing: missing === '' ? [] : missing.split(', '),
    unanimous: unanimity !== 'none',
    steelmanWritten,
    waived: waived ? words || 'a person did without it' : undefined,
  };
}

/** Number of moves of the decision from the notes of each seat. */
export function adoptedMoves(record: FormationRecord, decision: PanelDecision): ReadonlyMap<string, number> {
  const count = (seat: string) => decision.moves.filter(({ seats }) => seats.includes(seat)).length;
  return new Map(record.seats.map(({ name }) => [name, count(name)]));
}

interface PanelOutcome {
  readonly date: string;
  readonly decision: PanelDecision;
  readonly notes: ReadonlyMap<string, PanelNote>;
  readonly steelman: string;
}

/** Log entry of a panel. */
export function panelLogEntry(record: FormationRecord, { date, decision, notes, steelman }: PanelOutcome): string {
  const { goal, run, seats, defaults, options, kept } = record;
  const { cut, added } = changesOf(defaults, seats);
  const missing = kept['missing'] ?? '';
  return logEntry(`${date} — ${goal} (decision)`, {
    'Proposed/added/removed': [defaults, added, cut].map((names) => names.join(', ') || 'none').join(' / '),
    Style: options['style'] ?? 'swarm',
    Rounds: options['rounds'] ?? '1',
    Unanimity: kept['unanimity'] ?? 'none',
    Steelman: steelman,
    Recurring: recurringPoints(notes),
    Note: [
      run,
      `${plural(decision.moves.length, 'move')} taken`,
      ...(missing === '' ? [] : [`missing: ${missing}`]),
      ...record.notes,
    ],
  });
}

/** Points that several seats made independently. */
function recurringPoints(notes: ReadonlyMap<string, PanelNote>): string[] {
  const points = [...notes].flatMap(([seat, { points: own }]) => own.map(({ note }) => ({ seat, text: note })));
  return lessonGroups(points).flatMap((group) => {
    const seats = new Set(group.map(({ seat }) => seat));
    return seats.size > 1 ? [`${group[0]?.text ?? ''} (${[...seats].join(', ')})`] : [];
  });
}
