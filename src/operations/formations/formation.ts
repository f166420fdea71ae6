/**
 * `crew`, and `formation start|show|edit|stop|go`: a line-up for a person to accept, and the run that follows.
 * @packageDocumentation
 */
import * as z from 'zod/mini';
import { compileCrew, insertBeforeDeployer, namedCrew } from '#core/formations/crew.js';
import type { Compiled } from '#core/formations/formation.js';
import { editedNames, type LineUpEdit } from '#core/formations/line-up.js';
import {
  allRuns,
  checkedRecord,
  type FormationRecord,
  formationTasks,
  recordOf,
  stepId,
} from '#core/formations/record.js';
import {
  addInstruction,
  approveRelease,
  checkProposed,
  endFormationRun,
  relineUp,
} from '#core/formations/run-moves.js';
import { HUMAN } from '#core/graph/assignee.js';
import type { GraphView } from '#core/graph/view.js';
import { TroupeError } from '#kernel/errors.js';
import { sha256 } from '#kernel/hash.js';
import { argument, option } from '#operations/fields.js';
import { type Context, operation } from '#operations/operation.js';
import { loadRoles } from '#operations/roles/load-roles.js';
import { lineUpCost } from './cost.js';
import { modeOf, seatRecord } from './crew.js';
import { deliveredOf, deliveredShape } from './delivered.js';
import { refuseChangedHandoffs } from './dispatch-gate.js';
import { keepForGate } from './keep-for-gate.js';
import { laneOf } from './lane-of.js';
import { startRun } from './propose.js';
import { standingOf, standingShape } from './standing.js';

const names = z.optional(z.array(z.string()));
const byOf = (context: Context) => ({ now: context.clock.now(), actor: context.caller.name });

/** Accepts a line-up: its tasks may run from now on. */
export const formationStart = operation({
  name: 'formation.start',
  command: 'formation start',
  group: 'Formations',
  kind: 'write',
  summary: 'Accept a line-up and start its tasks',
  examples: [
    'troupe formation start 20261123-add-csv-export-1f0c',
    'troupe formation start 20261123-add-csv-export-1f0c --json',
  ],
  input: z.strictObject({ run: argument('The run', z.string()) }),
  output: standingShape,
  run: (context, { run }) => startRun(context, run),
});

/** One run with its steps, or all runs. */
export const formationShow = operation({
  name: 'formation.show',
  command: 'formation show',
  group: 'Formations',
  kind: 'read',
  summary: 'Show the state of a run: phases, handoffs, escalations',
  examples: ['troupe formation show', 'troupe formation show 20261123-add-csv-export-1f0c'],
  input: z.strictObject({
    run: argument('The run; default: all', z.optional(z.string())),
    limit: option('Only the latest N runs', z.optional(z.int().check(z.minimum(1))), { value: 'N' }),
  }),
  output: z.object({
    runs: z.array(standingShape),
    /** Number of all runs, regardless of the limit. */
    total: z.number(),
    /**
     * Deliverables of the requested run. Null for callers that are runs, which must not see the work of parallel seats.
     */
    delivered: z.nullable(deliveredShape),
  }),
  async run(context, { run, limit }) {
    const view = await (await context.graph()).view();
    const now = context.clock.now();
    if (run !== undefined) {
      const record = checkedRecord(view, run);
      const delivered = context.caller.kind === 'run' ? null : await deliveredOf(context, view, record);
      const cost = record.state === 'proposed' ? await proposedCost(context, view, record) : undefined;
      return { runs: [standingOf(view, record, now, cost)], total: 1, delivered };
    }
    const names = [...allRuns(view)].reverse();
    const runs = names.slice(0, limit).flatMap((name) => {
      const record = recordOf(view, name);
      return record ? [standingOf(view, record, now)] : [];
    });
    return { runs, total: names.length, delivered: null };
  },
});

/** Estimated cost of the current line-up. */
async function proposedCost(context: Context, view: GraphView, record: FormationRecord) {
  const tasks = formationTasks(view, record);
  return await lineUpCost(context, { tasks: tasks.map((task) => ({ ...task, human: HUMAN.of(task) === true })) });
}

/** Edits a line-up before it is accepted; on a running formation, adds an instruction. */
export const formationEdit = operation({
  name: 'formation.edit',
  command: 'formation edit',
  group: 'Formations',
  kind: 'write',
  summary: 'Change a line-up before it is accepted, or steer an active run',
  examples: [
    'troupe formation edit 20261123-add-csv-export-1f0c --add skeptic --tier dev=opus',
    'troupe formation edit 20261123-add-csv-export-1f0c --steer "keep the old format too"',
  ],
  input: z.strictObject({
    run: argument('The run', z.string()),
    add: option('Seats to add', names, { value: 'NAMES' }),
    drop: option('Seats to remove', names, { value: 'NAMES' }),
    swap: option('Put another role in a seat', names, { value: 'OLD=NEW' }),
    tier: option('The model of a seat', names, { value: 'SEAT=MODEL' }),
    order: option('All seats in their new order', names, { value: 'NAMES' }),
    steer: option('What the active seats should know', z.optional(z.string()), { value: 'TEXT' }),
  }),
  output: standingShape,
  async run(context, { run, steer: words, ...edit }) {
    const store = await context.graph();
    const by = byOf(context);
    const changes = Object.values(edit).some((value) => value !== undefined);
    if (changes === (words !== undefined))
      throw new TroupeError('usage', {
        what: 'Name a change: seats before it starts, or --steer TEXT while it runs.',
        hint: 'For example: `troupe formation edit RUN --drop qa`.',
      });
    if (words !== undefined) {
      await store.commit((view) => addInstruction(view, checkedRecord(view, run), words, by), context.request);
      const view = await store.view();
      return standingOf(view, checkedRecord(view, run), by.now);
    }
    const before = checkedRecord(await store.view(), run);
    checkProposed(before);
    const { record, compiled } =
      before.formation === 'crew'
        ? await editedCrew(context, before, edit)
        : await (await import('./edited-line.js')).editedLine(context, before, edit);
    const { result } = await store.commit(
      (view) => relineUp(view, checkedRecord(view, run), record, compiled, by),
      context.request,
    );
    await keepForGate(context, result);
    return standingOf(await store.view(), result, by.now, await lineUpCost(context, compiled));
  },
});

