import { SEVERITIES } from '#core/review/finding.js';
import { checksOf, type FirstThing, type Report, type StepFinding, type StepReport } from '#core/review/report.js';
import { formatDuration } from '#kernel/duration.js';

/** `2 high, 3 medium and 1 low`, followed by the number of informational findings. */
export function countsSentence(counts: Report['counts']): string {
  const parts = SEVERITIES.filter((severity) => severity !== 'info' && counts[severity] > 0).map(
    (severity) => `${counts[severity]} ${severity}`,
  );
  const notes =
    counts.info === 0 ? '' : ` ${counts.info} ${counts.info === 1 ? 'note is' : 'notes are'} for information only.`;
  if (parts.length === 0) return `No problems were found.${notes}`;
  const last = parts.pop();
  const list = parts.length === 0 ? last : `${parts.join(', ')} and ${last}`;
  const total = SEVERITIES.filter((severity) => severity !== 'info').reduce(
    (sum, severity) => sum + counts[severity],
    0,
  );
  return `${total} ${total === 1 ? 'finding' : 'findings'}: ${list}.${notes}`;
}

/** ` 1 of 3 checks finished.`; empty without checks. */
export function checksSentence({ total, finished }: ReturnType<typeof checksOf>): string {
  return total === 0 ? '' : ` ${finished} of ${total} ${total === 1 ? 'check' : 'checks'} finished.`;
}

/** Number of completed steps, and total duration. */
export function stepsSentence(report: Report): string {
  const runs = report.steps.filter((step) => step.type === 'run');
  const completed = runs.filter((step) => step.has_evidence).length;
  const members = new Set(report.steps.map((step) => step.member)).size;
  const took = formatDuration(Math.max(0, Date.parse(report.finished_at) - Date.parse(report.started_at)));
  const by = `by ${members} ${members === 1 ? 'member' : 'members'} in ${took}`;
  return `${completed} of ${runs.length} steps completed, ${by}.${checksSentence(checksOf(report))}`;
}

/** Reason for the rank of a finding: the three criteria of the ranking, in order. */
export function reasonOf(thing: FirstThing): string {
  const places = `${thing.places} ${thing.places === 1 ? 'place' : 'places'}`;
  return `${thing.severity}, ${thing.effort === 'minutes' ? 'minutes' : `about ${thing.effort}`}, ${places}`;
}

export function findingPlace(item: Pick<StepFinding, 'file' | 'line'>): string {
  return item.file === undefined ? '' : `${item.file}${item.line === undefined ? '' : `:${item.line}`}`;
}

/** `exit 0 · 2s`, as far as known. */
export function stepOutcome(step: StepReport): string {
  const parts: string[] = [];
  if (step.check !== undefined && step.check !== 'finished') parts.push(step.check.replace('-', ' '));
  else if (step.exit_code !== null) parts.push(`exit ${step.exit_code}`);
  else if (step.has_evidence) parts.push('no exit code');
  if (step.duration_ms !== null) parts.push(formatDuration(step.duration_ms));
  return parts.join(' · ');
}

/** Note beside an uncertain finding; otherwise empty. */
export function doubtOf({ confidence }: Pick<StepFinding, 'confidence'>): string {
  return confidence === 'certain' ? '' : `(${confidence})`;
}

/** Explanation of the ranking, shown below the three things. */
export const RANKING_SENTENCE = 'Certain findings only, ranked by severity, effort and number of places.';

export const NOTHING_FIRST = 'Nothing is urgent.';

export const RUN_SENTENCE: Readonly<Record<Report['run'], string>> = {
  fast: 'The repository’s quick checks were run in a scratch copy (`--run fast`).',
  all: 'All checks of the repository were run in a scratch copy (`--run all`).',
  none: 'The repository was only read, nothing was run (`--run none`).',
};

/** `2026-11-21 14:03 UTC` */
export function shownMoment(time: string): string {
  return `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`;
}
