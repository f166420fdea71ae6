import { inert } from '#kernel/text.js';
import type { Renderer, Renderers } from '#surfaces/cli/screen.js';

const renderVerdict: Renderer<'formation.check-handoffs'> = ({ phase, denial }, screen) => {
  if (denial === undefined) {
    screen.line(`${inert(phase)}: passed`);
    return;
  }
  screen.line(`${screen.colour.red(`${denial.code}:`)} ${inert(denial.missing)} (${inert(denial.file)})`);
  screen.aside(inert(denial.remedy));
};

export const renderers = { 'formation.check-handoffs': renderVerdict } satisfies Partial<Renderers>;
