import { cut, inert, plural } from '#kernel/text.js';
import type { AnswerOf, Renderers, Screen } from '#surfaces/cli/screen.js';
import { printTable } from '#surfaces/cli/table.js';
import { printChanges, sayToLand } from '#surfaces/cli/worktree-landing.js';

const WORDS = { tree: 'worktree removed', 'tree-and-branch': 'removed', nothing: 'kept' } as const;
const FORCE_HELPS = new Set(['uncommitted', 'unmerged']);

const UNTRACKED_SHOWN = 10;

/** Prints the patch in the colours of git. Its content is foreign text, so it is escaped. */
function printPatch({ patch, patch_cut: isCut }: AnswerOf<'worktree.show'>, screen: Screen): void {
  if (patch === undefined) return;
  const { colour } = screen;
  const paints: readonly (readonly [RegExp, (text: string) => string])[] = [
    [/^(?:diff |index |\+\+\+ |--- |new |deleted )/, colour.bold],
    [/^@@/, colour.cyan],
    [/^\+/, colour.green],
    [/^-/, colour.red],
  ];
  screen.line();
  for (const line of patch.trimEnd().split('\n')) {
    const paint = paints.find(([start]) => start.test(line))?.[1] ?? ((text: string) => text);
    screen.line(paint(inert(line, true)));
  }
  if (isCut === true) screen.line(colour.dim('… truncated: see the worktree for the rest'));
}

export const renderers = {
  /** Prints one row per attempt, with the reason it still exists. */
  'worktree.list': ({ worktrees, waiting }, screen) => {
    const { colour } = screen;
    if (worktrees.length === 0)
      screen.line('No worktrees. In a git repository, each run that may edit files gets one.');
    else {
      printTable(screen, worktrees, [
        ['task', 'attempt'],
        { title: 'COMMITS', text: (row) => (row.ahead === 0 ? '' : `+${row.ahead}`), right: true },
        { title: 'FILES', text: (row) => (row.dirty === 0 ? '' : `${row.dirty} uncommitted`), right: true },
        {
          title: 'REASON',
          text: (row) =>
            `${row.removable ? 'removable: ' : ''}${inert(row.why)}${row.path === undefined ? ' (branch only)' : ''}`,
          paint: (text, row) => (row.removable ? colour.dim(text) : text),
          flexible: true,
        },
      ]);
    }
    const removable = worktrees.find((row) => row.removable);
    if (removable) screen.aside(`Next: ${colour.cyan(`troupe worktree remove ${inert(removable.task)}`)}`);
    if (waiting > 0) screen.aside(sayToLand(waiting));
  },
  /** Prints the present commit, and the nested repositories that were left out of it. */
  'task.commit': ({ id, committed, commit, left_out: leftOut }, screen) => {
    const what = committed ? 'committed' : 'nothing to commit, still at';
    screen.line(`${inert(id)}: ${what} ${inert(commit.slice(0, 12))}`);
    for (const name of leftOut) screen.line(`  left out, a repository of its own: ${inert(name)}`);
  },
  /** Prints the path of the attempt, its changes, and uncommitted files. */
  'worktree.show': (answer, screen) => {
    const { colour } = screen;
    const others = answer.attempts.filter((attempt) => attempt !== answer.attempt);
    const also = others.length === 0 ? '' : colour.dim(`  (also: ${others.join(', ')})`);
    screen.line(`${colour.bold(inert(answer.task))}  attempt ${answer.attempt}${also}`);
    screen.line(`  ${inert(answer.branch)}, ${plural(answer.ahead, 'commit')} since ${answer.base.slice(0, 10)}`);
    if (answer.path !== undefined) screen.line(`  ${inert(answer.path)}`);
    screen.line();
    if (answer.changes.total === 0 && answer.untracked_total === 0) return screen.line('No changes.');
    if (answer.changes.total > 0) printChanges(answer.changes, screen);
    for (const file of answer.untracked.slice(0, UNTRACKED_SHOWN))
      screen.line(`  ${cut(inert(file), 80)}  ${colour.dim('new')}`);
    const more = answer.untracked_total - Math.min(UNTRACKED_SHOWN, answer.untracked.length);
    if (more > 0) screen.line(colour.dim(`  and ${more} more new files`));
    printPatch(answer, screen);
    if (!answer.clean) screen.aside('Some changes are not committed.');
  },
  /** Prints the result per attempt. For a forced removal also the ref from which to recover the work. */
  'worktree.remove': ({ task, attempts }, screen) => {
    const { colour } = screen;
    for (const { attempt, removed, why, saved_as } of attempts) {
      const word = removed === 'nothing' ? colour.yellow(WORDS[removed]) : WORDS[removed];
      screen.line(`${inert(task)}, attempt ${attempt}: ${word}, ${inert(why)}`);
      if (saved_as !== undefined) {
        screen.aside(
          `${colour.yellow('warning:')} its unmerged work is in no branch now. Recover it: ${colour.cyan(`git branch NAME ${inert(saved_as)}`)}`,
        );
      }
    }
    const retained = attempts.find(({ reason }) => reason !== undefined && FORCE_HELPS.has(reason));
    if (retained) {
      screen.aside(
        `Review it with \`troupe worktree show ${inert(task)} --attempt ${retained.attempt}\`; --force removes it and keeps its work in refs/wg/removed.`,
      );
    }
  },
} satisfies Partial<Renderers>;
