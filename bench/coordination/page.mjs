// One page of charts: a bar for each program and measure, the settings, and what was not measured.
import { fromSource } from '../../tooling/from-source.mjs';

const WIDTH = 880;
const ROW = 26;
const LEFT = 150;

/** The results as one HTML page without scripts. */
export async function pageOf({ machine, measures, programs }) {
  const {
    charts,
    escape: escaping,
    style,
  } = await fromSource({
    charts: 'src/core/review/html/charts.ts',
    escape: 'src/core/review/html/escape.ts',
    style: 'src/core/review/html/style.ts',
  });
  const { escapeHtml } = escaping;
  const chart = ({ name, what, unit, rows }) => {
    const most = Math.max(...rows.map(({ value }) => value ?? 0), Number.MIN_VALUE);
    const bars = rows.map(({ program, value, note }, index) => {
      const middle = index * ROW + ROW / 2;
      const length = value === undefined ? 0 : (value / most) * (WIDTH - LEFT - 200);
      const shown = value === undefined ? note : `${figure(value)} ${unit}${note === undefined ? '' : `, ${note}`}`;
      const bar = `<rect x="${LEFT}" y="${middle - 7}" width="${Math.max(length, 1).toFixed(1)}" height="14" rx="2" fill="var(--accent)"/>`;
      return [
        `<text x="0" y="${middle + 4}">${escapeHtml(program)}</text>`,
        value === undefined ? '' : bar,
        `<text class="${value === undefined ? 'note' : 'strong'}" x="${(LEFT + (value === undefined ? 0 : length + 8)).toFixed(1)}" y="${middle + 4}">${escapeHtml(shown)}</text>`,
      ].join('');
    });
    const content = charts.svg(WIDTH, rows.length * ROW, name, bars.join(''));
    return `<h2>${escapeHtml(name)}</h2><p class="quiet">${escapeHtml(what)}</p><div class="chart">${content}</div>`;
  };
  const settings = programs.map(
    ({ name, version, settings: how, absent }) =>
      `<li><span></span><span><strong>${escapeHtml(name)}</strong> ${escapeHtml(absent ?? `${version}; ${how}`)}</span><span></span></li>`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Coordination, measured</title><style>${style.STYLE}</style></head><body><main>
<h1>Coordination, measured</h1>
<p class="lead">${escapeHtml(machine)}</p>
<p class="quiet">Shorter bars are better. Figures of one run on one machine: compare programs, not machines.</p>
${measures.map(chart).join('\n')}
<h2>Programs and settings</h2><ul class="rows">${settings.join('')}</ul>
</main></body></html>
`;
}

/** Three significant digits, without an exponent. */
export const figure = (value) =>
  value >= 100 ? value.toFixed(0) : value === 0 ? '0' : String(Number(value.toPrecision(3)));
