import type { BlockingChain } from '#core/insight/blocking.js';
import type { Reason } from '#core/insight/why.js';
import { inert, plural } from '#kernel/text.js';
import { ago } from '#surfaces/cli/ago.js';
import type { AnswerOf, Renderers, Screen } from '#surfaces/cli/screen.js';
import { shownState, stateMark } from '#surfaces/cli/status-mark.js';
import { printFirst, printTable } from '#surfaces/cli/table.js';
import { type Sections, someIds, statusColumn, statusWithMark, whoColumn } from './analysis-words.js';

const TREE_ROWS = 25;
const ROOTS = 8;

/** Reasons of `why-blocked` in words. */
const WORDS: Readonly<Record<Reason['code'], string>> = {
  status: 'its status is not open',
  'line-up': 'its line-up is not accepted',
  paused: 'it is paused',
  time: 'its start time has not come',
  predecessor: 'it waits for',
  'needs-success': 'these had to be done, but ended otherwise:',
  unplaced: 'it has no place in the graph yet',
  'cycle-restart': 'its cycle is about to restart:',
  executor: 'it is ready and needs a person to do it',
  gate: 'it needs review',
  triage: 'its run died; a model is checking its progress',
  throttled: 'its attempts died; the next one starts later',
  'back-off': 'it is ready, but too many runs were silent',
  provider: 'it is ready, but its client cannot be used at present',
  trust: 'it is ready, but its command is not trusted on this machine',
  budget: 'it is ready, but the budget does not allow it',
  capacity: 'it is ready, but its agent is at capacity',
  'session-paused': 'it is ready, but its session is paused',
  claimed: 'it is claimed',
  slots: 'it is ready and waits for a free slot',
  'service-down': 'it is ready, but no coordinator is running',
  'service-paused': 'it is ready, but the coordinator is paused',
};

/** Lines of the tree, depth first and without recursion: the chain of a long graph is deep. */
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

const BLOCKED_ROWS = 50;

const LOG_LINES = 20;

function list(label: string, values: readonly string[], screen: Screen): void {
  if (values.length > 0)
    screen.line(`  ${screen.colour.dim(label)}  ${values.map((value) => inert(value)).join(', ')}`);
}

function log(title: string | undefined, entries: AnswerOf<'task.context'>['log'], screen: Screen): void {
  if (entries.length === 0) return;
  if (title !== undefined) {
    screen.line();
    screen.line(screen.colour.bold(title));
  }
  for (const entry of entries.slice(-LOG_LINES)) {
    const time = screen.colour.dim(ago(entry.timestamp));
    screen.line(`  ${time}  ${inert(entry.actor ?? '')}  ${inert(entry.message)}`);
  }
  if (entries.length > LOG_LINES) screen.line(screen.colour.dim(`  and ${entries.length - LOG_LINES} earlier entries`));
}

const CHECK_ROWS = 50;

type Row = AnswerOf<'analysis.problems'>['problems'][number];

const SERIOUS = new Set(['service', 'client', 'executor', 'budget', 'failed', 'stalled']);
/** Minimum line width to print commands beside the reasons; otherwise they go below. */
const COMMAND_BESIDE = 110;

export const blockingSections = {
  /** Prints every reason, the blocking chain as a tree, and its root causes. */
  why_blocked: [
    'Blocked by',
    (output, screen) => {
      const { task, reasons, blocking_chain, root_blockers: roots, total_blockers } = output;
      const { colour } = screen;
      screen.line(
        `${statusWithMark(task.status, screen)}  ${colour.bold(inert(task.title))}  ${colour.dim(inert(task.id))}`,
      );
      if (reasons.length === 0)
        return screen.line(`  Nothing blocks it: it is ${task.status === 'open' ? 'ready' : task.status}.`);
      for (const reason of reasons) {
        const ids = reason.ids ? ` ${someIds(reason.ids)}` : '';
        const until = reason.until === undefined ? '' : ` (${reason.until})`;
        screen.line(`  ${WORDS[reason.code as Reason['code']] ?? inert(reason.code)}${ids}${until}`);
      }
      if (!output.is_blocked) return;
      screen.line();
      screen.line(colour.bold(`Chain     `) + colour.dim(plural(total_blockers, 'blocker')));
      const lines = treeLines(blocking_chain, screen);
      for (const line of lines.slice(0, TREE_ROWS)) screen.line(`  ${line}`);
      if (lines.length > TREE_ROWS) screen.line(colour.dim(`  and ${lines.length - TREE_ROWS} more`));
      if (roots.length === 0) return;
      screen.line();
      screen.line(colour.bold('Root cause'));
      printFirst(screen, roots, ROOTS, [['id'], statusColumn(screen), ...whoColumn(roots.slice(0, ROOTS)), ['title…']]);
    },
  ],
  /** Prints one row per blocker. */
  blocked: [
    'Direct blockers',
    ({ task, blockers }, screen) => {
      if (blockers.length === 0)
        return screen.line(`No task blocks ${inert(task.id)}. For other reasons see \`troupe why ${inert(task.id)}\`.`);
      printFirst(screen, blockers, BLOCKED_ROWS, [
        ['id'],
        statusColumn(screen),
        ...whoColumn(blockers.slice(0, BLOCKED_ROWS)),
        ['title…'],
      ]);
    },
  ],
} satisfies Partial<Sections>;

