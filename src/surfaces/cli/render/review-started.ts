import { inert } from '#kernel/text.js';
import type { AwareRenderer } from '#surfaces/cli/screen.js';

interface Started {
  readonly review: string;
  readonly task_ids: readonly string[];
  readonly report_folder: string;
  readonly warnings: readonly string[];
}

export const render: AwareRenderer<Started> = async (started, screen, around) => {
  const { colour } = screen;
  screen.line(colour.bold(`Review “${inert(started.review)}”: ${started.task_ids.length} tasks`));
  for (const id of started.task_ids) screen.line(`  ${inert(id)}`);
  for (const warning of started.warnings) screen.aside(colour.yellow(inert(warning)));
  const watch = colour.cyan('troupe run --resume');
  const next = (await around.serviceAnswers())
    ? `The service runs it. Watch it with ${watch}`
    : `Next: ${watch}, or ${colour.cyan('troupe service start')}`;
  screen.aside(`The report will be in ${inert(started.report_folder)}. ${next}`);
};
