import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Received {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Record<string, unknown>;
}

/** Response to one request: a text, a status, or the behaviour of a broken server. */
export type Step =
  | { readonly say: string }
  | { readonly status: number; readonly body?: unknown; readonly headers?: Record<string, string> }
  | 'hang'
  | 'drop'
  | 'flood';

/** A model server on loopback that follows a script, one step per request, and records the requests. */
export async function modelServer(...script: Step[]): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      received.push({ path, headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString() || '{}') });
      follow(script[received.length - 1] ?? { status: 500 }, path, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

function follow(step: Step, path: string, response: ServerResponse): void {
  if (step === 'hang') return;
  if (step === 'drop') {
    response.destroy();
    return;
  }
  if (step === 'flood') {
    response.writeHead(200, { 'content-type': 'application/json' });
    const pour = () => {
      while (!response.destroyed && response.write('x'.repeat(64 * 1024)));
    };
    response.on('drain', pour);
    pour();
    return;
  }
  const { status, body, headers } =
    'say' in step ? { status: 200, body: answerOf(path, step.say), headers: {} } : { headers: {}, body: {}, ...step };
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** Responses in the two supported formats: messages and chat completions. */
function answerOf(path: string, text: string): object {
  if (path.endsWith('/messages')) {
    return {
      id: 'm1',
      type: 'message',
      role: 'assistant',
      model: 'scripted',
      content: [{ type: 'text', text }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 11, output_tokens: 7 },
    };
  }
  return {
    id: 'c1',
    object: 'chat.completion',
    created: 1,
    model: 'scripted',
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18, cost: 0.0042 },
  };
}
