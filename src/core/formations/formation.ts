/**
 * A crew, a panel or a sweep as ordinary tasks: its seats, the name and folder of its run; the phases of a crew and the
 * handling of a stuck one.
 * @packageDocumentation
 */
import type { TaskDraft } from '#core/graph/add.js';
import { titleSlug, wholeWords } from '#core/graph/slug.js';
import { type CoreRole, LANES, type Lane, type LaneRow } from '#core/lanes/lane.js';
import { TroupeError } from '#kernel/errors.js';
import { FORMATION_LIMITS } from '#kernel/limits/formations.js';

export type FormationKind = 'crew' | 'panel' | 'sweep';

/** Whose file of rows each of them keeps, and in which folder below `.claude/` its runs lie. */
export const FORMATIONS: Readonly<Record<FormationKind, { readonly lane: Lane; readonly folder: string }>> = {
  crew: { lane: 'crew', folder: '.claude/dev-crew' },
  panel: { lane: 'panel', folder: '.claude/brainstorm-panel' },
  sweep: { lane: 'research', folder: '.claude/research-sweep' },
};

/** A place in a line-up, and who takes it. */
export interface Seat {
  readonly name: string;
  /** The row of the lane that covers it; of a minted seat the one it will get. */
  readonly row: LaneRow | undefined;
  /** Who the role is, where the row is linked to a core role. */
  readonly core: CoreRole | undefined;
  /** The model, where one is said. */
  readonly tier: string | undefined;
  /** No row covers it: it gets one when the line-up is accepted. */
  readonly minted: boolean;
}

/** A task with its id: `<run>-<seat>`. */
export type NewTask = TaskDraft & { readonly id: string };

/** What a formation becomes: paused tasks with the tag of the run, and files by their path within its folder. */
export interface Compiled {
  readonly tasks: readonly NewTask[];
  readonly files: ReadonlyMap<string, string>;
}

const RUN = /^\d{8}-[a-z0-9]+(?:-[a-z0-9]+)*-[0-9a-f]{4}$/;

/** `20261123-add-csv-export-1f0c`: the day, the goal in Latin letters, four hexadecimal digits; short enough that a seat's name fits behind it. */
export function formationRunId(goal: string, date: Date, random4hex: string): string {
  const day = date.toISOString().slice(0, 10).replaceAll('-', '');
  const slug = wholeWords(titleSlug(goal), FORMATION_LIMITS.slugCharacters);
  return `${day}-${slug}-${random4hex}`;
}

/** Is this the name of a run? Whatever is not leads to no folder and to no tag. */
export function isRunId(text: string): boolean {
  return text.length <= FORMATION_LIMITS.runCharacters && RUN.test(text);
}

/** `bad_input` for what is not the name of a run. */
export function checkedRunId(text: string): string {
  if (isRunId(text)) return text;
  throw new TroupeError('bad_input', {
    what: `Not a run of a formation: ${JSON.stringify(text.slice(0, 60))}`,
    hint: 'Run `troupe formation show` to see them; a run is called like 20261123-add-csv-export-1f0c.',
  });
}

/** Where the files of a run lie, from the top of the repository, without a slash at the end. */
export function runFolder(kind: FormationKind, run: string): string {
  return `${FORMATIONS[kind].folder}/runs/${checkedRunId(run)}`;
}

/** What all tasks of a run carry. */
export function formationTag(run: string): string {
  return `formation:${run}`;
}

/** Whose role does a task: its lane and its seat in the line-up. Prompts take the lessons of the role from there. */
export function seatTags(kind: FormationKind, run: string, seat: string): string[] {
  return [formationTag(run), `lane:${FORMATIONS[kind].lane}`, `seat:${seat}`];
}

/** What a task's tags say of the run it belongs to; undefined of a task of no formation. */
export function placeOf(tags: readonly string[] | undefined): FormationPlace | undefined {
  const valueBehind = (name: string) => tags?.find((tag) => tag.startsWith(`${name}:`))?.slice(name.length + 1);
  const run = valueBehind('formation');
  if (run === undefined || !isRunId(run)) return undefined;
  const named = valueBehind('lane');
  return { run, lane: LANES.find((lane) => lane === named), seat: valueBehind('seat') };
}

/** Is it the work of a phase of a crew, with a file to be handed over? */
export function isPhaseTask({ tags }: { readonly tags?: readonly string[] | undefined }): boolean {
  return placeOf(tags)?.lane === 'crew' && tags?.some((tag) => tag.startsWith('phase:')) === true;
}

export interface FormationPlace {
  readonly run: string;
  readonly lane: Lane | undefined;
  readonly seat: string | undefined;
}
