import { IF_EVERYWHERE, ONE_LESSON } from '#core/roles/handed-lesson.js';
import type { RoleRegistry } from '#core/roles/lane.js';
import { FORMATION_LIMITS } from '#kernel/limits/formations.js';
import { wordStem, wordsOf } from '#kernel/words.js';
import { type Compiled, formationTag, type NewTask, runFolder, type Seat, seatTags } from './formation.js';
import { handoffFiles } from './handoffs.js';
import { matchingRows, namedSeat, seatOf, topicStems } from './line-up.js';
import { stepId } from './record.js';

export const CREW_MODES = ['autopilot', 'checkpoint', 'co-drive'] as const;
/** Involvement of the person: only at the release, after each phase, or before each phase. */
export type CrewMode = (typeof CREW_MODES)[number];

export const PHASES = ['architect', 'dev', 'qa', 'deployer'] as const;
export type PhaseName = (typeof PHASES)[number];

interface PhaseRule {
  readonly charter: string;
  /** Instructions for the files of the phase. */
  readonly how: string;
  /** Loss for a run without this seat. */
  readonly loss: string;
}

const RULES: Readonly<Record<PhaseName, PhaseRule>> = {
  architect: {
    charter: 'plans the change and says what done means, before anybody builds',
    how: 'PLAN.md says what is changed, where and in which order. CONTRACT.md has a section `## Done-criteria`: one bullet for each thing that can be checked when it is done.',
    loss: 'no one writes CONTRACT.md: there is no plan and there are no criteria for dev and qa',
  },
  dev: {
    charter: 'builds what the contract says, and flags what it does not say',
    how: 'CHANGES.md says what was changed and why, file by file, and how it was tried.',
    loss: 'no one builds it: there is no CHANGES.md and nothing for qa to check',
  },
  qa: {
    charter: 'finds defects and breaches of the contract before release',
    how: 'QA.md gives a verdict on each criterion of CONTRACT.md, by its number: `- [PASS] 1 what was checked — evidence` or `- [FAIL] 1 what is wrong — evidence`. Say fail, failed and blocked in no other line: the file would be refused. Change nothing else.',
    loss: 'no one checks it: it is released as dev reports it',
  },
  deployer: {
    charter: 'stages the release, and leaves the last step to a person',
    how: 'DEPLOY.md says how to release and how to take it back. A section `## Commands` holds one fenced block: the commands that cannot be taken back. Do not run them: a person says go, then exactly these bytes are run.',
    loss: 'no one stages a release: the run ends with the build',
  },
};

/** A seat of a crew, with its phase. */
export interface CrewSeat extends Seat {
  readonly phase: string;
}

export function isPhase(name: string): name is PhaseName {
  return (PHASES as readonly string[]).includes(name);
}

/** Charter of a seat: from its core role or row, else that of the phase. */
export function charterOf(seat: Seat, phase: string): string {
  const own = seat.core?.charter || seat.row?.fields.get('owns') || seat.row?.fields.get('charter');
  return own ?? purposeOf(phase);
}

/** Purpose of a phase, independent of its occupant. */
function purposeOf(phase: string): string {
  return isPhase(phase) ? RULES[phase].charter : `looks at the work as the ${phase}`;
}

/** Losses for the default seats that were cut. */
export function lossesOf(cut: readonly string[]): string[] {
  return cut.map((name) => `Without ${name}: ${isPhase(name) ? RULES[name].loss : 'one view less'}.`);
}

/**
 * Default line-up: for each phase the row that hands over its file and matches the goal best, else the row with its
 * name, else a new one.
 */
export function defaultCrew(registry: RoleRegistry, goal: string, axes: readonly string[] = []): CrewSeat[] {
  const matching = matchingRows(registry, 'crew', topicStems(goal, axes));
  return PHASES.map((phase) => {
    const specialist = matching.find((row) => handsOver(row.fields.get('handoff'), phase));
    const seat = specialist ? seatOf(registry, specialist) : namedSeat(registry, 'crew', phase, RULES[phase].charter);
    return { ...seat, phase };
  });
}

