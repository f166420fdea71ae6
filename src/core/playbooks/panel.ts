import { IF_EVERYWHERE } from '#core/roles/handed-lesson.js';
import type { RoleRegistry } from '#core/roles/lane.js';
import { TroupeError } from '#kernel/errors.js';
import { PANEL_LIMITS } from '#kernel/limits/panel.js';
import { codeTask } from './code-step.js';
import { deskTask } from './desk-task.js';
import { type Compiled, type NewTask, runFolder, type Seat } from './formation.js';
import { checkedSeats, matchingRows, namedSeat, seatOf, topicStems } from './line-up.js';
import { DECISION_SECTIONS } from './panel-decision.js';
import { stepId } from './record.js';

/**
 * Procedure from notes to a decision. `swarm`: the director decides from all notes. `director`: the director first asks
 * each seat a question. `round-table`: in later rounds, seats speak in turn. `relay`: seats write the decision one
 * after another. `adversarial`: one half argues for, the other against.
 */
export const PANEL_STYLES = ['swarm', 'round-table', 'director', 'relay', 'adversarial'] as const;
export type PanelStyle = (typeof PANEL_STYLES)[number];

/** Seat of every panel. */
export const SKEPTIC = 'skeptic';
const SKEPTIC_CHARTER = 'argues against what everybody takes for granted, and says what would prove it wrong';
/** Not a seat: decides from the notes of the seats. */
const DIRECTOR = 'director';

/** Default seats for topics that no row of the lane covers: name, charter, and matching words. */
const USUAL_SEATS = [
  ['maintainer', 'speaks for whoever has to change this in two years', 'code design api refactor architecture library'],
  ['user-advocate', 'speaks for whoever has to live with the result', 'user interface wording workflow customer page'],
  [
    'operator',
    'speaks for whoever is woken when it breaks',
    'deploy service performance migration database queue infra',
  ],
  ['security-reviewer', 'asks what an attacker or an accident makes of it', 'security auth token secret privacy data'],
  [
    'economist',
    'asks what it costs, and what else the effort would buy',
    'cost price plan roadmap priority buy budget',
  ],
] as const;
const USUAL_COUNT = 4;

/** Default line-up: rows that match the goal, then matching usual seats, then others; the skeptic last. */
export function defaultPanel(registry: RoleRegistry, goal: string, axes: readonly string[] = []): Seat[] {
  const about = topicStems(goal, axes);
  const rows = matchingRows(registry, 'panel', about).filter(({ name }) => name !== SKEPTIC && !isStep(name));
  const seats = rows.slice(0, PANEL_LIMITS.seatsMost - 1).map((row) => seatOf(registry, row));
  const asks = (words: string) => [...topicStems(words)].filter((word) => about.has(word)).length;
  const usual = USUAL_SEATS.filter(([name]) => seats.every((seat) => seat.name !== name))
    .map((seat, index) => ({ seat, index, overlap: asks(seat[2]) }))
    .sort((left, right) => right.overlap - left.overlap || left.index - right.index);
  for (const { seat, overlap } of usual) {
    const wanted = overlap > 0 ? PANEL_LIMITS.seatsMost - 1 : USUAL_COUNT - 1;
    if (seats.length < wanted) seats.push(namedSeat(registry, 'panel', seat[0], seat[1]));
  }
  return [...seats, namedSeat(registry, 'panel', SKEPTIC, SKEPTIC_CHARTER)];
}

/** A seat by name, with an optional model. */
export interface NamedSeat {
  readonly name: string;
  readonly tier?: string | undefined;
}

/** Seats of these names; the skeptic is added if missing. */
export function namedPanel(registry: RoleRegistry, names: readonly NamedSeat[]): Seat[] {
  return seatsNamed(registry, names.some(({ name }) => name === SKEPTIC) ? names : [...names, { name: SKEPTIC }]);
}

/** Seats of exactly these names. */
export function seatsNamed(registry: RoleRegistry, names: readonly NamedSeat[]): Seat[] {
  return names.map(({ name, tier }) => {
    const usual = USUAL_SEATS.find(([seat]) => seat === name)?.[1] ?? `looks at it as the ${name}`;
    const seat = namedSeat(registry, 'panel', name, name === SKEPTIC ? SKEPTIC_CHARTER : usual);
    return tier === undefined ? seat : { ...seat, tier };
  });
}

/** Losses for the default seats that were cut. */
export function panelLosses(cut: readonly string[]): string[] {
  const charters = new Map<string, string>(USUAL_SEATS.map(([name, charter]) => [name, charter]));
  return cut.map((name) => `Without ${name}: no one ${charters.get(name) ?? `looks at it as the ${name}`}.`);
}

export interface PanelOptions {
  readonly run: string;
  readonly style: PanelStyle;
  readonly rounds: number;
  /** Models, cheapest first; if empty, each client uses its default. */
  readonly tiers: readonly string[];
}

