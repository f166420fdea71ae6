import { inert, plural } from '#kernel/text.js';
import type { AnswerOf, Screen } from '../screen.js';

/** The text alone goes where it can be piped to; what there is to say about it goes beside. */
export function render(told: AnswerOf<'task.prompt'>, screen: Screen): void {
  screen.line(inert(told.text, true).trimEnd());
  const { colour } = screen;
  const by = [told.executor, told.model, told.mode && `mode ${told.mode}`, told.scope && `scope ${told.scope}`];
  const facts = [
    `attempt ${told.attempt}`,
    ...(told.run === undefined ? [] : [told.run]),
    ...by.filter((part) => part !== undefined),
    plural(told.bytes, 'byte'),
  ];
  screen.aside(colour.dim(inert(facts.join(', '))));
  const cut = told.sections.filter((section) => section.cut).map((section) => section.name);
  if (cut.length > 0) screen.aside(colour.dim(`Too long, and cut: ${cut.join(', ')}`));
  for (const warning of told.warnings) screen.aside(colour.yellow(inert(warning)));
}
