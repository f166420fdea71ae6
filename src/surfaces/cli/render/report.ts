import { cellsOf } from '#kernel/cells.js';
import type { AnswerOf, Renderers, Screen } from '#surfaces/cli/screen.js';
import type { AnalysisSection, SectionKey, Sections } from './analysis-words.js';
import { blockingSections } from './blocking.js';
import { figuresSections } from './figures.js';
import { structureSections } from './structure.js';

const SECTIONS: Sections = { ...figuresSections, ...structureSections, ...blockingSections };

const ORDER: readonly SectionKey[] = [
  ...(['stats', 'forecast', 'velocity', 'critical_path', 'bottlenecks', 'structure', 'cycles', 'workload'] as const),
  ...(['aging', 'resources', 'parallel', 'recent', 'plan', 'why_blocked', 'blocked', 'impact', 'cost'] as const),
];

/** Maximum width of the line above a section. */
const RULE_COLUMNS = 80;

function printSection<Key extends SectionKey>(key: Key, report: AnswerOf<'analysis.report'>, screen: Screen): void {
  const [, print] = SECTIONS[key];
  print(report[key] as AnalysisSection<Key>, screen);
}

function printTitle(title: string, screen: Screen): void {
  const { colour, unicode, width } = screen;
  const dash = unicode ? '─' : '-';
  const rest = Math.max(0, Math.min(width, RULE_COLUMNS) - cellsOf(title) - 4);
  screen.line(`${colour.dim(dash.repeat(2))} ${colour.bold(title)} ${colour.dim(dash.repeat(rest))}`);
}

export const renderers = {
  /** Prints the sections one after the other, each below its title if there are several. */
  'analysis.report': (report, screen) => {
    const isEmpty = report.stats?.total_tasks === 0; // then every section says the same
    const keys = ORDER.filter((key) => (isEmpty ? key === 'stats' : report[key] !== undefined));
    for (const [place, key] of keys.entries()) {
      if (place > 0) screen.line();
      if (keys.length > 1) printTitle(SECTIONS[key][0], screen);
      printSection(key, report, screen);
    }
  },
} satisfies Partial<Renderers>;
