import * as z from 'zod/mini';
import { TroupeError } from '#kernel/errors.js';
import { isJsonObject, type Json, type JsonObject, safeJson } from '#kernel/json.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { compareText } from '#kernel/order.js';
import { isAddress } from '#kernel/paths.js';
import { cut, inert } from '#kernel/text.js';

/** Another agency, by its local name. */
export const remoteShape = z.object({
  name: z.string(),
  /** Absolute path of a project, its `.workgraph`, or an agency folder; or the address of a git repository. */
  path: z.string(),
  /** Branch, for a repository. */
  ref: z.optional(z.string()),
  description: z.optional(z.string()),
  /** Time of the last pull or push; RFC 3339. */
  last_sync: z.optional(z.string()),
  /** Commit read or written then. */
  last_commit: z.optional(z.string()),
});
export type Remote = z.infer<typeof remoteShape>;

/** `federation.yaml`: remotes by name, and fields of other tools. */
export interface Federation {
  readonly remotes: ReadonlyMap<string, Remote>;
  /** Projects that the original names under `peers`, with an absolute path; changed only there. */
  readonly peers: ReadonlyMap<string, Remote>;
  readonly more: JsonObject;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Parses `federation.yaml`. Errors: `bad_config` with the reason. */
export function federationOf(value: unknown): Federation {
  if (value === undefined || value === null) return { remotes: new Map(), peers: new Map(), more: {} };
  if (!isJsonObject(value)) throw wrong('it is not a record');
  const { remotes: listed = {}, ...more } = value;
  if (!isJsonObject(listed)) throw wrong('`remotes` is not a record');
  const names = Object.keys(listed);
  if (names.length > TEAM_LIMITS.agencyItems) throw wrong(`it names more than ${TEAM_LIMITS.agencyItems} remotes`);
  const remotes = new Map(names.map((name) => [name, remoteOf(name, listed[name])]));
  return { remotes, peers: new Map(peersIn(more).map((peer) => [peer.name, peer])), more };
}

function peersIn({ peers }: JsonObject): Remote[] {
  if (!isJsonObject(peers)) return [];
  return Object.entries(peers)
    .slice(0, TEAM_LIMITS.agencyItems)
    .flatMap(([name, value]) => {
      const { path } = isJsonObject(value) ? value : {};
      return NAME.test(name) && typeof path === 'string' && path.startsWith('/') ? [{ name, path }] : [];
    });
}

/** All other projects by name: remotes, and the peers without a remote of their name. */
export function projectsIn({ remotes, peers }: Federation): ReadonlyMap<string, Remote> {
  return new Map([...peers, ...remotes]);
}

function remoteOf(name: string, value: Json | undefined): Remote {
  const { path, ref, description, last_sync, last_commit } = isJsonObject(value) ? value : {};
  if (!NAME.test(name) || typeof path !== 'string' || !(path.startsWith('/') || isAddress(path)))
    throw wrong(`${cut(inert(name), 80)} is not a name with an absolute path or an address`);
  return {
    name,
    path,
    ...(typeof ref === 'string' ? { ref } : {}),
    ...(typeof last_commit === 'string' ? { last_commit } : {}),
    ...(typeof description === 'string' ? { description } : {}),
    ...(typeof last_sync === 'string' ? { last_sync } : {}),
  };
}

function wrong(why: string): TroupeError {
  return new TroupeError('bad_config', {
    what: `.workgraph/federation.yaml: ${why}.`,
    hint: 'Fix the file, or remove it and add the remotes again.',
  });
}

/** Serialises `federation.yaml`, one line a remote: JSON is valid YAML. */
export function federationText({ remotes, more }: Federation): string {
  const lines = [...remotes.values()]
    .sort((left, right) => compareText(left.name, right.name))
    .map(({ name, ...remote }) => `  ${safeJson(name)}: ${safeJson(remote)}\n`);
  const others = Object.entries(more).map(([key, value]) => `${safeJson(key)}: ${safeJson(value)}\n`);
  return `${lines.length === 0 ? 'remotes: {}\n' : `remotes:\n${lines.join('')}`}${others.join('')}`;
}

/** Adds a remote, or replaces the one with its name. Errors: `bad_input` for an invalid name, `too_many`. */
export function withRemote(federation: Federation, remote: Remote): Federation {
  if (!NAME.test(remote.name)) {
    throw new TroupeError('bad_input', {
      what: `Not a name: ${JSON.stringify(cut(inert(remote.name), 60))}`,
      hint: 'Start with a letter or digit, then use letters, digits, dots, hyphens and underscores, at most 64.',
    });
  }
  const remotes = new Map(federation.remotes).set(remote.name, remote);
  if (remotes.size > TEAM_LIMITS.agencyItems)
    throw new TroupeError('too_many', { what: `There are already ${TEAM_LIMITS.agencyItems} remotes.` });
  return { ...federation, remotes };
}

export function withoutRemote(federation: Federation, name: string): Federation {
  const remotes = new Map(federation.remotes);
  if (!remotes.delete(name)) throw unknownRemote(name);
  return { ...federation, remotes };
}

/** Errors: `not_found`. */
export function remoteNamed(federation: Federation, name: string): Remote {
  const remote = projectsIn(federation).get(name);
  if (remote) return remote;
  throw unknownRemote(name);
}

function unknownRemote(name: string): TroupeError {
  return new TroupeError('not_found', {
    what: `There is no remote ${cut(inert(name), 80)}.`,
    hint: 'Run `troupe agency remote show`.',
  });
}
