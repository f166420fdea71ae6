import { safeJson } from '#kernel/json.js';
import { inert, plural } from '#kernel/text.js';
import type { AnswerOf, Screen } from '../screen.js';

interface Written {
  readonly file: string;
  readonly visibility: string;
  readonly tasks: number;
  readonly evaluations: number;
  readonly operations: number;
  readonly functions: number;
  readonly warnings: readonly string[];
}

/** Without a file the export itself is the answer, so that it can be sent on. */
export function render(output: AnswerOf<'trace.export'>, screen: Screen): void {
  if (!isWritten(output)) {
    screen.line(safeJson(output));
    return;
  }
  for (const warning of output.warnings) screen.aside(`${screen.colour.yellow('warning:')} ${inert(warning)}`);
  const counts = [
    plural(output.tasks, 'task'),
    plural(output.operations, 'operation'),
    plural(output.evaluations, 'evaluation'),
    plural(output.functions, 'function'),
  ];
  screen.line(`Wrote ${screen.colour.bold(inert(output.file))} for ${output.visibility} eyes: ${counts.join(', ')}.`);
  if (output.tasks === 0 && output.visibility !== 'internal') {
    screen.line(`No task is visible there. Let one out with \`troupe edit ID --visibility ${output.visibility}\`.`);
  }
}

function isWritten(output: Written | Readonly<Record<string, unknown>>): output is Written {
  return typeof output['file'] === 'string';
}
