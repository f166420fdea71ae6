import { inert, plural } from '#kernel/text.js';
import type { Renderer, Renderers, Screen } from '#surfaces/cli/screen.js';
import { printTable } from '#surfaces/cli/table.js';

/** The roster as JSON, as it is handed to a client; what was left out of it beside. */
const renderRoster: Renderer<'roster.office' | 'roster.project' | 'roster.workgroup' | 'roster.team'> = (
  { roster, warnings },
  screen,
) => {
  printJson(roster, screen);
  for (const { code, text } of warnings) screen.aside(`${screen.colour.yellow(`${code}:`)} ${inert(text)}`);
};

const renderShow: Renderer<'roster.show'> = ({ owner, listener, roster, warnings }, screen) => {
  printJson(roster, screen);
  if (!listener) screen.aside(`${inert(owner)} leads no one: it can only reply.`);
  for (const { code, text } of warnings) screen.aside(`${screen.colour.yellow(`${code}:`)} ${inert(text)}`);
};

const renderSubRoster: Renderer<'roster.sub-roster'> = ({ has_sub_roster }, screen) => {
  screen.line(String(has_sub_roster));
};

const renderCheck: Renderer<'roster.check'> = ({ ok, agents, problems }, screen) => {
  const { colour } = screen;
  printTable(screen, agents, [
    { title: 'ID', text: ({ id }) => inert(id) },
    { title: 'AGENT', text: ({ name }) => inert(name) },
    {
      title: 'WRITES TO',
      text: ({ writes_to }) => (writes_to.length === 0 ? 'only replies' : writes_to.map((to) => inert(to)).join(' ')),
      paint: (text, { writes_to }) => (writes_to.length === 0 ? colour.dim(text) : text),
      flexible: true,
    },
  ]);
  for (const { severity, code, text } of problems) {
    const mark = severity === 'error' ? colour.red(`error[${code}]:`) : colour.yellow(`${code}:`);
    screen.aside(`${mark} ${inert(text)}`);
  }
  screen.aside(
    `${plural(agents.length, 'agent')}, ${plural(problems.length, 'problem')}${ok ? '' : '; parts with an error are left out of the rosters'}.`,
  );
};

/** Made for other programs: escaped as JSON has it, and on a terminal inert besides. */
function printJson(value: unknown, screen: Screen): void {
  const text = JSON.stringify(value, null, 2);
  for (const line of (screen.terminal ? inert(text, true) : text).split('\n')) screen.line(line);
}

export const renderers = {
  'roster.office': renderRoster,
  'roster.project': renderRoster,
  'roster.workgroup': renderRoster,
  'roster.team': renderRoster,
  'roster.show': renderShow,
  'roster.sub-roster': renderSubRoster,
  'roster.check': renderCheck,
} satisfies Partial<Renderers>;
