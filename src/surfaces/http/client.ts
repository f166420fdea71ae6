import type { Answer, ApiInput, ApiOperation, ErrorAnswer, GraphEvent } from './contract.js';

/** Names of the operations that are called with GET; the build puts them here (`tooling/client.mjs`). */
declare const TROUPE_READS: readonly string[];

export interface ClientOptions {
  /** Address of the server, such as `http://127.0.0.1:PORT`. */
  readonly url: string;
  /**
   * Secret of `troupe token add NAME`. On the machine of the service also the content of `.workgraph/service/http-token`, or of
   * `http-viewer-token` for reading alone.
   */
  readonly token: string;
}

export interface CallOptions {
  /** Cancels the request. Without one, it waits as long as the server works. */
  readonly signal?: AbortSignal;
  /**
   * Key of a change that may be sent again: with the same input it is made once, and answered alike. Without one, a
   * change that got no answer may have been made.
   */
  readonly idempotencyKey?: string;
}

export interface EventOptions {
  /** First entry of the log that is wanted. */
  readonly from: number;
  /** Ends the stream. */
  readonly signal?: AbortSignal;
}

/** Calls to the HTTP API of one project. */
export interface ApiClient {
  /**
   * Calls an operation by its name. Rejects with a TroupeError: with the code of the refusal, or `unreachable` if there
   * was no answer.
   */
  call<Name extends ApiOperation>(name: Name, input: ApiInput<Name>, options?: CallOptions): Promise<Answer<Name>>;
  /**
   * Yields each entry of the log once, from `from` on. After an interruption it goes on after the last one that was
   * read. Rejects with a TroupeError if the server refuses the stream, or ends it because the token is no longer valid.
   */
  events(options: EventOptions): AsyncGenerator<GraphEvent, void, void>;
}

/** A refusal by the server. Match on the code: it is stable. */
class ClientError extends Error {
  override readonly name = 'TroupeError';
  /** A code of the table of errors, or `unreachable`. */
  readonly code: ErrorAnswer['error']['code'] | 'unreachable';
  readonly hint: string;
  readonly why: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;
  /** Status of the answer; 0 without one. */
  readonly status: number;

  constructor(
    error: Omit<ErrorAnswer['error'], 'code'> & { readonly code: ClientError['code'] },
    status: number,
    cause?: unknown,
  ) {
    super(error.message, cause === undefined ? undefined : { cause });
    this.code = error.code;
    this.hint = error.hint;
    this.why = error.why;
    this.details = error.details;
    this.status = status;
  }
}

export { ClientError as TroupeError };

/** Time before a stream that was interrupted is asked for again. */
const AGAIN_MS = 1_000;

/** Creates a client for the server of one project. Sends nothing yet. */
export function createClient({ url, token }: ClientOptions): ApiClient {
  const base = url.replace(/\/+$/, '');
  const authorization = `Bearer ${token}`;

  async function send(target: string, request: RequestInit & { headers?: Record<string, string> }): Promise<Response> {
    const headers = { ...request.headers, authorization };
    const response = await fetch(`${base}/api/${target}`, { ...request, headers, redirect: 'error' }).catch((cause) => {
      if (request.signal?.aborted === true) throw request.signal.reason;
      const hint = 'Run `troupe service status` in the project.';
      throw new ClientError({ code: 'unreachable', message: 'Troupe does not answer.', hint, details: {} }, 0, cause);
    });
    if (response.ok) return response;
    const answer = (await response.json().catch(() => undefined)) as ErrorAnswer | undefined;
    if (answer !== undefined) throw new ClientError(answer.error, response.status);
    const message = `The server answered ${response.status}.`;
    throw new ClientError({ code: 'internal', message, hint: 'Check the address.', details: {} }, response.status);
  }

  return {
    async call(name, input, { signal, idempotencyKey } = {}) {
      const address = name.replaceAll('.', '/');
      const abort = signal === undefined ? {} : { signal };
      const answered = async (response: Promise<Response>) => (await (await response).json()) as Answer<typeof name>;
      if (TROUPE_READS.includes(name)) return await answered(send(`${address}${queryOf(input)}`, abort));
      const key: Record<string, string> = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
      const headers = { 'content-type': 'application/json', ...key };
      return await answered(send(address, { ...abort, method: 'POST', headers, body: JSON.stringify(input) }));
    },

    async *events({ from, signal }) {
      const abort = signal === undefined ? {} : { signal };
      let last = Math.max(1, from) - 1;
      const isEnded = () => signal?.aborted === true;
      while (!isEnded()) {
        try {
          const { body } = await send('events', { ...abort, headers: { 'last-event-id': `${last}` } });
          for await (const event of eventsOf(body)) {
            last = event.seq;
            yield event;
          }
        } catch (error) {
          if (isEnded()) return;
          if (error instanceof ClientError && error.code !== 'unreachable') throw error;
        }
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    },
  };
}

function queryOf(input: object): string {
  const query = new URLSearchParams();
  for (const [field, value] of Object.entries(input)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) query.append(field, String(one));
  }
  return query.size === 0 ? '' : `?${query}`;
}

/** Events of a body in the form of server-sent events: ours have one line of data each. */
async function* eventsOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<GraphEvent, void, void> {
  const decoder = new TextDecoder();
  let text = '';
  let isEnd = false;
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) {
      if (line === 'event: end') isEnd = true;
      if (!line.startsWith('data: ')) continue;
      const data: unknown = JSON.parse(line.slice('data: '.length));
      if (isEnd) throw new ClientError((data as ErrorAnswer).error, 401);
      yield data as GraphEvent;
    }
  }
}
