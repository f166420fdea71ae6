import { cellsOf, cutTo, padTo } from '#kernel/cells.js';
import { formatDuration } from '#kernel/duration.js';
import { safeJson } from '#kernel/json.js';
import { cut, formatCost, formatTokens, inert, plural } from '#kernel/text.js';
import type { History } from '#operations/history/history-shape.js';
import type { AnswerOf, Renderers, Screen } from '#surfaces/cli/screen.js';
import { paintState, shownState, stateMark } from '#surfaces/cli/status-mark.js';
import { printTable } from '#surfaces/cli/table.js';
import { printLayers } from '#surfaces/cli/trace-picture.js';

interface Written {
  readonly file: string;
  readonly visibility: string;
  readonly tasks: number;
  readonly evaluations: number;
  readonly operations: number;
  readonly functions: number;
  readonly warnings: readonly string[];
}

function isWritten(output: Written | Readonly<Record<string, unknown>>): output is Written {
  return typeof output['file'] === 'string';
}

function printHead(history: History, screen: Screen): void {
  const { colour } = screen;
  const state = shownState(history.status, false);
  const mark = paintState(stateMark(state, screen), state, screen);
  screen.line(`${colour.bold(inert(history.id))}  ${inert(history.title)}  ${mark}`);
  const times = [
    ['created', history.created_at],
    ['started', history.started_at],
    ['ended', history.completed_at],
  ].flatMap(([word, time]) => (time === undefined ? [] : [`${word} ${inert(time)}`]));
  if (history.at !== undefined) times.push(`as of event ${history.at}`);
  if (times.length > 0) screen.line(colour.dim(times.join(' · ')));
  const { summary } = history;
  if (summary === undefined) return;
  const parts = [
    plural(summary.operations, 'operation'),
    plural(summary.runs, 'run'),
    `${plural(summary.human_interventions, 'intervention')} by people`,
    ...(summary.seconds === null ? [] : [`${formatDuration(summary.seconds * 1_000)} of work`]),
  ];
  screen.line(colour.dim(parts.join(' · ')));
}

function printOperations(history: History, screen: Screen): void {
  screen.line();
  if (history.operations.length === 0) {
    screen.line('The log has nothing about this task: it is older than the log.');
    return;
  }
  printTable(screen, history.operations, [
    ['seq', 'TIME=timestamp', 'OPERATION=op', 'BY=actor'],
    { title: 'WHAT', text: (row) => changeWords(row.detail), flexible: true },
  ]);
}

/** Describes the change of an operation in at most 400 characters. */
export function changeWords(detail: Readonly<Record<string, unknown>>): string {
  const { status, fields, message, tasks: _ids, ...others } = detail;
  const words = [
    ...(typeof status === 'string' ? [`→ ${status}`] : []),
    ...(typeof message === 'string' ? [message] : []),
    ...(Array.isArray(fields) && status === undefined ? [fields.join(', ')] : []),
    ...Object.entries(others).flatMap(([name, value]) =>
      ['string', 'number', 'boolean'].includes(typeof value) ? [`${name} ${String(value)}`] : [],
    ),
  ];
  return cut(inert(words.join('; ')), 400);
}

function printTree(tree: NonNullable<History['tree']>, totals: History['totals'], screen: Screen): void {
  screen.line();
  printTable(screen, tree, [
    { title: 'TASK', text: (row) => `${'  '.repeat(Math.min(row.depth, 12))}${inert(row.id)}` },
    {
      title: 'STATUS',
      text: (row) => stateMark(shownState(row.status, false), screen),
      paint: (text, row) => paintState(text, shownState(row.status, false), screen),
    },
    {
      title: 'DURATION',
      text: (row) => (row.seconds === null ? '' : formatDuration(row.seconds * 1_000)),
      right: true,
    },
    ['title…'],
  ]);
  if (totals === undefined) return;
  const wall = totals.wall_clock_seconds;
  const parts = [
    plural(totals.tasks, 'task'),
    ...(wall === null ? [] : [`${formatDuration(wall * 1_000)} from first start to last end`]),
    `${formatDuration(totals.work_seconds * 1_000)} of work`,
    plural(totals.runs, 'run'),
    `${plural(totals.human_interventions, 'intervention')} by people`,
  ];
  screen.line(screen.colour.dim(parts.join(' · ')));
}

