import { IF_EVERYWHERE } from '#core/roles/handed-lesson.js';
import type { RoleRegistry } from '#core/roles/lane.js';
import { TroupeError } from '#kernel/errors.js';
import { SWEEP_LIMITS } from '#kernel/limits/sweep.js';
import { codeTask } from './code-step.js';
import { deskTask } from './desk-task.js';
import { type Compiled, type NewTask, runFolder, type Seat } from './formation.js';
import { checkedSeats, matchingRows, namedSeat, seatOf, topicStems } from './line-up.js';
import { type NamedSeat, SKEPTIC } from './panel.js';
import { stepId } from './record.js';
import { THIN_CAUSES } from './scout-entries.js';
import { type Partition, partitionOf, type Slice, type SweepSchema, schemaText, USUAL_SCHEMA } from './sweep-schema.js';
import { ENTRY_VERDICTS } from './verification.js';

/** Not a scout: derives findings from the entries. */
const SYNTHESISER = 'synthesiser';
const SKEPTIC_CHARTER = 'tries to refute what others bring, at its source, and cuts it down to what holds';

/** Default slices: name, keys they own, and matching words. */
const USUAL_SLICES = [
  ['official-docs', ['official documentation', 'specifications and standards'], 'api format protocol standard'],
  ['source-code', ['source code and tests', 'configuration'], 'code implementation library function repository'],
  ['issue-trackers', ['bug reports', 'pull requests and discussions'], 'bug problem failure limitation issue'],
  ['field-reports', ['reports of those who use it', 'talks and posts'], 'experience practice production team'],
  ['literature', ['papers and books', 'measurements'], 'research performance benchmark theory'],
  ['alternatives', ['competing approaches', 'what others chose instead'], 'choose compare alternative option'],
  ['history', ['changelogs and release notes', 'past decisions'], 'version release migration change deprecated'],
] as const;

/** Scouts and slices of a sweep. */
export interface SweepLine {
  readonly seats: readonly Seat[];
  readonly partition: Partition;
}

/** Line-up for a person's partition, each slice with the scout of its name. */
export function sweepOf(registry: RoleRegistry, partition: Partition): SweepLine {
  return { seats: partition.slices.map((slice) => scoutOf(registry, slice)), partition };
}

/** Default slices: angles of rows that match the goal, then usual slices; better matches first. */
export function defaultSweep(registry: RoleRegistry, goal: string, axes: readonly string[] = []): SweepLine {
  const about = topicStems(goal, axes);
  const rows = matchingRows(registry, 'research', about).filter(({ name }) => !isReserved(name));
  const seats = rows.slice(0, SWEEP_LIMITS.slicesUsualMost).map((row) => seatOf(registry, row));
  const slices: Slice[] = seats.map((seat) => sliceOf(seat.name, [seat.row?.fields.get('angle') ?? seat.name]));
  const asks = (words: string) => [...topicStems(words)].filter((word) => about.has(word)).length;
  const usual = USUAL_SLICES.map((slice, index) => ({ slice, index, overlap: asks(slice[2]) })).sort(
    (left, right) => right.overlap - left.overlap || left.index - right.index,
  );
  for (const { slice } of usual) {
    if (slices.length >= SWEEP_LIMITS.slicesUsualLeast || slices.some(({ name }) => name === slice[0])) continue;
    slices.push(sliceOf(slice[0], slice[1]));
  }
  return sweepOf(registry, partitionOf(slices, USUAL_SCHEMA));
}

/**
 * Line-up by names: existing slices keep their keys; a new one owns the angle of its row, else the usual keys of its
 * name, else its name.
 */
export function namedSweep(registry: RoleRegistry, names: readonly NamedSeat[], before: Partition): SweepLine {
  const slices = names.map(({ name }) => {
    const usual = USUAL_SLICES.find(([slice]) => slice === name)?.[1];
    const row = namedSeat(registry, 'research', name, '').row;
    const angle = row?.fields.get('angle');
    return before.slices.find((slice) => slice.name === name) ?? sliceOf(name, angle ? [angle] : (usual ?? [name]));
  });
  const line = sweepOf(registry, partitionOf(slices, before.schema));
  const tierOf = (seat: Seat) => names.find(({ name }) => name === seat.name)?.tier;
  return { ...line, seats: line.seats.map((seat) => ({ ...seat, tier: tierOf(seat) ?? seat.tier })) };
}

function sliceOf(name: string, owns: readonly string[]): Slice {
  return { name, owns, question: undefined };
}

function scoutOf(registry: RoleRegistry, slice: Slice): Seat {
  return namedSeat(registry, 'research', slice.name, `looks for what there is in: ${slice.owns.join(', ')}`);
}

/** Losses for the default slices that were cut. */
export function sweepLosses(cut: readonly string[]): string[] {
  const keys = new Map<string, readonly string[]>(USUAL_SLICES.map(([name, owns]) => [name, owns]));
  return cut.map((name) => `Without ${name}: nobody looks at ${(keys.get(name) ?? [name]).join(' and ')}.`);
}

export interface SweepOptions {
  readonly run: string;
  readonly partition: Partition;
  /** Models, cheapest first; if empty, each client uses its default. */
  readonly tiers: readonly string[];
}

const STEPS = ['merge', 'merge-again', 'synthesis', 'verify', 'settle', 'log', 'next', SKEPTIC, SYNTHESISER];
function isReserved(name: string): boolean {
  return STEPS.includes(name) || /^(?:again|verify)-/.test(name);
}

/**
 * Compiles a sweep to paused tasks: scouts in parallel, without edges; code merges their entries; a synthesiser writes
 * the findings; a verifier, who was no scout, checks a sample; code removes refuted entries.
 */
