import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';

interface Output {
  readonly task_id: string;
  readonly score: number;
  readonly source: string;
  readonly path: string;
  readonly warnings?: readonly string[];
}

export const render: Renderer<Output> = ({ task_id, score, source, path, warnings = [] }, screen) => {
  screen.line(`${screen.colour.bold(inert(task_id))} has the score ${score} from ${inert(source)}.`);
  screen.line(screen.colour.dim(inert(path)));
  for (const warning of warnings) screen.line(screen.colour.yellow(inert(warning)));
};
