import path from 'node:path';
import * as z from 'zod/mini';
import type { Agency } from '#core/agency/agency.js';
import { typedText } from '#core/agency/entity-edits.js';
import { agencyOf } from '#core/agency/read.js';
import { branchName } from '#core/agency/remote-address.js';
import {
  type Federation,
  federationOf,
  federationText,
  projectsIn,
  type Remote,
  remoteNamed,
  remoteShape,
  withoutRemote,
  withRemote,
} from '#core/agency/remotes.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { isAddress } from '#kernel/paths.js';
import { cut, inert } from '#kernel/text.js';
import type { TeamContext, WorkContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { type Context, operation } from '#operations/operation.js';
import { moverOf, text } from '#operations/shapes.js';
import type { RemoteContents, RemoteEvaluations, RemotePlace, RemoteProject } from '#ports/agency-remotes.js';
import { changeAgency } from './open.js';

const whereShape = z.enum(['project', 'folder', 'git']);

export async function federation(context: Pick<Context, 'agency'>): Promise<Federation> {
  return federationOf(await (await context.agency()).federation());
}

/** File of the remotes, for a change. */
export function federationFile(changed: Federation) {
  return { kind: 'federation' as const, id: 'federation', text: federationText(changed) };
}

async function changeRemotes(
  context: WorkContext,
  op: string,
  name: string,
  change: (current: Federation) => Federation,
) {
  const { seq } = await changeAgency(
    context,
    (_agency, _view, current) => ({
      files: [federationFile(change(current))],
      events: [{ op, actor: moverOf(context).name, detail: { name }, patch: [] }],
      result: undefined,
    }),
    () => federation(context),
  );
  return seq;
}

export const remoteAdd = operation({
  name: 'agency.remote.add',
  command: 'agency remote add',
  group: 'Agency',
  kind: 'write',
  graphless: true,
  summary: 'Add the agency of another project as a remote',
  examples: [
    'troupe agency remote add shared ../shared',
    'troupe agency remote add team git@example.org:team/agency.git -d "Of all our teams."',
  ],
  input: z.strictObject({
    name: argument('Its name here', z.string()),
    path: argument('The project, its .workgraph, an agency folder, or a git repository', z.string(), {
      path: 'always',
    }),
    ref: option('Branch of a git repository (default: troupe/agency)', text, { value: 'BRANCH' }),
    description: option('A one-line description', text, { short: 'd', value: 'TEXT' }),
  }),
  output: z.object({ remote: remoteShape, kind: whereShape, seq: z.number() }),
  async run(context: WorkContext, input) {
    const ref = input.ref === undefined ? {} : { ref: branchName(input.ref) };
    const place = await placeOf(context, { ...ref, path: input.path });
    const description =
      input.description === undefined ? {} : { description: typedText('The description', input.description) };
    const remote: Remote = { name: input.name, path: place.path, ...ref, ...description };
    const seq = await changeRemotes(context, 'agency_remote_add', input.name, (current) => {
      if (current.remotes.has(input.name))
        throw new TroupeError('name_taken', { what: `The remote ${inert(input.name)} already exists.` });
      return withRemote(current, remote);
    });
    return { remote, kind: place.kind, seq };
  },
});

export const remoteRemove = operation({
  name: 'agency.remote.remove',
  command: 'agency remote remove',
  group: 'Agency',
  kind: 'write',
  graphless: true,
  summary: 'Remove a remote; what came from it stays',
  examples: ['troupe agency remote remove shared', 'troupe agency remote remove shared --json'],
  input: z.strictObject({ name: argument('Its name here', z.string()) }),
  output: z.object({ name: z.string(), seq: z.number() }),
  async run(context: WorkContext, { name }) {
    const seq = await changeRemotes(context, 'agency_remote_remove', name, (current) => withoutRemote(current, name));
    return { name, seq };
  },
});

export const remoteList = operation({
  name: 'agency.remote.list',
  command: 'agency remote list',
  group: 'Agency',
  kind: 'read',
  graphless: true,
  instead: 'agency remote show',
  summary: 'List the remotes',
  examples: ['troupe agency remote show', 'troupe agency remote show --json'],
  input: z.strictObject({}),
  output: z.object({ remotes: z.array(remoteShape) }),
  run: async (context: TeamContext) => ({ remotes: [...projectsIn(await federation(context)).values()] }),
});

export const remoteShow = operation({
  name: 'agency.remote.show',
  command: 'agency remote show',
  group: 'Agency',
  kind: 'read',
  graphless: true,
  summary: 'Show a remote and whether it can be reached',
  examples: ['troupe agency remote show shared', 'troupe agency remote show shared --json'],
  input: z.strictObject({ name: argument('Its name here', z.string()) }),
  output: z.object({ remote: remoteShape, kind: whereShape, commit: text }),
  async run(context: TeamContext, { name }) {
    const remote = remoteNamed(await federation(context), name);
    const place = await placeOf(context, remote);
    const { commit } = place.kind === 'git' ? await (await context.agencyRemotes()).read(place) : {};
    return { remote, kind: place.kind, ...(commit === undefined ? {} : { commit }) };
  },
});

/** Resolves a path or address. Errors: `unreadable`, `bad_input` for this project itself. */
async function placeOf(
  context: Pick<Context, 'projectFolder' | 'agencyRemotes'>,
  { path: named, ref }: Pick<Remote, 'path' | 'ref'>,
): Promise<RemotePlace> {
  const remotes = await context.agencyRemotes();
  const place = await remotes.locate(isAddress(named) ? named : path.resolve(context.projectFolder, named), ref);
  const own = await remotes.locate(context.projectFolder, undefined).catch(() => undefined);
  if (place.path !== (own?.path ?? context.projectFolder)) return place;
  throw new TroupeError('bad_input', { what: 'That is the agency of this project itself.' });
}

/** Resolves the name of a remote, a path, or an address. */
export async function remoteAt(context: TeamContext, word: string): Promise<{ remote?: Remote; place: RemotePlace }> {
  const current = await federation(context);
  const isPlace = !projectsIn(current).has(word) && (word.includes('/') || word.startsWith('.') || isAddress(word));
  if (isPlace) return { place: await placeOf(context, { path: word }) };
  const remote = remoteNamed(current, word);
  return { remote, place: await placeOf(context, remote) };
}

/**
 * A project by its local name, for access to its files. Errors: `unknown_peer`; `not_yours` for runs, which may only
 * see their own project.
 */
export async function peerProject(context: TeamContext, name: string): Promise<RemoteProject> {
  if (context.caller.kind === 'run')
    throw new TroupeError('not_yours', { what: 'A run cannot read outside its own project.' });
  const remote = projectsIn(await federation(context)).get(name);
  if (!remote) {
    const peer = cut(inert(name), 60);
    throw new TroupeError('unknown_peer', { what: `There is no remote ${peer}.`, details: { peer } });
  }
  return await (await context.agencyRemotes()).project(await placeOf(context, remote));
}

/** Federation with the time and commit of a sync. A remote that was removed meanwhile stays removed. */
export function withSync(
  context: Pick<Context, 'clock'>,
  current: Federation,
  { name }: Remote,
  commit: string | undefined,
): Federation {
  const remote = current.remotes.get(name);
  if (!remote) return current;
  const last_sync = timestamp(context.clock.now());
  return withRemote(current, { ...remote, last_sync, ...(commit === undefined ? {} : { last_commit: commit }) });
}

/** Records a completed push. */
export async function markSynced(context: WorkContext, remote: Remote, commit: string | undefined): Promise<void> {
  await changeRemotes({ ...context, request: {} }, 'agency_push', remote.name, (current) =>
    withSync(context, current, remote, commit),
  );
}

/** Content of another agency, without the evaluations in `except`; `refused` are warnings for invalid files. */
export async function foreignSource({ agency, evaluations }: ReadAgency, except: ReadonlySet<string>) {
  const { records, warnings } = await evaluations.records(except);
  return { source: { agency, evaluations: records }, refused: [...agency.warnings, ...warnings] };
}

/** Another agency as read; its evaluations are parsed later, once it is known which are new. */
export interface ReadAgency {
  readonly agency: Agency;
  readonly evaluations: RemoteEvaluations;
}

export function readAgencyOf({ records, evaluations, warnings }: RemoteContents): ReadAgency {
  return { agency: agencyOf(records, warnings), evaluations };
}