/** Validates the number of rounds. Errors: `bad_input`. */
export function checkedRounds(rounds: number | undefined): number {
  const { rounds: usual, roundsMost: most } = PANEL_LIMITS;
  if (rounds === undefined) return usual;
  if (Number.isInteger(rounds) && rounds >= 1 && rounds <= most) return rounds;
  throw new TroupeError('bad_input', {
    what: `A panel has 1 to ${most} rounds before its decision.`,
    hint: 'One is usual; use more for irreversible decisions.',
  });
}

/** Refuses a panel that is too small, too large, or lacks a skeptic. */
function checkedPanel(seats: readonly Seat[]): readonly Seat[] {
  const { seatsLeast, seatsMost } = PANEL_LIMITS;
  checkedSeats([...seats]);
  const step = seats.find(({ name }) => isStep(name));
  if (step) throw invalidPanel(`${step.name} is reserved: it is the name of a step of every panel.`);
  if (!seats.some(({ name }) => name === SKEPTIC)) throw invalidPanel(`The ${SKEPTIC} sits on every panel.`);
  if (seats.length < seatsLeast || seats.length > seatsMost)
    throw invalidPanel(`A panel has ${seatsLeast} to ${seatsMost} seats, not ${seats.length}.`);
  return seats;
}

function invalidPanel(what: string): TroupeError {
  return new TroupeError('bad_input', {
    what,
    hint: `Name ${PANEL_LIMITS.seatsLeast} to ${PANEL_LIMITS.seatsMost} seats, the ${SKEPTIC} among them: with --seats, or later with \`troupe playbook edit RUN\`.`,
  });
}

const STEPS = ['unanimity', 'decision', 'steelman', 'brief', 'log', 'next', DIRECTOR];
function isStep(name: string): boolean {
  return STEPS.includes(name) || /^(?:round-\d+|relay)-/.test(name);
}

/** File of a seat's note in a round, within the folder of the run. */
export function noteFile(seat: string, round: number): string {
  return `round-${round}/${seat}.md`;
}

/** Id of a seat's task in a round; in the first round it contains only the seat's name. */
export function noteTask(run: string, seat: string, round: number): string {
  return stepId(run, round === 1 ? seat : `round-${round}-${seat}`);
}

/**
 * Compiles a panel to paused tasks: seats in parallel, without edges between them in the first round; then code tests
 * for unanimity; then the decision. Nothing is shipped: members only read, and hand in one file.
 */
export function compilePanel(goal: string, line: readonly Seat[], options: PanelOptions): Compiled {
  const { run, style, rounds, tiers } = options;
  const seats = checkedPanel(line);
  const briefs = style === 'director' ? [briefTask(goal, seats, options)] : [];
  let before = briefs.map(({ id }) => id);
  const tasks: NewTask[] = [...briefs];
  for (let round = 1; round <= rounds; round++) {
    const spoken: string[] = [];
    for (const seat of seats) {
      // In turn only after every seat has given an independent note.
      const after = style === 'round-table' && round > 1 ? [...before, ...spoken] : before;
      tasks.push(seatTask(goal, seats, seat, { ...options, round, after }));
      spoken.push(noteTask(run, seat.name, round));
    }
    before = spoken;
  }
  tasks.push(
    codeTask(run, 'unanimity', {
      title: `Do all seats of ${run} agree?`,
      description:
        'Counts the verdicts of the notes. Where all agree, it adds the strongest case against, and the decision waits for it.',
      after: before,
    }),
  );
  const writers = style === 'relay' ? seats.slice(0, -1) : [];
  let last = stepId(run, 'unanimity');
  for (const seat of writers) {
    const task = relayTask(goal, seat, { ...options, after: last });
    tasks.push(task);
    last = task.id;
  }
  const decider = style === 'relay' ? seats.at(-1)?.name : undefined;
  tasks.push(decisionTask(goal, { run, seats, decider, after: last, tier: tiers.at(-1) }));
  tasks.push(
    codeTask(run, 'log', {
      title: `Keep what ${run} came to`,
      description: 'Holds the decision to its form, and adds an entry to the log of the panel.',
      after_success: [stepId(run, 'decision')],
    }),
  );
  return { tasks: tasks.map((task) => ({ ...task, paused: true })), files: new Map() };
}

const FORM = [
  'The note is Markdown: one heading `### Role — VERDICT`, where VERDICT is SIGN-OFF, CHANGES REQUESTED or IDEAS.',
  'Then one line a point: `- [high] what is wrong → what to do about it`, with high, med or low. A point without a move is not counted.',
  'Where you choose between options, name yours in a line `Option: …`. Push back: disagreement is what you are here for.',
  `A line \`Lesson: …\` says what the next panel should know, if anything. ${IF_EVERYWHERE}`,
].join(' ');

