import * as z from 'zod/mini';
import { Agency } from '#core/agency/agency.js';
import { KINDS, type Kind, shortId } from '#core/agency/entities.js';
import { fileText, recordText } from '#core/agency/entity-text.js';
import { type PullOptions, type PullPlan, planMerge, planPull, type Source } from '#core/agency/pull.js';
import type { Remote } from '#core/agency/remotes.js';
import { TroupeError } from '#kernel/errors.js';
import { FROM_PROJECT } from '#kernel/graph-folder.js';
import type { JsonObject } from '#kernel/json.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { inert } from '#kernel/text.js';
import type { FilesContext, TeamContext, WorkContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { graphIfAny } from '#operations/graph-if-any.js';
import { loadAgency } from '#operations/load-agency.js';
import { type Context, operation } from '#operations/operation.js';
import { refuseLeaks } from '#operations/refuse-leaks.js';
import { moverOf, texts } from '#operations/shapes.js';
import type { AgencyFile } from '#ports/agency.js';
import type { RemotePlace } from '#ports/agency-remotes.js';
import { changeAgency } from './open.js';
import {
  federation,
  federationFile,
  foreignSource,
  markSynced,
  type ReadAgency,
  readAgencyOf,
  remoteAt,
  withSync,
} from './remotes.js';
import { kindShape } from './shapes.js';

const flag = z.optional(z.boolean());
const kindFields = {
  roles_only: option('Only roles', flag),
  tradeoffs_only: option('Only trade-offs', flag, { aliases: ['motivations-only'] }),
  type: option('Only this kind: role, tradeoff or agent', z.optional(kindShape), { value: 'T' }),
  dry_run: option('Show what would happen, change nothing', flag),
  force: option('Overwrite names and other editable fields with the incoming values', flag),
};
const wishFields = { ids: argument('Only these: ids, id prefixes or names', texts), ...kindFields };
const takenFields = {
  /** False if some files were refused; the rest was imported. */
  ok: z.boolean(),
  dry_run: z.boolean(),
  entities: z.readonly(
    z.array(
      z.object({
        kind: kindShape,
        id: z.string(),
        name: z.string(),
        action: z.enum(['new', 'merged']),
        scores: z.number(),
      }),
    ),
  ),
  evaluations: z.number(),
  unchanged: z.number(),
  /** Files with invalid content: name and reason. */
  refused: z.readonly(z.array(z.string())),
  warnings: z.readonly(z.array(z.string())),
  seq: z.number(),
};
const pulledShape = z.object({ remote: z.string(), path: z.string(), ...takenFields });

type Typed = { readonly [field in 'roles_only' | 'tradeoffs_only' | 'force']?: boolean | undefined } & {
  readonly ids?: readonly string[] | undefined;
  readonly type?: Kind | undefined;
};

function wishOf({ ids = [], roles_only: roles, tradeoffs_only: tradeoffs, type, force }: Typed): PullOptions {
  const named = [
    ...(roles ? ['role' as const] : []),
    ...(tradeoffs ? ['tradeoff' as const] : []),
    ...(type ? [type] : []),
  ];
  if (named.length > 1)
    throw new TroupeError('usage', { what: 'Use one of --roles-only, --tradeoffs-only and --type.' });
  return { ids, kinds: named.length === 0 ? KINDS : named, force: force === true };
}

/** Lists the content of another agency. Changes nothing on either side. */
export const agencyScan = operation({
  name: 'agency.scan',
  command: 'agency scan',
  group: 'Agency',
  kind: 'read',
  where: 'caller',
  graphless: true,
  instead: 'agency pull --list',
  summary: 'Show what another agency has',
  examples: ['troupe agency pull shared --list', 'troupe agency pull ./../shared --list --json'],
  input: z.strictObject({
    from: argument('A remote, a path with a slash, or the URL of a git repository', z.string(), {
      path: 'if-like-one',
    }),
  }),
  output: z.object({
    remote: z.string(),
    path: z.string(),
    entities: z.array(
      z.object({
        kind: kindShape,
        id: z.string(),
        name: z.string(),
        task_count: z.number(),
        avg_score: z.nullable(z.number()),
        generation: z.number(),
        present: z.boolean(),
      }),
    ),
    evaluations: z.number(),
    refused: z.readonly(z.array(z.string())),
  }),
  async run(context: WorkContext, { from }) {
    const { place } = await remoteAt(context, from);
    const contents = await (await context.agencyRemotes()).read(place);
    const { source, refused } = await foreignSource(readAgencyOf(contents), new Set());
    const { agency, evaluations } = source;
    const local = await loadAgency(context);
    const entities = KINDS.flatMap((kind) => [...agency.all(kind), ...agency.waiting(kind)]).map((entity) => ({
      kind: entity.kind,
      id: entity.id,
      name: entity.name,
      generation: entity.lineage.generation,
      task_count: entity.performance.task_count,
      avg_score: entity.performance.avg_score,
      present: local.entity(entity.kind, entity.id) !== undefined,
    }));
    return { remote: from, path: place.path, entities, evaluations: evaluations.size, refused };
  },
});

/** Content of one source, read before any lock is taken. */
interface Reading {
  readonly word: string;
  readonly remote: Remote | undefined;
  readonly place: RemotePlace;
  readonly theirs: ReadAgency;
  readonly commit: string | undefined;
}

async function readingOf(context: TeamContext, word: string, force: boolean): Promise<Reading> {
  const { remote, place } = await remoteAt(context, word);
  const remotes = await context.agencyRemotes();
  const contents = await remotes.read(place);
  const last = remote?.last_commit;
  if (!force && last !== undefined && contents.commit !== last && !(await remotes.holds(place, last))) {
    throw new TroupeError('remote_went_back', {
      what: `${inert(place.path)} no longer has the commit ${last.slice(0, 12)} of the last sync: its history was rewritten.`,
      details: { last_commit: last, commit: contents.commit },
    });
  }
  return { word, remote, place, theirs: readAgencyOf(contents), commit: contents.commit };
}

/** Content of the sources that is new here, compared with the local state. */
interface Comparison {
  readonly sources: readonly Source[];
  /** Local evaluations, by id. */
  readonly evaluations: ReadonlyMap<string, JsonObject>;
  readonly refused: readonly string[];
  /** Warnings for evaluations skipped because the local ones cannot be read. */
  readonly warnings: readonly string[];
}

/**
 * Compares evaluations as bytes first: on a repeated pull, most of ten thousand are identical, and parsing them would
 * be most of the work.
 */
async function compared(context: Pick<Context, 'traceFiles'>, readings: readonly Reading[]): Promise<Comparison> {
  const files = await context.traceFiles();
  const sources: Source[] = [];
  const evaluations = new Map<string, JsonObject>();
  const refused: string[] = [];
  const warnings = new Set<string>();
  for (const { theirs } of readings) {
    const { same, others, unreadable } = await files.compareEvaluations(theirs.evaluations.texts);
    for (const [id, record] of others) evaluations.set(id, record);
    for (const why of unreadable.values())
      warnings.add(`${FROM_PROJECT.agency}/evaluations/${why}; it was kept as it is.`);
    const read = await foreignSource(theirs, new Set([...same, ...unreadable.keys()]));
    sources.push(read.source);
    refused.push(...read.refused);
  }
  return { sources, evaluations, refused, warnings: [...warnings] };
}

/** Imports the read content in one change; with `dry`, only reports the result. */
async function take(context: WorkContext, op: string, readings: readonly Reading[], wish: PullOptions, dry: boolean) {
  if (dry) {
    const agency = await loadAgency(context);
    const theirs = await compared(context, readings);
    const plan = planMerge(agency, theirs.evaluations, theirs.sources, wish);
    const seq = (await (await graphIfAny(context))?.view())?.seq ?? 0;
    return { ...answerOf(plan, theirs), dry_run: true, seq };
  }
  const from = readings.map(({ place }) => place.path).join(', ');
  const { result, seq } = await changeAgency(
    context,
    (agency, _view, { remotes, ...theirs }) => {
      const plan = planMerge(agency, theirs.evaluations, theirs.sources, wish);
      const synced = readings.reduce(
        (current, { remote, commit }) => (remote ? withSync(context, current, remote, commit) : current),
        remotes,
      );
      const isNamed = readings.some(({ remote }) => remote !== undefined);
      const files = isNamed ? [federationFile(synced)] : [];
      return { ...changeOf(context, plan, op, from, files), result: answerOf(plan, theirs) };
    },
    async () => ({ ...(await compared(context, readings)), remotes: await federation(context) }),
  );
  return { ...result, dry_run: false, seq };
}

/** Imports entities of another agency and merges records. Nothing imported is in use before a person accepts it. */
export const agencyPull = operation({
  name: 'agency.pull',
  command: 'agency pull',
  group: 'Agency',
  kind: 'write',
  graphless: true,
  summary: 'Copy entries from another agency; they wait until you accept them',
  examples: ['troupe agency pull shared --dry-run', 'troupe agency pull shared "Careful Programmer"'],
  input: z.strictObject({
    from: argument('A remote, a path with a slash, or the URL of a git repository', z.string(), {
      path: 'if-like-one',
    }),
    ...wishFields,
  }),
  output: pulledShape,
  async run(context: WorkContext, { from, dry_run: dry = false, ...typed }) {
    const wish = wishOf(typed);
    const reading = await readingOf(context, from, wish.force);
    return { remote: from, path: reading.place.path, ...(await take(context, 'agency_pull', [reading], wish, dry)) };
  },
});

/** Imports from several agencies, in one transaction. */
export const agencyMerge = operation({
  name: 'agency.merge',
  command: 'agency merge',
  group: 'Agency',
  kind: 'write',
  graphless: true,
  instead: 'agency pull --merge',
  summary: 'Copy entries from several agencies, all or none; they wait until you accept them',
  examples: [
    'troupe agency pull shared ../other --merge --dry-run',
    'troupe agency pull shared ../other --merge --roles-only',
  ],
  input: z.strictObject({
    sources: argument(
      'A remote, a path with a slash, or the URL of a git repository',
      z.array(z.string()).check(z.minLength(1), z.maxLength(TEAM_LIMITS.agencyItems)),
      { path: 'if-like-one' },
    ),
    ...kindFields,
  }),
  output: z.object({ ...takenFields, sources: z.array(z.object({ remote: z.string(), path: z.string() })) }),
  async run(context: WorkContext, { sources, dry_run: dry = false, ...typed }) {
    if (sources.length < 2)
      throw new TroupeError('usage', {
        what: 'Name at least 2 sources.',
        hint: 'For one, use `troupe agency pull SOURCE`.',
      });
    const wish = wishOf(typed);
    const readings: Reading[] = [];
    for (const word of sources) readings.push(await readingOf(context, word, wish.force));
    const answer = await take(context, 'agency_merge', readings, wish, dry);
    return { sources: readings.map(({ word, place }) => ({ remote: word, path: place.path })), ...answer };
  },
});

/**
 * Exports to another agency. In a project, its own program imports it, and nothing is in use before a person there
 * accepts it.
 */
export const agencyPush = operation({
  name: 'agency.push',
  command: 'agency push',
  group: 'Agency',
  kind: 'write',
  graphless: true,
  summary: 'Copy your entries to another agency; they wait there until accepted',
  examples: ['troupe agency push shared --dry-run', 'troupe agency push shared --roles-only'],
  input: z.strictObject({
    to: argument('A remote, a path with a slash, or the URL of a git repository', z.string(), { path: 'if-like-one' }),
    ...wishFields,
  }),
  output: pulledShape,
  async run(context: WorkContext & FilesContext, { to, dry_run: dry = false, ...typed }) {
    const wish = wishOf(typed);
    const { remote, place } = await remoteAt(context, to);
    const { commit, ...answer } =
      place.kind === 'project'
        ? { ...(await takenThere(context, place, { ...typed, dry_run: dry })), commit: undefined }
        : await writeToRemote(context, place, wish, dry);
    const changed = !dry && (answer.entities.length > 0 || answer.evaluations > 0);
    if (remote && changed) await markSynced(context, remote, commit);
    return { ...answer, remote: to, path: place.path };
  },
});

async function takenThere(
  context: TeamContext,
  place: RemotePlace,
  wish: object,
): Promise<z.infer<typeof pulledShape>> {
  const plain = Object.fromEntries(Object.entries(wish).filter(([, value]) => value !== undefined));
  const input = { from: context.projectFolder, ...plain } as JsonObject;
  const remotes = await context.agencyRemotes();
  return z.parse(pulledShape, await remotes.call(place.path, context.caller.name, 'agency.pull', input));
}

/** Writes to a place without a project. No lock is held here meanwhile. */
async function writeToRemote(context: WorkContext & FilesContext, place: RemotePlace, wish: PullOptions, dry: boolean) {
  const files = await (await context.agencyRemotes()).files(place);
  const own = { agency: await loadAgency(context), evaluations: await ownEvaluations(context) };
  const target = { agency: async () => files, graph: noGraph, request: {} };
  const left = { refused: own.agency.warnings, warnings: [] };
  // Checks everything that could be written, independent of the content of the target: nothing may leave unchecked.
  const leaving = planPull(new Agency([]), new Map(), own, wish);
  await refuseLeaks(context, [
    ...leaving.entities.map((entity) => ({ name: `${entity.kind} ${entity.name}`, text: fileText(entity) })),
    ...leaving.evaluations.map((one) => ({ name: `evaluation ${String(one['id'])}`, text: recordText(one) })),
  ]);
  if (dry) {
    const plan = planPull(await loadAgency(target), await files.evaluations(), own, wish);
    return { ...answerOf(plan, left), dry_run: true, seq: 0, commit: files.commit() };
  }
  const { result } = await changeAgency(
    target,
    (agency, _view, evaluations) => {
      const plan = planPull(agency, evaluations, own, wish);
      return { ...changeOf(context, plan, 'agency_push', context.projectFolder, []), result: answerOf(plan, left) };
    },
    () => files.evaluations(),
  );
  return { ...result, dry_run: false, seq: 0, commit: files.commit() };
}

/** An agency without a project has no graph. */
async function noGraph(): Promise<never> {
  throw new TroupeError('not_initialized');
}

/** Change of a pull; empty if nothing is new, so a repetition changes nothing. */
function changeOf(
  context: Pick<Context, 'caller'>,
  plan: PullPlan,
  op: string,
  from: string,
  synced: readonly AgencyFile[],
) {
  const { entities, evaluations, rows } = plan;
  if (entities.length + evaluations.length === 0) return { events: [] };
  const files = evaluations.map((one) => ({
    kind: 'evaluation' as const,
    id: String(one['id']),
    text: recordText(one),
  }));
  const fresh = rows.filter(({ action }) => action === 'new').map(({ kind, id }) => `${kind} ${shortId(id)}`);
  const detail = { from, entities: entities.length, evaluations: evaluations.length, new: fresh.slice(0, NAMED) };
  return { entities, files: [...files, ...synced], events: [{ op, actor: moverOf(context).name, detail, patch: [] }] };
}

/** Maximum number of new entities named in the event. */
const NAMED = 50;

function answerOf(
  { rows, evaluations, unchanged, warnings }: PullPlan,
  { refused, warnings: before }: Pick<Comparison, 'refused' | 'warnings'>,
) {
  return {
    ok: refused.length === 0,
    refused,
    entities: rows.map((row) => ({ ...row })),
    evaluations: evaluations.length,
    unchanged: unchanged.length,
    warnings: [...before, ...warnings],
  };
}

/** Local evaluations, by id. */
async function ownEvaluations(context: Pick<Context, 'traceFiles'>): Promise<ReadonlyMap<string, JsonObject>> {
  const { records } = await (await context.traceFiles()).evaluations();
  return new Map(records.map((record) => [String(record['id']), record]));
}
