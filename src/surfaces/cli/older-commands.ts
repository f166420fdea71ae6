import type { Screen } from './screen.js';

/** A command of today, and the arguments or flags with which it does what an older one did. */
interface Current {
  readonly command: string;
  readonly flags: readonly string[];
  /** Field of today's answer that was the whole answer of the older command. */
  readonly field?: string;
}

const section = (name: string): Current => ({
  ...{ command: 'analyze', flags: ['--only', name], field: name.replaceAll('-', '_') },
});

/** Sections of an analysis that were commands of the same name. */
const SECTIONS = [
  ...['aging', 'blocked', 'bottlenecks', 'cost', 'critical-path', 'cycles', 'forecast', 'impact', 'plan', 'resources'],
  ...['stats', 'structure', 'velocity', 'why-blocked', 'workload'],
];

/** Commands that have another name, and do the same. */
const RENAMED = [
  ['cast analyze', 'cast propose'],
  ['evolve review list', 'evolve review'],
  ['formation edit', 'playbook edit'],
  ['formation go', 'playbook go'],
  ['formation show', 'playbook status'],
  ['formation start', 'playbook accept'],
  ['formation stop', 'playbook stop'],
  ['service list-coordinators', 'service coordinators'],
  ['team artifact list', 'team artifacts'],
  ['workflow close', 'playbook stop'],
  ['workflow status', 'playbook status'],
] as const;

/** States of a session by the verbs that were commands. */
const STATES = { pause: 'paused', resume: 'running', stop: 'stopped', archive: 'archived', delete: 'deleted' };

/** Commands of roles, trade-offs and agents that each kind had for itself. */
const ENTRY_VERBS = {
  ...{ list: ['list'], show: ['show'], rm: ['rm'], trust: ['trust'], add: ['add'], edit: ['edit'] },
  ...{ lineage: ['show', '--lineage'], restore: ['rm', '--undo'] },
};
const KIND_WORDS = { role: 'role', tradeoff: 'tradeoff', motivation: 'tradeoff', agent: 'agent' };

/** Older names of commands, or of their first word, which are still accepted. */
const OLDER: ReadonlyMap<string, Current> = new Map([
  ...Object.entries(KIND_WORDS).flatMap(([word, kind]) =>
    Object.entries(ENTRY_VERBS).map(
      ([older, [verb = '', ...flags]]) =>
        [`${word} ${older}`, { command: `agency ${verb}`, flags: [...flags, kind] }] as const,
    ),
  ),
  ...SECTIONS.map((name) => [name, section(name)] as const),
  ['task output', { command: 'output', flags: [] }],
  ['team transcript', { command: 'team chat', flags: [] }],
  ['coordinate', section('parallel')],
  ['discover', section('recent')],
  ...RENAMED.map(([older, command]) => [older, { command, flags: [] }] as const),
  ...Object.entries(STATES).map(([verb, state]): readonly [string, Current] => [
    `service ${verb}-coordinator`,
    { command: 'service coordinators', flags: ['--state', state] },
  ]),
]);

export const OLDER_NAMES: readonly string[] = [...OLDER.keys()];

/** A command line in the words of today. */
export interface CurrentWords {
  readonly words: readonly string[];
  /** The older name that was replaced, and what stands there now. */
  readonly replaced?: Replaced;
}

export interface Replaced {
  readonly older: string;
  readonly current: string;
  /** Field of the answer to print with `--json`; undefined for all of it. */
  readonly field: string | undefined;
}

/** Replaces the older name that a command line starts with. */
export function currentWords(words: readonly string[]): CurrentWords {
  for (const count of [3, 2, 1]) {
    const older = words.slice(0, count).join(' ');
    const current = words.length >= count ? OLDER.get(older) : undefined;
    if (current === undefined) continue;
    const own = [...current.command.split(' '), ...current.flags];
    const replaced = { older, current: own.join(' '), field: current.field };
    return { words: [...own, ...words.slice(count)], replaced };
  }
  return { words };
}

/** Names the command that an older name stands for. */
export function sayCurrentName({ older, current }: Replaced, screen: Screen): void {
  screen.aside(screen.colour.dim(`\`troupe ${older}\` is called \`troupe ${current}\` now.`));
}
