import type { GraphView } from '#core/graph/view.js';
import { crewResult, type SeatResult } from '#core/roles/lane-life.js';
import type { RowOutcome } from '#core/roles/run-end.js';
import { lessonKey } from './hand-in.js';
import { proposalsOf } from './ladder.js';
import { changesOf } from './line-up.js';
import { type FormationRecord, stepId } from './record.js';
import { logEntry } from './run-log.js';

/** Result and lesson of each seat: clean if its phase passed at the first attempt without help. */
export function crewOutcomes(view: GraphView, record: FormationRecord): RowOutcome[] {
  return record.seats.map(({ name, phase = name }) => {
    const task = view.task(stepId(record.run, phase));
    const sentBack = (task?.loop_iteration ?? 0) + (task?.rejection_count ?? 0) + (task?.retry_count ?? 0);
    const result: SeatResult = crewResult({
      passed: task?.status === 'done',
      rejections: phase === 'qa' ? (task?.rejection_count ?? 0) : sentBack,
      escalations: notesOf(record, 'escalation').filter((note) => note.includes(` in ${phase}`)).length,
    });
    const lesson = record.kept[lessonKey(phase)];
    return { name, result, ...(lesson === undefined ? {} : { lesson }) };
  });
}

/** Default seats that a person cut; counted in their rows. */
export function cutSeats(record: FormationRecord): RowOutcome[] {
  const phases = record.seats.map(({ name, phase = name }) => ({ name: phase }));
  return changesOf(record.defaults, phases).cut.map((name) => ({ name, result: 'cut' as const }));
}

/** Log entry of a run. `log`: the existing log of the lane, in which repeated escalations are counted over all runs. */
export function crewEntry(
  record: FormationRecord,
  rows: readonly RowOutcome[],
  repository: string,
  log: string,
): string {
  const { run, at, goal, seats, options, outcome = '' } = record;
  const escalations = notesOf(record, 'escalation');
  const earlier = [...log.matchAll(/^- escalation: (.*)$/gm)].flatMap(([, line = '']) => line.split('; '));
  const proposals = proposalsOf([...earlier, ...escalations].map((line) => `escalation: ${line}`));
  const of = (key: 'model-fit' | 'missing-role') => proposals.filter((one) => one.key === key).map(({ text }) => text);
  const { cut, added } = changesOf(
    record.defaults,
    seats.map(({ name, phase = name }) => ({ name: phase })),
  );
  const roster = seats.map(({ name, phase = name, tier }) => {
    const as = name === phase ? '' : ` as ${phase}`;
    return `${name}${as}${tier === undefined ? '' : ` (${tier})`}`;
  });
  const changes = [...cut.map((name) => `cut ${name}`), ...added.map((name) => `added ${name}`)];
  return logEntry(`${run}  ${at.slice(0, 10)}  ${repository}`, {
    category: options['category'] ?? '',
    task: goal,
    roster: [...roster, ...changes],
    mode: options['mode'] ?? '',
    outcome,
    'per-role': rows.map(({ name, result }) => `${name} ${result === 'clean' ? 'clean' : 'not clean'}`),
    'gate-events': notesOf(record, 'gate-events'),
    escalation: escalations,
    steering: notesOf(record, 'steering'),
    'model-fit': of('model-fit'),
    'missing-role': of('missing-role'),
    graduated: '',
  });
}

/** Notes with this key, without the key; semicolons, which separate notes in the log, are replaced. */
function notesOf({ notes }: FormationRecord, key: string): string[] {
  const mark = `${key}: `;
  return notes.filter((note) => note.startsWith(mark)).map((note) => note.slice(mark.length).replaceAll('; ', ', '));
}
