import path from 'node:path';
import { GRAPH_FOLDER } from '#kernel/graph-folder.js';
import { ORIGINAL_FOLDER } from '#kernel/original-folder.js';
import { AGENT_KINDS } from './shapes.js';

/** Flags of the original by the words of a command, and what does the same here; without any, the shape reads it. */
const FLAGS: readonly (readonly [command: string, flag: string, flags: readonly string[]])[] = [
  ...['add', 'edit', 'add-dep'].map((command) => [command, 'allow-phantom', ['--allow-missing']] as const),
  // Whether a draft's dependencies exist is asked when it is published.
  ['add', 'paused', ['--paused', '--allow-missing']],
  ['log', 'agent', []],
  ['msg', 'agent', ['--actor']],
  ['viz', 'no-tui', []],
  ['config', 'show', []],
  ['config', 'list', []],
  ['config', 'init', []],
  ['list', 'all', ['--show-internal']],
  ...AGENT_KINDS.map(([kind]) => ['agents', kind, []] as const),
];

/** Words that a command of the original needs here, to answer with as much. */
const ADDED: readonly (readonly [command: string, flags: readonly string[], unless: readonly string[]])[] = [
  ['agents', ['--all'], ['--alive', '--working']],
  ['trace show', ['--full'], ['--full', '--recursive', '--graph', '--animate']],
];
/** Flags for acts that the original carries out without a question, which its scripts cannot answer. */
const UNASKED: typeof ADDED = [
  ['replay', ['--yes'], ['--list', '--show', '--diff', '--restore', '--help', '-h']],
  ['archive', ['--yes'], ['--list', '--dry-run', '--search', '--undo', 'search', 'restore', '-y', '--help', '-h']],
];

/** In the original, a task without a score is below any. */
const UNSCORED: typeof ADDED = [['replay', ['--unscored'], []]];

/** Conditions of `replay` of the original, and those that each overrules; here only one may be named. */
const OVERRULED: readonly (readonly [flag: string, others: readonly string[]])[] = [
  ['--tasks', ['--failed-only', '--below-score']],
  ['--failed-only', ['--below-score']],
];
const VALUED: ReadonlySet<string> = new Set(['--below-score']);

/** Commands of functions that the original had below `trace`, as it said whenever they were used. */
const DEPRECATED: ReadonlyMap<string, string> = new Map([
  ['trace extract', 'func extract'],
  ['trace instantiate', 'func apply'],
  ['trace list-functions', 'func list'],
  ['trace show-function', 'func show'],
]);

/** Flags with which `config` of the original changes settings, and their keys here. */
const SETTINGS: ReadonlyMap<string, string> = new Map([
  ['--executor', 'coordinator.executor'],
  ['--coordinator-executor', 'coordinator.executor'],
  ['--model', 'coordinator.model'],
  ['--max-agents', 'coordinator.max_agents'],
  ['--poll-interval', 'coordinator.poll_interval'],
  ['--max-child-tasks', 'guardrails.max_child_tasks_per_agent'],
  ['--max-task-depth', 'guardrails.max_task_depth'],
]);

/** Flags that are read here, whose value may follow an equals sign. */
const READ: ReadonlySet<string> = new Set([
  ...SETTINGS.keys(),
  ...['--agent', '--after', '--max-iterations', '--tasks', '--below-score', '--repo', '--max-parallel'],
]);

type GraphName = 'original' | 'own' | 'other';

/** A command line of the original in the words of today. */
export interface OriginalWords {
  readonly words: readonly string[];
  /** Warning of the original about a name it had replaced. */
  readonly note: string | undefined;
  /** Its command and subcommand, as typed. */
  readonly command: string;
  readonly json: boolean;
  /** Flags of the original that only shapes read. */
  readonly flags: ReadonlySet<string>;
  /** Maximum number of ready tasks that `coordinate` tells of. */
  readonly limit: number;
  /** Another project in which `add` adds its task: a path, or its name in `federation.yaml`. */
  readonly repository: string | undefined;
  /** The project it names. */
  readonly folder: string | undefined;
  /** Name of the graph folder by which it names the project: of the original, ours, or any other. */
  readonly graphName: GraphName | undefined;
}

export function originalWords(argv: readonly string[]): OriginalWords {
  const end = argv.indexOf('--');
  const [joined, literal] = end === -1 ? [argv, []] : [argv.slice(0, end), argv.slice(end)];
  const typed = joined.flatMap(apart);
  const { words: given, folder, graphName } = besideGraph(typed);
  const named = commandIn(given);
  const isOf = (command: string) => named === command || named.startsWith(`${command} `);
  const [elsewhere, repository] = isOf('add') ? without(given, '--repo', /^[^-]/) : [given, undefined];
  const [near, most] = isOf('coordinate') ? without(elsewhere, '--max-parallel', /^\d+$/) : [elsewhere, undefined];
  const limit = most === undefined ? Number.POSITIVE_INFINITY : Number(most);
  const flags = new Set<string>();
  const asked = isOf('replay') ? withoutOverruled(near) : near;
  const words = asked.flatMap((word) => {
    const row = FLAGS.find(([command, flag]) => isOf(command) && word === `--${flag}`);
    if (row === undefined) return [word];
    if (row[2].length === 0) flags.add(row[1]);
    return row[2];
  });
  const json = near.includes('--json');
  for (const flag of ['full', 'ops-only']) if (near.includes(`--${flag}`)) flags.add(flag);
  const flagsOf = (rows: typeof ADDED) =>
    rows
      .filter(([command, , unless]) => isOf(command) && !unless.some((word) => near.includes(word)))
      .flatMap(([, own]) => own);
  const isTold = json || (isOf('trace show') && !flags.has('ops-only')); // its text counts what runs have written
  const isScored = words.includes('--below-score');
  const more = [
    ...(isTold ? flagsOf(ADDED) : []),
    ...(isScored ? flagsOf(UNSCORED) : []),
    ...flagsOf(UNASKED),
    ...(isOf('add') ? backEdges(near) : []),
  ];
  const { words: own, note } = current([...words, ...more], named);
  return { words: [...own, ...literal], note, command: named, json, flags, limit, repository, folder, graphName };
}

