import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { TroupeError } from '#kernel/errors.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { freshRequest, type RequestMark } from '#kernel/request.js';
import { projectAt } from '#main/project.js';
import { serviceAt, socketPath } from '#main/service-at.js';
import type { Service, ServiceReply } from '#ports/service.js';
import { callThrough } from '#surfaces/socket/call-through.js';
import { ANONYMOUS_ASKER } from '#surfaces/socket/client.js';
import { SocketService } from '#surfaces/socket/socket-service.js';
import { room } from '../room.js';

const ABSENT: ServiceReply = { state: 'absent' };
const ANSWERED: ServiceReply = { state: 'answered', result: 'by the service' };

interface Scene {
  readonly byRun?: boolean;
  readonly looks?: boolean;
  /** The replies of the service, the last one for ever. */
  readonly replies: readonly ServiceReply[];
  /** What happens in this process, the last one for ever: an answer or the code of an error. */
  readonly here: readonly ({ readonly answer: string } | { readonly code: 'locked' | 'read_only' | 'not_found' })[];
  /** The moments at which somebody begins to listen. */
  readonly listens?: readonly number[];
}

/** A call with a service and a process that do what the scene says, on a clock that only moves while somebody waits. */
async function called({ byRun = false, looks = false, replies, here, listens = [] }: Scene) {
  let now = 0;
  const asked: (string | undefined)[] = [];
  const tried: RequestMark[] = [];
  const pick = <One>(all: readonly One[], place: number) => all[Math.min(place, all.length - 1)] as One;
  const service: Service = {
    ask: async (request) => {
      asked.push('request_id' in request ? String(request.request_id) : undefined);
      return pick(replies, asked.length - 1);
    },
    up: async () => undefined,
    notify: async () => false,
    watch: () => {
      const since = now;
      return () => listens.some((at) => at > since && at <= now);
    },
  };
  const outcome = await callThrough<string>(
    service,
    {
      ...{ name: 'task.add', input: {}, byRun, looks, request: freshRequest() },
      async here(request) {
        tried.push(request);
        const what = pick(here, tried.length - 1);
        now += 1;
        if ('answer' in what) return what.answer;
        throw new TroupeError(what.code, { what: 'no' });
      },
    },
    {
      now: () => now,
      async wait(milliseconds) {
        now += milliseconds;
      },
    },
  ).catch((error: TroupeError) => error.code);
  const ids = new Set([...asked, ...tried.map(({ requestId }) => requestId)]);
  return {
    outcome,
    asks: asked.length,
    sent: asked.filter((id) => id !== undefined).length,
    fresh: tried.map(({ fresh }) => fresh),
    now,
    ids: ids.size,
  };
}

test('a service that answers is the one; without one the call is made here', async () => {
  const here = [{ answer: 'here' }];
  expect(await called({ replies: [ANSWERED], here })).toEqual({
    ...{ outcome: 'by the service', asks: 1, sent: 1, fresh: [], now: 0, ids: 1 },
  });
  expect(await called({ looks: true, replies: [ANSWERED], here }), 'a read has no id').toMatchObject({ sent: 0 });
  expect(await called({ replies: [ABSENT], here })).toMatchObject({ outcome: 'here', asks: 1, fresh: [true], ids: 1 });
  const broken = await called({ replies: [{ state: 'broken' }], here });
  expect(broken).toMatchObject({ outcome: 'here', fresh: [false], ids: 1 }); // it may have been done there
});

test('a service that came while the lock was waited for is asked, under the same request id', async () => {
  const locked = [{ code: 'locked' as const }];
  const came = await called({ replies: [ABSENT, ANSWERED], here: locked, listens: [1] });
  expect(came).toMatchObject({ outcome: 'by the service', asks: 2, ids: 1 });
  const again = await called({ replies: [ABSENT], here: [...locked, { answer: 'here' }], listens: [1] });
  expect(again).toMatchObject({ outcome: 'here', fresh: [true, false], ids: 1 });
  expect(await called({ replies: [ABSENT], here: locked })).toMatchObject({ outcome: 'locked', asks: 1 });
  const read = { replies: [ABSENT], here: [{ code: 'read_only' as const }] };
  expect(await called(read)).toMatchObject({ outcome: 'read_only', asks: 1, now: 1 });
  expect(await called({ replies: [ABSENT], here: [{ code: 'not_found' }], listens: [1] })).toMatchObject({ asks: 1 });
});