function handsOver(handoff: string | undefined, phase: PhaseName): boolean {
  return handoff !== undefined && handoffFiles(phase).some((file) => handoff.includes(file));
}

/** Seats by name, in this order; `phase` if a seat does the phase of another role. */
export function namedCrew(
  registry: RoleRegistry,
  names: readonly { readonly name: string; readonly tier?: string | undefined; readonly phase?: string | undefined }[],
): CrewSeat[] {
  return names.map(({ name, tier, phase = name }) => {
    const seat = namedSeat(registry, 'crew', name, purposeOf(phase));
    return { ...seat, ...(tier === undefined ? {} : { tier }), phase };
  });
}

/** Inserts new seats without a given position before the deployer, where their findings still have an effect. */
export function insertBeforeDeployer<One extends { readonly name: string; readonly phase?: string | undefined }>(
  seats: readonly One[],
  added: readonly One[],
): One[] {
  const before = seats.findIndex((seat) => (seat.phase ?? seat.name) === 'deployer');
  return before === -1 ? [...seats, ...added] : [...seats.slice(0, before), ...added, ...seats.slice(before)];
}

const CATEGORIES: readonly (readonly [category: string, words: readonly string[]])[] = [
  ['bugfix', ['bug', 'fix', 'crash', 'broken', 'regression', 'defect']],
  ['refactor', ['refactor', 'clean', 'rename', 'restructure', 'simplify', 'extract']],
  ['schema-change', ['schema', 'migration', 'migrate', 'column', 'table']],
  ['perf', ['perf', 'performance', 'slow', 'faster', 'latency', 'speed', 'memory']],
  ['release', ['release', 'publish', 'version', 'changelog']],
  ['infra', ['infra', 'infrastructure', 'ci', 'docker', 'deploy', 'pipeline', 'kubernetes', 'terraform']],
];

/** Category of work, one of seven, for the log; derived from the words of the goal. */
export function categoryOf(goal: string): string {
  // Not from its axes: those omit words as short as "ci".
  const words = new Set(wordsOf(goal).map(wordStem));
  return CATEGORIES.find(([, list]) => list.some((word) => words.has(wordStem(word))))?.[0] ?? 'feature';
}

export interface CrewOptions {
  readonly run: string;
  readonly mode: CrewMode;
}

/**
 * Compiles a crew to tasks: one for each phase, each after the success of the one before; dev and qa in a cycle; at the
 * end a person's approval and the release. All paused until the line-up is accepted.
 */
export function compileCrew(goal: string, seats: readonly CrewSeat[], { run, mode }: CrewOptions): Compiled {
  const tasks: NewTask[] = [];
  let before: string | undefined;
  const chain = (task: Omit<NewTask, 'after_success' | 'paused' | 'no_place'>) => {
    tasks.push({
      ...task,
      ...(before === undefined ? {} : { after_success: [before] }),
      paused: true,
      no_place: true,
    });
    before = task.id;
  };
  for (const [index, seat] of seats.entries()) {
    const { phase } = seat;
    if (mode === 'co-drive') chain(personStep(run, `brief-${phase}`, `Brief the ${seat.name} of ${run}`, BRIEF(run)));
    chain(phaseTask(goal, run, seats, index));
    const isLast = phase === 'deployer';
    if (mode === 'checkpoint' && !isLast)
      chain(personStep(run, `check-${phase}`, `Review the handoff of the ${seat.name} of ${run}`, CHECK(run, phase)));
  }
  if (seats.some(({ phase }) => phase === 'deployer')) {
    chain(personStep(run, 'go', `Approve the release of ${run}`, GO(run)));
    chain({
      id: stepId(run, 'release'),
      title: `Release of ${run}`,
      description: `Runs exactly the commands of ${runFolder('crew', run)}/DEPLOY.md, exactly as the deployer handed them over. They run only after a person approves.`,
      exec_mode: 'shell',
      tags: [formationTag(run)],
    });
  }
  return { tasks: withLoop(tasks, run), files: new Map() };
}

