import { StringDecoder } from 'node:string_decoder';
import { WORKER_LIMITS } from '#kernel/limits/worker.js';
import { Redactor } from '#kernel/secrets.js';
import type { SentBytes, SentParts } from '#ports/attempt-orders.js';
import type { RunBytes } from '#ports/run-bytes.js';
import type { WorkerDesk } from '#ports/worker-desk.js';

type Part = keyof SentParts;
const PARTS: readonly Part[] = ['prompt', 'output', 'events'];
const NOTHING: SentBytes = { read: 0, told: 0 };

/** Of a run that prints nothing yet. */
export const NOTHING_SENT: SentParts = { output: NOTHING, events: NOTHING, prompt: NOTHING };

interface SenderParts {
  readonly run: string;
  readonly fence: number;
  readonly bytes: RunBytes;
  readonly desk: Pick<WorkerDesk, 'append'>;
  /** Values that must not leave this machine. */
  readonly secrets: readonly string[];
  /** What an earlier life has sent. */
  readonly sent: SentParts;
}

/** Hands over what a run prints, piece by piece, in whole lines and without secrets. One that fails is sent again from where it began. */
export class RunSender {
  private readonly parts: SenderParts;
  private readonly streams: Map<Part, Stream>;
  private turn: Promise<unknown> = Promise.resolve();

  constructor(parts: SenderParts) {
    this.parts = parts;
    this.streams = new Map(PARTS.map((part) => [part, new Stream(parts.sent[part], parts.secrets)]));
  }

  /** What is told already: another life goes on from there. */
  get sent(): SentParts {
    const at = (part: Part) => this.streams.get(part)?.sent ?? NOTHING_SENT[part];
    return { output: at('output'), events: at('events'), prompt: at('prompt') };
  }

  /** Sends what came since; at the `end` of the run also what was held back. Answers whether there was anything. */
  send({ end }: { readonly end: boolean }): Promise<boolean> {
    const work = this.turn.then(() => this.sendAll(end));
    this.turn = work.catch(() => undefined);
    return work;
  }

  private async sendAll(end: boolean): Promise<boolean> {
    let any = false;
    for (const [part, stream] of this.streams) any = (await this.sendPart(part, stream, end)) || any;
    return any;
  }

  private async sendPart(part: Part, stream: Stream, end: boolean): Promise<boolean> {
    const { run, fence, bytes, desk } = this.parts;
    let any = false;
    while (!stream.full) {
      const first = stream.waiting;
      const piece = first ? new Uint8Array() : await bytes.read(run, part, stream.read, WORKER_LIMITS.pieceBytes);
      const text = stream.take(piece, end && !first && piece.length === 0);
      if (text !== '') {
        const bytes = Buffer.from(text);
        stream.full = !(await desk.append(run, fence, { of: part, from: stream.told, bytes }));
        stream.tell(bytes.length);
        any = true;
      }
      if (piece.length === 0 && text === '') break;
    }
    return any;
  }
}

/** One file of a run on its way. */
class Stream {
  /** Bytes that were read of it. */
  read: number;
  /** Bytes that were told of it. */
  told: number;
  /** No more of it is kept. */
  full = false;
  private sentRead: number;
  private readonly decoder = new StringDecoder('utf8');
  private readonly redactor: Redactor;
  private text = '';

  constructor({ read, told }: SentBytes, secrets: readonly string[]) {
    this.read = read;
    this.sentRead = read;
    this.told = told;
    this.redactor = new Redactor(secrets);
  }

  /** Another life reads from there what was held back, and tells it as if it came then. */
  get sent(): SentBytes {
    return { read: this.sentRead, told: this.told };
  }

  /** Whether something is to be told before more is read: telling it failed. */
  get waiting(): boolean {
    return this.text !== '';
  }

  take(piece: Uint8Array, end: boolean): string {
    this.read += piece.length;
    this.text += this.redactor.push(this.decoder.write(Buffer.from(piece)));
    if (end) this.text += this.redactor.push(this.decoder.end()) + this.redactor.end();
    return this.text;
  }

  tell(bytes: number): void {
    this.text = '';
    this.told += bytes;
    this.sentRead = this.read - this.redactor.heldBytes;
  }
}