/** The other words, and the value of the flag. A flag whose value has another form stays, and is refused as unknown. */
function without(
  words: readonly string[],
  flag: string,
  form: RegExp,
): [others: readonly string[], value: string | undefined] {
  const at = words.indexOf(flag);
  const value = words[at + 1];
  if (at === -1 || value === undefined || !form.test(value)) return [words, undefined];
  return [[...words.slice(0, at), ...words.slice(at + 2)], value];
}

function withoutOverruled(words: readonly string[]): readonly string[] {
  const overruled = new Set(OVERRULED.flatMap(([flag, others]) => (words.includes(flag) ? others : [])));
  const isIts = (word: string | undefined) => word !== undefined && overruled.has(word);
  return words.filter((word, index) => {
    const before = words[index - 1];
    return !isIts(word) && !(isIts(before) && VALUED.has(before ?? ''));
  });
}

/** The flag and its value as two words, if both are in one and are read here. */
function apart(word: string): readonly string[] {
  const [, flag = '', value = ''] = /^(--[a-z-]+)=(.*)$/s.exec(word) ?? [];
  return READ.has(flag) ? [flag, value] : [word];
}

/** Replaces a command that is called otherwise here. */
function current(words: readonly string[], named: string): Pick<OriginalWords, 'words' | 'note'> {
  const instead = DEPRECATED.get(named);
  const [first = '', second = ''] = named.split(' ');
  const at = words.indexOf(first);
  if (instead !== undefined) {
    const verb = words.indexOf(second, at + 1);
    const others = words.filter((_, index) => index !== at && index !== verb);
    const note = `Warning: 'wg ${named}' is deprecated. Use 'wg ${instead}' instead.`;
    return { words: [...instead.split(' '), ...others], note };
  }
  const isConfig = first === 'config' && !OWN_VERBS.includes(second);
  return { words: isConfig ? configWords(words, at) : words, note: undefined };
}

/** `config` of the original shows all settings, or changes each that a flag names. */
function configWords(words: readonly string[], at: number): readonly string[] {
  const others = [...words.slice(0, at), ...words.slice(at + 1)];
  const named = others.flatMap((word, index) => {
    const key = SETTINGS.get(word);
    return key === undefined ? [] : [{ index, wish: `${key}=${others[index + 1] ?? ''}` }];
  });
  const rest = others.filter((_, index) => !named.some((one) => one.index === index || one.index + 1 === index));
  if (named.length > 0) return ['config', 'apply', ...named.map(({ wish }) => wish), ...rest];
  const isShown = rest.every((word, index) => GLOBALS.includes(word) || rest[index - 1] === '--dir');
  return isShown ? ['config', 'show', ...rest] : words;
}

/** Commands of today below `config`. */
const OWN_VERBS = ['set', 'get', 'show', 'apply'];
const GLOBALS = ['--json', '--dir', '--quiet', '--no-color'];

/** Flags that close the cycle of a repeating task: in the original, the tasks it comes after wait for it in turn. */
function backEdges(words: readonly string[]): readonly string[] {
  if (!words.includes('--max-iterations')) return [];
  const after = words.flatMap((word, index) => (words[index - 1] === '--after' ? word.split(',') : []));
  return after.filter((id) => !id.includes(':')).flatMap((id) => ['--place-before', id]);
}

/** The first two words that are no flags, nor the folder after `--dir`. */
function commandIn(words: readonly string[]): string {
  const isValue = (index: number) => words[index - 1] === '--dir';
  return words
    .filter((word, index) => !word.startsWith('-') && !isValue(index))
    .slice(0, 2)
    .join(' ');
}

const GRAPH_NAMES: ReadonlyMap<string, GraphName> = new Map([
  [ORIGINAL_FOLDER, 'original'],
  [GRAPH_FOLDER, 'own'],
]);

/** `--dir` of the original is its graph folder; here it is the project. */
function besideGraph(
  typed: readonly string[],
): Pick<OriginalWords, 'folder' | 'graphName'> & { readonly words: readonly string[] } {
  let folder: string | undefined;
  let graphName: GraphName | undefined;
  const projectOf = (named: string) => {
    graphName = GRAPH_NAMES.get(path.basename(named)) ?? 'other';
    folder = graphName === 'other' ? named : path.dirname(named);
    return folder;
  };
  const words = typed.map((word, index) => {
    if (typed[index - 1] === '--dir') return projectOf(word);
    return word.startsWith('--dir=') ? `--dir=${projectOf(word.slice('--dir='.length))}` : word;
  });
  return { words, folder, graphName };
}
