import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { cut } from '#kernel/text.js';
import type { Human } from './config-tree.js';
import { type Derived, participantId, type Roster, type RosterEntry } from './derive.js';

/** Description of the requestor in the roster of an agent that received work. */
const REQUESTOR =
  'The agent that requested this task. Send questions or ask for clarification. Use Reply when your work is complete.';

const ROLES: Readonly<Record<Human['role'], string>> = {
  decider: 'A person who decides: work waits for the answer.',
  advisor: 'A person who may give advice; work does not wait for it.',
  informed: 'A person who is told, and need not answer.',
};

/** The participant that requested the work of an agent. */
export interface Requestor {
  readonly name: string;
  readonly id: string;
}

/**
 * Returns the participants that an agent may write to: the derived roster, the requestor of its work, and the people of
 * its level. Prompts, `--agents`, the check of messages and `roster show` all use this function. An agent without a
 * listener cannot start conversations: its roster is empty, and it only replies.
 */
export function effectiveRoster(parts: {
  readonly derived: Derived;
  readonly listener: boolean;
  readonly requestor: Requestor | undefined;
  readonly humans: readonly Human[];
}): Roster {
  const { derived, listener, requestor, humans } = parts;
  if (!listener) return new Map();
  const roster = new Map(derived.roster);
  if (requestor !== undefined) inject(roster, requestor);
  for (const human of humans) {
    const entry: RosterEntry = {
      description: ROLES[human.role],
      type: 'human',
      position: { kind: 'human', scope: 'human' },
    };
    const id = participantId(human.name, entry);
    if (id === requestor?.id) continue; // the requestor itself, listed under one name only
    const clashes = roster.has(human.name) && roster.get(human.name)?.type !== 'human';
    roster.set(clashes ? id : human.name, entry);
  }
  return roster;
}

/**
 * Marks the entry with the requestor's id as requestor, or adds one; if another entry has the name, the new one is
 * stored under its id.
 */
function inject(roster: Map<string, RosterEntry>, { name, id }: Requestor): void {
  const own = [...roster].find(([key, entry]) => participantId(key, entry) === id);
  if (own) {
    const [key, entry] = own;
    roster.set(key, { ...entry, description: REQUESTOR, type: 'requestor' });
    return;
  }
  const key = roster.has(name) ? id : name;
  roster.set(key, { description: REQUESTOR, type: 'requestor', position: positionOf(id) });
}

/** Derives the position from the id of the requestor. */
function positionOf(id: string): RosterEntry['position'] {
  const parts = id.split('/');
  const scope = parts.slice(0, -1).join('/');
  if (parts.at(-1) !== 'lead') return { kind: 'agent', scope };
  return { kind: parts.length > 2 ? 'workgroup-lead' : 'project-lead', scope };
}

/**
 * Returns the roster as JSON, in order: `{"developer": {"description": …}}`. `type` is present for the requestor and
 * for people.
 */
export function plainForm(roster: Roster): Record<string, { description: string; type?: string }> {
  const rows = [...roster].map(([key, { description, type }]) => [
    key,
    { description, ...(type === undefined ? {} : { type }) },
  ]);
  return Object.fromEntries(rows);
}

interface ClientAgent {
  readonly description: string;
  readonly prompt: string;
  readonly type?: string;
  readonly id: string;
}

/**
 * Returns the roster in the form that `claude --agents` accepts. Each agent needs a description and a prompt, or the
 * client rejects all of them. People are left out: the client would start a model under their name.
 */
export function clientForm(roster: Roster): Record<string, ClientAgent> {
  const rows = [...roster]
    .filter(([key, entry]) => !participantId(key, entry).startsWith('human/'))
    .map(([key, entry]) => {
      const { description, prompt = '', type } = entry;
      const agent: ClientAgent = {
        description: cut(description.trim() === '' ? key : description.trim(), TEAM_LIMITS.clientDescriptionCharacters),
        prompt:
          prompt.trim() === '' ? [`You are ${key}.`, ...(description === key ? [] : [description])].join(' ') : prompt,
        ...(type === undefined ? {} : { type }),
        id: participantId(key, entry),
      };
      return [key, agent];
    });
  return Object.fromEntries(rows);
}
