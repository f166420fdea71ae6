import { PostgresDatabase } from '#adapters/postgres/database.js';
import { PostgresDoctor } from '#adapters/store/postgres/doctor.js';
import { entriesBetween } from '#adapters/store/postgres/event-rows.js';
import type { Entry } from '#core/graph/event.js';
import { parseJsonObject } from '#kernel/json.js';
import { git } from '../repository.js';
import { until } from '../scenarios/program.js';
import { contains, INTEGRATION, wasContinued } from './merges.js';
import { isAway, type World } from './world.js';

/** Time until a silent worker must have been given up: its lease, and until the leader has checked. */
const BELIEVED_MS = 35_000;
/** Time to repeat a check while its subject may be changing. */
const AGAIN_MS = 8_000;

/** Violations by kind, as sentences. */
export interface Findings {
  /** Violations of the log, or of the attempts beside it. */
  readonly chain: readonly string[];
  readonly lost: readonly string[];
  readonly endedTwice: readonly string[];
  readonly unleased: readonly string[];
  readonly wronglyMerged: readonly string[];
}

interface EndRow {
  readonly run: string;
  readonly outcome: string | null;
}

interface RefusedRow {
  readonly run: string;
  readonly text: string;
  readonly outcome: string | null;
}

/** Checks all invariants that must hold at any moment. */
export async function findingsIn(world: World): Promise<Findings> {
  // Reads derived data after its source, because the work continues meanwhile.
  const told = toldEnds(world);
  const entries = await logOf(world);
  const ends = await endsIn(world);
  return {
    chain: await chainFindings(world),
    lost: [...(await lostTasks(world)), ...lostEnds(told, ends)],
    endedTwice: endedTwice(entries, ends),
    unleased: await unleased(world),
    wronglyMerged: await wronglyMerged(world),
  };
}

/** Checks what must hold after everything has ended: each task's file was written by the run that the log names. */
export async function resultsIn(world: World): Promise<readonly string[]> {
  const doneBy = new Map<string, string>();
  for (const { op, task_id: task, detail } of await logOf(world))
    if (op === 'agent_complete' && task !== undefined && detail?.['outcome'] === 'done')
      doneBy.set(task, String(detail['run']));
  const tasks = [...(await world.tasks()).values()];
  return tasks.flatMap(({ id, status, failure_reason: reason }) => {
    if (status !== 'done') return [`${id} is ${status}: ${reason ?? ''}`];
    const wrote = fileIn(world, `${id}.txt`);
    return wrote === doneBy.get(id) ? [] : [`${id} was done by ${doneBy.get(id)}, and ${wrote} wrote its file`];
  });
}

async function chainFindings(world: World): Promise<readonly string[]> {
  const doctor = new PostgresDoctor(() => PostgresDatabase.of(world.server.near, world.name));
  const found = await doctor.examine();
  return found.filter(({ severity }) => severity === 'error').map(({ text }) => text);
}

async function lostTasks(world: World): Promise<readonly string[]> {
  const acknowledged = [...world.acknowledged]; // before the tasks are read, as more are added meanwhile
  const tasks = await world.tasks();
  return acknowledged.filter((id) => !tasks.has(id)).map((id) => `${id} was acknowledged and is not there`);
}

/** Runs whose worker was told that their end was accepted. */
function toldEnds({ workers }: World): readonly string[] {
  const ended = workers.flatMap((worker) => worker.events()).filter(({ event }) => event === 'ended');
  return ended.map(({ run = '' }) => run);
}

function lostEnds(told: readonly string[], ends: ReadonlyMap<string, EndRow>): readonly string[] {
  const lost = told.filter((run) => ends.get(run)?.outcome !== 'told');
  return lost.map((run) => `the end of ${run} was taken, and is ${ends.get(run)?.outcome}`);
}

