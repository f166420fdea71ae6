import { readEventLines } from './event-lines.js';
import { parseEvent, type RegistryEvent } from './registry.js';
import { REGISTRY_EVENTS } from './squad-paths.js';

/** Two or more members that were given one name on different branches. */
export interface NameClash {
  readonly name: string;
  /** One for each of the members, with its first event and those that follow it in the file. */
  readonly members: readonly (readonly RegistryEvent[])[];
}

/**
 * The names with more than one first event. A line belongs to the first event before it: a merge puts the lines of one
 * branch behind those of the other.
 */
export function nameClashes(text: string | undefined): NameClash[] {
  const { events } = readEventLines(text, REGISTRY_EVENTS, 'eventId', parseEvent);
  const settled = new Set(events.flatMap((event) => event.settles ?? []));
  const chains = new Map<string, RegistryEvent[][]>();
  for (const event of events) {
    if (event.eventId !== undefined && settled.has(event.eventId)) continue;
    const key = event.name.toLowerCase();
    const known = chains.get(key) ?? [];
    chains.set(key, known);
    const last = known.at(-1);
    if (last === undefined || (event.rev === 1 && event.eventId !== undefined)) known.push([event]);
    else last.push(event);
  }
  return [...chains.values()]
    .filter((members) => members.length > 1)
    .map((members) => ({ name: members[0]?.[0]?.name ?? '', members }));
}

/** The clash a first event is part of, and the line of events it begins. */
export function clashOf(
  clashes: readonly NameClash[],
  eventId: string,
): { clash: NameClash; member: readonly RegistryEvent[] } | undefined {
  for (const clash of clashes) {
    const member = clash.members.find(([first]) => first?.eventId === eventId);
    if (member) return { clash, member };
  }
  return undefined;
}
