import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { compareText } from '#kernel/order.js';

/** From the one that cannot wait to the one that is only good to know. */
export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** How sure a finding is: seen, worked out by what is usual, or perhaps something else. */
export const CONFIDENCES = ['certain', 'likely', 'possible'] as const;
export type Confidence = (typeof CONFIDENCES)[number];

export const findingSchema = z.strictObject({
  /** The same for the same thing in every review, so that two reports can be compared. */
  id: z.string(),
  severity: z.enum(SEVERITIES),
  /** Reports of earlier versions do not say. */
  confidence: z._default(z.enum(CONFIDENCES), 'certain'),
  title: z.string(),
  detail: z.string(),
  /** Below the top of the repository, with `/`. Foreign text: shown inert. */
  file: z.optional(z.string()),
  line: z.optional(z.number()),
  rule: z.string(),
  /** What to do, as an order one can follow. */
  remedy: z.string(),
});

export interface Finding {
  readonly id: string;
  readonly severity: Severity;
  readonly confidence: Confidence;
  readonly title: string;
  readonly detail: string;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly rule: string;
  readonly remedy: string;
}

/** What a finding is made of; it is certain where nothing else is said. */
export type FindingFacts = Omit<Finding, 'id' | 'confidence'> & { readonly confidence?: Confidence };

/**
 * A finding with its id. `subject` tells apart findings of one rule in one file; the line does not take part, so that
 * an edit above it does not make an old finding look new.
 */
export function finding(facts: FindingFacts, subject = ''): Finding {
  const digest = createHash('sha256')
    .update(JSON.stringify([facts.rule, facts.file ?? '', subject]))
    .digest('hex');
  return { id: `${facts.rule}-${digest.slice(0, 12)}`, confidence: 'certain', ...facts };
}

/** Severest first; equal ones by rule, file, line and id, so that the order never depends on who was faster. */
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
  /** For terminals and files that have no such glyph. */
  readonly ascii: string;
  /** Text colour on white and on the dark page; both reach a contrast of 4.5 : 1, also on the panels of a report. */
  readonly light: string;
  readonly dark: string;
}

/**
 * The one table of how a severity looks; its word is its name. The signs are none of those of the statuses: a medium
 * finding is not a running task.
 */
export const SEVERITY_LOOK: Readonly<Record<Severity, SeverityLook>> = {
  critical: { glyph: '▲', ascii: '!!!', light: '#B3261E', dark: '#FF8A80' },
  high: { glyph: '△', ascii: '!!', light: '#9A4A00', dark: '#FFB27A' },
  medium: { glyph: '▸', ascii: '!', light: '#8A5A00', dark: '#F0B84A' },
  low: { glyph: '▹', ascii: '-', light: '#1D5FD1', dark: '#7FB0FF' },
  info: { glyph: '·', ascii: '.', light: '#5B6472', dark: '#9AA4B2' },
};
