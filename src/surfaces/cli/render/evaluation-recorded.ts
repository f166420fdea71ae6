import { inert } from '#kernel/text.js';
import type { AnswerOf, Screen } from '#surfaces/cli/screen.js';

type Score = Pick<AnswerOf<'evaluation.record'>, 'task_id' | 'score' | 'source' | 'path' | 'warnings'>;

export function render({ task_id, score, source, path, warnings = [] }: Score, screen: Screen): void {
  screen.line(`${screen.colour.bold(inert(task_id))} has the score ${score} from ${inert(source)}.`);
  screen.line(screen.colour.dim(inert(path)));
  for (const warning of warnings) screen.line(screen.colour.yellow(inert(warning)));
}
