import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import path from 'node:path';
import { type ExecutorEvent, isProgress, LastWords, lastBytes, type Usage } from '#core/runs/event.js';
import { PRIVATE_FILE } from '#kernel/file-modes.js';
import { safeJson } from '#kernel/json.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { Redactor } from '#kernel/secrets.js';
import { type ClientResult, heartbeatLine, resultLine } from './client-files.js';
import { CappedFile } from './output-file.js';

const OUTPUT_NOTE = '\n[the rest of the output is not kept]\n';
const STREAM_NOTE = '{"type":"error","message":"The rest of the events is not kept."}\n';

/** Files that a run of a client writes: redacted output and events, heartbeat, result. */
export class ClientRecord {
  private readonly folder: string;
  private readonly output: CappedFile;
  private readonly stream: CappedFile;
  private readonly secrets: readonly string[];
  private readonly redactors: Readonly<Record<'out' | 'err', Redactor>>;
  private readonly pulse: NodeJS.Timeout;
  private soon: NodeJS.Timeout | undefined;
  private writtenAt = 0;
  private progressAt: number | undefined;
  private turns = 0;
  private toolCalls = 0;
  private usage: Usage | undefined;
  private readonly lastWords = new LastWords();

  /** `output` is an open file descriptor; `secrets` are values that must not be written. */
  constructor(folder: string, output: number, secrets: readonly string[], beatMs: number) {
    this.folder = folder;
    this.secrets = secrets;
    this.output = new CappedFile(output, WORK_LIMITS.outputBytes, OUTPUT_NOTE);
    this.stream = new CappedFile(
      openSync(path.join(folder, 'stream.jsonl'), 'a', PRIVATE_FILE),
      WORK_LIMITS.streamBytes,
      STREAM_NOTE,
    );
    this.redactors = { out: new Redactor(secrets), err: new Redactor(secrets) };
    this.beat();
    this.pulse = setInterval(() => this.beat(), beatMs);
  }

  print(text: string, from: 'out' | 'err'): void {
    if (!this.output.full) this.output.write(this.redactors[from].push(text));
  }

  events(events: readonly ExecutorEvent[]): void {
    const first = this.progressAt === undefined;
    for (const event of events) {
      if (event.type === 'progress') this.turns = Math.max(this.turns, event.turn);
      if (event.type === 'tool' && event.state === 'started') this.toolCalls++;
      if (event.type === 'usage') this.usage = event.usage;
      this.lastWords.take(event);
      if (isProgress(event)) this.progressAt = Date.now();
      if (!this.stream.full) this.stream.line(this.masked(safeJson({ at: new Date().toISOString(), ...event })));
    }
    // The first event is reported at once, because others may be waiting to see that the client works.
    if (first && this.progressAt !== undefined) this.beat();
    else if (events.length > 0) this.beatSoon();
  }

  /** Writes the result to disk before the end of the run is reported. */
  end(result: ClientResult): void {
    clearInterval(this.pulse);
    clearTimeout(this.soon);
    for (const redactor of Object.values(this.redactors)) this.output.write(redactor.end());
    this.beat();
    const words = lastBytes(this.masked(this.lastWords.text).trim());
    const masked = {
      ...result,
      reason: this.masked(result.reason),
      ...(result.check ? { check: { ...result.check, lastLines: this.masked(result.check.lastLines) } } : {}),
      ...(words === undefined ? {} : { lastWords: words }),
    };
    this.replace('result.json', resultLine(masked), true);
  }

  private masked(text: string): string {
    const redactor = new Redactor(this.secrets);
    return redactor.push(text) + redactor.end();
  }

  private beatSoon(): void {
    const { progressWriteMs } = WORK_LIMITS;
    // No longer than that, should the clock be set back.
    const wait = Math.min(progressWriteMs, this.writtenAt + progressWriteMs - Date.now());
    if (wait <= 0) this.beat();
    else this.soon ??= setTimeout(() => this.beat(), wait);
  }

  private beat(): void {
    clearTimeout(this.soon);
    this.soon = undefined;
    this.writtenAt = Date.now();
    const { progressAt, turns, toolCalls, usage, writtenAt: at } = this;
    const beat = { at, turns, toolCalls, ...(progressAt ? { progressAt } : {}), ...(usage ? { usage } : {}) };
    try {
      this.replace('heartbeat.json', heartbeatLine(beat), false);
    } catch {
      // The disk is full. If it stays so, the lease expires.
    }
  }

  private replace(name: string, text: string, flush: boolean): void {
    const draft = path.join(this.folder, `${name}.draft`);
    const descriptor = openSync(draft, 'w', PRIVATE_FILE);
    try {
      writeSync(descriptor, text);
      if (flush) fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(draft, path.join(this.folder, name));
  }
}
