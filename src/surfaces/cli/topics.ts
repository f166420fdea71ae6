import { GROUPS, type Group } from '#operations/groups.js';
import type { CommandEntry } from './invocation.js';

export interface Topic {
  readonly name: string;
  readonly group: Group;
  readonly summary: string;
  readonly entries: readonly CommandEntry[];
}

/** Most frequently used commands, in the order in which a new user needs them. */
export const EVERYDAY: readonly string[] = [
  'trial',
  'init',
  'run',
  'add',
  'service start',
  'status',
  'show',
  'output',
  'problems',
  'approve',
  'worktree land',
  'dashboard',
];

/** Groups the commands by topic; commands with the same first word are adjacent. */
export function topicsOf(entries: readonly CommandEntry[]): readonly Topic[] {
  return (Object.keys(GROUPS) as Group[]).map((group) => ({
    name: group.toLowerCase(),
    group,
    summary: GROUPS[group],
    entries: byFirstWord(entries.filter((entry) => entry.group === group)),
  }));
}

export const firstWordOf = (entry: CommandEntry): string => entry.command.split(' ')[0] ?? '';

function byFirstWord(entries: readonly CommandEntry[]): CommandEntry[] {
  const families = new Map<string, CommandEntry[]>();
  for (const entry of entries) {
    const family = families.get(firstWordOf(entry));
    if (family) family.push(entry);
    else families.set(firstWordOf(entry), [entry]);
  }
  return [...families.values()].flat();
}
