import { STATUS_LOOK } from '#core/graph/status-look.js';
import { hotspotChart, severityChart } from '#core/review/html/charts.js';
import { escapeHtml, proseHtml } from '#core/review/html/escape.js';
import { STYLE } from '#core/review/html/style.js';
import { timelineChart } from '#core/review/html/timeline.js';
import { type FindingGroup, groupFindings } from '#core/review/ranking.js';
import type { FirstThing, Report, StepFinding, StepReport } from '#core/review/report.js';
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
import { SEVERITY_LOOK } from './finding.js';

const PLACES_MOST = 50;
const LICENCES_MOST = 10;
const WIDE = 896;
const NARROW = 358;

/** Renders `report.html`: one file without scripts and external resources. Pure; equal reports give equal bytes. */
export function renderHtml(report: Report): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none';style-src 'unsafe-inline'">
<title>Review of ${escapeHtml(report.name)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<header>
<p class="eyebrow">Repository review</p>
<h1>${escapeHtml(report.name)}</h1>
<p class="lead">${escapeHtml(countsSentence(report.counts))}</p>
<p class="quiet">${escapeHtml(stepsSentence(report))} Commit <code>${escapeHtml(report.head.slice(0, 12))}</code>, ${shownMoment(report.started_at)}. ${proseHtml(RUN_SENTENCE[report.run])}</p>
</header>
<section>
<h2>${report.first.length === 3 ? 'Three things' : 'Things'} to do first</h2>
${firstThings(report)}
</section>
<section>
<h2>Findings</h2>
${chart((width) => severityChart(report, width))}
${groupFindings(report.findings).map(group).join('\n')}
${hotspots(report)}
${pairs(report)}
</section>
<section>
<h2>How the review was done</h2>
<h3>Who did what</h3>
${chart((width) => timelineChart(report, width))}
<h3>Every step</h3>
${report.steps.map(step).join('\n')}
</section>
<footer>Written by Troupe for ${escapeHtml(report.leader)}, who leads the team, ${shownMoment(report.finished_at)}. The same as data: report.json; as text: report.md.</footer>
</main>
</body>
</html>
`;
}

/** A chart in two sizes, for desktop and phone, because scaled text would be too small on a phone. */
function chart(draw: (width: number) => string): string {
  const wide = draw(WIDE);
  return wide === '' ? '' : `<div class="chart wide">${wide}</div><div class="chart narrow">${draw(NARROW)}</div>`;
}

const tone = (severity: StepFinding['severity']): string => `style="--tone:var(--${severity})"`;

function firstThings(report: Report): string {
  if (report.first.length === 0) return `<p>${NOTHING_FIRST}</p>`;
  const cards = report.first.map((thing: FirstThing, index) => {
    const places = thing.where.map((place) => `<code>${escapeHtml(place)}</code>`);
    const more =
      thing.where.length > 0 && thing.places > thing.where.length ? '<span class="quiet">and more, below</span>' : '';
    return `<li ${tone(thing.severity)}><span class="number">${index + 1}</span><strong>${escapeHtml(thing.title)}</strong><p>${proseHtml(thing.remedy)}</p><p class="tone">${SEVERITY_LOOK[thing.severity].glyph} ${escapeHtml(reasonOf(thing))}</p>${places.length === 0 ? '' : `<p class="where">${places.join('')}${more}</p>`}</li>`;
  });
  return `<ol class="first">${cards.join('')}</ol><p class="quiet" style="margin-top:12px">${RANKING_SENTENCE}</p>`;
}

function group(cluster: FindingGroup<StepFinding>): string {
  const [first] = cluster.findings;
  const open = cluster.severity === 'critical' || cluster.severity === 'high' ? ' open' : '';
  const rows = cluster.findings.slice(0, PLACES_MOST).map((item) => {
    const place = findingPlace(item);
    const title = item.title === cluster.title ? '' : `${escapeHtml(item.title)} `;
    return `<li>${place === '' ? '' : `<code>${escapeHtml(place)}</code> `}${title}<span class="quiet">${doubtOf(item)}</span><p class="detail">${escapeHtml(item.detail, true)}</p></li>`;
  });
  const hidden = cluster.findings.length - rows.length;
  if (hidden > 0) rows.push(`<li class="quiet">and ${hidden} more, in report.json</li>`);
  const count = cluster.findings.length === 1 ? '' : ` · ${cluster.findings.length} places`;
  return `<details ${tone(cluster.severity)}${open}><summary><span class="glyph">${SEVERITY_LOOK[cluster.severity].glyph}</span><span class="title">${escapeHtml(cluster.title)}${lonePlace(cluster)}</span><span class="aside"><span class="tone">${cluster.severity}</span>${count}</span></summary><div class="body"><p>${proseHtml(first?.remedy ?? '')} <span class="quiet">Reported by ${escapeHtml(first?.member ?? '')}.</span></p><ul class="places">${rows.join('')}</ul></div></details>`;
}

/** Location of the only finding of a group, shown without opening the group. */
function lonePlace(cluster: FindingGroup<StepFinding>): string {
  const [first] = cluster.findings;
  const place = cluster.findings.length === 1 && first ? findingPlace(first) : '';
  return place === '' ? '' : ` <code>${escapeHtml(place)}</code>`;
}

function hotspots(report: Report): string {
  if (report.hotspots.length === 0) return '';
  return `<h3>Hot spots</h3><p class="quiet">How often a file changed against how long it is. A larger dot: more lines changed. Problems tend to be at the upper right.</p>${chart((width) => hotspotChart(report, width, width < 500 ? 300 : 400))}`;
}

function pairs(report: Report): string {
  const blocks = [presence(report), inventory(report), todos(report)].filter((block) => block !== '');
  return blocks.length === 0 ? '' : `<div class="pairs">${blocks.join('')}</div>`;
}

function presence(report: Report): string {
  if (report.presence.length === 0) return '';
  const rows = report.presence.map((row) => {
    const there = row.file !== null;
    const look = there ? STATUS_LOOK.done : STATUS_LOOK.failed;
    return `<li style="--tone:var(--${there ? 'done' : 'failed'})"><span class="glyph">${look.glyph}</span><span>${escapeHtml(row.said)}</span><span class="quiet">${there ? `<code>${escapeHtml(row.file ?? '')}</code>` : 'missing'}</span></li>`;
  });
  return `<div><h3>What a project should have</h3><ul class="rows">${rows.join('')}</ul></div>`;
}

function inventory(report: Report): string {
  if (report.ecosystems.length === 0) return '';
  const rows = report.licences
    .slice(0, LICENCES_MOST)
    .map((row) => `<li><span></span><span>${escapeHtml(row.licence)}</span><span>${row.count}</span></li>`);
  const more = report.licences.length - rows.length;
  if (more > 0) rows.push(`<li><span></span><span class="quiet">${more} other licences</span><span></span></li>`);
  const counts = report.ecosystems.map((row) => `${row.count} of ${escapeHtml(row.ecosystem)}`).join(', ');
  return `<div><h3>Dependencies and licences</h3><p class="quiet">${counts}</p><ul class="rows">${rows.join('')}</ul></div>`;
}

function todos(report: Report): string {
  if (report.todos === null || report.todos.total === 0) return '';
  const rows = Object.entries(report.todos.counts)
    .filter(([, count]) => count > 0)
    .map(([word, count]) => `<li><span></span><span>${escapeHtml(word)}</span><span>${count}</span></li>`);
  return `<div><h3>Left for later</h3><ul class="rows">${rows.join('')}</ul></div>`;
}

function step(row: StepReport): string {
  const look = STATUS_LOOK[row.status];
  const unfinished = row.check !== undefined && row.check !== 'finished';
  const colour = row.status === 'failed' ? 'failed' : row.status === 'done' && !unfinished ? 'done' : 'quiet';
  const who = `${escapeHtml(row.member)}${row.role === '' ? '' : `, ${escapeHtml(row.role)}`}`;
  const outcomeText = stepOutcome(row);
  // The step itself succeeded, but its command failed.
  const alarm = unfinished || (row.exit_code !== null && row.exit_code !== 0) ? ' style="color:var(--failed)"' : '';
  const outcome = `${escapeHtml(look.word)}${outcomeText === '' ? '' : ` · <span${alarm}>${escapeHtml(outcomeText)}</span>`}`;
  const command = row.command === '' ? '' : `<p><code>${escapeHtml(row.command)}</code></p>`;
  const output = row.output_excerpt === '' ? '' : `<pre>${escapeHtml(row.output_excerpt, true)}</pre>`;
  return `<details style="--tone:var(--${colour})"><summary><span class="glyph">${look.glyph}</span><span class="title">${escapeHtml(row.title)}</span><span class="aside">${outcome}</span></summary><div class="body"><p class="quiet">${who}</p>${command}${output}</div></details>`;
}
