import type { Severity } from '#core/review/finding.js';

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
