import { StringDecoder } from 'node:string_decoder';
import { WORKER_LIMITS } from '#kernel/limits/worker.js';
import { Redactor } from '#kernel/secrets.js';
import type { SentBytes, SentParts } from '#ports/attempt-orders.js';
import type { RunBytes } from '#ports/run-bytes.js';
import type { WorkerGateway } from '#ports/worker-gateway.js';

type Part = keyof SentParts;
const PARTS: readonly Part[] = ['prompt', 'output', 'events'];
const NOTHING: SentBytes = { read: 0, told: 0 };

/** Position of a run that has no output yet. */
export const NOTHING_SENT: SentParts = { output: NOTHING, events: NOTHING, prompt: NOTHING };

interface SenderParts {
  readonly run: string;
  readonly fence: number;
  readonly bytes: RunBytes;
  readonly desk: Pick<WorkerGateway, 'append'>;
  /** Values that must not leave this machine. */
  readonly secrets: readonly string[];
  /** Position up to which a previous process has sent. */
  readonly sent: SentParts;
}

/** Sends the output of a run in chunks of whole lines, without secrets. A failed chunk is sent again from its start. */
export class RunSender {
  private readonly parts: SenderParts;
  private readonly streams: Map<Part, Stream>;
  private turn: Promise<unknown> = Promise.resolve();

  constructor(parts: SenderParts) {
    this.parts = parts;
    this.streams = new Map(PARTS.map((part) => [part, new Stream(parts.sent[part], parts.secrets)]));
  }

  /** Position up to which all is reported, from which another process continues. */
  get sent(): SentParts {
    const at = (part: Part) => this.streams.get(part)?.sent ?? NOTHING_SENT[part];
    return { output: at('output'), events: at('events'), prompt: at('prompt') };
  }

  /** Sends new output; at the `end` of the run also the held-back rest. Returns whether there was any. */
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

/** Transfer state of one file of a run. */
class Stream {
  /** Bytes read from it. */
  read: number;
  /** Bytes reported for it. */
  told: number;
  /** Whether its maximum stored size is reached. */
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

  /** Another process reads the held-back bytes again from this position. */
  get sent(): SentBytes {
    return { read: this.sentRead, told: this.told };
  }

  /** Whether text must be reported before more is read, because reporting it failed. */
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