export function compileSweep(goal: string, seats: readonly Seat[], { run, partition, tiers }: SweepOptions): Compiled {
  checkedSeats([...seats]);
  const reserved = seats.find(({ name }) => isReserved(name));
  if (reserved) {
    throw new TroupeError('bad_input', {
      what: `${reserved.name} is reserved: it is the name of a step of every sweep.`,
      hint: 'Give the slice another name.',
    });
  }
  const scouts = seats.map((seat) => {
    const slice = partition.slices.find(({ name }) => name === seat.name) ?? sliceOf(seat.name, [seat.name]);
    return scoutTask(goal, { run, slice, partition, tier: seat.tier ?? tiers[0] });
  });
  const step = (name: string) => stepId(run, name);
  const tasks = [
    ...scouts,
    codeTask(run, 'merge', {
      title: `Merge what the scouts of ${run} found`,
      description:
        'Holds entries to the schema, merges duplicates, lists rejected ones with reasons in rejected.yaml. A thin slice is scouted again.',
      after: scouts.map(({ id }) => id),
    }),
    { ...synthesisTask(goal, run, tiers.at(-1)), after_success: [step('merge')] },
    { ...verifyTask(goal, run, { tier: tiers.at(-1) }), after_success: [step('synthesis')] },
    codeTask(run, 'settle', {
      title: `Take out what was refuted in ${run}`,
      description:
        'Reads the verdicts. The slice of a refuted entry is checked in full, and the report waits for that.',
      after_success: [step('verify')],
    }),
    codeTask(run, 'log', {
      title: `Report of ${run}`,
      description:
        'Writes the report without what was refuted and without findings that cite nothing, and an entry in the log of the sweep.',
      after_success: [step('settle')],
    }),
  ];
  return {
    tasks: tasks.map((task) => ({ ...task, paused: true })),
    files: new Map([['schema.yaml', schemaText(partition.schema)]]),
  };
}

/** File of a slice's entries, in the folder of the run; with `again`, of the second search. */
export function scoutFile(slice: string, again = false): string {
  return `${again ? 'again' : 'scouts'}/${slice}.yaml`;
}

/** File of verdicts, on the sample or on all remaining entries of a slice. */
export function verdictFile(slice?: string): string {
  return slice === undefined ? 'verify/sample.yaml' : `verify/${slice}.yaml`;
}

interface Scouting {
  readonly run: string;
  readonly slice: Slice;
  readonly partition: { readonly schema: SweepSchema };
  readonly tier: string | undefined;
  /** Reason for the second search. */
  readonly again?: string;
}

/** Task of a scout. It gets the goal, its slice and the schema, and no information about other scouts. */
export function scoutTask(goal: string, { run, slice, partition, tier, again }: Scouting): NewTask {
  const { root } = partition.schema;
  return {
    ...deskTask('sweep', run, {
      id: stepId(run, again === undefined ? slice.name : `again-${slice.name}`),
      seat: slice.name,
      title: `${slice.name}: ${goal}`,
      file: scoutFile(slice.name, again !== undefined),
      words: [
        `You are one of several scouts; your slice is ${slice.name}. It owns: ${slice.owns.join('; ')}. Look there and leave everything else to others.`,
        `What is to be discovered: ${goal}`,
        ...(slice.question === undefined ? [] : [`Of your slice it is asked: ${slice.question}`]),
        ...(again === undefined
          ? []
          : [`The first look brought too little (${again}). Look another way; do not repeat what is there.`]),
        `Hand in YAML: one list \`${root}\`, by this schema:`,
        schemaText(partition.schema).trimEnd(),
        `Where there are fewer than ${SWEEP_LIMITS.floor} entries, say why beside the list: \`thin:\` and one of ${THIN_CAUSES.join(', ')}. A line \`lesson:\` beside it says what the next scout should know, if anything. ${IF_EVERYWHERE}`,
      ],
      tier,
    }),
    exec_mode: 'full',
  };
}

function synthesisTask(goal: string, run: string, tier: string | undefined): NewTask {
  return deskTask('sweep', run, {
    id: stepId(run, 'synthesis'),
    seat: SYNTHESISER,
    title: `Findings: ${goal}`,
    file: 'synthesis.yaml',
    words: [
      `Read ${runFolder('sweep', run)}/findings.yaml: it is all that the scouts found. Say what it comes to, and nothing that is not in it.`,
      `What is to be discovered: ${goal}`,
      'Hand in YAML: one list `findings`, each with `text` and with `entries`, the ids of the entries that say so. A finding without an id of an entry is dropped.',
    ],
    tier,
  });
}

/** Task that verifies entries at their sources: a sample, or the rest of one slice. */
export function verifyTask(
  goal: string,
  run: string,
  { slice, tier }: { readonly slice?: string; readonly tier: string | undefined },
): NewTask {
  const list = slice === undefined ? 'sample.yaml' : `in-full-${slice}.yaml`;
  return {
    ...deskTask('sweep', run, {
      id: stepId(run, slice === undefined ? 'verify' : `verify-${slice}`),
      seat: SKEPTIC,
      title: `Refute: ${goal}`,
      file: verdictFile(slice),
      words: [
        `You check what scouts brought; you were none of them, and you ${SKEPTIC_CHARTER.replace('tries', 'try').replace('cuts', 'cut')}. The ids are in ${runFolder('sweep', run)}/${list}, the entries in findings.yaml beside it. Look each one up at its source.`,
        `What is to be discovered: ${goal}`,
        `Hand in YAML: one list \`verdicts\`, each with \`id\`, \`verdict\` (${ENTRY_VERDICTS.join(', ')}) and \`why\`: what the source says. One verdict for each id, and for no other.`,
      ],
      tier,
    }),
    exec_mode: 'full',
  };
}
