import * as z from 'zod/mini';
import { isRunName } from '#core/graph/run-name.js';
import { isTask } from '#core/graph/task.js';
import { isRefusal, TroupeError } from '#kernel/errors.js';
import { sha256 } from '#kernel/hash.js';
import type { GraphContext, MachineContext } from '#operations/contexts.js';
import { option } from '#operations/fields.js';
import { type Context, operation } from '#operations/operation.js';
import type { ExclusiveGraph } from '#ports/graph-store.js';
import type { KeptRow, Storage, Storages } from '#ports/storage.js';
import { databaseInUse, nameInDatabase } from './database.js';

/** Value of `--to` for files instead of an address. */
const FILES = 'files';

/** A requested move. `arrive` makes the new storage the effective one for all later readers. */
interface Move {
  readonly from: Storage;
  readonly to: Storage;
  /**
   * Whether the old storage is retired before `arrive`. A retired database is visible to all machines, but retired
   * files only to this one, so the settings must be changed first.
   */
  readonly retiresFirst: boolean;
  arrive(): Promise<void>;
}

/**
 * Moves a project with all its data into a database, to another one, or back into files. The old storage remains
 * effective until the new one holds identical data. Repeating an interrupted move continues it.
 */
export const move = operation({
  name: 'database.move',
  command: 'database move',
  group: 'Storage',
  kind: 'write',
  where: 'caller',
  summary: 'Move the project into a database, to another one, or back into files',
  examples: ['troupe database move --to postgresql://ann@localhost/troupe', 'troupe database move --to files'],
  input: z.strictObject({
    to: option('The address of the database, or `files`', z.string(), { value: 'ADDRESS' }),
    project: option('The name of the project in the database (default: that of the folder)', z.optional(z.string()), {
      value: 'NAME',
    }),
  }),
  output: z.object({ from: z.string(), to: z.string(), entries: z.number(), rows: z.number() }),
  async run(context: GraphContext & MachineContext, input) {
    const asked = await moveOf(context, await context.storages(), input);
    const { from, to } = asked;
    const moved = (await from.state()) === 'retired' ? await resumeMove(asked) : await moveWhole(asked);
    return { from: from.words, to: to.words, entries: moved.lines, rows: moved.rows };
  },
});

async function moveOf(
  context: Pick<Context, 'projectFolder' | 'settings'>,
  storages: Storages,
  { to, project }: { readonly to: string; readonly project?: string | undefined },
): Promise<Move> {
  const settings = await context.settings();
  const { named, choice, files } = storages;
  const here = named === undefined ? undefined : await databaseInUse(storages);
  const name = async (value: string | undefined) => {
    await settings.set([{ key: ['database', 'project'], value }]);
  };
  if (to === FILES) {
    if (here === undefined) throw new TroupeError('not_in_database');
    const arrive = async () => {
      await name(undefined);
      await choice.forget();
    };
    return { from: here.database, to: files, retiresFirst: true, arrive };
  }
  const chosen = { project: nameInDatabase(project ?? named, context.projectFolder), address: to };
  const arrive = async () => {
    await choice.choose(chosen);
    await name(chosen.project);
  };
  const target = await storages.database(chosen);
  return { from: here?.database ?? files, to: target, retiresFirst: here !== undefined, arrive };
}

async function moveWhole({ from, to, retiresFirst, arrive }: Move): Promise<Sums> {
  const held = await hold(from);
  try {
    await refuseRunsAtWork(held, await from.runsElsewhere());
    const state = await to.state();
    if (state !== 'in-use') {
      await to.prepare();
      await to.receive({ lines: from.graph.lines(), rows: from.rows() });
    }
    const [left, right] = [await sumsOf(from), await sumsOf(to)];
    if (left.sum !== right.sum) throw state === 'in-use' ? inUse(to) : different(from, to);
    if (state === 'in-use') await refuseSamePlace(to);
    if (!retiresFirst) await arrive();
    await held.retire();
    if (retiresFirst) await arrive();
    return left;
  } finally {
    await held.close();
  }
}

/** Takes the graph, so that no other process can write. */
async function hold({ graph }: Storage): Promise<ExclusiveGraph> {
  const nothing = () => undefined;
  try {
    return await graph.hold({ seize: false, stopWaiting: () => true, onHandEdit: nothing, onLost: nothing });
  } catch (error) {
    if (!isRefusal(error, 'locked')) throw error;
    throw new TroupeError('locked', {
      what: error.message,
      hint: 'Stop the service, where it runs, with `troupe service stop`, then move the project.',
      details: error.details,
    });
  }
}

/**
 * Rejects a move of a project to where it is, which would retire its only place. The old place is held, so a place that
 * cannot be held is the same one, even under another address. Errors: `store_not_empty`.
 */
async function refuseSamePlace(to: Storage): Promise<void> {
  try {
    await (await hold(to)).close();
  } catch (error) {
    if (!isRefusal(error, 'locked')) throw error;
    throw new TroupeError('store_not_empty', {
      what: `The project is kept in ${to.words} already: nothing was changed.`,
      hint: 'Name another database, or another project there with --project NAME.',
    });
  }
}

/** Continues a move that was interrupted after the old storage was retired: compares both storages again. */
async function resumeMove({ from, to, arrive }: Move): Promise<Sums> {
  if ((await to.state()) !== 'in-use') throw new TroupeError('storage_retired');
  const [left, right] = [await sumsOf(from), await sumsOf(to)];
  if (left.sum !== right.sum) throw inUse(to);
  await arrive();
  return left;
}

interface Sums {
  readonly lines: number;
  readonly rows: number;
  /** Hash over all lines and rows. */
  readonly sum: string;
}

async function sumsOf(storage: Storage): Promise<Sums> {
  let lines = 0;
  let rows = 0;
  let sum = '';
  for await (const line of storage.graph.lines()) {
    sum = sha256(`${sum}\n${line}`);
    lines++;
  }
  for await (const { table, values } of storage.rows()) {
    const told = Object.keys(values).sort();
    sum = sha256(`${sum}\n${JSON.stringify([table, ...told.map((name) => [name, plain(values[name])])])}`);
    rows++;
  }
  return { lines, rows, sum };
}

function plain(value: KeptRow['values'][string] | undefined): string | number | null | undefined {
  return value instanceof Uint8Array ? sha256(value) : value;
}

/**
 * Rejects a move with active runs: a run delivers its result to the storage in which it started, and runs of workers
 * are settled by the leader. Errors: `runs_at_work`.
 */
async function refuseRunsAtWork(graph: ExclusiveGraph, elsewhere: readonly string[]): Promise<void> {
  const tasks = [...(await graph.view()).nodes()].filter(isTask);
  const busy = tasks.filter(({ status, assigned }) => status === 'in-progress' && isRunName(assigned));
  if (busy.length === 0 && elsewhere.length === 0) return;
  throw new TroupeError('runs_at_work', {
    details: { tasks: busy.slice(0, 10).map(({ id }) => id), runs: elsewhere.slice(0, 10) },
  });
}

function inUse({ words }: Storage): TroupeError {
  return new TroupeError('store_not_empty', {
    what: `There is another project in ${words} already: nothing was changed.`,
    hint: 'Choose another name with --project NAME.',
  });
}

function different(from: Storage, to: Storage): TroupeError {
  return new TroupeError('internal', {
    what: `${to.words} does not hold what ${from.words} does: nothing was changed.`,
  });
}