function seatTask(
  goal: string,
  seats: readonly Seat[],
  seat: Seat,
  { run, style, round, after, tiers }: PanelOptions & { readonly round: number; readonly after: readonly string[] },
): NewTask {
  const folder = runFolder('panel', run);
  const earlier =
    round === 1 ? [] : [`Read the notes of the round before, ${folder}/round-${round - 1}/, and answer them.`];
  const brief = style === 'director' ? [`The director asks each seat a question: read ${folder}/brief.md first.`] : [];
  const side = style === 'adversarial' ? [`You argue ${sideOf(seats, seat)} it, as well as it can be argued.`] : [];
  return {
    ...deskTask('panel', run, {
      id: noteTask(run, seat.name, round),
      seat: seat.name,
      title: `${seat.name}: ${goal}`,
      file: noteFile(seat.name, round),
      words: [
        `You are the ${seat.name} of a panel: judge from there and from nowhere else.`,
        `What is to be decided: ${goal}`,
        ...(round === 1 ? ['Look at no other note of this run.'] : []),
        ...earlier,
        ...brief,
        ...side,
        FORM,
      ],
      tier: seat.tier ?? tiers[0],
    }),
    after,
  };
}

/** Alternate seats argue against, and the skeptic always does. */
function sideOf(seats: readonly Seat[], seat: Seat): 'for' | 'against' {
  const others = seats.filter(({ name }) => name !== SKEPTIC);
  return seat.name === SKEPTIC || others.indexOf(seat) % 2 === 1 ? 'against' : 'for';
}

function briefTask(goal: string, seats: readonly Seat[], { run, tiers }: PanelOptions): NewTask {
  return deskTask('panel', run, {
    id: stepId(run, 'brief'),
    seat: DIRECTOR,
    title: `Questions to the panel: ${goal}`,
    file: 'brief.md',
    words: [
      'You direct a panel. Write the one question that each seat is best placed to answer, and no opinion of your own.',
      `What is to be decided: ${goal}`,
      `Seats: ${seats.map(({ name }) => name).join(', ')}.`,
    ],
    tier: tiers.at(-1),
  });
}

function relayTask(
  goal: string,
  seat: Seat,
  { run, tiers, after }: PanelOptions & { readonly after: string },
): NewTask {
  const folder = runFolder('panel', run);
  return {
    ...deskTask('panel', run, {
      id: stepId(run, `relay-${seat.name}`),
      seat: seat.name,
      title: `${seat.name} drafts: ${goal}`,
      file: `relay/${seat.name}.md`,
      words: [
        `You are the ${seat.name} of a panel whose seats write its decision one after another. Read the notes in ${folder}/round-*/ and the drafts in ${folder}/relay/, and hand on a better draft.`,
        `What is to be decided: ${goal}`,
      ],
      tier: seat.tier ?? tiers[0],
    }),
    after_success: [after],
  };
}

interface DecisionParameters {
  readonly run: string;
  readonly seats: readonly Seat[];
  /** Seat that decides; undefined for the director. */
  readonly decider: string | undefined;
  readonly after: string;
  readonly tier: string | undefined;
}

function decisionTask(goal: string, { run, seats, decider = DIRECTOR, after, tier }: DecisionParameters): NewTask {
  const folder = runFolder('panel', run);
  return {
    ...deskTask('panel', run, {
      id: stepId(run, 'decision'),
      seat: decider,
      title: `Decide: ${goal}`,
      file: 'decision.md',
      words: [
        `You decide for a panel of ${seats.map(({ name }) => name).join(', ')}. Read their notes in ${folder}/round-*/, and ${folder}/votes.md. It is advice: nothing is built or shipped by it.`,
        `What is to be decided: ${goal}`,
        `The decision is Markdown with the sections ${DECISION_SECTIONS.map((title) => `\`## ${title}\``).join(', ')}, each with something in it. A move is a line \`- what to do ← seat, seat\` with the seats whose notes it came from. Name every seat that handed in no note; weigh what is argued, not how many say it.`,
        `If ${folder}/steelman.md is there, answer it, and say in a line \`Steelman: ran, …\` what became of your decision, ending in retained, adopted or reversed.`,
      ],
      tier,
    }),
    after_success: [after],
  };
}

/** Task for the strongest case against a unanimous opinion; the decision waits for it. */
export function steelmanTask(goal: string, run: string, agreement: string, tier: string | undefined): NewTask {
  return deskTask('panel', run, {
    id: stepId(run, 'steelman'),
    seat: SKEPTIC,
    title: `The strongest case against: ${goal}`,
    file: 'steelman.md',
    words: [
      `Every seat of the panel agrees (${agreement}). That is a warning: make the strongest honest case against it, as somebody would who is right to be against it. Say what would have to be true, and how one would find out.`,
      `What is to be decided: ${goal}`,
    ],
    tier,
  });
}
