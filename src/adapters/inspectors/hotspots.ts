import type { TrackedFileReader } from '#adapters/inspectors/tracked-files.js';
import { type Finding, finding } from '#core/review/finding.js';
import { churnFrom, type Hotspot, hotspotsOf } from '#core/review/history.js';
import type { ReviewPlan } from '#core/review/plan.js';
import { isGeneratedText, isTest } from '#core/review/samples.js';
import { LIMITS } from '#kernel/limits.js';
import { inert } from '#kernel/text.js';
import type { Git } from '#ports/git.js';
import type { InspectionResult } from '#ports/inspector.js';

/** How many spots are kept for the plot, and how many files are measured to find them. */
const SPOTS_KEPT = 40;
const FILES_MEASURED = 400;
/** A file is called a hot spot from here on: long enough to be hard to read, changed often enough to be read a lot. */
const HOT_LINES = 300;
const HOT_COMMITS = 8;
/** Fewer lines than these in a year are a detail here and there. */
const HOT_CHURN = 100;
/** Documents, data and settings grow with everything else, as tests do: nobody takes a part out of them and tests it. */
const GROWING =
  /(^|\/)(changelog|changes|history|news|releases?)[^/]*$|\.(md|mdx|markdown|rst|adoc|txt|json|ya?ml|toml|csv|xml|po|arb|resx|properties|lock)$/i;

/** Sets how often each file changed in the last twelve months against how long it is now. */
export async function hotspots(
  git: Git,
  reader: TrackedFileReader,
  plan: ReviewPlan,
  files: readonly string[],
): Promise<InspectionResult> {
  const since = new Date(plan.started_at);
  since.setUTCMonth(since.getUTCMonth() - LIMITS.historyMonths);
  const words = [
    'log',
    `--since=${since.toISOString()}`,
    `--max-count=${LIMITS.historyCommits}`,
    '--no-merges',
    '--numstat',
    '-z',
    '--no-renames',
    '--no-ext-diff',
    '--no-textconv',
    '--format=%x01%an <%ae>',
    plan.head,
    '--',
  ];
  const { commits, touched } = churnFrom(await git.output(plan.repository, words));
  const tracked = new Set(files);
  const busiest = [...touched]
    .filter(([file]) => tracked.has(file))
    .sort(([, left], [, right]) => right.commits - left.commits || right.churn - left.churn)
    .slice(0, FILES_MEASURED)
    .map(([file]) => file);
  const lines = new Map<string, number>();
  for await (const { file, text } of reader.texts(busiest))
    lines.set(file, text === '' || isGeneratedText(text) ? 0 : text.split('\n').length);
  const spots = hotspotsOf(touched, lines).slice(0, SPOTS_KEPT);
  const isHot = ({ file, lines: long, commits: often, churn }: Hotspot) =>
    long >= HOT_LINES && often >= HOT_COMMITS && churn >= HOT_CHURN && !GROWING.test(file) && !isTest(file);
  const hot = spots.filter(isHot).slice(0, 5);
  const top = spots.slice(0, 5).map((spot) => `${spot.commits} commits, ${spot.lines} lines: ${inert(spot.file)}`);
  return {
    command: `git log --numstat --since=${since.toISOString().slice(0, 10)}`,
    exit_code: 0,
    output: [`${commits} commits in ${LIMITS.historyMonths} months touched ${touched.size} files.`, ...top].join('\n'),
    findings: [...hot.map(hotspotFinding), ...reader.findings('hotspots')],
    facts: { commits, files: touched.size, months: LIMITS.historyMonths, spots },
  };
}

function hotspotFinding(spot: Hotspot): Finding {
  return finding({
    severity: 'low',
    title: 'A long file changes often',
    detail: `${spot.commits} commits by ${spot.authors} ${spot.authors === 1 ? 'person' : 'people'} in ${LIMITS.historyMonths} months changed ${spot.churn} lines; it has ${spot.lines}.`,
    file: spot.file,
    rule: 'hotspot',
    remedy: 'Move the part that changes most into its own file, with tests.',
  });
}
