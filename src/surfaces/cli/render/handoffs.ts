import { inert, plural } from '#kernel/text.js';
import type { Renderers } from '#surfaces/cli/screen.js';

export const renderers = {
  'export.claude-plugins': ({ folder, plugins, files }, screen) => {
    screen.line(
      `${plural(files.length, 'file')} in ${inert(folder)}: ${plugins.map((name) => inert(name)).join(', ')}`,
    );
    screen.aside('In Claude Code: /plugin marketplace add with this folder, then /plugin install NAME@troupe.');
  },
  'formation.check-handoffs': ({ phase, denial }, screen) => {
    if (denial === undefined) return screen.line(`${inert(phase)}: passed`);
    screen.line(`${screen.colour.red(`${denial.code}:`)} ${inert(denial.missing)} (${inert(denial.file)})`);
    screen.aside(inert(denial.remedy));
  },
} satisfies Partial<Renderers>;
