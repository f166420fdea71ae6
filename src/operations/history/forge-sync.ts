import * as z from 'zod/mini';
import { FORGE_NODE } from '#core/graph/notice-node.js';
import type { GraphView } from '#core/graph/view.js';
import {
  FORGE,
  type ForgeBook,
  type ForgePlace,
  forgeBookIn,
  forgeNode,
  withTrouble,
} from '#core/imports/forge-state.js';
import { FORGES, type ForgeName, parsedIssues } from '#core/imports/forges.js';
import { IMPORTED } from '#core/imports/origin.js';
import { type ImportResult, importTasks } from '#core/imports/plan.js';
import type { Settings } from '#core/settings/settings.js';
import { TroupeError } from '#kernel/errors.js';
import { FORGE_LIMITS } from '#kernel/limits/forge.js';
import { IMPORT_LIMITS } from '#kernel/limits/imports.js';
import { inSentence } from '#kernel/text.js';
import type { FilesContext, GraphContext, MachineContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { importedShape, latinWords } from '#operations/history/import.js';
import { departedTasks } from '#operations/history/store-shapes.js';
import { loadSettings } from '#operations/load-settings.js';
import { type Context, operation } from '#operations/operation.js';
import type { Forge, ForgeRepository } from '#ports/forge.js';
import { landByPulls, pullRow } from './pulls.js';
import { writeBack } from './write-back.js';

const flag = z.optional(z.boolean());
const name = z.optional(z.string().check(z.minLength(1), z.maxLength(IMPORT_LIMITS.sourceCharacters)));

const input = z.strictObject({
  forge: argument('github or gitlab', z.enum(FORGES)),
  label: option(
    'Label of the issues (default: troupe)',
    z.optional(z.string().check(z.minLength(1), z.maxLength(FORGE_LIMITS.labelCharacters))),
    { value: 'LABEL' },
  ),
  repo: option('The repository (default: that of the git remote origin)', name, { value: 'OWNER/NAME' }),
  dry_run: option('Show what would come; change nothing, here or there', flag),
  open: option('Unfinished tasks may start at once (default: they are paused)', flag),
});

const output = z.object({
  forge: z.enum(FORGES),
  repository: z.string(),
  label: z.string(),
  dry_run: z.boolean(),
  ...importedShape,
  /** Comments that were written or changed, and issues that were closed or opened again. */
  told: z.readonly(
    z.array(z.object({ id: z.string(), issue: z.number(), what: z.enum(['comment', 'closed', 'opened']) })),
  ),
  /** Tasks whose issue no longer exists. */
  gone: z.readonly(z.array(z.string())),
  pulls: z.readonly(z.array(pullRow)),
  /** Whether something is left to tell: the next exchange goes on. */
  more: z.boolean(),
  seq: z.number(),
});
type Answer = z.infer<typeof output>;

export const syncIssues = operation({
  name: 'issues.sync',
  command: 'sync',
  group: 'Tasks',
  kind: 'write',
  summary: 'Exchange issues with GitHub or GitLab: they become tasks, and the status goes back',
  examples: ['troupe sync github --dry-run', 'troupe sync gitlab --label agents --repo group/project'],
  input,
  output,
  async run(context: GraphContext & FilesContext & MachineContext, wanted) {
    if (context.caller.kind === 'run')
      throw new TroupeError('not_yours', { what: 'A run may not exchange issues: only a person may.' });
    return await syncWith(context, (await loadSettings(context)).settings, wanted);
  },
});

/** The exchange that the settings ask for, of the service on its own. Errors: also those of `Forge`. */
export async function syncBySettings(
  context: GraphContext & FilesContext & MachineContext,
  signal: AbortSignal,
): Promise<Answer> {
  const { settings } = await loadSettings(context);
  const { forge } = settings.sync;
  if (forge === undefined) throw new TroupeError('bad_config', { what: 'sync.forge is not set.' });
  return await syncWith(context, settings, { forge }, signal);
}

async function syncWith(
  context: GraphContext & FilesContext,
  { sync, coordinator }: Settings,
  wanted: z.infer<typeof input>,
  signal?: AbortSignal,
): Promise<Answer> {
  const repository = wanted.repo ?? sync.repository;
  const forge = await context.forge(wanted.forge, repository, signal);
  const label = wanted.label ?? sync.label;
  const wishes = {
    ...{ label, isNamed: repository !== undefined, open: wanted.open === true, close: sync.close },
    byPulls: coordinator.land === 'pull-request',
  };
  if (wanted.dry_run === true) {
    const { repository: found, plan, seq } = await lookAtIssues(context, forge, wishes);
    return answer(forge.name, found, { label, dry_run: true }, { ...plan, seq });
  }
  const isStopped = () => signal?.aborted === true;
  return await forge.alone(() => withItsTrouble(context, { forge, isStopped }, () => exchange(context, forge, wishes)));
}

interface SyncWishes {
  readonly label: string;
  /** A person or a setting named the repository. */
  readonly isNamed: boolean;
  readonly open: boolean;
  readonly close: boolean;
  /** Work lands by pull requests. */
  readonly byPulls: boolean;
}

async function exchange(context: GraphContext & FilesContext, forge: Forge, wishes: SyncWishes): Promise<Answer> {
  const { repository, place, decide } = await lookAtIssues(context, forge, wishes);
  const store = await context.graph();
  const { result } = await store.commit((view) => {
    const { events, result: imported } = decide(view);
    const book = withPlace(forgeBookIn(view), place);
    const isKnown = JSON.stringify(book) === JSON.stringify(forgeBookIn(view));
    const kept = { op: 'sync', actor: 'coordinator', patch: [{ id: FORGE_NODE, put: forgeNode(book) }] };
    return { events: isKnown ? events : [...events, kept], result: imported };
  }, context.request);
  const landed = await landByPulls(context, forge, repository, { place, byPulls: wishes.byPulls });
  const back = await writeBack(context, forge, { place, close: wishes.close, landing: landed.landing });
  const { seq } = await store.view();
  const warnings = [...result.warnings, ...landed.warnings];
  const words = { label: wishes.label, dry_run: false };
  return answer(forge.name, repository, words, { ...result, warnings, ...back, pulls: landed.pulls, seq });
}

function answer(
  forge: ForgeName,
  repository: ForgeRepository,
  words: Pick<Answer, 'label' | 'dry_run'>,
  rest: ImportResult & Pick<Answer, 'seq'> & Partial<Pick<Answer, 'told' | 'gone' | 'pulls' | 'more'>>,
): Answer {
  const warnings = rest.warnings.slice(0, IMPORT_LIMITS.warnings);
  return {
    forge,
    repository: repository.name,
    ...words,
    told: [],
    gone: [],
    pulls: [],
    more: false,
    ...rest,
    warnings,
  };
}

/** Reads the issues and plans their tasks; changes nothing. */
async function lookAtIssues(context: GraphContext, forge: Forge, { label, isNamed, open }: SyncWishes) {
  const store = await context.graph();
  const repository = await forge.repository();
  const view = await store.view();
  const place = placeOf(forgeBookIn(view), forge.name, repository, isNamed);
  // Under a new name of the repository an issue is still the same; the forge redirects the old address.
  const issues = (await forge.issues(label)).map((issue) => ({
    ...issue,
    url: issue.url.replace(`/${repository.name}/`, `/${place.first}/`),
  }));
  const parsed = parsedIssues(forge.name, place.first, issues);
  const options = {
    ...{ tracker: forge.name, source: '', actor: context.caller.name, open, skipBroken: true },
    latin: await latinWords(parsed),
    departed: (await departedTasks(store, [...view.departures()])).filter((task) => IMPORTED.of(task) !== undefined),
  };
  const decide = (at: GraphView) => {
    const { events, result } = importTasks(at, parsed, { ...options, now: context.clock.now() });
    const changed = withoutOwnClosings(at, result.changed);
    const present = result.present + result.changed.length - changed.length;
    return { events, result: { ...result, present, changed } };
  };
  return { repository, place, decide, plan: decide(view).result, seq: view.seq };
}

/** Differences without those that an exchange itself made: it closed the issue. */
function withoutOwnClosings(view: GraphView, changed: ImportResult['changed']): ImportResult['changed'] {
  return changed.flatMap((row) => {
    const task = view.task(row.id);
    const isOwn = task !== undefined && FORGE.of(task)?.closed === true;
    const differs = isOwn ? row.differs.filter((text) => !text.startsWith('state ')) : row.differs;
    return differs.length === 0 ? [] : [{ ...row, differs }];
  });
}

/** The stored repository. Unless it is named, it must be the same as before. Errors: `forge_failed`. */
function placeOf(book: ForgeBook, forge: ForgeName, { id, name: now }: ForgeRepository, isNamed: boolean): ForgePlace {
  const ofForge = book.places.filter((place) => place.forge === forge);
  const known = ofForge.find((place) => place.id === id);
  if (known) return { ...known, name: now };
  const [other] = ofForge;
  if (other === undefined || isNamed) return { forge, id, first: now, name: now };
  throw new TroupeError('forge_failed', {
    what: `The repository here is ${inSentence(now)}, but issues were exchanged with ${inSentence(other.name)}.`,
    hint: 'If it is meant, name it with --repo.',
  });
}

function withPlace(book: ForgeBook, place: ForgePlace): ForgeBook {
  const isSame = (one: ForgePlace) => one.forge === place.forge && one.id === place.id;
  const others = book.places.some(isSame)
    ? book.places.map((one) => (isSame(one) ? place : one))
    : [...book.places, place];
  return { ...book, places: others };
}

const TROUBLES: readonly string[] = [
  'forge_missing',
  'forge_sign_in',
  'forge_failed',
  'too_large',
  'remote_unreachable',
];

/** Keeps why an exchange failed, so that `problems` can name it, and that it works again. */
async function withItsTrouble<Result>(
  context: Pick<Context, 'clock' | 'graph'>,
  { forge, isStopped }: { readonly forge: Forge; readonly isStopped: () => boolean },
  work: () => Promise<Result>,
): Promise<Result> {
  const keep = async (failure: string | undefined) => {
    await (await context.graph()).commit((view) => {
      const before = forgeBookIn(view);
      const book = withTrouble(before, forge.name, failure, context.clock.now());
      const isSame = JSON.stringify(book) === JSON.stringify(before);
      const event = { op: 'sync', actor: 'coordinator', patch: [{ id: FORGE_NODE, put: forgeNode(book) }] };
      return { events: isSame ? [] : [event], result: undefined };
    });
  };
  try {
    const result = await work();
    await keep(undefined);
    return result;
  } catch (error) {
    if (error instanceof TroupeError && !isStopped() && TROUBLES.includes(error.code)) await keep(error.message);
    throw error;
  }
}