async function editedCrew(
  context: Context,
  record: FormationRecord,
  edit: LineUpEdit,
): Promise<{ record: FormationRecord; compiled: Compiled }> {
  const registry = await loadRoles(context);
  const phases = new Map(record.seats.map(({ name, phase }) => [name, phase]));
  const seats = editedNames(record.seats, edit).map(({ was, ...seat }) => ({
    ...seat,
    ...(was === undefined ? {} : { phase: phases.get(was) }),
  }));
  const added = edit.order === undefined ? seats.filter(({ name }) => edit.add?.includes(name) === true) : [];
  const crew = namedCrew(
    registry,
    insertBeforeDeployer(
      seats.filter((seat) => !added.includes(seat)),
      added,
    ),
  );
  const compiled = compileCrew(record.goal, crew, { run: record.run, mode: modeOf(record) });
  return { record: { ...record, seats: crew.map(seatRecord) }, compiled };
}

/** Ends a run: unfinished tasks are abandoned, and its lane gets a log entry. */
export const formationStop = operation({
  name: 'formation.stop',
  command: 'formation stop',
  group: 'Formations',
  kind: 'write',
  summary: 'Stop a run and abandon its unfinished tasks',
  examples: [
    'troupe formation stop 20261123-add-csv-export-1f0c',
    'troupe formation stop 20261123-add-csv-export-1f0c --json',
  ],
  input: z.strictObject({ run: argument('The run', z.string()) }),
  output: standingShape,
  async run(context, { run }) {
    const store = await context.graph();
    const before = checkedRecord(await store.view(), run);
    const { result } = await store.commit(
      (view) => endFormationRun(view, checkedRecord(view, run), 'abandoned', byOf(context)),
      context.request,
    );
    const view = await store.view();
    await keepForGate(context, result);
    if (before.state === 'running') await (await laneOf(result.formation)).keep(context, view, result);
    return standingOf(view, result, context.clock.now());
  },
});

/** Approves the release: its commands are shown, and run exactly as shown. */
export const formationGo = operation({
  name: 'formation.go',
  command: 'formation go',
  group: 'Formations',
  kind: 'write',
  summary: 'Show the commands of a release, and run them after you approve',
  examples: [
    'troupe formation go 20261123-add-csv-export-1f0c',
    'troupe formation go 20261123-add-csv-export-1f0c --json',
  ],
  input: z.strictObject({
    run: argument('The run', z.string()),
    seen: option('Approve exactly the commands with this hash', z.optional(z.string()), { value: 'HASH' }),
  }),
  output: z.extend(standingShape, { commands: z.string(), sha256: z.string() }),
  async run(context, { run, seen: shown }) {
    const store = await context.graph();
    const view = await store.view();
    const commands = releaseOf(view, run);
    await refuseChangedHandoffs(context, checkedRecord(view, run));
    const hash = sha256(commands);
    if (shown === undefined)
      throw new TroupeError('confirmation_needed', {
        what: `The release of ${run} runs ${commands === '' ? 'nothing' : 'these commands, which cannot be undone'}.`,
        hint: `Approve exactly these commands: \`troupe formation go ${run} --seen ${hash}\`.`,
        details: { run, shown: quoted(commands), commands, agree: { seen: hash } },
      });
    const { result } = await store.commit((view) => {
      const now = releaseOf(view, run);
      if (now !== commands || shown !== hash)
        throw new TroupeError('confirmation_needed', {
          what: `The commands of ${run} have changed.`,
          hint: `Review them again: \`troupe formation go ${run}\`.`,
        });
      return approveRelease(view, checkedRecord(view, run), commands, byOf(context));
    }, context.request);
    return { ...standingOf(await store.view(), result, context.clock.now()), commands, sha256: hash };
  },
});

/** Prefixes each line, so that commands cannot imitate output of Troupe. */
const quoted = (commands: string) => commands.trimEnd().replace(/^/gm, '  | ');

/** Staged commands. Errors: `wrong_status` if the release is not next. */
function releaseOf(view: GraphView, run: string): string {
  const record = checkedRecord(view, run);
  const goTask = view.task(stepId(run, 'go'));
  const last = goTask?.after_success?.[0];
  const ready = goTask?.status === 'open' && (last === undefined || view.task(last)?.status === 'done');
  if (record.state === 'running' && ready && record.staged !== undefined) return record.staged;
  throw new TroupeError('wrong_status', {
    what:
      goTask?.status === 'done'
        ? `The release of ${run} is already approved.`
        : `${run} has no release waiting for approval.`,
    hint: `Run \`troupe formation show ${run}\` to see what it waits for.`,
  });
}
