import { inert, plural } from '#kernel/text.js';
import type { Renderer, Renderers } from '#surfaces/cli/screen.js';

const renderVerdict: Renderer<'formation.check-handoffs'> = ({ phase, denial }, screen) => {
  if (denial === undefined) {
    screen.line(`${inert(phase)}: passed`);
    return;
  }
  screen.line(`${screen.colour.red(`${denial.code}:`)} ${inert(denial.missing)} (${inert(denial.file)})`);
  screen.aside(inert(denial.remedy));
};

const renderPlugins: Renderer<'export.claude-plugins'> = ({ folder, plugins, files }, screen) => {
  screen.line(`${plural(files.length, 'file')} in ${inert(folder)}: ${plugins.map((name) => inert(name)).join(', ')}`);
  screen.aside('In Claude Code: /plugin marketplace add with this folder, then /plugin install NAME@troupe.');
};

export const renderers = {
  'export.claude-plugins': renderPlugins,
  'formation.check-handoffs': renderVerdict,
} satisfies Partial<Renderers>;
