import { inert } from '#kernel/text.js';
import type { AnswerOf, Screen } from '../screen.js';
import { markedStatus } from './analysis-words.js';

const LOG_LINES = 20;

/** First the task, then what came before it, as whoever does it will read it. */
export function render(packet: AnswerOf<'task.context'>, screen: Screen): void {
  const { colour } = screen;
  screen.line(`${colour.bold(inert(packet.title))}  ${colour.dim(inert(packet.id))}`);
  list('skills', packet.skills, screen);
  list('inputs', packet.inputs, screen);
  list('deliverables', packet.deliverables, screen);
  if (packet.description) {
    screen.line();
    for (const line of inert(packet.description, true).split('\n')) screen.line(`  ${line}`);
  }
  if (packet.checkpoint !== null) {
    screen.line();
    screen.line(colour.bold('Checkpoint'));
    for (const line of inert(packet.checkpoint, true).split('\n')) screen.line(`  ${line}`);
  }
  log('Log', packet.log, screen);
  for (const before of packet.predecessors) {
    screen.line();
    screen.line(
      `${colour.bold('Before it')}  ${markedStatus(before.status, screen)}  ${inert(before.id)}  ${inert(before.title)}`,
    );
    if (before.failure_reason !== null) screen.line(`  failed: ${inert(before.failure_reason)}`);
    list('artifacts', before.artifacts, screen);
    log(undefined, before.log, screen);
  }
  if (packet.predecessors.length === 0) {
    screen.line();
    screen.line(colour.dim('Nothing before it has ended.'));
  }
  if (packet.dependents === undefined) return;
  screen.line();
  screen.line(colour.bold('After it'));
  for (const task of packet.dependents) {
    screen.line(`  ${markedStatus(task.status, screen)}  ${inert(task.id)}  ${inert(task.title)}`);
    list('  inputs', task.inputs, screen);
  }
  if (packet.dependents.length === 0) screen.line(colour.dim('  nothing'));
}

function list(label: string, values: readonly string[], screen: Screen): void {
  if (values.length > 0)
    screen.line(`  ${screen.colour.dim(label)}  ${values.map((value) => inert(value)).join(', ')}`);
}

function log(title: string | undefined, entries: AnswerOf<'task.context'>['log'], screen: Screen): void {
  if (entries.length === 0) return;
  if (title !== undefined) {
    screen.line();
    screen.line(screen.colour.bold(title));
  }
  for (const entry of entries.slice(-LOG_LINES)) {
    const time = screen.colour.dim(inert(entry.timestamp.slice(0, 19).replace('T', ' ')));
    screen.line(`  ${time}  ${inert(entry.actor ?? '')}  ${inert(entry.message)}`);
  }
  if (entries.length > LOG_LINES) screen.line(screen.colour.dim(`  and ${entries.length - LOG_LINES} earlier entries`));
}
