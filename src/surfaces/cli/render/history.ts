import { cellsOf, padTo } from '#kernel/cells.js';
import { inert, plural } from '#kernel/text.js';
import type { AnswerOf, Renderers, Screen } from '#surfaces/cli/screen.js';
import { paintState, shownState, stateMark } from '#surfaces/cli/status-mark.js';
import { printTable } from '#surfaces/cli/table.js';

const NOTHING: Readonly<Record<MovedOut['action'], string>> = {
  moved: 'Nothing to archive: only done and abandoned tasks that nothing active depends on qualify.',
  preview: 'Nothing would change.',
  listed: 'The archive is empty. Archive ended tasks with `troupe archive`.',
  restored: 'There is no archived task to restore.',
};

const NEXT: Readonly<Record<MovedOut['action'], (count: string) => string>> = {
  moved: (count) => `${count} archived. Undo it with \`troupe archive --undo\`.`,
  preview: (count) => `${count}. Nothing was changed: run without --dry-run to do it.`,
  listed: (count) => `${count}. Restore one with \`troupe archive ID --restore\`.`,
  restored: (count) => `${count} restored.`,
};

/** Prints tasks that `archive` or `archive --restore` moved or found. */
function renderArchiveMoved(output: MovedOut, screen: Screen): void {
  if (output.tasks.length === 0) {
    screen.line(NOTHING[output.action]);
    return;
  }
  printKept(output.tasks, screen);
  const { length } = output.tasks;
  const count = length < output.total ? `${length} of ${plural(output.total, 'task')}` : plural(length, 'task');
  screen.line(screen.colour.dim(NEXT[output.action](count)));
}

/** Answers of commands that move tasks out of the graph or back, or list those outside. */
export type MovedOut = AnswerOf<'archive.move' | 'archive.search' | 'archive.restore' | 'gc.remove'>;
type KeptRow = MovedOut['tasks'][number];

/** Prints one row per task, with its end time. */
function printKept(rows: readonly KeptRow[], screen: Screen): void {
  const stateOf = (row: KeptRow) => shownState(row.status, false);
  printTable(screen, rows, [
    ['id'],
    {
      title: 'STATUS',
      text: (row) => stateMark(stateOf(row), screen),
      paint: (text, row) => paintState(text, stateOf(row), screen),
    },
    ['ENDED=completed_at ago', 'title…'],
  ]);
}

const SHOWN_MOST = 100;

type MachineRow = AnswerOf<'project.doctor'>['machine'][number];

function printMachine(rows: readonly MachineRow[], screen: Screen): void {
  const { colour } = screen;
  const paint = { ok: colour.green, note: colour.yellow, error: colour.red } as const;
  const width = Math.max(...rows.map(({ subject }) => cellsOf(subject)));
  for (const { subject, state, text, remedy } of rows) {
    screen.line(`${paint[state](padTo(state, 5))}  ${padTo(subject, width)}  ${inert(text)}`);
    if (remedy !== undefined) screen.line(colour.dim(`${' '.repeat(9 + width)}${inert(remedy)}`));
  }
}

/** Row about the terminal, which only a surface has access to. */
function terminalRow({ terminal, width, unicode }: Screen): MachineRow {
  const subject = 'terminal';
  if (terminal !== true) return { subject, state: 'ok', text: 'none: output is plain lines' };
  if (unicode) return { subject, state: 'ok', text: `${width} columns, UTF-8` };
  const remedy = 'For status symbols set LANG to a UTF-8 locale, such as C.UTF-8.';
  return { subject, state: 'note', text: `${width} columns, plain letters only`, remedy };
}

