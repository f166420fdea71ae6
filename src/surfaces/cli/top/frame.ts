import { SHOWN_STATES } from '#core/graph/status-look.js';
import { cellsOf, cutTo, padTo } from '#kernel/cells.js';
import { formatDuration } from '#kernel/duration.js';
import { formatCost, formatMoney, formatTokens, inert, plural } from '#kernel/text.js';
import type { AnswerOf, Screen } from '#surfaces/cli/screen.js';
import { silentText } from '#surfaces/cli/silent-workers.js';
import { paintState, shownState, stateMark } from '#surfaces/cli/status-mark.js';

export type StatusWork = AnswerOf<'status.work'>;
type Held = StatusWork['people'][number];

export interface FrameOptions {
  readonly screen: Screen;
  readonly width: number;
  /** Maximum number of lines; undefined for no limit. */
  readonly height?: number;
  /** Index of the run that keys act on. */
  readonly selected?: number;
}

/** Minimum width for the column MODEL and for longer names. */
const WIDE = 120;
/** Below this width, the columns BY and TOKENS are omitted. */
const NARROW = 76;

/** Lines of the whole view, no wider than the terminal; runs that do not fit are counted. */
export function topFrame(work: StatusWork, options: FrameOptions): string[] {
  const head = [...headLines(work, options), ''];
  const foot = footLines(work, options);
  const most =
    options.height === undefined ? work.runs.length : Math.max(1, options.height - head.length - foot.length - 3);
  return [...head, ...runLines(work, options, most), '', ...foot];
}

function headLines(
  { service, slots, workers, counts, spend, held_clients, at }: StatusWork,
  { screen, width }: FrameOptions,
): string[] {
  const { colour } = screen;
  const state = service.running
    ? service.paused
      ? colour.yellow('paused')
      : colour.green('running')
    : colour.red('no service');
  const most = slots.most === null ? '' : `/${slots.most}`;
  const first = [
    `${colour.bold('troupe top')}  ${state}`,
    `agents ${slots.taken}${most}${workers.taken === 0 ? '' : `, ${workers.taken} at workers`}`,
    ...(workers.count === 0 ? [] : [`workers ${workers.count}, ${plural(workers.free, 'slot')} free`]),
    ...(service.executor ? [cutTo(inert(service.executor), 20)] : []),
  ];
  const states = SHOWN_STATES.filter((one) => (counts[one] ?? 0) > 0).map((one) =>
    paintState(`${stateMark(one, screen)} ${counts[one]}`, one, screen),
  );
  return [
    ...folded(first, width, '   '),
    ...folded(states.length === 0 ? [colour.dim('no tasks: `troupe add "Title"`')] : states, width, '   '),
    ...folded(spendParts(spend), width, '   '),
    ...(workers.silent.length === 0 ? [] : [colour.yellow(cutTo(silentText(workers.silent, at), width))]),
    ...held_clients.map(({ text }) => colour.yellow(cutTo(inert(text), width))),
    ...(service.missing === null ? [] : [colour.yellow(cutTo(`No client: ${inert(service.missing)}`, width))]),
  ];
}

function spendParts({
  usd_today,
  usd_total,
  usd_per_day,
  usd_cap,
  usd_reserved,
  tokens_today,
  tokens_per_day,
  estimated_today,
  estimated_total,
  tokens_unpriced_today,
}: StatusWork['spend']): string[] {
  const of = (cap: string | undefined) => (cap === undefined ? '' : ` of ${cap}`);
  const estimated = estimated_today + estimated_total > 0;
  return [
    `spend: today ${formatCost(usd_today, estimated_today)}${of(usd_per_day === null ? undefined : formatMoney(usd_per_day))}`,
    `total ${formatCost(usd_total, estimated_total)}${of(usd_cap === null ? undefined : formatMoney(usd_cap))}`,
    ...(usd_reserved > 0 ? [`reserved ${formatMoney(usd_reserved)}`] : []),
    `tokens ${formatTokens(tokens_today)}${of(tokens_per_day === null ? undefined : formatTokens(tokens_per_day))}`,
    ...(tokens_unpriced_today === 0 ? [] : [`${formatTokens(tokens_unpriced_today)} of them without a price`]),
    ...(estimated ? ['~ estimated'] : []),
  ];
}

interface Cell {
  readonly title: string;
  readonly width: number;
  readonly right?: boolean;
  text(run: StatusWork['runs'][number]): string;
}