export const renderers = {
  /** Prints the main reason and, dimmed, the others. */
  'task.why': (facts, screen) => {
    const [first, ...others] = facts;
    screen.line(inert(first?.text ?? 'Nothing keeps it from running.'));
    for (const fact of others) screen.line(screen.colour.dim(`  also: ${inert(fact.text)}`));
  },
  /** Prints the task and then its predecessors, as its client will read them. */
  'task.context': (packet, screen) => {
    const { colour } = screen;
    screen.line(`${colour.bold(inert(packet.title))}  ${colour.dim(inert(packet.id))}`);
    list('skills', packet.skills, screen);
    list('inputs', packet.inputs, screen);
    list('deliverables', packet.deliverables, screen);
    if (packet.description) {
      screen.line();
      for (const line of inert(packet.description, true).split('\n')) screen.line(`  ${line}`);
    }
    if (packet.checkpoint !== null) {
      screen.line();
      screen.line(colour.bold('Checkpoint'));
      for (const line of inert(packet.checkpoint, true).split('\n')) screen.line(`  ${line}`);
    }
    log('Log', packet.log, screen);
    for (const before of packet.predecessors) {
      screen.line();
      screen.line(
        `${colour.bold('Depends on')}  ${statusWithMark(before.status, screen)}  ${inert(before.id)}  ${inert(before.title)}`,
      );
      if (before.failure_reason !== null) screen.line(`  failed: ${inert(before.failure_reason)}`);
      list('artifacts', before.artifacts, screen);
      log(undefined, before.log, screen);
    }
    if (packet.predecessors.length === 0) {
      screen.line();
      screen.line(colour.dim('None of its dependencies has ended.'));
    }
    if (packet.dependents === undefined) return;
    screen.line();
    screen.line(colour.bold('Dependents'));
    for (const task of packet.dependents) {
      screen.line(`  ${statusWithMark(task.status, screen)}  ${inert(task.id)}  ${inert(task.title)}`);
      list('  inputs', task.inputs, screen);
    }
    if (packet.dependents.length === 0) screen.line(colour.dim('  nothing'));
  },
  /** Prints each problem with its hint, errors first, then the size of the graph that was checked. */
  'graph.check': ({ problems, errors, warnings, node_count, structural_cycles: cycles }, screen) => {
    const { colour } = screen;
    for (const { severity, code, task_id, hint } of problems.slice(0, CHECK_ROWS)) {
      const head = `${severity}[${code}]`;
      const where = task_id === null ? '' : ` ${colour.bold(inert(task_id))}`;
      screen.line(`${severity === 'error' ? colour.red(head) : colour.yellow(head)}${where}`);
      screen.line(`  ${inert(hint)}`);
    }
    if (problems.length > CHECK_ROWS)
      screen.line(colour.dim(`and ${problems.length - CHECK_ROWS} more; \`troupe check --json\` has them all`));
    if (problems.length > 0) screen.line();
    const extent = `${plural(node_count, 'node')}, ${plural(cycles.length, 'cycle')}`;
    if (problems.length === 0) screen.line(`${colour.green(screen.unicode ? '●' : 'ok')} No problems (${extent}).`);
    else screen.line(`${plural(errors, 'error')}, ${plural(warnings, 'warning')} (${extent})`);
  },
  /** Prints one row per problem, with the command that fixes it. */
  'analysis.problems': ({ at, problems, total, warnings }, screen) => {
    const { colour } = screen;
    for (const warning of warnings) screen.aside(inert(warning));
    if (problems.length === 0)
      return screen.line('Nothing needs you. `troupe status` shows what is running and what is next.');
    const beside = screen.width >= COMMAND_BESIDE;
    printTable(screen, problems, [
      {
        title: 'WHAT',
        text: (row) => inert(row.kind),
        paint: (text, row) => (SERIOUS.has(row.kind) ? colour.red(text) : colour.yellow(text)),
      },
      ['task', 'WHY=text…'],
      { title: 'SINCE', text: (row) => ago(row.since, Date.parse(at)), right: true },
      ...(beside ? [{ title: 'FIX', text: (row: Row) => inert(row.command) }] : []),
    ]);
    if (total > problems.length) screen.line(colour.dim(`and ${total - problems.length} more`));
    if (beside) return;
    screen.line();
    screen.line('Fix:');
    for (const command of new Set(problems.map((row) => row.command))) screen.line(`  ${inert(command)}`);
  },
} satisfies Partial<Renderers>;
