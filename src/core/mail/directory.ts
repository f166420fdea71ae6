import type { Human } from '#core/mail/config-tree.js';
import {
  type Derived,
  deriveTeamRoster,
  OFFICE,
  participantId,
  type Roster,
  type RosterEntry,
  type RosterTeam,
} from '#core/mail/derive.js';
import { effectiveRoster } from '#core/mail/effective.js';
import { personReader } from '#core/mail/message.js';
import type { Standings } from '#core/mail/standings.js';
import { slugOf } from '#kernel/slug.js';

/** A participant that can receive messages, from the configuration or from a team. */
export interface DirectoryParty {
  readonly id: string;
  readonly name: string;
  readonly derived: Derived;
  readonly listener: boolean;
  readonly humans: readonly Human[];
  /** Id of the participant it escalates to. */
  readonly above: string | undefined;
  /** Member name under which tasks are assigned to it. */
  readonly member: string | undefined;
  readonly agent: string | undefined;
  /** Person it stands for, who receives its messages. */
  readonly person: string | undefined;
  /** Id of its team, if the team is stored. */
  readonly team: string | undefined;
  readonly paused: boolean;
  /** Its instructions: the text of its agent file or its charter. */
  readonly prompt: string | undefined;
  /** Position in the configuration; undefined for a member of a team. */
  readonly place: { readonly does: string; readonly about: string | undefined } | undefined;
}

/** All parties, by id. */
export type Directory = ReadonlyMap<string, DirectoryParty>;

/** A team with the assignment data of its members. */
export interface DirectoryTeam extends RosterTeam {
  /** Undefined if the team is not stored. */
  readonly id: string | undefined;
  readonly people: readonly {
    readonly slug: string;
    readonly agent: string | undefined;
    readonly person: string | undefined;
    readonly paused: boolean;
  }[];
  /** Owners of the team, who decide questions that its leader cannot. */
  readonly humans: readonly Human[];
}

/** Builds the directory from a configuration tree, then from the teams; the first party with an id keeps it. */
export function directoryOf(standings: Standings | undefined, teams: readonly DirectoryTeam[]): Directory {
  const parties = new Map<string, DirectoryParty>();
  for (const party of standings ? partiesOfTree(standings) : []) parties.set(party.id, party);
  for (const team of teams)
    for (const party of partiesOfTeam(team)) if (!parties.has(party.id)) parties.set(party.id, party);
  return parties;
}

function* partiesOfTree({ agents }: Standings): Iterable<DirectoryParty> {
  const leadOf = new Map([...agents.values()].flatMap(({ id, leads }) => leads.map((scope) => [scope, id] as const)));
  for (const { id, name, derived, listener, humans, prompt, does, about } of agents.values()) {
    const above = aboveOf(id, leadOf) ?? (id !== OFFICE && agents.has(OFFICE) ? OFFICE : undefined);
    yield {
      id,
      name,
      derived,
      listener,
      humans,
      above,
      prompt,
      place: { does, about },
      member: undefined,
      agent: undefined,
      person: undefined,
      team: undefined,
      paused: false,
    };
  }
}

/** Id of the lead of the same scope, else of the nearest enclosing scope. */
function aboveOf(id: string, leadOf: ReadonlyMap<string, string>): string | undefined {
  const scope = id.split('/').slice(0, -1);
  for (; scope.length > 0; scope.pop()) {
    const lead = leadOf.get(scope.join('/'));
    if (lead !== undefined && lead !== id) return lead;
  }
  return undefined;
}

function* partiesOfTeam(team: DirectoryTeam): Iterable<DirectoryParty> {
  const people = new Map(team.people.map((one) => [one.slug, one]));
  const lead = deriveTeamRoster(team, team.leader).owner;
  for (const { slug, name, charter } of team.members) {
    const derived = deriveTeamRoster(team, slug);
    const { agent, person, paused = false } = people.get(slug) ?? {};
    const isLead = slug === team.leader;
    yield {
      id: derived.owner,
      name,
      derived,
      listener: isLead || team.mesh,
      humans: team.humans,
      above: isLead ? undefined : lead,
      member: name,
      agent,
      person,
      team: team.id,
      paused,
      prompt: charter,
      place: undefined,
    };
  }
}

/**
 * Participants a party may write to; empty if it may not write. Prompts, clients and message checks all use this
 * roster.
 */
export function rosterOf(directory: Directory, party: DirectoryParty, requestor: string | undefined): Roster {
  const { derived, listener, humans } = party;
  return effectiveRoster({
    derived,
    listener,
    humans,
    requestor: requestor === undefined ? undefined : { id: requestor, name: nameOf(directory, requestor) },
  });
}

/** Name of a party in rosters. */
export function nameOf(directory: Directory, id: string): string {
  if (id === 'om') return id;
  return directory.get(id)?.name ?? id.split('/').at(-1) ?? id;
}

/** Finds the entry with this roster key or id. */
export function entryNamed(
  roster: Roster,
  word: string,
): { readonly id: string; readonly entry: RosterEntry } | undefined {
  const byKey = roster.get(word);
  if (byKey) return { id: participantId(word, byKey), entry: byKey };
  for (const [key, entry] of roster) if (participantId(key, entry) === word) return { id: word, entry };
  return undefined;
}

/** Role of a person, which determines whether work waits for their answer. */
export function roleOf(humans: readonly Human[], id: string): Human['role'] | undefined {
  return humans.find(({ name }) => slugOf(name) !== undefined && personReader(name) === id)?.role;
}

/** Ids of the parties above a party, nearest first. */
export function* ancestors(directory: Directory, party: DirectoryParty): Iterable<string> {
  const seen = new Set<string>();
  for (let id = party.above; id !== undefined && !seen.has(id); id = directory.get(id)?.above) {
    seen.add(id);
    yield id;
  }
}

/** Whether the current rosters permit the two to correspond: downwards through a roster, upwards always. */
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
