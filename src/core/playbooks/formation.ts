import type { TaskDraft } from '#core/graph/add.js';
import { titleSlug, wholeWords } from '#core/graph/slug.js';
import { type CoreRole, LANES, type Lane, type LaneRow } from '#core/roles/lane.js';
import { TroupeError } from '#kernel/errors.js';
import { FORMATION_LIMITS } from '#kernel/limits/formations.js';

export type FormationKind = 'crew' | 'panel' | 'sweep';

/** Lane and folder of each formation; its runs are below the folder. */
export const FORMATIONS: Readonly<Record<FormationKind, { readonly lane: Lane; readonly folder: string }>> = {
  crew: { lane: 'crew', folder: '.claude/dev-crew' },
  panel: { lane: 'panel', folder: '.claude/brainstorm-panel' },
  sweep: { lane: 'research', folder: '.claude/research-sweep' },
};

/** A place in a line-up, with its role. */
export interface Seat {
  readonly name: string;
  /** Row of the lane that covers it; for a minted seat, the future row. */
  readonly row: LaneRow | undefined;
  /** Core role that the row is linked to. */
  readonly core: CoreRole | undefined;
  /** Model, if given. */
  readonly tier: string | undefined;
  /** Whether no row covers it yet: one is added when the line-up is accepted. */
  readonly minted: boolean;
}

/** A task with its id, `<run>-<seat>`. */
export type NewTask = TaskDraft & { readonly id: string };

/** Compiled formation: paused tasks with the tag of the run, and files by path within its folder. */
export interface Compiled {
  readonly tasks: readonly NewTask[];
  readonly files: ReadonlyMap<string, string>;
}

const RUN = /^\d{8}-[a-z0-9]+(?:-[a-z0-9]+)*-[0-9a-f]{4}$/;

/**
 * Run id such as `20261123-add-csv-export-1f0c`: the date, a Latin slug of the goal, four hex digits; short enough for
 * a seat's name to follow it.
 */
export function formationRunId(goal: string, date: Date, random4hex: string): string {
  const day = date.toISOString().slice(0, 10).replaceAll('-', '');
  const slug = wholeWords(titleSlug(goal), FORMATION_LIMITS.slugCharacters);
  return `${day}-${slug}-${random4hex}`;
}

/** Whether the text is a valid run id. An invalid one never becomes part of a path or tag. */
export function isRunId(text: string): boolean {
  return text.length <= FORMATION_LIMITS.runCharacters && RUN.test(text);
}

/** Returns a valid run id. Errors: `bad_input`. */
export function checkedRunId(text: string): string {
  if (isRunId(text)) return text;
  throw new TroupeError('bad_input', {
    what: `Not a run of a formation: ${JSON.stringify(text.slice(0, 60))}`,
    hint: 'Run `troupe playbook status` to see them; a run is called like 20261123-add-csv-export-1f0c.',
  });
}

/** Folder of a run, from the root of the repository, without a trailing slash. */
export function runFolder(kind: FormationKind, run: string): string {
  return `${FORMATIONS[kind].folder}/runs/${checkedRunId(run)}`;
}

/** Tag of all tasks of a run. */
export function formationTag(run: string): string {
  return `formation:${run}`;
}

/** Tags for the lane and seat of a task; prompts find the lessons of the role by them. */
export function seatTags(kind: FormationKind, run: string, seat: string): string[] {
  return [formationTag(run), `lane:${FORMATIONS[kind].lane}`, `seat:${seat}`];
}

/** Formation place in the tags of a task; undefined for other tasks. */
export function placeOf(tags: readonly string[] | undefined): FormationPlace | undefined {
  const valueBehind = (name: string) => tags?.find((tag) => tag.startsWith(`${name}:`))?.slice(name.length + 1);
  const run = valueBehind('formation');
  if (run === undefined || !isRunId(run)) return undefined;
  const named = valueBehind('lane');
  return { run, lane: LANES.find((lane) => lane === named), seat: valueBehind('seat') };
}

/** Whether the task is a phase of a crew, with a file to hand over. */
export function isPhaseTask({ tags }: { readonly tags?: readonly string[] | undefined }): boolean {
  return placeOf(tags)?.lane === 'crew' && tags?.some((tag) => tag.startsWith('phase:')) === true;
}

export interface FormationPlace {
  readonly run: string;
  readonly lane: Lane | undefined;
  readonly seat: string | undefined;
}
