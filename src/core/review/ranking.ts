import { compareFindings, type Finding, SEVERITIES, type Severity } from '#core/review/finding.js';
import { compareText } from '#kernel/order.js';

/** Estimated effort: minutes, an hour, a day. */
export const EFFORTS = ['minutes', 'an hour', 'a day'] as const;
export type Effort = (typeof EFFORTS)[number];

/** Usual effort to fix findings of each rule, and a title for several findings. */
const RULES: Readonly<Record<string, { readonly effort: Effort; readonly many?: string }>> = {
  'leaked-secret': { effort: 'an hour', many: 'Secrets seem to be in the repository' },
  'secret-file-tracked': { effort: 'minutes', many: 'Files that usually hold secrets are tracked' },
  'command-unit-failed': { effort: 'an hour', many: 'Unit tests fail' },
  'command-test-failed': { effort: 'an hour', many: 'Tests fail' },
  'command-typecheck-failed': { effort: 'an hour', many: 'Type checks fail' },
  'command-lint-failed': { effort: 'minutes', many: 'Linters fail' },
  'command-timeout': { effort: 'an hour', many: 'Checks time out' },
  'command-not-run': { effort: 'minutes', many: 'Some checks could not be run' },
  'dependencies-not-copied': { effort: 'an hour' },
  'step-without-result': { effort: 'minutes', many: 'Steps of this review have no result' },
  'broken-link': { effort: 'minutes', many: 'Links in documents are broken' },
  'broken-links-alike': { effort: 'minutes', many: 'Links of whole folders lead nowhere in the repository' },
  'missing-image': { effort: 'minutes', many: 'Images in documents are missing' },
  'no-lockfile': { effort: 'minutes', many: 'Dependencies are not locked' },
  'copyleft-licence': { effort: 'an hour', many: 'Dependencies have copyleft licences' },
  'unclear-licence': { effort: 'an hour' },
  'manifest-invalid': { effort: 'minutes', many: 'Manifests cannot be parsed' },
  hotspot: { effort: 'a day', many: 'Long files change often' },
  todo: { effort: 'an hour', many: 'Notes were left for later' },
  'large-file': { effort: 'an hour', many: 'Large files are tracked' },
  'built-file-tracked': { effort: 'minutes', many: 'Built files are tracked' },
  'missing-readme': { effort: 'an hour' },
  'missing-license': { effort: 'minutes' },
  'missing-tests': { effort: 'a day' },
  'missing-ci': { effort: 'an hour' },
  'missing-gitignore': { effort: 'minutes' },
  'missing-contributing': { effort: 'an hour' },
  'missing-security': { effort: 'minutes' },
  'missing-docs': { effort: 'a day' },
  'unreadable-file': { effort: 'minutes', many: 'Tracked files cannot be read' },
  'file-not-searched': { effort: 'minutes', many: 'Files are too large to search' },
};

/** Findings of one rule, which are usually fixed together. */
export interface FindingGroup<Item extends Finding = Finding> {
  readonly rule: string;
  /** Highest severity in the group. */
  readonly severity: Severity;
  readonly title: string;
  readonly effort: Effort;
  /** Sorted by severity, highest first. Never empty. */
  readonly findings: readonly Item[];
}

export function effortOf(rule: string): Effort {
  return RULES[rule]?.effort ?? 'an hour';
}

/** Groups findings by rule, in the order to fix them: by severity, then least effort, then most places, then name. */
export function groupFindings<Item extends Finding>(findings: readonly Item[]): FindingGroup<Item>[] {
  const byRule = new Map<string, Item[]>();
  for (const item of [...findings].sort(compareFindings)) {
    const group = byRule.get(item.rule);
    if (group) group.push(item);
    else byRule.set(item.rule, [item]);
  }
  const groups: FindingGroup<Item>[] = [];
  for (const [rule, items] of byRule) {
    const [first] = items;
    if (!first) continue;
    const title = items.length === 1 ? first.title : (RULES[rule]?.many ?? first.title);
    groups.push({ rule, severity: first.severity, title, effort: effortOf(rule), findings: items });
  }
  return groups.sort(
    (left, right) =>
      SEVERITIES.indexOf(left.severity) - SEVERITIES.indexOf(right.severity) ||
      EFFORTS.indexOf(left.effort) - EFFORTS.indexOf(right.effort) ||
      right.findings.length - left.findings.length ||
      compareText(left.rule, right.rule),
  );
}

/** A failed inspection of ours is not a task for the repository. */
const OWN_FAILURE = 'step-without-result';
/** Reasons why a check has no result. They rank first, because nothing is known about the checked part. */
const UNFINISHED: readonly string[] = ['command-not-run', 'command-timeout'];

/** The first three groups to fix: checks without a result, then certain findings above `info`. */
export function firstThings<Item extends Finding>(findings: readonly Item[]): FindingGroup<Item>[] {
  const isUnfinished = ({ rule }: Finding) => UNFINISHED.includes(rule);
  const certain = findings.filter(
    (item) =>
      item.confidence === 'certain' && item.severity !== 'info' && item.rule !== OWN_FAILURE && !isUnfinished(item),
  );
  return [...groupFindings(findings.filter(isUnfinished)), ...groupFindings(certain)].slice(0, 3);
}
