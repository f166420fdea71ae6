import { cellsOf, cutTo, padTo } from '#kernel/cells.js';
import { cut, inert, plural } from '#kernel/text.js';
import type { AnswerOf, Screen } from './screen.js';

export type LandingReport = AnswerOf<'worktree.landing'>;
type Changes = LandingReport['changes'];

const COMMITS_SHOWN = 15;
const FILES_SHOWN = 25;

/** Notice with the number of commits that are ready to land, and the command that lands them. */
export function sayToLand(commits: number): string {
  return `${plural(commits, 'commit')} on wg/integration ${commits === 1 ? 'is' : 'are'} ready to land: \`troupe worktree land\``;
}

/** Prints the content of a landing: its commits, files and number of tasks. */
export function printLanding(landing: LandingReport, screen: Screen): void {
  const { colour } = screen;
  if (landing.relation === 'same' || landing.relation === 'behind') {
    screen.line('Nothing to land: your branch has all merged work.');
    return;
  }
  const from = landing.tasks.length === 0 ? '' : ` from ${plural(landing.tasks.length, 'task')}`;
  const onto = landing.branch === undefined ? '' : ` for ${inert(landing.branch)}`;
  screen.line(colour.bold(`${plural(landing.commit_total, 'commit')}${from}${onto}`));
  for (const { commit, subject } of landing.commits.slice(0, COMMITS_SHOWN)) {
    screen.line(`  ${colour.yellow(commit.slice(0, 10))}  ${inert(cut(subject, 100))}`);
  }
  const more = landing.commits.length - COMMITS_SHOWN;
  if (more > 0) screen.line(colour.dim(`  and ${more} more`));
  screen.line();
  printChanges(landing.changes, screen);
}

/** Prints one line per file with its added and deleted lines, then the totals. */
export function printChanges(changes: Changes, screen: Screen): void {
  const { colour } = screen;
  const listed = changes.files.slice(0, FILES_SHOWN).map((file) => ({ ...file, name: cutTo(inert(file.path), 80) }));
  const width = Math.max(0, ...listed.map(({ name }) => cellsOf(name)));
  for (const { name, added, deleted } of listed) {
    const counts = added === undefined ? 'binary' : `${colour.green(`+${added}`)} ${colour.red(`-${deleted ?? 0}`)}`;
    screen.line(`  ${padTo(name, width)}  ${counts}`);
  }
  if (changes.total > listed.length) screen.line(colour.dim(`  and ${changes.total - listed.length} more`));
  screen.line(colour.dim(`${plural(changes.total, 'file')}, +${changes.added} -${changes.deleted}`));
}
