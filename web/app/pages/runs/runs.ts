import type { Answer } from '#surfaces/http/contract.js';

export type Shown = Answer<'playbook.status'>;
/** A line of the list of runs, of any playbook. */
export type RunRow = Shown['runs'][number];
/** A crew, a panel or a sweep. */
export type Run = NonNullable<Shown['formation']>;
export type Delivered = NonNullable<Shown['delivered']>;
export type Step = Run['steps'][number];
export type Seat = Run['seats'][number];
export type Pending = Run['pending'][number];

/** A leg of the relay: consecutive steps that people follow as one. */
export interface Leg {
  readonly title: string;
  readonly steps: readonly Step[];
  /** Files handed over by the leg. */
  readonly files: Run['files'];
  /** Results of its gate, oldest first. */
  readonly gates: readonly string[];
}

/** Groups the steps of a run into legs: the phases of a crew, the rounds of a panel, the passes of a sweep. */
export function relayOf(run: Run): Leg[] {
  const titleOf = TITLES[run.formation];
  const legs = new Map<string, Step[]>();
  for (const step of run.steps) {
    const title = titleOf(step, run);
    const steps = legs.get(title);
    if (steps) steps.push(step);
    else legs.set(title, [step]);
  }
  return [...legs].map(([title, steps]) => ({
    title,
    steps,
    files: run.files.filter(({ phase }) => phase === title || steps.some((one) => one.step === phase)),
    gates: linesOf(run.notes, 'gate-events').filter((line) => line.startsWith(`${title} `)),
  }));
}

const TITLES: Readonly<Record<Run['formation'], (step: Step, run: Run) => string>> = {
  crew: ({ step, phase }, { seats }) => {
    if (step === 'go' || step === 'release') return 'release';
    const [, named] = /^(?:brief|check|decide)-(.+?)(?:-\d+)?$/.exec(step) ?? [];
    const known = seats.some((seat) => (seat.phase ?? seat.name) === named);
    return phase ?? (known ? (named ?? step) : step);
  },
  panel: ({ step }, { seats }) => {
    const [, round, seat] = /^round-(\d+)-(.+)$/.exec(step) ?? [];
    if (seat !== undefined) return `Round ${round}`;
    if (seats.some(({ name }) => name === step)) return 'Round 1';
    if (step === 'unanimity' || step === 'steelman') return 'Unanimity check';
    return step === 'log' || step === 'next' ? 'Log' : 'Decision';
  },
  sweep: ({ step }, { seats }) => {
    if (seats.some(({ name }) => name === step)) return 'Scouts';
    if (step.startsWith('again-') || step === 'merge-again') return 'Second pass';
    if (step === 'merge') return 'Merge';
    if (step === 'synthesis') return 'Synthesis';
    return step === 'log' || step === 'next' ? 'Report' : 'Check';
  },
};

/** States by urgency: the state of a leg is the first one that any of its steps has. */
const URGENCY: readonly Step['state'][] = [
  'failed',
  'blocked',
  'pending-validation',
  'in-progress',
  'waiting',
  'ready',
  'open',
  'done',
  'abandoned',
];

export function stateOf({ steps }: Pick<Leg, 'steps'>): Step['state'] {
  return URGENCY.find((state) => steps.some((step) => step.state === state)) ?? 'open';
}

/** Returns the log lines with this key, without the key. */
export function linesOf(notes: readonly string[], key: string): string[] {
  return notes.filter((note) => note.startsWith(`${key}: `)).map((note) => note.slice(key.length + 2));
}

export interface RunGroup {
  readonly title: 'Waits for you' | 'Running' | 'Ended';
  readonly runs: readonly RunRow[];
}

export function groupsOf(runs: readonly RunRow[]): RunGroup[] {
  const titleOf = (run: RunRow): RunGroup['title'] =>
    run.state === 'ended' ? 'Ended' : run.pending.length > 0 ? 'Waits for you' : 'Running';
  return (['Waits for you', 'Running', 'Ended'] as const)
    .map((title) => ({ title, runs: runs.filter((run) => titleOf(run) === title) }))
    .filter((group) => group.runs.length > 0);
}

/** Decisions that a person has to make, as text. */
export const PENDING_WORDS: Readonly<Record<Pending['kind'], string>> = {
  'line-up': 'accept or change the line-up',
  decide: 'decide for a stuck role',
  go: 'approve the release',
  check: 'review the handoff',
  brief: 'brief the next phase',
  review: 'approve or reject a step',
  failed: 'handle a failed step',
};

/** From the first start to the last end of the steps; undefined if none has started. */
export function spanOf({ steps, state }: Run): { readonly from: string; readonly to: string | undefined } | undefined {
  const times = (field: 'started_at' | 'completed_at') => steps.flatMap((step) => step[field] ?? []).sort();
  const [from] = times('started_at');
  return from === undefined ? undefined : { from, to: state === 'ended' ? times('completed_at').at(-1) : undefined };
}

/** Returns the seats with one of them moved up or down by one place. */
export function movedSeat(names: readonly string[], at: number, by: 1 | -1): string[] {
  const order = [...names];
  const [one, other] = [order[at], order[at + by]];
  if (one !== undefined && other !== undefined) [order[at], order[at + by]] = [other, one];
  return order;
}

/** A change of a line-up, as the operation accepts it. */
export type LineUpEdit = Partial<Readonly<Record<'add' | 'drop' | 'swap' | 'tier' | 'order', readonly string[]>>>;

/** The equivalent command; without a change, an example. */
export function editCommand(run: string, edit: LineUpEdit | undefined, word: (text: string) => string): string {
  const flags = Object.entries(edit ?? {}).map(([flag, values]) => `--${flag} ${word(values.join(','))}`);
  return ['troupe playbook edit', word(run), ...(edit === undefined ? ['--add NAME --drop NAME'] : flags)].join(' ');
}
