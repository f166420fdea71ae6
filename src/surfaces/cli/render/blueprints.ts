import { isJsonObject } from '#kernel/json.js';
import { inert } from '#kernel/text.js';
import { type AnswerOf, type Renderers, type Screen, sharedBy } from '#surfaces/cli/screen.js';
import { printTable } from '#surfaces/cli/table.js';

type Blueprint = AnswerOf<'blueprint.generate'>['blueprint'];

/** Prints a blueprint in full: a person reads what a model wrote before it is applied. */
export function printBlueprint(blueprint: Blueprint, screen: Screen): void {
  const { bespoke_roles: roles = [], draft } = blueprint;
  screen.line(screen.colour.bold(inert(blueprint.name)));
  screen.line(inert(blueprint.description));
  screen.line();
  screen.line(`Team       ${inert(blueprint.roster.join(', '))}`);
  screen.line(`Workflows  ${inert(blueprint.workflows.join(', '))}`);
  screen.line(`Review     ${inert(blueprint.review_policy)}`);
  screen.line(`Sandbox    ${inert(blueprint.sandbox_profile)}`);
  for (const { id, title, charter } of roles) {
    screen.line();
    screen.line(`${screen.colour.bold(inert(title))} (${inert(id)}), made for this team`);
    for (const line of charter.split('\n')) screen.line(`  ${inert(line)}`);
  }
  if (draft === undefined) return;
  screen.line();
  screen.line(`${screen.colour.bold(inert(draft.id))}, a workflow drafted for it`);
  for (const step of stepsOf(draft.nodes)) screen.line(`  ${inert(step)}`);
}

function stepsOf(nodes: unknown): string[] {
  return (Array.isArray(nodes) ? nodes : []).flatMap((node: unknown) => {
    if (!isJsonObject(node)) return [];
    const { id, type, label, prompt } = node;
    return [[id, type, label ?? prompt].filter((part) => typeof part === 'string').join('  ')];
  });
}

export const renderers = {
  ...sharedBy(['blueprint.list', 'blueprint.show'], (output, screen) => {
    if (output.blueprints !== undefined) {
      printTable(screen, output.blueprints, [
        ['id'],
        { title: 'TEAM', text: (row) => String(row.roster.length), right: true },
        ['PURPOSE=description…'],
      ]);
      return;
    }
    printBlueprint(output, screen);
  }),
  'blueprint.generate': ({ blueprint, warnings, file }, screen) => {
    const { colour } = screen;
    printBlueprint(blueprint, screen);
    for (const { message } of warnings) screen.aside(`${colour.yellow('warning:')} ${inert(message)}`);
    screen.aside(
      file === undefined
        ? `Nothing was written. Save it with ${colour.cyan('--out FILE')}, which ${colour.cyan('troupe blueprint apply --file FILE')} accepts.`
        : `Written to ${inert(file)}. Next: ${colour.cyan(`troupe blueprint apply --file ${inert(file)}`)}`,
    );
  },
  'blueprint.validate': ({ valid, errors }, screen) => {
    if (valid) screen.line('No problems found.');
    for (const error of errors) screen.line(screen.colour.red(inert(error)));
  },
} satisfies Partial<Renderers>;
