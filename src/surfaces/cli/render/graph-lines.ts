/**
 * How each operation's answer is printed for people.
 * @packageDocumentation
 */
import { inert } from '#kernel/text.js';
import type { AnswerOf, Screen } from '../screen.js';
import { printTable } from '../table.js';

/** `log` and `artifact`: a line each. */
export function render({ log, artifacts, operations }: AnswerOf<'task.log' | 'task.artifact'>, screen: Screen): void {
  for (const entry of log ?? []) {
    const time = screen.colour.dim(inert(entry.timestamp.slice(0, 19).replace('T', ' ')));
    screen.line(`${time}  ${inert(entry.actor ?? '')}  ${inert(entry.message)}`);
  }
  if (operations && operations.length > 0) {
    screen.line();
    printTable(screen, operations, [
      { title: 'SEQ', text: ({ seq }) => String(seq), right: true },
      { title: 'TIME', text: ({ timestamp }) => inert(timestamp.slice(0, 19).replace('T', ' ')) },
      { title: 'OPERATION', text: ({ op }) => inert(op) },
      { title: 'BY', text: ({ actor }) => inert(actor ?? ''), flexible: true },
    ]);
  }
  for (const artifact of artifacts ?? []) screen.line(inert(artifact));
  if (log?.length === 0) screen.line('Nothing is logged yet.');
  if (artifacts?.length === 0) screen.line('No artifacts yet.');
}
