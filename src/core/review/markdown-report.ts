import { STATUS_LOOK } from '#core/graph/status-look.js';
import { groupFindings } from '#core/review/ranking.js';
import type { Report, StepReport } from '#core/review/report.js';
import {
  countsSentence,
  doubtOf,
  findingPlace,
  NOTHING_FIRST,
  RANKING_SENTENCE,
  RUN_SENTENCE,
  reasonOf,
  shownMoment,
  stepOutcome,
  stepsSentence,
} from '#core/review/words.js';
import { inert } from '#kernel/text.js';
import { SEVERITY_LOOK } from './finding.js';

const PLACES_MOST = 20;
const HOTSPOTS_MOST = 10;

/** Renders `report.md`. Pure; equal reports give equal bytes. */
export function renderMarkdown(report: Report): string {
  const blocks = [
    `# Review of ${plain(report.name)}`,
    `${countsSentence(report.counts)} ${stepsSentence(report)}`,
    `Commit ${code(report.head.slice(0, 12))}, ${shownMoment(report.started_at)}. ${RUN_SENTENCE[report.run]}`,
    '## Three things to do first',
    ...firstBlocks(report),
    '## Findings',
    ...findingBlocks(report),
    ...hotspotBlocks(report),
    ...inventoryBlocks(report),
    ...presenceBlocks(report),
    '## How the review was done',
    ...report.steps.flatMap(stepBlocks),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function firstBlocks(report: Report): string[] {
  if (report.first.length === 0) return [NOTHING_FIRST];
  const rows = report.first.map((thing, index) => {
    const where =
      thing.where.length === 0
        ? ''
        : `\n   In ${thing.where.map(code).join(', ')}${thing.places > thing.where.length ? ' and more' : ''}.`;
    return `${index + 1}. **${plain(thing.title)}** (${reasonOf(thing)})\n   ${prose(thing.remedy)}${where}`;
  });
  return [rows.join('\n'), RANKING_SENTENCE];
}

function findingBlocks(report: Report): string[] {
  if (report.findings.length === 0) return ['Nothing.'];
  return groupFindings(report.findings).map((group) => {
    const [first] = group.findings;
    const rows = group.findings.slice(0, PLACES_MOST).map((item) => {
      const place = findingPlace(item);
      const title = item.title === group.title ? '' : `${plain(item.title)}. `;
      const doubt = doubtOf(item);
      return `- ${place === '' ? '' : `${code(place)}: `}${title}${plain(item.detail)}${doubt === '' ? '' : ` ${doubt}`}`;
    });
    const more = group.findings.length - rows.length;
    if (more > 0) rows.push(`- and ${more} more, in report.json`);
    const heading = `### ${SEVERITY_LOOK[group.severity].glyph} ${group.severity}: ${plain(group.title)}`;
    return `${heading}\n\n${rows.join('\n')}\n\n${prose(first?.remedy ?? '')} Reported by ${plain(first?.member ?? '')}.`;
  });
}

function hotspotBlocks(report: Report): string[] {
  if (report.hotspots.length === 0) return [];
  const rows = report.hotspots
    .slice(0, HOTSPOTS_MOST)
    .map((spot) => `- ${code(spot.file)}: ${spot.commits} commits, ${spot.lines} lines, ${spot.churn} lines changed`);
  return ['### Hot spots', 'Long files that change often.', rows.join('\n')];
}

function inventoryBlocks(report: Report): string[] {
  if (report.ecosystems.length === 0) return [];
  const counts = report.ecosystems.map((row) => `${row.count} of ${plain(row.ecosystem)}`).join(', ');
  const licences = report.licences.map((row) => `- ${row.count} × ${plain(row.licence)}`);
  return ['### Dependencies and licences', `Dependencies: ${counts}.`, licences.join('\n')].filter(
    (block) => block !== '',
  );
}

function presenceBlocks(report: Report): string[] {
  if (report.presence.length === 0) return [];
  const rows = report.presence.map(
    (row) =>
      `- ${row.file === null ? `${STATUS_LOOK.failed.glyph} missing` : `${STATUS_LOOK.done.glyph} there`}: ${plain(row.said)}${row.file === null ? '' : ` (${code(row.file)})`}`,
  );
  return ['### What a project should have', rows.join('\n')];
}

function stepBlocks(step: StepReport): string[] {
  const look = STATUS_LOOK[step.status];
  const outcome = stepOutcome(step);
  const lines = [
    `### ${look.glyph} ${plain(step.title)}`,
    `${plain(step.member)}${step.role === '' ? '' : `, ${plain(step.role)}`}: ${look.word}${outcome === '' ? '' : `, ${outcome}`}.`,
  ];
  if (step.command !== '') lines.push(`Command: ${code(step.command)}`);
  if (step.output_excerpt !== '') lines.push(fenced(step.output_excerpt));
  return lines;
}

/** Escapes untrusted text so that it contains no markup. */
function plain(text: string): string {
  return inert(text).replace(/[\\`*_{}[\]<>()#+!|~&$:@-]/g, (sign) => (/[-+:@()!]/.test(sign) ? sign : `\\${sign}`));
}

/** Escapes our own sentences but keeps their code spans. */
function prose(text: string): string {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 0 ? plain(part) : code(part)))
    .join('');
}

/** Untrusted text as a code span, with a fence longer than any run of backticks in it. */
function code(text: string): string {
  const clean = inert(text);
  const fence = '`'.repeat(longestRun(clean) + 1);
  const pad = clean.startsWith('`') || clean.endsWith('`') ? ' ' : '';
  return clean === '' ? '' : `${fence}${pad}${clean}${pad}${fence}`;
}

function fenced(text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}text\n${inert(text, true)}\n${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map((match) => match[0].length));
}