export const renderers = {
  /** Prints the path of the file and the prompts that include it. */
  'graph.compact': ({ file, bytes, tasks, narrative, warnings }, screen) => {
    for (const warning of warnings) screen.aside(inert(warning));
    const words = narrative ? ', with a summary by a model' : '';
    screen.line(`Wrote ${inert(file)}: ${plural(tasks, 'task')} in ${plural(bytes, 'byte')}${words}.`);
    screen.line(screen.colour.dim('Prompts of the scopes graph and full include it.'));
  },
  /** Prints the state of the machine, the repairs, then each finding with its remedy, the most severe first. */
  'project.doctor': (output, screen) => {
    const { folder, initialized, machine, findings, repaired, rebuilt } = output;
    const { colour } = screen;
    printMachine([...machine, terminalRow(screen)], screen);
    screen.line();
    if (!initialized)
      screen.line(
        `There is no task graph in ${inert(folder)} yet: \`troupe setup\` creates one and connects a client.`,
      );
    for (const deed of repaired) screen.line(`${colour.green('repaired')}  ${inert(deed)}`);
    for (const deed of rebuilt) screen.line(`${colour.green('rebuilt')}  ${inert(deed)}`);
    const rank = { error: 0, warning: 1, note: 2 } as const;
    const sorted = [...findings].sort((left, right) => rank[left.severity] - rank[right.severity]);
    const paint = { error: colour.red, warning: colour.yellow, note: colour.dim } as const;
    for (const { severity, code, text, remedy, file, line } of sorted.slice(0, SHOWN_MOST)) {
      const place = file === undefined ? '' : ` ${inert(file)}${line === undefined ? '' : `:${line}`}`;
      screen.line(`${paint[severity](severity)}  ${code}${colour.dim(place)}`);
      screen.line(`  ${inert(text)}`);
      screen.line(colour.dim(`  ${inert(remedy)}`));
    }
    if (sorted.length > SHOWN_MOST) screen.line(`… and ${sorted.length - SHOWN_MOST} more; see them all with --json.`);
    const errors = findings.filter((finding) => finding.severity === 'error').length;
    const repairable = findings.filter((finding) => finding.repairable).length;
    if (findings.length === 0 && initialized)
      screen.line(`The graph in ${inert(folder)} is valid: log and snapshot match.`);
    if (findings.length > 0) {
      screen.line();
      screen.line(
        `${plural(errors, 'error')}, ${plural(findings.length - errors, 'other finding')}.` +
          (repairable > 0 ? ' Run `troupe doctor --repair` to fix what can be fixed safely.' : ''),
      );
    }
  },
  /** Prints the result on one line, because git shows it between its own. */
  'project.git-merge': ({ tasks, lost }, screen) => {
    const gave = lost === 0 ? '' : `; ${plural(lost, 'value')} were overridden and are in the task logs`;
    screen.line(`Merged the task graph: ${plural(tasks, 'node')}${gave}.`);
  },
  'archive.move': renderArchiveMoved,
  /** Prints tasks that `archive --search` found. */
  'archive.search': (output, screen) => {
    if (output.tasks.length > 0) renderArchiveMoved(output, screen);
    else screen.line('No archived task matches. `troupe archive --list` shows them all.');
  },
  'archive.restore': renderArchiveMoved,
  /** Prints tasks that `gc` removed, would remove, or removed before. */
  'gc.remove': (output, screen) => {
    const { action, tasks } = output;
    if (tasks.length === 0) {
      const none = action === 'listed' ? 'There is no removed task to restore.' : 'Nothing to remove.';
      screen.line(action === 'moved' ? `${none} Use --include-done for done tasks.` : none);
      return;
    }
    printKept(tasks, screen);
    const count = plural(tasks.length, 'task');
    const outcome = {
      moved: `${count} removed. Restore one with \`troupe archive ID --restore\`.`,
      preview: `${count}. Nothing was changed: run without --dry-run to do it.`,
      listed: `${count}. Restore one with \`troupe archive ID --restore\`.`,
      restored: `${count} restored.`,
    }[action];
    screen.line(screen.colour.dim(outcome));
  },
  'store.snapshot': (output, screen) =>
    screen.line(`graph.jsonl holds ${plural(output.tasks, 'node')}, as of entry ${output.seq} of the log.`),
  /** Prints the result of the log rotation. */
  'store.rotate': (output, screen) => {
    if (!output.rotated) return screen.line('The log has no entries to pack.');
    const size = (bytes = 0) => `${Math.ceil(bytes / 1024)} KB`;
    screen.line(
      `Entries ${output.from} to ${output.to} are packed; the log went from ${size(output.before)} to ${size(output.after)}.`,
    );
    for (const file of output.files ?? []) screen.line(screen.colour.dim(`  .workgraph/${inert(file)}`));
  },
  /**
   * Prints the graph byte for byte (control characters are escaped on a terminal), or the path of the file it was written
   * to.
   */
  'store.rebuild': (output, screen) => {
    const { text } = output;
    if (text === '') return;
    if (text !== undefined) screen.line((screen.terminal ? inert(text, true) : text).replace(/\n$/, ''));
    else
      screen.line(`${inert(output.file ?? '')}  ${plural(output.tasks, 'node')}, as of entry ${output.seq} of the log`);
  },
  /** Prints tasks that were reopened or would be. */
  'replay.run': (output, screen) => {
    const { run_id, reset_tasks, preserved_tasks, plan_only } = output;
    if (reset_tasks.length === 0) return screen.line('No task matches. `troupe list` shows them all.');
    for (const id of reset_tasks) screen.line(`  ${inert(id)}`);
    const model = output.model === null ? '' : `, with ${inert(output.model)}`;
    const untouched = preserved_tasks.length === 0 ? '' : `; ${preserved_tasks.length} left unchanged`;
    const done = plan_only ? 'would be reopened' : 'reopened';
    screen.line(`${plural(reset_tasks.length, 'task')} ${done}${model}${untouched}.`);
    const next = plan_only
      ? 'Run without --plan-only to do it.'
      : `Undo it with \`troupe replay --restore ${run_id}\`.`;
    screen.line(screen.colour.dim(next));
  },
  /** Prints one row per saved graph. */
  'runs.list': (output, screen) => {
    for (const id of output.unreadable)
      screen.aside(`${screen.colour.yellow('left out:')} ${inert(id)}: its meta.json cannot be read`);
    if (output.runs.length === 0)
      return screen.line('No runs yet. `troupe replay` saves one each time it reopens tasks.');
    printTable(screen, output.runs, [
      ['RUN=id', 'WHEN=timestamp ago'],
      { title: 'REOPENED', text: (run) => String(run.reset_tasks.length), right: true },
      { title: 'UNCHANGED', text: (run) => String(run.preserved_tasks.length), right: true },
      ['model', 'filter…'],
    ]);
  },
  /** Prints one run: its time, filter, model and reopened tasks. */
  'runs.show': (output, screen) => {
    screen.line(`${screen.colour.bold(inert(output.id))}  ${inert(output.timestamp)}`);
    screen.line(`Filter: ${inert(output.filter)}`);
    if (output.model !== null) screen.line(`Model: ${inert(output.model)}`);
    screen.line(`Reopened (${output.reset_tasks.length}):`);
    for (const id of output.reset_tasks) screen.line(`  ${inert(id)}`);
    screen.line(`Unchanged: ${output.preserved_tasks.length}`);
    screen.line(screen.colour.dim(`Compare with \`troupe replay --diff ${inert(output.id)}\`.`));
  },
  /** Prints changes of the tasks since the snapshot of the run. */
  'runs.diff': (output, screen) => {
    if (output.changes.length === 0) return screen.line(`No task has changed since ${inert(output.run_id)}.`);
    printTable(screen, output.changes, [
      ['id…', 'THEN=snapshot_status', 'NOW=current_status'],
      { title: 'CHANGE', text: (change) => inert(change.change.replace('_', ' ')) },
    ]);
    screen.line(screen.colour.dim(`${plural(output.total_changes, 'change')} since ${inert(output.run_id)}.`));
  },
  /** Prints the number of restored tasks, and the command to undo it. */
  'runs.restore': (output, screen) => {
    if (output.snapshot_id === null) return screen.line(`The graph is already as it was at ${inert(output.run_id)}.`);
    const removed = output.removed_tasks.length === 0 ? '' : `, ${output.removed_tasks.length} added since removed`;
    screen.line(`${plural(output.restored_tasks.length, 'task')} restored to ${inert(output.run_id)}${removed}.`);
    screen.line(
      screen.colour.dim(`The previous graph is saved: \`troupe replay --restore ${inert(output.snapshot_id)}\`.`),
    );
  },
} satisfies Partial<Renderers>;