/** Makes dev and qa a cycle that repeats while qa fails: dev is the header, and also depends on qa. */
function withLoop(tasks: readonly NewTask[], run: string): NewTask[] {
  const [dev, qa] = [stepId(run, 'dev'), stepId(run, 'qa')];
  const at = (id: string) => tasks.findIndex((task) => task.id === id);
  if (at(dev) === -1 || at(qa) < at(dev)) return [...tasks];
  return tasks.map((task) =>
    task.id === dev
      ? {
          ...task,
          after: [qa],
          max_iterations: FORMATION_LIMITS.qaIterations,
          cycle_guard: `task:${qa}=failed`,
          no_restart_on_failure: true,
          // The verdict of qa decides about another iteration, not dev.
          no_converge: true,
        }
      : task,
  );
}

function phaseTask(goal: string, run: string, seats: readonly CrewSeat[], index: number) {
  const seat = seats[index];
  const { name, phase, tier } = seat as CrewSeat;
  const folder = runFolder('crew', run);
  const files = handoffFiles(phase).map((file) => `${folder}/${file}`);
  const earlier = seats.slice(0, index).flatMap((one) => handoffFiles(one.phase).map((file) => `${folder}/${file}`));
  return {
    id: stepId(run, phase),
    title: `${name === phase ? phase : `${name} as ${phase}`}: ${goal}`.slice(0, FORMATION_LIMITS.titleCharacters),
    description: brief(goal, run, seat as CrewSeat, earlier, files),
    tags: [...seatTags('crew', run, name), `phase:${phase}`],
    deliverables: files,
    ...(tier === undefined ? {} : { model: tier }),
    verify_cmd: `"$TROUPE_BIN" roles check-handoffs --run ${run} --phase ${phase}`,
  };
}

function brief(
  goal: string,
  run: string,
  seat: CrewSeat,
  earlier: readonly string[],
  files: readonly string[],
): string {
  const { phase } = seat;
  return [
    `This is the phase ${phase} of the crew ${run}: it ${purposeOf(phase)}.`,
    `Goal of the run: ${goal}`,
    ...(earlier.length === 0 ? [] : [`Read first, as far as it is there: ${earlier.join(', ')}.`]),
    ...(phase === 'dev' ? [`If ${runFolder('crew', run)}/QA.md lists failures, fix those.`] : []),
    `Hand over by file, not by reply: ${files.join(', ')}. Without ${files.length > 1 ? 'them' : 'it'} this phase fails its gate.`,
    isPhase(phase) ? RULES[phase].how : 'Report what was examined, what was found, and what should be done about it.',
    BLOCKED_INSTRUCTIONS(files.at(-1) ?? ''),
    `${ONE_LESSON} ${IF_EVERYWHERE}`,
  ].join('\n\n');
}

const BLOCKED_INSTRUCTIONS = (file: string) =>
  `Deliver or declare: if it cannot be met, hand in ${file} with the line \`status: BLOCKED\` at its top and the sections \`## Tried\`, \`## Why stuck\`, \`## Needs\` and \`## Suggested escalation\`, each with something in it; if another role should take over, the last names it in backticks; a line \`diagnosis: capability\`, \`ownership\`, \`contract\`, \`context\` or \`decision\` helps. Then stop: somebody takes it from there.`;

const BRIEF = (run: string) =>
  `The next phase starts when this is done. Add instructions with \`troupe playbook steer ${run} "TEXT"\`, or just let it start.`;
const CHECK = (run: string, phase: string) =>
  `Read ${handoffFiles(phase)
    .map((file) => `${runFolder('crew', run)}/${file}`)
    .join(
      ' and ',
    )}. Marking it done starts the next phase; \`troupe playbook status ${run}\` shows the state of the run.`;
const GO = (run: string) =>
  `\`troupe playbook go ${run}\` shows the commands of the release, and runs them when you approve. They cannot be undone.`;

function personStep(run: string, step: string, title: string, description: string) {
  return { id: stepId(run, step), title, description, human: true as const, tags: [formationTag(run)] };
}
