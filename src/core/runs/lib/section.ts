import { isLastWords } from '#core/graph/last-words.js';
import { isIdForm } from '#core/graph/slug.js';
import type { LogEntry, Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import type { PromptFacts } from '#core/runs/prompt-facts.js';
import { fillPlaceholders, type WordingName } from '#core/runs/prompt-wording.js';
import { verbsOf } from '#core/runs/report-way.js';
import { bytesOf, FENCE_BYTES, fenced, oneLine } from '#kernel/fence.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { redact } from '#kernel/secrets.js';

/** Input of the functions that write sections. */
export class PromptContext {
  readonly view: GraphView;
  readonly task: Task;
  readonly facts: PromptFacts;

  constructor(view: GraphView, task: Task, facts: PromptFacts) {
    this.view = view;
    this.task = task;
    this.facts = facts;
  }

  /** One of Troupe's texts with its placeholders filled. An id set by hand in another form is never inserted. */
  words(name: WordingName, values: Readonly<Record<string, string | number>> = {}): string {
    const { nonce, attempt, wording } = this.facts;
    return fillPlaceholders(wording[name], { nonce, attempt, id: this.id, ...this.verbs, ...values });
  }

  /** Report commands for each verb, depending on how the agent reports. */
  get verbs(): ReturnType<typeof verbsOf> {
    const { program, report } = this.facts;
    return verbsOf(report, program, this.id);
  }

  /**
   * Id of the task for commands. Internal ids begin with a dot. For an id of another form a shell expands the variable;
   * tools need no id for their own task.
   */
  private get id(): string {
    const { id } = this.task;
    if (isIdForm(id.replace(/^\./, ''))) return id;
    return this.facts.report.by === 'tools' ? 'own' : '"$WG_TASK_ID"';
  }
}

/** An id or a title on one line. */
export function name(text: string): string {
  return oneLine(text, TEAM_LIMITS.promptNameBytes);
}

/** The last lines of a log, redacted. Last messages of runs are omitted, as they appear elsewhere. */
export function lastLines(log: readonly LogEntry[] | undefined, most: number): string[] {
  return (log ?? [])
    .filter((entry) => !isLastWords(entry))
    .slice(-most)
    .map((entry) => {
      const by = entry.actor === undefined ? '' : ` ${name(entry.actor)}`;
      return `- ${name(entry.timestamp)}${by}: ${oneLine(safe(entry.message), TEAM_LIMITS.promptLogLineBytes)}`;
    });
}

/** Text with secrets redacted, truncated to the maximum that any section displays. */
export function safe(text: string): string {
  return redact(text.slice(0, TEAM_LIMITS.promptDescriptionBytes));
}

/** `label: a, b`, or nothing for an empty list. */
export function listLines(label: string, values: readonly string[] | undefined): string[] {
  if (values === undefined || values.length === 0) return [];
  const rows = values.slice(0, TEAM_LIMITS.promptListRows).map((value) => `  - ${name(value)}`);
  const more = values.length - rows.length;
  return [`${label}:`, ...rows, ...(more > 0 ? [`  [cut: ${more} more]`] : [])];
}

/** Bytes reserved at the end of a section for the note that content is missing. */
const NOTE_BYTES = 128;
/** A block that would display less is left out. */
const LEAST_BYTES = 64;

/** A section being written: Troupe's own text and blocks of foreign text, with an upper bound in bytes. */
export class Section {
  private readonly parts: string[] = [];
  private readonly nonce: string;
  private room: number;
  private full = false;
  private anyCut = false;

  constructor(nonce: string, most: number) {
    this.nonce = nonce;
    this.room = most - NOTE_BYTES;
  }

  /** Adds Troupe's own text. */
  say(text: string): void {
    this.parts.push(text);
    this.room -= bytesOf(text) + 2;
  }

  /** Adds foreign text of at most `most` bytes; does nothing if it is empty. `label` is Troupe's own text. */
  block(label: string, text: string, most: number): void {
    if (text.trim() === '' || this.full) return;
    const room = Math.min(most, this.room - FENCE_BYTES - bytesOf(label));
    if (room < Math.min(LEAST_BYTES, bytesOf(text))) {
      this.full = true;
      this.anyCut = true;
      this.parts.push('[cut: what else belongs here does not fit]');
      return;
    }
    const { text: block, cut } = fenced(this.nonce, label, text, room);
    this.anyCut ||= cut;
    this.parts.push(block);
    this.room -= bytesOf(block) + 2;
  }

  /**
   * Adds a list as one block, an entry per line, with the number of entries beyond `most`. The entries are foreign text
   * on one line each.
   */
  list(label: string, lines: readonly string[], most: number, bytes: number): void {
    this.block(label, lines.slice(0, most).join('\n'), bytes);
    if (lines.length <= most || this.full) return;
    this.anyCut = true;
    this.say(`[cut: ${lines.length - most} more are not shown]`);
  }

  get empty(): boolean {
    return this.parts.length === 0;
  }

  get cut(): boolean {
    return this.anyCut;
  }

  get text(): string {
    return this.parts.join('\n\n');
  }
}
