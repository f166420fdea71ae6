import { didYouMean } from '#kernel/text.js';

/** Words that other programs use, each with the command that they mean here. No word occurs twice. */
export const SYNONYMS: readonly (readonly [word: string, command: string])[] = Object.entries({
  add: 'create new',
  list: 'jobs ls task tasks todos',
  ready: 'queue todo',
  show: 'cat describe get info inspect view',
  edit: 'change depend link modify rename set unlink update',
  done: 'close complete finish',
  resume: 'continue unblock unpause',
  abandon: 'cancel delete del discard drop remove rm skip',
  kill: 'interrupt terminate',
  problems: 'errors issues',
  agents: 'active processes ps running workers',
  output: 'attach logs tail',
  log: 'comment note',
  'trace show': 'events history',
  viz: 'dag draw tree',
  top: 'monitor',
  spend: 'costs expenses spending',
  dashboard: 'browser gui open ui web',
  'service start': 'begin daemon launch serve start up',
  'service stop': 'down halt shutdown stop',
  'service restart': 'restart',
  'service reload': 'reload',
  'worktree land': 'land merge ship',
  sync: 'github gitlab tracker',
  'worktree show': 'branches changes diff worktrees',
  'executor list': 'clients executors models providers',
  setup: 'auth configure connect install login',
  'config show': 'budget budgets limits preferences settings',
  'team show': 'members people who',
  'msg list': 'inbox mail messages',
  'msg send': 'message tell',
  playbooks: 'blueprints functions recipes workflows',
  'roles show': 'skills',
  'agency list': 'agent motivation role tradeoff',
  gc: 'clean cleanup prune purge',
  doctor: 'diagnose health verify',
  help: 'commands man usage',
}).flatMap(([command, words]) => words.split(' ').map((word) => [word, command] as const));
const COMMAND_OF: ReadonlyMap<string, string> = new Map(SYNONYMS);

/** Verbs with the same meaning; each group of commands uses one of them. */
const SAME_ACTS = [
  ['list', 'ls', 'all'],
  ['show', 'info', 'get', 'view', 'status', 'describe'],
  ['create', 'add', 'new'],
  ['edit', 'change', 'set', 'update', 'modify', 'rename'],
  ['rm', 'remove', 'delete', 'del', 'retire', 'drop'],
  ['start', 'up', 'run', 'begin'],
  ['stop', 'down', 'end', 'cancel'],
];

/** Last words of commands, also of older names, that delete, end or discard something, or replace the current state. */
const TAKING = new RegExp(
  `(?:^| )(?:${[
    ...['abandon', 'archive', 'close', 'database migrate', 'database move'],
    ...['disband', 'discard-edit', 'playbook stop', 'gc', 'kill', 'rebuild', 'reclaim'],
    ...['reject', 'remove', 'replan', 'replay', 'retire', 'rm', 'rm-dep', 'rollback', 'runs restore'],
    ...['session-cancel', 'sweep', 'unclaim', 'worker stop'],
  ].join('|')})$`,
);

/**
 * Returns the command, without `troupe`, that words which match none were most likely meant to be: the nearest in
 * spelling, or the command for a synonym. For a destructive command it returns `help COMMAND`: running a wrong guess
 * must not destroy anything.
 */
export function meantCommand(words: readonly string[], commands: readonly string[]): string | undefined {
  const meant = nearest(words, commands);
  return meant === undefined || !takesAway(meant) ? meant : `help ${meant}`;
}

/** Whether a command deletes, ends or discards something. */
export const takesAway = (command: string): boolean => TAKING.test(command);

function nearest(words: readonly string[], commands: readonly string[]): string | undefined {
  const known = knownWords(words, commands);
  const [next = '', ...others] = words.slice(known.length).map((word) => word.toLowerCase());
  if (known.length === 0) {
    const command = COMMAND_OF.get(next);
    if (command !== undefined) return command;
    const first = didYouMean(next, new Set(commands.map((each) => each.split(' ', 1)[0] ?? '')));
    return first === undefined || commands.includes(first) ? first : (nearest([first, ...others], commands) ?? first);
  }
  const begin = `${known.join(' ')} `;
  const endings = commands.filter((command) => command.startsWith(begin)).map((command) => command.slice(begin.length));
  const acts = SAME_ACTS.find((same) => same.includes(next)) ?? [];
  const ending = [next, ...acts].find((act) => endings.includes(act)) ?? didYouMean(next, endings);
  if (ending !== undefined) return `${begin}${ending}`;
  // Some programs put the noun first.
  return known[0] === 'task' && known.length === 1 ? nearest(words.slice(1), commands) : undefined;
}

/** Longest prefix of the words that longer commands start with. */
function knownWords(words: readonly string[], commands: readonly string[]): readonly string[] {
  for (let count = words.length; count > 0; count--) {
    const begin = `${words.slice(0, count).join(' ')} `;
    if (commands.some((command) => command.startsWith(begin))) return words.slice(0, count);
  }
  return [];
}
