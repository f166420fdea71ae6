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
  ['list', 'all', ['--show-internal']],
  ...AGENT_KINDS.map(([kind]) => ['agents', kind, []] as const),
];

/** Words that a command of the original needs here, to answer with as much. */
const ADDED: readonly (readonly [command: string, flags: readonly string[], unless: readonly string[]])[] = [
  ['agents', ['--all'], ['--alive', '--working']],
  ['trace show', ['--full'], ['--full', '--recursive', '--graph', '--animate']],
];
/** Flags for acts that the original carries out without a question, which its scripts cannot answer. */
const UNASKED: typeof ADDED = [['replay', ['--yes'], ['--list', '--show', '--diff', '--restore', '--help', '-h']]];

/** A command line of the original in the words of today. */
export interface OriginalWords {
  readonly words: readonly string[];
  /** Its command and subcommand, as typed. */
  readonly command: string;
  readonly json: boolean;
  /** Flags of the original that only shapes read. */
  readonly flags: ReadonlySet<string>;
  /** The project it names. */
  readonly folder: string | undefined;
  /** Whether it names the project by the graph folder of the original. */
  readonly isByOriginal: boolean;
}

export function originalWords(argv: readonly string[]): OriginalWords {
  const end = argv.indexOf('--');
  const [typed, literal] = end === -1 ? [argv, []] : [argv.slice(0, end), argv.slice(end)];
  const { words: near, folder, isByOriginal } = besideGraph(typed);
  const named = commandIn(near);
  const isOf = (command: string) => named === command || named.startsWith(`${command} `);
  const flags = new Set<string>();
  const words = near.flatMap((word) => {
    const row = FLAGS.find(([command, flag]) => isOf(command) && word === `--${flag}`);
    if (row === undefined) return [word];
    if (row[2].length === 0) flags.add(row[1]);
    return row[2];
  });
  const json = near.includes('--json');
  const flagsOf = (rows: typeof ADDED) =>
    rows
      .filter(([command, , unless]) => isOf(command) && !unless.some((word) => near.includes(word)))
      .flatMap(([, own]) => own);
  const more = [...(json ? flagsOf(ADDED) : []), ...flagsOf(UNASKED)];
  return { words: [...words, ...more, ...literal], command: named, json, flags, folder, isByOriginal };
}

/** The first two words that are no flags, nor the folder after `--dir`. */
function commandIn(words: readonly string[]): string {
  const isValue = (index: number) => words[index - 1] === '--dir';
  return words
    .filter((word, index) => !word.startsWith('-') && !isValue(index))
    .slice(0, 2)
    .join(' ');
}

/** `--dir` of the original is its graph folder; here it is the project. */
function besideGraph(typed: readonly string[]): Pick<OriginalWords, 'words' | 'folder' | 'isByOriginal'> {
  let folder: string | undefined;
  let isByOriginal = false;
  const projectOf = (named: string) => {
    const name = path.basename(named);
    isByOriginal = name === ORIGINAL_FOLDER;
    folder = isByOriginal || name === GRAPH_FOLDER ? path.dirname(named) : named;
    return folder;
  };
  const words = typed.map((word, index) => {
    if (typed[index - 1] === '--dir') return projectOf(word);
    return word.startsWith('--dir=') ? `--dir=${projectOf(word.slice('--dir='.length))}` : word;
  });
  return { words, folder, isByOriginal };
}