function printRuns(runs: NonNullable<History['runs']>, screen: Screen): void {
  printTable(screen, runs, [
    ['run', 'STARTED=timestamp'],
    { title: 'DURATION', text: tookOf, right: true },
    { title: 'OUTCOME', text: (row) => inert(row.outcome ?? 'running') },
    { title: 'PROMPT', text: (row) => bytesOf(row.prompt_bytes), right: true },
    { title: 'OUTPUT', text: (row) => bytesOf(row.output_bytes), right: true },
    { title: 'TURNS', text: (row) => String(row.turns ?? '–'), right: true },
    { title: 'TOOL CALLS', text: (row) => String(row.tool_calls ?? '–'), right: true },
    { title: 'TOKENS', text: (row) => formatTokens(row.tokens), right: true },
    { title: 'COST', text: (row) => formatCost(row.cost_usd, row.estimated_usd), right: true },
  ]);
  for (const { run, output } of runs) {
    if (output === undefined) continue;
    screen.line();
    screen.line(screen.colour.bold(`${inert(run)} printed`));
    screen.line(output === '' ? screen.colour.dim('nothing') : inert(output, true).trimEnd());
  }
}

const STATES = { running: 'running', succeeded: 'ok', failed: 'failed', rejected: 'refused' } as const;

function stepWords({ kind, turn, name, text, state, result }: AnswerOf<'task.steps'>['steps'][number]): string {
  const words = inert(text ?? '');
  switch (kind) {
    case 'start':
      return 'started';
    case 'answer':
      return `answer ${turn}`;
    case 'tool':
      return `> ${inert(name ?? '')} ${words}${state === undefined ? '' : `: ${STATES[state]} ${inert(result ?? '')}`}`;
    case 'error':
      return `! ${words}`;
    case 'end':
      return `${inert(name ?? '')}: ${words}`;
    case 'text':
      return `  ${words}`;
  }
}

function tookOf({ timestamp, ended_at: ended }: NonNullable<History['runs']>[number]): string {
  return ended === undefined ? '–' : formatDuration(Date.parse(ended) - Date.parse(timestamp));
}

const bytesOf = (bytes: number | null): string => (bytes === null ? '–' : `${bytes} B`);

export const renderers = {
  'task.attempts': ({ task, runs }, screen) => {
    if (runs.length > 0) printRuns(runs, screen);
    else screen.line(screen.colour.dim(`No runs of ${inert(task)} yet.`));
  },
  /** Prints one row per step, with the time since the first one. */
  'task.steps': ({ task, run, steps, cut: isCut, ...rest }, screen) => {
    const { colour } = screen;
    if (run === null)
      return screen.line(
        colour.dim(`No client has run on ${inert(task)} yet: \`troupe output ${inert(task)}\` shows a command.`),
      );
    const begun = Date.parse(steps.find(({ at }) => at !== undefined)?.at ?? '');
    const model = rest.model === undefined ? '' : `, ${inert(rest.model)}`;
    screen.line(colour.bold(`${inert(run)} of ${inert(task)}${model}${rest.running ? ', running' : ''}`));
    printTable(screen, steps, [
      { title: 'AT', text: ({ at }) => (at === undefined ? '' : formatDuration(Date.parse(at) - begun)), right: true },
      { title: 'STEP', text: stepWords, flexible: true },
      { title: 'TOOK', text: ({ ms }) => (ms === undefined ? '' : formatDuration(ms)), right: true },
      { title: 'TOKENS', text: ({ tokens }) => (tokens === undefined ? '' : formatTokens(tokens)), right: true },
      {
        title: 'COST',
        text: ({ cost_usd: cost, estimated_usd: estimated }) => (cost === undefined ? '' : formatCost(cost, estimated)),
        right: true,
      },
    ]);
    screen.line(colour.dim(`model ${formatDuration(rest.model_ms)}, tools ${formatDuration(rest.tool_ms)}`));
    if (isCut || rest.left_out > 0) screen.line(colour.dim('earlier steps are left out'));
  },
  /** Prints the history of a task, or plays its frames on a terminal. */
  'trace.show': async (history, screen, around) => {
    if (history.frames !== undefined) {
      const { playFrames } = await import('#surfaces/cli/trace-player.js');
      await playFrames(history, screen, around.stage?.());
      return;
    }
    printHead(history, screen);
    if (history.tree) printTree(history.tree, history.totals, screen);
    if (history.timeline) printTimeline(history.timeline, screen);
    if (history.graph) {
      screen.line();
      for (const line of printLayers(history.graph, screen)) screen.line(line);
    }
    if (!history.tree && !history.timeline && !history.graph) printOperations(history, screen);
    if (history.runs && history.runs.length > 0) {
      screen.line();
      printRuns(history.runs, screen);
    }
  },
  /** Without a file, prints the export itself, to be piped elsewhere. */
  'trace.export': (output, screen) => {
    if (!isWritten(output)) return screen.line(safeJson(output));
    for (const warning of output.warnings) screen.aside(`${screen.colour.yellow('warning:')} ${inert(warning)}`);
    const counts = [
      plural(output.tasks, 'task'),
      plural(output.operations, 'operation'),
      plural(output.evaluations, 'evaluation'),
      plural(output.functions, 'function'),
    ];
    screen.line(`Wrote ${screen.colour.bold(inert(output.file))} for ${output.visibility}: ${counts.join(', ')}.`);
    if (output.tasks === 0 && output.visibility !== 'internal') {
      screen.line(`No task is visible there. Share one with \`troupe edit ID --visibility ${output.visibility}\`.`);
    }
  },
  'trace.import': (output, screen) => {
    const what = `${plural(output.tasks, 'task')} and ${plural(output.evaluations, 'evaluation')}`;
    const source = screen.colour.bold(inert(output.source));
    if (output.dry_run) {
      screen.line(`The file is valid: ${what} would be imported as ${source}.`);
      if (output.replaced) screen.line('They would replace the earlier import of this name.');
      return;
    }
    screen.line(`Imported ${what} as ${source}${output.replaced ? ', replacing the earlier import' : ''}.`);
    if (output.path !== undefined) {
      screen.line(screen.colour.dim(`They are in ${inert(output.path)}, beside the graph: none of them runs.`));
    }
  },
} satisfies Partial<Renderers>;

