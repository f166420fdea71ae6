import { STATUS_LOOK } from '#core/graph/status-look.js';
import { SEVERITIES, SEVERITY_LOOK } from '#core/review/finding.js';

const ACCENT = { light: '#1D5FD1', dark: '#7FB0FF' };

/** Custom properties of a theme: surfaces, text, accent, and colours of states and severities. */
export function colours(theme: 'light' | 'dark'): string {
  const severities = SEVERITIES.map((severity) => `--${severity}:${SEVERITY_LOOK[severity][theme]};`).join('');
  const base =
    theme === 'light'
      ? '--page:#FFFFFF;--raised:#F6F7F9;--line:#E2E5EA;--text:#14171C;--quiet:#5B6472;'
      : '--page:#0F1217;--raised:#171B22;--line:#2A303A;--text:#E8EBF0;--quiet:#9AA4B2;';
  return `${base}--accent:${ACCENT[theme]};--done:${STATUS_LOOK.done[theme]};--failed:${STATUS_LOOK.failed[theme]};${severities}`;
}

/** Style sheet of the page: system fonts, a 4-px grid, one accent, light and dark themes, and print. */
export const STYLE = `
:root{color-scheme:light dark;${colours('light')}}
@media (prefers-color-scheme:dark){:root{${colours('dark')}}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:14px/20px system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;overflow-wrap:anywhere}
main{max-width:960px;margin:0 auto;padding:48px 32px 64px}
h1{font-size:32px;line-height:40px;letter-spacing:-.02em;margin:4px 0 12px;font-weight:650}
h2{font-size:20px;line-height:28px;letter-spacing:-.01em;margin:56px 0 16px;font-weight:650}
h3{font-size:14px;line-height:20px;margin:32px 0 4px;font-weight:650}
p{margin:0 0 8px}
code,pre{font:12px/18px ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
a{color:var(--accent)}
.quiet{color:var(--quiet)}
.eyebrow{color:var(--accent);font-weight:600;margin:0}
.lead{font-size:16px;line-height:24px;max-width:68ch}
.first{list-style:none;margin:0;padding:0;display:grid;grid-template-columns:repeat(3,minmax(0,1fr));gap:16px}
.first li{background:var(--raised);border-radius:8px;padding:20px;display:flex;flex-direction:column;gap:8px;border-top:4px solid var(--tone)}
.first .number{font-size:28px;line-height:32px;font-weight:650;color:var(--tone);font-variant-numeric:tabular-nums}
.first strong{font-size:16px;line-height:22px;font-weight:650}
.first p{margin:0;white-space:normal}
.first .where{margin-top:auto;padding-top:4px}
.first .where code{display:block;color:var(--quiet)}
.tone{color:var(--tone);font-weight:600;white-space:nowrap}
.chart{margin:8px 0 24px}
.chart svg{display:block;width:100%;height:auto}
.chart text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif;fill:var(--text)}
.chart .note{fill:var(--quiet)}
.chart .strong{font-weight:600}
.chart .axis{stroke:var(--line);stroke-width:1}
.narrow{display:none}
details{border-top:1px solid var(--line)}
details:last-of-type{border-bottom:1px solid var(--line)}
summary{cursor:pointer;padding:12px 0;list-style:none;display:grid;grid-template-columns:20px 1fr auto;gap:4px 8px;align-items:baseline}
summary::-webkit-details-marker{display:none}
summary:hover .title{color:var(--accent)}
summary:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:4px}
summary .glyph{color:var(--tone);text-align:center}
summary .title{font-weight:600}
summary .title code{font-weight:400;color:var(--quiet);margin-left:4px}
summary .aside{color:var(--quiet);text-align:right;font-variant-numeric:tabular-nums}
.body{padding:0 0 16px 28px}
.places{list-style:none;margin:0 0 8px;padding:0}
.places li{padding:4px 0}
.places code{color:var(--accent)}
.detail{white-space:pre-wrap;margin:0;color:var(--quiet)}
pre{background:var(--raised);border-radius:8px;padding:12px 16px;margin:8px 0 0;white-space:pre-wrap;max-height:360px;overflow:auto}
.pairs{display:grid;grid-template-columns:1fr 1fr;gap:0 48px}
.rows{list-style:none;margin:0;padding:0}
.rows li{display:grid;grid-template-columns:20px minmax(0,1fr) minmax(0,auto);gap:8px;padding:4px 0;border-bottom:1px solid var(--line)}
.rows .glyph{color:var(--tone);text-align:center}
footer{margin-top:56px;padding-top:16px;border-top:1px solid var(--line);color:var(--quiet)}
@media (max-width:720px){
main{padding:24px 16px 40px}
h1{font-size:24px;line-height:32px}
h2{margin-top:40px}
.first,.pairs{grid-template-columns:minmax(0,1fr)}
.wide{display:none}.narrow{display:block}
summary{grid-template-columns:20px 1fr}
summary .aside{grid-column:2;text-align:left}
}
@media print{
:root{${colours('light')}}
main{max-width:none;padding:0}
.first li,pre{background:none;border:1px solid var(--line);max-height:none}
.first li,.chart,summary{break-inside:avoid}
h2,h3{break-after:avoid}
details::details-content{content-visibility:visible;block-size:auto}
}
`;
