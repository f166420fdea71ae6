import { isJsonObject } from '#kernel/json.js';
import { SWEEP_LIMITS } from '#kernel/limits/sweep.js';
import { redact } from '#kernel/secrets.js';
import { cut, inert } from '#kernel/text.js';
import type { MergedEntry, ThinSlice } from './merge-entries.js';
import type { EntryJudgement } from './verification.js';

/** A finding, with the entries it cites. */
export interface CitedFinding {
  readonly text: string;
  readonly entries: readonly string[];
}

export interface Synthesis {
  readonly findings: readonly CitedFinding[];
  /** Number of findings dropped, because they cite no remaining entry. */
  readonly dropped: number;
}

/** Parses the synthesiser's file: findings that cite no remaining entry are dropped. */
export function readSynthesis(data: unknown, entries: ReadonlySet<string>): Synthesis {
  const list = isJsonObject(data) && Array.isArray(data['findings']) ? data['findings'] : [];
  const findings = list.slice(0, SWEEP_LIMITS.findings).flatMap((value: unknown): CitedFinding[] => {
    if (!isJsonObject(value) || typeof value['text'] !== 'string' || !Array.isArray(value['entries'])) return [];
    const cited = [...new Set(value['entries'])].filter((id) => typeof id === 'string' && entries.has(id)) as string[];
    const text = shown(value['text']);
    return cited.length === 0 || text === '' ? [] : [{ text, entries: cited }];
  });
  return { findings, dropped: list.length - findings.length };
}

/** Content of the report of a sweep. */
export interface SweepOutcome {
  readonly question: string;
  readonly synthesis: Synthesis;
  readonly entries: readonly MergedEntry[];
  readonly judgements: readonly EntryJudgement[];
  readonly gaps: readonly ThinSlice[];
}

/** Report for people: findings with sources, verification results, and gaps. */
export function sweepReport({ question, synthesis, entries, judgements, gaps }: SweepOutcome): string {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const cited = new Set(synthesis.findings.flatMap((finding) => finding.entries));
  const sources = [...cited].flatMap((id) => byId.get(id) ?? []);
  const words = (verdict: EntryJudgement['verdict']) => judgements.filter((one) => one.verdict === verdict).length;
  const reduced = judgements.filter(({ verdict }) => verdict === 'HOLDS-WITH-CUTS');
  return [
    `# ${line(question)}`,
    '',
    ...synthesis.findings.map(({ text, entries: ids }) => `- ${line(text)} [${ids.join(', ')}]`),
    '',
    '## Sources',
    '',
    ...sources.map(({ id, title, source }) => `- ${id}: ${line(title)} — ${line(source)}`),
    '',
    '## Checked',
    '',
    `${judgements.length} of ${entries.length + words('REFUTED')} entries: ${words('HOLDS')} hold, ${words('HOLDS-WITH-CUTS')} hold with cuts, ${words('REFUTED')} were refuted and removed. ${synthesis.dropped} findings without an entry were dropped.`,
    ...reduced.map(({ id, why }) => `- ${id}: ${line(why)}`),
    '',
    '## Gaps',
    '',
    ...(gaps.length === 0 ? ['None that is known.'] : gaps.map(gapLine)),
    '',
  ].join('\n');
}

function gapLine({ slice, entries, kind, cause }: ThinSlice): string {
  return `- ${slice}: ${entries} entries, ${kind} (${cause})`;
}

/** Makes untrusted text one line of Markdown, with angle brackets escaped. */
function line(text: string): string {
  return inert(text).replace(/[<>]/g, (sign) => (sign === '<' ? '&lt;' : '&gt;'));
}

function shown(text: string): string {
  return cut(inert(redact(text)).trim(), SWEEP_LIMITS.valueCharacters);
}
