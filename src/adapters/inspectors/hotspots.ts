import type { TrackedFileReader } from '#adapters/inspectors/tracked-files.js';
import { type Finding, finding } from '#core/review/finding.js';
import { churnFrom, type Hotspot, hotspotsOf } from '#core/review/history.js';
import type { ReviewPlan } from '#core/review/plan.js';
import { isGeneratedText, isTest } from '#core/review/samples.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { cut, inert } from '#kernel/text.js';
import type { Git } from '#ports/git.js';
import type { InspectionResult } from '#ports/inspector.js';

/** Maximum spots in the plot, and maximum files measured to find them. */
const SPOTS_KEPT = 40;
const FILES_MEASURED = 400;
/**
 * Minimum lines and commits of a hot spot: long enough to be hard to read, and changed often enough to be read a lot.
 */
const HOT_LINES = 300;
const HOT_COMMITS = 8;
const PART_CHARACTERS = 80;
/** Minimum lines changed in a year; fewer are details. */
const HOT_CHURN = 100;
/**
 * Source code, from which a part can be extracted and tested. Documents, data and settings grow with everything else.
 */
const CODE =
  /(?<!\.d)\.([cm]?[jt]sx?|vue|svelte|py|rb|php|go|rs|java|kts?|scala|swift|[ch](c|pp|xx)?|mm?|cs|fs|ex|exs|erl|clj|hs|ml|lua|pl|r|jl|dart|sh)$/i;
/** Translated user-interface texts. */
const MESSAGES = /(^|\/)(messages|locales?|translations?|i18n|lang)[./]/i;

/** Relates how often each file changed in the last twelve months to its current length. */
export async function hotspots(
  git: Git,
  reader: TrackedFileReader,
  plan: ReviewPlan,
  files: readonly string[],
): Promise<InspectionResult> {
  const since = new Date(plan.started_at);
  since.setUTCMonth(since.getUTCMonth() - SURFACE_LIMITS.historyMonths);
  const words = [
    'log',
    `--since=${since.toISOString()}`,
    `--max-count=${SURFACE_LIMITS.historyCommits}`,
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
    lines.set(file, text === '' || isGeneratedText(text) ? 0 : text.replace(/\n$/, '').split('\n').length);
  const spots = hotspotsOf(touched, lines).slice(0, SPOTS_KEPT);
  const isHot = ({ file, lines: long, commits: often, churn }: Hotspot) =>
    long >= HOT_LINES &&
    often >= HOT_COMMITS &&
    churn >= HOT_CHURN &&
    CODE.test(file) &&
    !MESSAGES.test(file) &&
    !isTest(file);
  const hot: { spot: Hotspot; part: string | undefined }[] = [];
  for (const spot of spots.filter(isHot).slice(0, 5))
    hot.push({ spot, part: await busiestPart(git, plan, words[1] ?? '', spot.file) });
  const top = spots.slice(0, 5).map((spot) => `${spot.commits} commits, ${spot.lines} lines: ${inert(spot.file)}`);
  return {
    command: `git log --numstat --since=${since.toISOString().slice(0, 10)}`,
    exit_code: 0,
    output: [
      `${commits} commits in ${SURFACE_LIMITS.historyMonths} months touched ${touched.size} files.`,
      ...top,
    ].join('\n'),
    findings: [...hot.map(hotspotFinding), ...reader.findings('hotspots')],
    facts: { commits, files: touched.size, months: SURFACE_LIMITS.historyMonths, spots },
  };
}

/** The function whose lines were changed most often, from the hunk headers of git diffs. */
async function busiestPart(git: Git, plan: ReviewPlan, since: string, file: string): Promise<string | undefined> {
  const form = ['--no-merges', '--no-renames', '--no-ext-diff', '--no-textconv', '--format=', '--unified=0'];
  const text = await git.tryOutput(plan.repository, ['log', since, ...form, plan.head, '--', file]);
  const counts = new Map<string, number>();
  for (const [, part = ''] of (text ?? '').matchAll(/^@@ [^@\n]* @@ (.+)$/gm))
    counts.set(part, (counts.get(part) ?? 0) + 1);
  const [most] = [...counts].sort(([, left], [, right]) => right - left);
  return most && `${cut(inert(most[0]), PART_CHARACTERS)} (${most[1]} times)`;
}

function hotspotFinding({ spot, part }: { spot: Hotspot; part: string | undefined }): Finding {
  return finding({
    severity: 'low',
    title: 'A long file changes often',
    detail: `${spot.commits} commits by ${spot.authors} ${spot.authors === 1 ? 'person' : 'people'} in ${SURFACE_LIMITS.historyMonths} months changed ${spot.churn} lines; it has ${spot.lines}.${part === undefined ? '' : ` Most often: ${part}.`}`,
    file: spot.file,
    rule: 'hotspot',
    remedy: 'Move the part that changes most into its own file, with tests.',
  });
}
