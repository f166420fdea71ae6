import { STATUS_LOOK } from '#core/graph/status-look.js';
import { SEVERITIES, SEVERITY_LOOK, type Severity } from '#core/review/finding.js';
import { checksSentence, countsSentence, NOTHING_FIRST, reasonOf } from '#core/review/words.js';
import { cutTo, wrap } from '#kernel/cells.js';
import { formatDuration } from '#kernel/duration.js';
import { inert } from '#kernel/text.js';
import type { ReviewSummary } from '#operations/review/shapes.js';
import { type Renderers, type Screen, sharedBy } from '#surfaces/cli/screen.js';
import { printTable } from '#surfaces/cli/table.js';

const BAR_MOST = 32;
const PROSE_MOST = 88;

function bars(summary: ReviewSummary, screen: Screen): void {
  const most = Math.max(1, ...SEVERITIES.map((severity) => summary.counts[severity]));
  const block = screen.unicode ? '━' : '#';
  for (const severity of SEVERITIES) {
    const count = summary.counts[severity];
    if (count === 0) continue;
    const look = SEVERITY_LOOK[severity];
    const length = Math.max(1, Math.round((count / most) * Math.min(BAR_MOST, Math.max(8, screen.width - 24))));
    const sign = screen.unicode ? look.glyph : look.ascii.padEnd(3);
    const name = `${sign} ${severity}`.padEnd(screen.unicode ? 11 : 13);
    screen.line(`${toned(screen, severity, `${name}${block.repeat(length)}`)} ${count}`);
  }
}

function toned(screen: Screen, severity: Severity, text: string): string {
  const { colour } = screen;
  if (severity === 'critical') return colour.bold(colour.red(text));
  if (severity === 'high') return colour.red(text);
  if (severity === 'medium') return colour.yellow(text);
  return severity === 'low' ? colour.blue(text) : colour.dim(text);
}

/** Breaks lines at spaces, at the width of the screen but at most `PROSE_MOST` columns, to stay readable. */
function wrapped(text: string, width: number): string[] {
  return wrap(text, Math.max(20, Math.min(width, PROSE_MOST)));
}

export const renderers = {
  /** Prints the findings of a step, as also stored in the log of its task. */
  'review.inspect': (inspection, screen) => {
    const { colour } = screen;
    screen.line(colour.bold(inert(inspection.title)));
    screen.line(colour.dim(`$ ${inert(inspection.command)}`));
    for (const line of inert(inspection.output_excerpt, true).split('\n')) screen.line(line);
    const totals = SEVERITIES.filter((severity) => inspection.counts[severity] > 0).map(
      (severity) => `${inspection.counts[severity]} ${severity}`,
    );
    const exit = inspection.exit_code === null ? 'no exit code' : `exit ${inspection.exit_code}`;
    screen.line(
      `${exit}, ${formatDuration(inspection.duration_ms)}, ${totals.length === 0 ? 'no findings' : `findings: ${totals.join(', ')}`}`,
    );
    screen.aside(colour.dim(`Evidence: ${inert(inspection.evidence)}`));
  },
  /** Prints recommendations, then the numbers of findings, then the path of the report. */
  ...sharedBy(['review.report', 'review.summary'], (summary, screen) => {
    const { colour } = screen;
    screen.line(colour.bold(`Review of ${inert(summary.name)}`));
    const took = formatDuration(summary.took_ms);
    const { steps, checks } = summary;
    screen.line(colour.dim(`${steps.with_result} of ${steps.total} steps completed in ${took}; no model was asked.`));
    if (checks.total > 0) {
      const paint = checks.finished < checks.total ? colour.yellow : colour.dim;
      screen.line(paint(checksSentence(checks).trim()));
    }
    screen.line();
    screen.line(colour.bold('Do first'));
    if (summary.first.length === 0) screen.line(NOTHING_FIRST);
    for (const [index, thing] of summary.first.entries()) {
      const number = toned(screen, thing.severity, `${index + 1}`);
      const title = wrapped(inert(thing.title), screen.width - 3);
      screen.line(`${number}  ${colour.bold(title[0] ?? '')}`);
      for (const line of title.slice(1)) screen.line(`   ${colour.bold(line)}`);
      for (const line of wrapped(inert(thing.remedy).replaceAll('`', ''), screen.width - 3)) screen.line(`   ${line}`);
      const where = thing.where.map((place) => inert(place)).join(', ');
      screen.line(
        `   ${colour.dim(cutTo(`${reasonOf(thing)}${where === '' ? '' : `: ${where}`}`, Math.max(20, screen.width - 3)))}`,
      );
    }
    screen.line();
    screen.line(colour.bold('Findings'));
    screen.line(countsSentence(summary.counts));
    bars(summary, screen);
    screen.line();
    screen.line(colour.bold('Report'));
    screen.line(`${inert(summary.files.html)}  ${colour.dim('(as text: report.md; as data: report.json)')}`);
  }),
  'review.check': (checked, screen) => {
    for (const warning of checked.warnings) screen.aside(`${screen.colour.yellow('warning:')} ${inert(warning)}`);
    const look = STATUS_LOOK.done;
    const sign = screen.colour.green(screen.unicode ? look.glyph : look.ascii);
    screen.line(
      `${sign} Review “${inert(checked.review)}” is complete: ${checked.steps} steps, ${checked.findings} findings, and its files agree.`,
    );
  },
  /** Prints the commands of the repository that a review would run, and the command to trust them. */
  'review.checks': ({ checks, trusted }, screen) => {
    if (checks.length === 0) return screen.line('A review would run no command of this repository.');
    printTable(screen, checks, [
      ['command…'],
      { title: 'FOLDER', text: ({ folder }) => inert(folder === '' ? '.' : folder) },
      { title: 'FOR', text: ({ title, command }) => inert(title.replace(`: ${command}`, '')), flexible: true },
    ]);
    if (trusted) return;
    screen.aside(`They run only after you have trusted them: ${screen.colour.cyan('troupe trust --show')}`);
  },
} satisfies Partial<Renderers>;
