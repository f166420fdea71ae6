/**
 * `crew`, and `playbook accept|edit|go`: a line-up for a person to accept, and the release that follows.
 * @packageDocumentation
 */
import * as z from 'zod/mini';
import type { GraphView } from '#core/graph/view.js';
import { compileCrew, insertBeforeDeployer, namedCrew } from '#core/playbooks/crew.js';
import type { Compiled } from '#core/playbooks/formation.js';
import { editedNames, type LineUpEdit } from '#core/playbooks/line-up.js';
import { checkedRecord, type FormationRecord, stepId } from '#core/playbooks/record.js';
import { approveRelease, checkProposed, relineUp } from '#core/playbooks/run-moves.js';
import { TroupeError } from '#kernel/errors.js';
import { sha256 } from '#kernel/hash.js';
import type { FilesContext, GraphContext, MachineContext, WorkContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { type Context, operation } from '#operations/operation.js';
import { loadRoles } from '#operations/roles/load-roles.js';
import { lineUpCost } from './cost.js';
import { modeOf, seatRecord } from './crew.js';
import { refuseChangedHandoffs } from './dispatch-gate.js';
import { keepForGate } from './keep-for-gate.js';
import { startRun } from './propose.js';
import { standingOf, standingShape } from './standing.js';

const names = z.optional(z.array(z.string()));
const byOf = (context: Pick<Context, 'clock' | 'caller'>) => ({ now: context.clock.now(), actor: context.caller.name });

/** Accepts a line-up: its tasks may run from now on. */
export const formationStart = operation({
  name: 'formation.start',
  command: 'playbook accept',
  group: 'Plans',
  kind: 'write',
  summary: 'Accept a line-up and start its tasks',
  examples: [
    'troupe playbook accept 20261123-add-csv-export-1f0c',
    'troupe playbook accept 20261123-add-csv-export-1f0c --json',
  ],
  input: z.strictObject({ run: argument('The run', z.string()) }),
  output: standingShape,
  run: (context: WorkContext & MachineContext, { run }) => startRun(context, run),
});

/** Edits a line-up before it is accepted. */
export const formationEdit = operation({
  name: 'formation.edit',
  command: 'playbook edit',
  group: 'Plans',
  kind: 'write',
  summary: 'Change a line-up before it is accepted',
  examples: [
    'troupe playbook edit 20261123-add-csv-export-1f0c --add skeptic --tier dev=opus',
    'troupe playbook edit 20261123-add-csv-export-1f0c --drop qa --json',
  ],
  input: z.strictObject({
    run: argument('The run', z.string()),
    add: option('Seats to add', names, { value: 'NAMES' }),
    drop: option('Seats to remove', names, { value: 'NAMES' }),
    swap: option('Put another role in a seat', names, { value: 'OLD=NEW' }),
    tier: option('The model of a seat', names, { value: 'SEAT=MODEL' }),
    order: option('All seats in their new order', names, { value: 'NAMES' }),
  }),
  output: standingShape,
  async run(context: WorkContext & MachineContext, { run, ...edit }) {
    const store = await context.graph();
    const by = byOf(context);
    if (Object.values(edit).every((value) => value === undefined))
      throw new TroupeError('usage', {
        what: 'Name a change of the line-up.',
        hint: 'For example: `troupe playbook edit RUN --drop qa`. To steer a run in progress: `troupe playbook steer RUN TEXT`.',
      });
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
  context: Pick<Context, 'roleFiles'>,
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

/** Approves the release: its commands are shown, and run exactly as shown. */
export const formationGo = operation({
  name: 'formation.go',
  command: 'playbook go',
  group: 'Plans',
  kind: 'write',
  summary: 'Show the commands of a release, and run them after you approve',
  examples: [
    'troupe playbook go 20261123-add-csv-export-1f0c',
    'troupe playbook go 20261123-add-csv-export-1f0c --json',
  ],
  input: z.strictObject({
    run: argument('The run', z.string()),
    seen: option('Approve exactly the commands with this hash', z.optional(z.string()), { value: 'HASH' }),
  }),
  output: z.extend(standingShape, { commands: z.string(), sha256: z.string() }),
  async run(context: GraphContext & FilesContext, { run, seen: shown }) {
    const store = await context.graph();
    const view = await store.view();
    const commands = releaseOf(view, run);
    await refuseChangedHandoffs(context, checkedRecord(view, run));
    const hash = sha256(commands);
    if (shown === undefined)
      throw new TroupeError('confirmation_needed', {
        what: `The release of ${run} runs ${commands === '' ? 'nothing' : 'these commands, which cannot be undone'}.`,
        hint: `Approve exactly these commands: \`troupe playbook go ${run} --seen ${hash}\`.`,
        details: { run, shown: quoted(commands), commands, agree: { seen: hash } },
      });
    const { result } = await store.commit((view) => {
      const now = releaseOf(view, run);
      if (now !== commands || shown !== hash)
        throw new TroupeError('confirmation_needed', {
          what: `The commands of ${run} have changed.`,
          hint: `Review them again: \`troupe playbook go ${run}\`.`,
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
    hint: `Run \`troupe playbook status ${run}\` to see what it waits for.`,
  });
}
