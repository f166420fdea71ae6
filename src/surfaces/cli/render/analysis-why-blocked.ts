import type { BlockingChain } from '#core/insight/blocking.js';
import { inert, plural } from '#kernel/text.js';
import type { AnswerOf, Screen } from '../screen.js';
import { shownState, stateMark } from '../status-mark.js';
import { printTable } from '../table.js';
import { firstRows, idColumn, markedStatus, someIds, statusColumn, titleColumn } from './analysis-words.js';

const TREE_ROWS = 25;
const ROOTS = 8;

const WORDS: Readonly<Record<string, string>> = {
  status: 'its status is not open',
  paused: 'it is paused',
  time: 'its time has not come',
  predecessor: 'it waits for',
  'needs-success': 'these have to be done, and ended otherwise:',
  unplaced: 'it has no place in the graph yet',
  'cycle-restart': 'its cycle is about to begin its pass again:',
  executor: 'it is ready, and nothing can do it by itself: a person takes it',
  gate: 'its work waits for a review',
  triage: 'its run died, and a model looks at how far it had come',
  throttled: 'its attempts died, so the next one begins later',
  'back-off': 'it is ready, but too many runs said nothing',
  budget: 'it is ready, but the budget does not allow it',
  capacity: 'it is ready, but whoever does it has enough to do',
  'session-paused': 'it is ready, but its session is paused',
  claimed: 'somebody has claimed it',
  slots: 'it is ready, and waits for a free slot',
  'service-down': 'it is ready, and no coordinator is running',
  'service-paused': 'it is ready, and the coordinator is paused',
};

/** Every reason, the way back as a tree, and where it hangs. */
export function render(output: AnswerOf<'task.why-blocked'>, screen: Screen): void {
  const { task, reasons, blocking_chain, root_blockers: roots, total_blockers } = output;
  const { colour } = screen;
  screen.line(`${markedStatus(task.status, screen)}  ${colour.bold(inert(task.title))}  ${colour.dim(inert(task.id))}`);
  if (reasons.length === 0) {
    screen.line(`  Nothing holds it up: it is ${task.status === 'open' ? 'ready' : task.status}.`);
    return;
  }
  for (const reason of reasons) {
    const ids = reason.ids ? ` ${someIds(reason.ids)}` : '';
    const until = reason.until === undefined ? '' : ` (${reason.until})`;
    screen.line(`  ${WORDS[reason.code] ?? inert(reason.code)}${ids}${until}`);
  }
  if (!output.is_blocked) return;
  screen.line();
  screen.line(colour.bold(`Way back  `) + colour.dim(plural(total_blockers, 'blocker')));
  const lines = treeLines(blocking_chain, screen);
  for (const line of lines.slice(0, TREE_ROWS)) screen.line(`  ${line}`);
  if (lines.length > TREE_ROWS) screen.line(colour.dim(`  and ${lines.length - TREE_ROWS} more`));
  if (roots.length === 0) return;
  screen.line();
  screen.line(colour.bold('Where it hangs'));
  const { shown, more } = firstRows(roots, ROOTS);
  printTable(screen, shown, [
    idColumn(),
    statusColumn(screen),
    { title: 'WHO', text: (row) => inert(row.assigned ?? (row.is_ready ? 'can start' : '')) },
    titleColumn(),
  ]);
  if (more) screen.line(colour.dim(`  ${more}`));
}

/** Depth first, without recursion: the chain of a long graph is deep. */
function treeLines(top: BlockingChain, screen: Screen): string[] {
  const [branch, last, through] = screen.unicode ? ['├─ ', '└─ ', '│  '] : ['|- ', '`- ', '|  '];
  const lines: string[] = [];
  const pending: { node: BlockingChain; before: string; mark: string }[] = [{ node: top, before: '', mark: '' }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, before, mark } = next;
    const glyph = stateMark(shownState(node.status, false), screen, '').trim();
    lines.push(`${before}${mark}${glyph} ${inert(node.id)}`);
    const below = mark === '' ? '' : before + (mark === last ? '   ' : through);
    const children = node.after.map((child, place) => ({
      node: child,
      before: below,
      mark: place === node.after.length - 1 ? last : branch,
    }));
    pending.push(...children.reverse());
  }
  return lines;
}