function runLines(work: StatusWork, { screen, width, selected }: FrameOptions, most: number): string[] {
  const { colour } = screen;
  if (work.runs.length === 0) {
    const hint = work.service.running
      ? '`troupe ready` lists the ready tasks.'
      : '`troupe service start` starts what is ready.';
    return [colour.dim(cutTo(`Nothing is running. ${hint}`, width))];
  }
  const cells = columns(work, width);
  const line = (texts: readonly string[]) =>
    texts
      .map((text, index) => padded(text, cells[index]))
      .join('  ')
      .trimEnd();
  const first = Math.max(0, Math.min((selected ?? 0) - most + 1, work.runs.length - most));
  const rows = work.runs.slice(first, first + most).map((run, index) => {
    const marked = first + index === selected;
    const text = `${marked ? (screen.unicode ? '›' : '>') : ' '} ${line(cells.map((cell) => cell.text(run)))}`;
    return marked ? colour.inverse(padTo(text, width)) : text;
  });
  const hidden = work.runs.length - rows.length;
  return [
    colour.dim(`  ${line(cells.map((cell) => cell.title))}`),
    ...rows,
    ...(hidden > 0 ? [colour.dim(`  and ${hidden} more`)] : []),
  ];
}

function columns(work: StatusWork, width: number): Cell[] {
  const at = Date.parse(work.at);
  const wide = width >= WIDE;
  const narrow = width < NARROW;
  const longest = (most: number, text: (run: StatusWork['runs'][number]) => string, title: string) =>
    Math.min(most, Math.max(title.length, ...work.runs.map((run) => cellsOf(text(run)))));
  const task = (run: StatusWork['runs'][number]) => inert(run.task);
  const by = (run: StatusWork['runs'][number]) => inert([run.member, run.executor].filter(Boolean).join(' / '));
  const model = (run: StatusWork['runs'][number]) => inert(run.model ?? '');
  const worker = (run: StatusWork['runs'][number]) => inert(run.worker ?? '');
  const isFar = work.runs.some((run) => run.worker !== null);
  const fixed: Cell[] = [
    { title: 'TASK', width: longest(wide ? 32 : 20, task, 'TASK'), text: task },
    ...(narrow ? [] : [{ title: 'BY', width: longest(wide ? 28 : 12, by, 'BY'), text: by }]),
    ...(isFar ? [{ title: 'AT', width: longest(wide ? 20 : 10, worker, 'AT'), text: worker }] : []),
    ...(wide ? [{ title: 'MODEL', width: longest(20, model, 'MODEL'), text: model }] : []),
    {
      title: 'TIME',
      width: 7,
      right: true,
      text: (run) => formatDuration(Math.max(0, at - Date.parse(run.started_at))),
    },
    ...(narrow
      ? []
      : [
          {
            title: 'TOKENS',
            width: 6,
            right: true,
            text: (run: StatusWork['runs'][number]) => formatTokens(run.tokens),
          },
        ]),
    { title: 'COST', width: 6, right: true, text: (run) => formatCost(run.cost_usd, run.estimated_usd) },
  ];
  const used = fixed.reduce((sum, cell) => sum + cell.width + 2, 2);
  const last = Math.max(8, width - used);
  return [...fixed, { title: 'LAST LINE', width: last, text: (run) => inert(run.last_line) }];
}

function footLines({ gates, people, at }: StatusWork, { screen, width, height }: FrameOptions): string[] {
  const { colour } = screen;
  const most = height !== undefined && height < 30 ? 3 : 8;
  const row = (state: string) => (claim: Held) => {
    const since = Date.parse(claim.since ?? '');
    const time = Number.isNaN(since) ? '' : `  ${formatDuration(Math.max(0, Date.parse(at) - since))}`;
    const who = claim.who === null ? '' : `  ${inert(claim.who)}`;
    const look = shownState(state, false);
    const glyph = paintState(stateMark(look, screen, ''), look, screen);
    return `  ${glyph}${cutTo(`${inert(claim.task)}  ${inert(claim.title)}${who}${time}`, width - 6)}`;
  };
  const part = (title: string, rows: readonly Held[], state: string) =>
    rows.length === 0
      ? []
      : [
          colour.bold(`${title} (${rows.length})`),
          ...rows.slice(0, most).map(row(state)),
          ...(rows.length > most ? [colour.dim(`  and ${rows.length - most} more`)] : []),
        ];
  return [...part('Waiting for a verdict', gates, 'pending-validation'), ...part('With people', people, 'in-progress')];
}

/** Distributes the parts over as many lines as they need. */
function folded(parts: readonly string[], width: number, gap: string): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last !== undefined && plainLength(`${last}${gap}${part}`) <= width)
      lines[lines.length - 1] = `${last}${gap}${part}`;
    else lines.push(part);
  }
  return lines;
}

/** Width in cells, without colour codes. */
function plainLength(text: string): number {
  return cellsOf(text.replace(/\u001b\[[0-9;]*m/g, ''));
}

function padded(text: string, cell: Cell | undefined): string {
  const width = cell?.width ?? 0;
  return padTo(cutTo(text, width), width, cell?.right);
}