test('one that keeps coming and never answers is asked for a time, not for ever', async () => {
  const listens = Array.from({ length: 2 * WORK_LIMITS.doorWaitMs }, (_, at) => at);
  const { outcome, now } = await called({ replies: [ABSENT], here: [{ code: 'locked' }], listens });
  expect(outcome).toBe('locked');
  expect(now).toBe(WORK_LIMITS.doorWaitMs + 1);
});

test('a run waits at its door, however many listen there for a moment and leave', async () => {
  const refused = { byRun: true, here: [{ code: 'read_only' as const }] };
  const listens = [1, 2, 3, 4, 5].map((step) => step * (WORK_LIMITS.doorLookMs + 1));
  const replies = [ABSENT, ABSENT, ABSENT, { state: 'broken' as const }, ABSENT, ANSWERED];
  expect(await called({ ...refused, replies, listens })).toMatchObject({ outcome: 'by the service', asks: 6, ids: 1 });
  const nobody = await called({ ...refused, replies: [ABSENT] });
  expect(nobody).toMatchObject({ outcome: 'service_not_running', asks: 1 });
  expect(nobody.now).toBeGreaterThanOrEqual(WORK_LIMITS.doorWaitMs);
  expect(nobody.now).toBeLessThan(WORK_LIMITS.doorWaitMs + 2 * WORK_LIMITS.doorLookMs);
});

test('the service at a socket: none, one that answers, and one that came', async () => {
  const socket = path.join(room(), 's');
  const asked: string[] = [];
  const service = new SocketService(
    () => socket,
    async () => ({ ...ANONYMOUS_ASKER, proof: { run: 'agent-1' } }),
  );
  const appeared = service.watch();
  expect([await service.ask({ cmd: 'pause' }), await service.up(), await service.notify(), appeared()]).toEqual([
    ...[ABSENT, undefined, false, false],
  ]);
  const server = createServer((connection) => {
    connection.on('data', (line) => {
      asked.push(String(line).trim());
      connection.write('{"ok":true,"pid":7}\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  onTestFinished(() => void server.close());
  expect([appeared(), service.watch()()]).toEqual([true, false]);
  expect([await service.up(), await service.notify()]).toEqual([{ pid: 7 }, true]);
  expect(await service.ask({ cmd: 'pause' })).toEqual({ state: 'answered', result: { pid: 7 } });
  expect(asked.map((line) => JSON.parse(line))).toEqual([
    { cmd: 'status' },
    { cmd: 'graph_changed' },
    { cmd: 'pause', run: 'agent-1' },
  ]);
});

test('a run finds the service of a project with a long path, without being told the runtime folder', async () => {
  const [project, runtime] = [path.join(room(), 'long'.repeat(30)), room()];
  const another = room();
  vi.stubEnv('XDG_RUNTIME_DIR', another);
  onTestFinished(() => void vi.unstubAllEnvs());
  const socket = path.join(runtime, path.relative(another, socketPath(projectAt(project), another)));
  mkdirSync(path.dirname(socket));
  mkdirSync(path.join(project, '.workgraph/service'), { recursive: true });
  const server = createServer((connection) => {
    connection.on('data', () => connection.write('{"ok":true,"pid":8}\n'));
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  onTestFinished(() => void server.close());
  const told = (place: string) =>
    writeFileSync(path.join(project, '.workgraph/service/state.json'), JSON.stringify({ socket_path: place }));
  const service = serviceAt(projectAt(project));
  expect(await service.up()).toBeUndefined();
  told(socket);
  expect(await service.up()).toEqual({ pid: 8 });
  // Another socket that a file names is not believed.
  symlinkSync(socket, path.join(runtime, 'daemon.sock'));
  told(path.join(runtime, 'daemon.sock'));
  expect(await service.up()).toBeUndefined();
});