interface Bar {
  readonly id: string;
  readonly status: string;
  readonly from: string;
  readonly to: string;
}

interface Lanes {
  readonly from: string | null;
  readonly to: string | null;
  readonly lanes: readonly (readonly Bar[])[];
}

const WIDTH_MOST = 72;
const WIDTH_LEAST = 16;
const NAME_MOST = 32;

/** Prints one bar per task over time, after the number of its lane. Tasks of one lane ran one after another. */
export function printTimeline(timeline: Lanes, screen: Screen): void {
  screen.line();
  if (timeline.from === null || timeline.to === null) {
    screen.line('Nothing has started yet.');
    return;
  }
  const begin = Date.parse(timeline.from);
  const span = Math.max(1, Date.parse(timeline.to) - begin);
  const bars = timeline.lanes.flatMap((lane, index) => lane.map((bar) => ({ bar, lane: index + 1 })));
  const nameWidth = Math.min(NAME_MOST, Math.max(4, ...bars.map(({ bar }) => cellsOf(inert(bar.id)))));
  const laneWidth = Math.max(4, String(timeline.lanes.length).length);
  const width = Math.max(WIDTH_LEAST, Math.min(WIDTH_MOST, screen.width - nameWidth - laneWidth - 14));
  const column = (time: string) => Math.round(((Date.parse(time) - begin) / span) * width);
  const all = formatDuration(span);
  const scale = `0${' '.repeat(Math.max(1, width - 1 - all.length))}${all}`;
  screen.line(screen.colour.dim(`${'LANE'.padEnd(laneWidth)}  ${'TASK'.padEnd(nameWidth)}  ${scale}`));
  for (const { bar, lane } of bars) {
    const start = Math.min(column(bar.from), width - 1);
    const length = Math.max(1, column(bar.to) - start);
    const drawn = paintState((screen.unicode ? '█' : '#').repeat(length), shownState(bar.status, false), screen);
    const name = padTo(cutTo(inert(bar.id), nameWidth), nameWidth);
    const took = formatDuration(Date.parse(bar.to) - Date.parse(bar.from));
    const rest = ' '.repeat(Math.max(0, width - start - length));
    screen.line(`${String(lane).padStart(laneWidth)}  ${name}  ${' '.repeat(start)}${drawn}${rest}  ${took}`);
  }
}
