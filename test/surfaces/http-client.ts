import { mkdirSync, writeFileSync } from 'node:fs';
import { type ClientRequest, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { Caller } from '#ports/callers.js';
import { type HttpOptions, type HttpServer, startHttp } from '#surfaces/http/server.js';
import type { DashboardStore, StoredDashboard } from '#surfaces/http/sessions.js';
import { OWNER, type World, world } from '../e2e/world.js';
import { NO_TOKENS } from '../no-tokens.js';
import { room } from '../room.js';

export const TOKEN = 'token-of-this-test-0123456789';
export const bearer = { authorization: `Bearer ${TOKEN}` };
export const json = { 'content-type': 'application/json' };

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  json(): { error: { code: string; message: string; hint: string; details: unknown } } & Record<string, never>;
}

type Ask = (
  target: string,
  given?: { method?: string; headers?: Record<string, string>; body?: string },
) => Promise<Answer>;

/** Stored data of a dashboard, for the duration of the test. */
export function dashboardMemory(
  kept: StoredDashboard = { sessions: [] },
): DashboardStore & { readonly kept: StoredDashboard } {
  const memory = {
    kept,
    read: () => memory.kept,
    write: (now: StoredDashboard) => {
      memory.kept = now;
    },
  };
  return memory;
}

/** A server over a small world, closed when the test ends. */
export async function serve(options: Partial<HttpOptions> = {}): Promise<{ server: HttpServer; own: World; ask: Ask }> {
  const own = world();
  const webFolder = room('web');
  mkdirSync(path.join(webFolder, 'assets'));
  writeFileSync(path.join(webFolder, 'index.html'), '<!doctype html><title>Troupe</title>');
  writeFileSync(path.join(webFolder, 'assets', 'main-abc.js'), 'export {};');
  writeFileSync(path.join(webFolder, 'notes.txt'), 'not for the web');
  const server = await startHttp({
    call: own.call,
    follow: (from, signal) => own.store.follow(from, signal),
    project: { name: 'demo', folder: '/project' },
    person: OWNER,
    callerAt: async (_, holder) => holder,
    engine: async () => ({ state: 'running', running: 1, cap: 4, away: 0 }),
    webFolder,
    token: TOKEN,
    tokens: NO_TOKENS,
    clock: own.clock,
    operations: own.specs,
    memory: dashboardMemory(),
    ...options,
  });
  onTestFinished(() => server.close());
  async function ask(
    target: string,
    given: { method?: string; headers?: Record<string, string>; body?: string } = {},
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const outgoing = httpRequest(
        {
          host: '127.0.0.1',
          port: server.port,
          path: target,
          method: given.method ?? 'GET',
          headers: given.headers,
          agent: false,
        },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on('data', (chunk) => chunks.push(chunk));
          incoming.on('error', reject);
          incoming.on('end', () => {
            const text = Buffer.concat(chunks).toString();
            resolve({
              status: incoming.statusCode ?? 0,
              headers: incoming.headers,
              text,
              json: () => JSON.parse(text),
            });
          });
        },
      );
      outgoing.on('error', reject);
      outgoing.end(given.body);
    });
  }
  return { server, own, ask };
}

export async function login(server: HttpServer, asked: Ask, holder: Caller = OWNER): Promise<string> {
  const answer = await asked('/api/session', {
    method: 'POST',
    headers: { origin: server.address, ...json },
    body: JSON.stringify({ code: server.loginCode(holder) }),
  });
  expect(answer.status).toBe(204);
  return String(answer.headers['set-cookie']?.[0]).split(';')[0] ?? '';
}

export function connects(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 2_000 });
    const answer = (value: boolean) => {
      socket.destroy();
      resolve(value);
    };
    socket.once('connect', () => answer(true));
    socket.once('error', () => answer(false));
    socket.once('timeout', () => answer(false));
  });
}

/** Sends bytes and collects the response until the server closes the connection. */
export function rawConversation(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk.toString();
    });
    socket.on('error', () => resolve(answer));
    socket.on('close', () => resolve(answer));
  });
}

/** A listener on the event stream; `silent` never reads. */
export async function listen(port: number, target: string, headers: Record<string, string> = {}, silent = false) {
  let text = '';
  let changed: (() => void) | undefined;
  const { incoming, outgoing } = await new Promise<{
    incoming: IncomingMessage;
    outgoing: ClientRequest;
  }>((resolve, reject) => {
    const outgoing = httpRequest(
      { host: '127.0.0.1', port, path: target, headers: { ...bearer, ...headers }, agent: false },
      (incoming) => resolve({ incoming, outgoing }),
    );
    outgoing.on('error', reject);
    outgoing.end();
  });
  expect(incoming.statusCode).toBe(200);
  const ended = new Promise<void>((resolve) => incoming.once('close', () => resolve()));
  incoming.on('error', () => changed?.());
  if (silent) incoming.pause();
  else {
    incoming.on('data', (chunk) => {
      text += chunk.toString();
      changed?.();
    });
  }
  const events = () =>
    [...text.matchAll(/^data: (.*)$/gm)].map((match) => JSON.parse(match[1] ?? '') as { seq: number });
  const when = async (holds: () => boolean) => {
    while (!holds()) await new Promise<void>((resolve) => (changed = resolve));
  };
  return {
    ended,
    hangUp: () => void outgoing.destroy(),
    until: async (count: number) => {
      await when(() => events().length >= count);
      return events();
    },
    untilText: (part: string) => when(() => text.includes(part)),
  };
}
