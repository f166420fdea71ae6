import path from 'node:path';
import * as z from 'zod/mini';
import { typedText } from '#core/agency/entity-edits.js';
import { agencyOf } from '#core/agency/read.js';
import {
  type Federation,
  federationOf,
  federationText,
  type Remote,
  remoteNamed,
  withoutRemote,
  withRemote,
} from '#core/agency/remotes.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { inert } from '#kernel/text.js';
import { type Context, operation } from '#operations/operation.js';
import { moverOf, text } from '#operations/shapes.js';
import type { RemoteContents, RemotePlace } from '#ports/agency-remotes.js';
import { changeAgency } from './open.js';

const remoteShape = z.object({ name: z.string(), path: z.string(), description: text, last_sync: text });

export async function federation(context: Pick<Context, 'agency'>): Promise<Federation> {
  return federationOf(await (await context.agency()).federation());
}

/** The file of the remotes, as part of a change. */
export function federationFile(changed: Federation) {
  return { kind: 'federation' as const, id: 'federation', text: federationText(changed) };
}

async function changeRemotes(context: Context, op: string, name: string, change: (current: Federation) => Federation) {
  const { seq } = await changeAgency(
    context,
    (_agency, _view, current) => ({
      files: [federationFile(change(current ?? federationOf(undefined)))],
      events: [{ op, actor: moverOf(context).name, detail: { name }, patch: [] }],
      result: undefined,
    }),
    () => federation(context),
  );
  return seq;
}

export const remoteAdd = operation({
  name: 'agency.remote.add',
  input: z.strictObject({ name: z.string(), path: z.string(), description: text }),
  output: z.object({ remote: remoteShape, kind: z.enum(['project', 'folder']), seq: z.number() }),
  async run(context, input) {
    const place = await placeOf(context, input.path);
    const description =
      input.description === undefined ? {} : { description: typedText('The description', input.description) };
    const remote: Remote = { name: input.name, path: place.path, ...description };
    const seq = await changeRemotes(context, 'agency_remote_add', input.name, (current) => {
      if (current.remotes.has(input.name))
        throw new TroupeError('name_taken', { what: `There is a remote ${inert(input.name)} already.` });
      return withRemote(current, remote);
    });
    return { remote, kind: place.kind, seq };
  },
});

export const remoteRemove = operation({
  name: 'agency.remote.remove',
  input: z.strictObject({ name: z.string() }),
  output: z.object({ name: z.string(), seq: z.number() }),
  async run(context, { name }) {
    const seq = await changeRemotes(context, 'agency_remote_remove', name, (current) => withoutRemote(current, name));
    return { name, seq };
  },
});

export const remoteList = operation({
  name: 'agency.remote.list',
  input: z.strictObject({}),
  output: z.object({ remotes: z.array(remoteShape) }),
  run: async (context) => ({ remotes: [...(await federation(context)).remotes.values()] }),
});

export const remoteShow = operation({
  name: 'agency.remote.show',
  input: z.strictObject({ name: z.string() }),
  output: z.object({ remote: remoteShape, kind: z.enum(['project', 'folder']) }),
  async run(context, { name }) {
    const remote = remoteNamed(await federation(context), name);
    return { remote, kind: (await placeOf(context, remote.path)).kind };
  },
});

/** Where an absolute path leads. Errors: `unreadable`, `bad_input` for this very project. */
async function placeOf(context: Context, named: string): Promise<RemotePlace> {
  const place = await (await context.agencyRemotes()).locate(path.resolve(context.projectFolder, named));
  const own = await (await context.agencyRemotes()).locate(context.projectFolder).catch(() => undefined);
  if (place.path !== (own?.path ?? context.projectFolder)) return place;
  throw new TroupeError('bad_input', { what: 'That is the agency of this very project.' });
}

/** The remote of a name, or what is at a path. */
export async function remoteAt(context: Context, word: string): Promise<{ remote?: Remote; place: RemotePlace }> {
  const current = await federation(context);
  const isPath = !current.remotes.has(word) && (word.includes('/') || word.startsWith('.'));
  if (isPath) return { place: await placeOf(context, word) };
  const remote = remoteNamed(current, word);
  return { remote, place: await placeOf(context, remote.path) };
}

/** Something went there. A remote that was removed meanwhile stays removed. */
export async function markSynced(context: Context, { name }: Remote): Promise<void> {
  const last_sync = timestamp(context.clock.now());
  await changeRemotes({ ...context, request: {} }, 'agency_push', name, (current) => {
    const remote = current.remotes.get(name);
    return remote ? withRemote(current, { ...remote, last_sync }) : current;
  });
}

/** What somebody else has; `refused` are files that are not what they say. */
export function sourceOf({ records, evaluations, warnings }: RemoteContents) {
  const agency = agencyOf(records, warnings);
  return { agency, evaluations, refused: agency.warnings };
}
