import type { ReviewPlan } from '#core/review/plan.js';
import type { Report } from '#core/review/report.js';

export interface GateInput {
  readonly plan: ReviewPlan;
  readonly report?: Report | undefined;
  readonly markdown?: string | undefined;
  readonly html?: string | undefined;
  /** The pages, rendered again from the report. */
  readonly expected?: { readonly markdown: string; readonly html: string } | undefined;
}

/**
 * Checks a report for the leader. Returns its problems as sentences; an empty list approves it. Checks whether the
 * review is complete and honest, not whether the repository is good.
 */
export function judgeReport(input: GateInput): string[] {
  const { plan, report, expected } = input;
  if (!report) return ['There is no report.json, or it cannot be parsed.'];
  const problems: string[] = [];
  if (report.review !== plan.review || report.head !== plan.head)
    problems.push('The report belongs to another review.');
  const steps = new Map(report.steps.map((step) => [step.node, step]));
  const explained = new Set(
    report.findings.filter((item) => item.rule === 'step-without-result').map((item) => item.node),
  );
  for (const step of plan.steps) {
    const stepReport = steps.get(step.node);
    if (!stepReport) problems.push(`“${step.title}” is missing from the report.`);
    else if (step.type === 'run' && !stepReport.has_evidence && !explained.has(step.node)) {
      problems.push(`“${step.title}” has neither evidence nor a finding that explains why.`);
    }
  }
  for (const [file, is, should] of [
    ['report.md', input.markdown, expected?.markdown],
    ['report.html', input.html, expected?.html],
  ] as const) {
    if (is === undefined) problems.push(`${file} is missing.`);
    else if (is !== should) problems.push(`${file} does not match report.json.`);
  }
  return problems;
}
