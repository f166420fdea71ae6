import { expect } from 'vitest';
import { allEntries } from '#surfaces/cli/entries.js';
import { meantCommand, SYNONYMS } from '#surfaces/cli/meant-command.js';
import { verifies } from '../verifies.js';

const entries = await allEntries();
const commands = entries.map(({ command }) => command);
const meant = (line: string) => meantCommand(line.split(' '), commands);
const NOTHING = undefined;

verifies('say.suggest', 'what other programs call a command leads to it', () => {
  const wanted = {
    ...{ ls: 'list', ps: 'agents', up: 'service start', start: 'service start', stop: 'service stop' },
    ...{ 'new': 'add', create: 'add', land: 'worktree land', merge: 'worktree land', diff: 'worktree show' },
    ...{ costs: 'spend', budget: 'config show', tasks: 'list', executors: 'executor list', view: 'show' },
    ...{ 'team ls': 'team list', 'team new': 'team create', 'worktree diff': NOTHING, 'agent new': 'agency list' },
    ...{ 'task add': 'add', 'task list': 'list', 'task new': 'add', LS: 'list', 'agncy list': 'agency list' },
    ...{ lsit: 'list', 'servic strat': 'service start', 'evolve reviw': 'evolve review' },
    ...{ frobnicate: NOTHING, gk: NOTHING, x: NOTHING, 'team frobnicate': NOTHING },
  };
  expect(Object.fromEntries(Object.keys(wanted).map((word) => [word, meant(word)]))).toEqual(wanted);
});

verifies('say.suggest', 'a command that takes something away is proposed by its help alone', () => {
  const wanted = {
    ...{ rm: 'help abandon', delete: 'help abandon', cancel: 'help abandon', prune: 'help gc' },
    ...{ abandn: 'help abandon', kil: 'help kill', archiv: 'help archive', 'agncy rm': 'help agency rm' },
    ...{ 'agency delete': 'help agency rm', 'team disbnd': 'help team disband', 'worktree rm': 'help worktree remove' },
  };
  expect(Object.fromEntries(Object.keys(wanted).map((word) => [word, meant(word)]))).toEqual(wanted);
});

/** Begins of summaries that tell of a loss, and losses told later on. */
const LOSS =
  /^(?:Abandon|Archive|Cancel|Delete|Disband|Discard|End|Hand a claim|Move|Reject|Release|Remove|Reopen ended|Restore a graph|Retire|Roll back)\b|\band (?:abandon|release)\b/;

verifies('say.suggest', 'every command whose summary tells of a loss is proposed by its help alone', () => {
  const losing = entries.filter(({ summary }) => LOSS.test(summary)).map(({ command }) => command);
  expect(losing).toEqual(expect.arrayContaining(['worker stop', 'database move', 'cast reject', 'kill']));
  for (const command of losing) expect(meant(`${command}e`), command).toBe(`help ${command}`);
});

verifies('say.suggest', 'no word of another program has two meanings, and each leads to a command', () => {
  const words = SYNONYMS.map(([word]) => word);
  expect(words.filter((word, place) => words.indexOf(word) !== place)).toEqual([]);
  expect(commands).toEqual(expect.arrayContaining(SYNONYMS.map(([, command]) => command)));
});

verifies('say.suggest', 'whatever is proposed is a command, or the help of one', () => {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const typed = [
    ...commands.flatMap((command) => [command.slice(1), command.slice(0, -1), `${command}s`, `${command}x`]),
    ...letters.flatMap((first) => letters.map((second) => `${first}${second}`)),
  ];
  const firsts = new Set(commands.map((command) => command.split(' ')[0]));
  for (const line of typed) {
    const said = meant(line)?.replace(/^help /, '');
    if (said !== undefined) expect(commands.includes(said) || firsts.has(said), `${line}: ${said}`).toBe(true);
  }
});
