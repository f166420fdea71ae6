import { isLastWords } from '#core/graph/last-words.js';
import { isIdForm } from '#core/graph/slug.js';
import type { LogEntry, Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import type { PromptFacts } from '#core/runs/prompt-facts.js';
import { filled, type WordingName } from '#core/runs/prompt-wording.js';
import { verbsOf } from '#core/runs/report-way.js';
import { oneLine } from '#kernel/fence.js';
import { LIMITS } from '#kernel/limits.js';
import { redact } from '#kernel/secrets.js';

/** What the writers of sections look at. */
export class PromptContext {
  readonly view: GraphView;
  readonly task: Task;
  readonly facts: PromptFacts;

  constructor(view: GraphView, task: Task, facts: PromptFacts) {
    this.view = view;
    this.task = task;
    this.facts = facts;
  }

  /** One of our texts. An id that was given by hand in another form than ours never stands among our words. */
  words(name: WordingName, values: Readonly<Record<string, string | number>> = {}): string {
    const { nonce, program, report, attempt, wording } = this.facts;
    const id = isIdForm(this.task.id) ? this.task.id : '"$WG_TASK_ID"';
    return filled(wording[name], { nonce, attempt, id, ...verbsOf(report, program, id), ...values });
  }
}

/** An id or a title, on one line. */
export function name(text: string): string {
  return oneLine(text, LIMITS.promptNameBytes);
}

/** The last lines of a log, as they may leave the machine. What runs said last has a place of its own. */
export function lastLines(log: readonly LogEntry[] | undefined, most: number): string[] {
  return (log ?? [])
    .filter((entry) => !isLastWords(entry))
    .slice(-most)
    .map((entry) => {
      const by = entry.actor === undefined ? '' : ` ${name(entry.actor)}`;
      return `- ${name(entry.timestamp)}${by}: ${oneLine(safe(entry.message), LIMITS.promptLogLineBytes)}`;
    });
}

/** Without what has the form of a secret; never more than any place shows. */
export function safe(text: string): string {
  return redact(text.slice(0, LIMITS.promptDescriptionBytes));
}

/** `label: a, b`, or nothing when there is nothing. */
export function listed(label: string, values: readonly string[] | undefined): string[] {
  if (values === undefined || values.length === 0) return [];
  const shown = values.slice(0, LIMITS.promptListRows).map((value) => `  - ${name(value)}`);
  const more = values.length - shown.length;
  return [`${label}:`, ...shown, ...(more > 0 ? [`  [cut: ${more} more]`] : [])];
}
