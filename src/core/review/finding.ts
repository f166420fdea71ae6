import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { compareText } from '#kernel/order.js';

/** Severities, from urgent to informational. */
export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Confidence of a finding: observed, inferred from what is usual, or possibly something else. */
export const CONFIDENCES = ['certain', 'likely', 'possible'] as const;
export type Confidence = (typeof CONFIDENCES)[number];

export const findingSchema = z.strictObject({
  /** Stable across reviews, so that reports can be compared. */
  id: z.string(),
  severity: z.enum(SEVERITIES),
  /** Absent in reports of earlier versions. */
  confidence: z._default(z.enum(CONFIDENCES), 'certain'),
  title: z.string(),
  detail: z.string(),
  /** Relative to the top of the repository, with `/`. Untrusted text; sanitised for display. */
  file: z.optional(z.string()),
  line: z.optional(z.number()),
  rule: z.string(),
  /** Instruction for the fix. */
  remedy: z.string(),
});

export type Finding = z.infer<typeof findingSchema>;

/** Input for a finding; `certain` by default. */
export type FindingFacts = Omit<Finding, 'id' | 'confidence'> & { readonly confidence?: Confidence };

/**
 * Creates a finding with its id. `subject` distinguishes findings of one rule in one file. The line is not part of the
 * id, so that an edit above does not make an old finding look new.
 */
export function finding(facts: FindingFacts, subject = ''): Finding {
  const digest = createHash('sha256')
    .update(JSON.stringify([facts.rule, facts.file ?? '', subject]))
    .digest('hex');
  return { id: `${facts.rule}-${digest.slice(0, 12)}`, confidence: 'certain', ...facts };
}

/** Orders by severity; equal ones by rule, file, line and id, so that the order does not depend on timing. */
export function compareFindings(left: Finding, right: Finding): number {
  return (
    SEVERITIES.indexOf(left.severity) - SEVERITIES.indexOf(right.severity) ||
    compareText(left.rule, right.rule) ||
    compareText(left.file ?? '', right.file ?? '') ||
    (left.line ?? 0) - (right.line ?? 0) ||
    compareText(left.id, right.id)
  );
}

export function countBySeverity(findings: readonly Finding[]): Record<Severity, number> {
  const counts: Record<Severity, number> = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
  for (const item of findings) counts[item.severity]++;
  return counts;
}

export interface SeverityLook {
  readonly glyph: string;
  /** Replacement for terminals and files without this glyph. */
  readonly ascii: string;
  /** Text colour on the light and the dark page; both reach a contrast of 4.5 : 1, also on the panels of a report. */
  readonly light: string;
  readonly dark: string;
}

/**
 * Appearance of each severity; its word is its name. The glyphs differ from those of task statuses, so that a medium
 * finding does not look like a running task.
 */
export const SEVERITY_LOOK: Readonly<Record<Severity, SeverityLook>> = {
  critical: { glyph: '▲', ascii: '!!!', light: '#B3261E', dark: '#FF8A80' },
  high: { glyph: '△', ascii: '!!', light: '#9A4A00', dark: '#FFB27A' },
  medium: { glyph: '▸', ascii: '!', light: '#8A5A00', dark: '#F0B84A' },
  low: { glyph: '▹', ascii: '-', light: '#1D5FD1', dark: '#7FB0FF' },
  info: { glyph: '·', ascii: '.', light: '#5B6472', dark: '#9AA4B2' },
};