function endedTwice(entries: readonly Entry[], ends: ReadonlyMap<string, EndRow>): readonly string[] {
  const [completed, done] = [new Map<string, number>(), new Map<string, number>()];
  const count = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
  const late: string[] = [];
  for (const { op, task_id: task = '', detail } of entries) {
    if (op === 'done') count(done, task);
    if (op !== 'agent_complete') continue;
    const run = String(detail?.['run']);
    count(completed, run);
    if (detail?.['outcome'] === 'done' && ends.get(run)?.outcome !== 'told')
      late.push(`${run} is done without its word`);
  }
  const twice = [...completed, ...done].filter(([, times]) => times > 1);
  return [...late, ...twice.map(([what, times]) => `${what} ended ${times} times`)];
}

/** Tasks in progress whose attempt has no holder, and attempts of workers whose lease has long expired. */
async function unleased(world: World): Promise<readonly string[]> {
  let found: readonly string[] = [];
  const look = async () => {
    const [{ attempts, workers }, tasks] = [await world.facts(), await world.tasks()];
    const known = new Map(attempts.map((attempt) => [attempt.run, attempt]));
    const isBelieved = (name: string | null) =>
      workers.some((worker) => worker.name === name && worker.silentMs < BELIEVED_MS);
    found = [...tasks.values()].flatMap(({ id, status, assigned = '' }) => {
      if (status !== 'in-progress') return [];
      const attempt = known.get(assigned);
      if (attempt === undefined) return [`${id} is in progress, and ${assigned} is nowhere`];
      return attempt.state === 'running' && !isBelieved(attempt.worker)
        ? [`${id} is in progress at ${attempt.worker}, which is silent`]
        : [];
    });
    return found.length === 0;
  };
  await until('leases', look, AGAIN_MS).catch(() => undefined); // the findings are returned
  return found;
}

/** Work whose end was refused was merged only as the start of a later attempt, whose end was accepted. */
async function wronglyMerged(world: World): Promise<readonly string[]> {
  const { rows } = await world.database.query<RefusedRow>(
    'SELECT r.run, r.text, a.outcome FROM refused_ends r LEFT JOIN attempts a ON a.run = r.run AND a.fence = r.fence',
  );
  const merged = rows.flatMap(({ run, text, outcome }) => {
    if (outcome === 'told') return []; // the same end, sent once more by another process
    return publishedIn(text).flatMap((commit) => (contains(world.hub, INTEGRATION, commit) ? [{ run, commit }] : []));
  });
  // Read afterwards: an attempt that continues such work may end, and be merged, in between.
  const { rows: ends } = await world.database.query<{ readonly text: string }>(
    "SELECT end_json AS text FROM attempts WHERE outcome = 'told'",
  );
  const accepted = ends.flatMap(({ text }) => publishedIn(text));
  return merged
    .filter(({ commit }) => !wasContinued(world.hub, commit, accepted))
    .map(({ run, commit }) => `${commit} of ${run} was refused, and is merged`);
}

/** The commit of an end's own work; none if the attempt added nothing to the commit that it began with. */
function publishedIn(end: string): readonly string[] {
  const { commit, base } = (parseJsonObject(end)?.['publication'] ?? {}) as Readonly<Record<string, unknown>>;
  return typeof commit === 'string' && commit !== base ? [commit] : [];
}

function fileIn({ hub }: World, name: string): string | undefined {
  try {
    return git(hub, 'show', `${INTEGRATION}:${name}`).trim();
  } catch {
    return undefined;
  }
}

async function logOf({ database }: World): Promise<readonly Entry[]> {
  const all: Entry[] = [];
  for await (const entries of entriesBetween(database, 1, Number.POSITIVE_INFINITY)) all.push(...entries);
  return all;
}

async function endsIn({ database }: World): Promise<ReadonlyMap<string, EndRow>> {
  const { rows } = await database.query<EndRow>('SELECT run, outcome FROM attempts');
  return new Map(rows.map((row) => [row.run, row]));
}

/** Repeats a request while the database is away, because it may be recovering from the last fault. */
export async function surely<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  let answer: { readonly is: Answer } | undefined;
  await until('an answer of the database', async () => {
    try {
      answer = { is: await ask() };
      return true;
    } catch (error) {
      if (isAway(error)) return false;
      throw error;
    }
  });
  if (answer === undefined) throw new Error('no answer');
  return answer.is;
}
