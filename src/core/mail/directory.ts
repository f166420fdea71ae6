import { personReader } from '#core/mail/message.js';
import type { Human } from '#core/roster/config-tree.js';
import {
  type Derived,
  deriveTeamRoster,
  OFFICE,
  participantId,
  type Roster,
  type RosterEntry,
  type RosterTeam,
} from '#core/roster/derive.js';
import { effectiveRoster } from '#core/roster/effective.js';
import type { Standings } from '#core/roster/standings.js';
import { slugOf } from '#kernel/slug.js';

/** Somebody who can be written to, wherever it stands. */
export interface Party {
  readonly id: string;
  readonly name: string;
  readonly derived: Derived;
  readonly listener: boolean;
  readonly humans: readonly Human[];
  /** Whom it asks when it does not know further. */
  readonly above: string | undefined;
  /** How a task is given to it. */
  readonly member: string | undefined;
  readonly agent: string | undefined;
  /** Whom it stands for: what is written to it is theirs. */
  readonly person: string | undefined;
  /** The team it is on, where that is a kept one. */
  readonly team: string | undefined;
  readonly paused: boolean;
  /** What it is told of itself. */
  readonly prompt: string | undefined;
  /** Its place in the configuration; undefined of a member of a team. */
  readonly place: { readonly does: string; readonly about: string | undefined } | undefined;
}

/** Everybody there is. */
export type Directory = ReadonlyMap<string, Party>;

/** A team with what tasks of its members are given to. */
export interface DirectoryTeam extends RosterTeam {
  /** Of a kept team. */
  readonly id: string | undefined;
  readonly people: readonly {
    readonly slug: string;
    readonly agent: string | undefined;
    readonly person: string | undefined;
    readonly paused: boolean;
  }[];
  /** Who owns it: they decide where its leader does not know further. */
  readonly humans: readonly Human[];
}

/** Those of a tree of configuration, then those of the teams; an id that is taken stays whose it is. */
export function directoryOf(standings: Standings | undefined, teams: readonly DirectoryTeam[]): Directory {
  const parties = new Map<string, Party>();
  for (const party of standings ? partiesOfTree(standings) : []) parties.set(party.id, party);
  for (const team of teams)
    for (const party of partiesOfTeam(team)) if (!parties.has(party.id)) parties.set(party.id, party);
  return parties;
}

function* partiesOfTree({ agents }: Standings): Iterable<Party> {
  const leadOf = new Map([...agents.values()].flatMap(({ id, leads }) => leads.map((scope) => [scope, id] as const)));
  for (const { id, name, derived, listener, humans, prompt, does, about } of agents.values()) {
    const above = aboveOf(id, leadOf) ?? (id !== OFFICE && agents.has(OFFICE) ? OFFICE : undefined);
    yield {
      ...{ id, name, derived, listener, humans, above, prompt, place: { does, about } },
      ...{ member: undefined, agent: undefined, person: undefined, team: undefined, paused: false },
    };
  }
}

/** The lead of the same scope, then of the scope around it. */
function aboveOf(id: string, leadOf: ReadonlyMap<string, string>): string | undefined {
  const scope = id.split('/').slice(0, -1);
  for (; scope.length > 0; scope.pop()) {
    const lead = leadOf.get(scope.join('/'));
    if (lead !== undefined && lead !== id) return lead;
  }
  return undefined;
}

function* partiesOfTeam(team: DirectoryTeam): Iterable<Party> {
  const people = new Map(team.people.map((one) => [one.slug, one]));
  const lead = deriveTeamRoster(team, team.leader).owner;
  for (const { slug, name, charter } of team.members) {
    const derived = deriveTeamRoster(team, slug);
    const { agent, person, paused = false } = people.get(slug) ?? {};
    const isLead = slug === team.leader;
    yield {
      ...{ id: derived.owner, name, derived, listener: isLead || team.mesh, humans: team.humans },
      ...{
        above: isLead ? undefined : lead,
        member: name,
        agent,
        person,
        team: team.id,
        paused,
        prompt: charter,
        place: undefined,
      },
    };
  }
}

/** Whom one may write to, and whether at all: what prompts, clients and the check of a message go by. */
export function rosterOf(directory: Directory, party: Party, requestor: string | undefined): Roster {
  const { derived, listener, humans } = party;
  return effectiveRoster({
    ...{ derived, listener, humans },
    requestor: requestor === undefined ? undefined : { id: requestor, name: nameOf(directory, requestor) },
  });
}

/** By what a party is called in rosters. */
export function nameOf(directory: Directory, id: string): string {
  if (id === 'om') return id;
  return directory.get(id)?.name ?? id.split('/').at(-1) ?? id;
}

/** The one meant by a key of a roster or by an id. */
export function entryNamed(
  roster: Roster,
  word: string,
): { readonly id: string; readonly entry: RosterEntry } | undefined {
  const byKey = roster.get(word);
  if (byKey) return { id: participantId(word, byKey), entry: byKey };
  for (const [key, entry] of roster) if (participantId(key, entry) === word) return { id: word, entry };
  return undefined;
}

/** What a person is to those who ask: whether work waits for their answer. */
export function roleOf(humans: readonly Human[], id: string): Human['role'] | undefined {
  return humans.find(({ name }) => slugOf(name) !== undefined && personReader(name) === id)?.role;
}

/** Those above somebody, the nearest first. */
export function* ancestors(directory: Directory, party: Party): Iterable<string> {
  const seen = new Set<string>();
  for (let id = party.above; id !== undefined && !seen.has(id); id = directory.get(id)?.above) {
    seen.add(id);
    yield id;
  }
}

/** Whether the rosters as they are now would let one write to the other: down by them, up always. */
export function isDerivable(
  directory: Directory,
  { initiator, recipient }: { readonly initiator: string; readonly recipient: string },
): boolean {
  const isHuman = (id: string) => id.startsWith('human/');
  if (isHuman(initiator)) return isHuman(recipient) || directory.has(recipient);
  const from = directory.get(initiator);
  if (!from || isHuman(recipient)) return from !== undefined;
  return (
    entryNamed(rosterOf(directory, from, undefined), recipient) !== undefined ||
    [...ancestors(directory, from)].includes(recipient)
  );
}
