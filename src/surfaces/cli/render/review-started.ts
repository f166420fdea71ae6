import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';

interface Started {
  readonly review: string;
  readonly task_ids: readonly string[];
  readonly report_folder: string;
  readonly warnings: readonly string[];
}

export const render: Renderer<Started> = (started, screen) => {
  const { colour } = screen;
  screen.line(colour.bold(`Review “${inert(started.review)}”: ${started.task_ids.length} tasks`));
  for (const id of started.task_ids) screen.line(`  ${inert(id)}`);
  for (const warning of started.warnings) screen.aside(colour.yellow(inert(warning)));
  screen.aside(`The report will be in ${inert(started.report_folder)}. Next: ${colour.cyan('troupe run')}`);
};
