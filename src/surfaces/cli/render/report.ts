import { cellsOf } from '#kernel/cells.js';
import type { AnswerOf, Renderers, Screen } from '#surfaces/cli/screen.js';
import type { AnalysisSection } from './analysis-words.js';
import { printBlocked, printWhyBlocked } from './blocking.js';
import {
  printAging,
  printCost,
  printForecast,
  printResources,
  printStats,
  printVelocity,
  printWorkload,
} from './figures.js';
import {
  printBottlenecks,
  printCriticalPath,
  printCycles,
  printImpact,
  printParallel,
  printRecent,
  printStructure,
  printWorkPlan,
} from './structure.js';

type SectionKey = keyof AnswerOf<'analysis.report'>;
type SectionPrinter<Key extends SectionKey> = readonly [
  title: string,
  print: (section: AnalysisSection<Key>, screen: Screen) => void,
];

const PRINTERS: { readonly [Key in SectionKey]: SectionPrinter<Key> } = {
  stats: ['Statistics', printStats],
  forecast: ['Forecast', printForecast],
  velocity: ['Velocity', printVelocity],
  critical_path: ['Longest chain', printCriticalPath],
  bottlenecks: ['Bottlenecks', printBottlenecks],
  structure: ['Structure', printStructure],
  cycles: ['Cycles', printCycles],
  workload: ['Workload', printWorkload],
  aging: ['Age of unfinished tasks', printAging],
  resources: ['Resources', printResources],
  parallel: ['At the same time', printParallel],
  recent: ['Ended recently', printRecent],
  plan: ['Plan', printWorkPlan],
  why_blocked: ['Blocked by', printWhyBlocked],
  blocked: ['Direct blockers', printBlocked],
  impact: ['Impact', printImpact],
  cost: ['Cost', printCost],
};

/** Maximum width of the line above a section. */
const RULE_COLUMNS = 80;

/** Prints the sections one after the other, each below its title if there are several. */
function renderAnalysisReport(report: AnswerOf<'analysis.report'>, screen: Screen): void {
  const isEmpty = report.stats?.total_tasks === 0; // then every section says the same
  const keys = (Object.keys(PRINTERS) as SectionKey[]).filter((key) =>
    isEmpty ? key === 'stats' : report[key] !== undefined,
  );
  for (const [place, key] of keys.entries()) {
    if (place > 0) screen.line();
    if (keys.length > 1) printTitle(PRINTERS[key][0], screen);
    printSection(key, report, screen);
  }
}

function printSection<Key extends SectionKey>(key: Key, report: AnswerOf<'analysis.report'>, screen: Screen): void {
  const [, print] = PRINTERS[key];
  print(report[key] as AnalysisSection<Key>, screen);
}

function printTitle(title: string, screen: Screen): void {
  const { colour, unicode, width } = screen;
  const dash = unicode ? '─' : '-';
  const rest = Math.max(0, Math.min(width, RULE_COLUMNS) - cellsOf(title) - 4);
  screen.line(`${colour.dim(dash.repeat(2))} ${colour.bold(title)} ${colour.dim(dash.repeat(rest))}`);
}

export const renderers = { 'analysis.report': renderAnalysisReport } satisfies Partial<Renderers>;
