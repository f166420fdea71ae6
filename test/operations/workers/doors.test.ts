import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, vi } from 'vitest';
import { TroupeError } from '#kernel/errors.js';
import { type Asker, askService } from '#surfaces/socket/client.js';
import type { SocketRequest } from '#surfaces/socket/protocol.js';
import { PATIENCE } from '../../patience.js';
import { verifies } from '../../verifies.js';
import { MemoryGateway } from '../../worker-gateway-in-memory.js';
import { clones, orderOf, workerIn } from './worker-world.js';

/** A run at work at a worker, its door, and what it proves itself by. */
async function runAtWork(secrets: readonly string[] = []) {
  const world = clones();
  const desk = new MemoryGateway();
  const { loop } = await workerIn(world, desk, { secrets });
  const gate = path.join(world.remote, 'gate');
  desk.offer(
    await orderOf(world, 'agent-5', `echo "$WG_RUN_TOKEN" > token; until [ -e ${gate} ]; do sleep 0.05; done`),
  );
  const token = path.join(world.worker, '.workgraph/worktrees/task-5-5/token');
  await vi.waitFor(() => expect(readFileSync(token, 'utf8')).toMatch(/\n$/), PATIENCE);
  const door = path.join(world.worker, '.workgraph/worker/agents/agent-5/service/daemon.sock');
  const as = (proof: Asker['proof']): Asker => ({ proof, introduce: async () => undefined });
  const own = { run: 'agent-5', run_fence: 5, run_token: readFileSync(token, 'utf8').trim() };
  const say = async (request: SocketRequest, proof: Asker['proof'] = own) => await askService(door, request, as(proof));
  return {
    desk,
    loop,
    door,
    own,
    say,
    end: async () => {
      writeFileSync(gate, '');
      await vi.waitFor(() => expect(desk.ends).toHaveLength(1), PATIENCE);
    },
  };
}

const LOG = {
  cmd: 'operation',
  name: 'task.log',
  input: { id: 'task-5', text: 'half way' },
  request_id: 'r-1',
} as const;

verifies(
  'fleet.mail',
  'what a run says at its door at a worker is answered by the leader, who knows which run it is',
  async () => {
    const { desk, say, end } = await runAtWork();
    desk.answer = () => '{"ok":true,"result":{"id":"task-5"}}';
    expect(await say(LOG)).toEqual({ state: 'answered', result: { id: 'task-5' } });
    expect(desk.lines).toEqual([{ run: 'agent-5', fence: 5, line: JSON.stringify(LOG) }]);
    desk.answer = () => '{"ok":false,"error":{"code":"not_yours","message":"It is not yours."}}';
    await expect(say(LOG)).rejects.toMatchObject({ code: 'not_yours' });
    await end();
  },
);

verifies(
  ['fleet.mail', 'fleet.secret'],
  'the token of a run and secrets of the machine stay there; nobody else speaks for a run',
  async () => {
    const { desk, say, own, end } = await runAtWork(['hunter2-hunter2']);
    await say({ ...LOG, input: { id: 'task-5', text: 'the key is hunter2-hunter2' } });
    const sent = desk.lines.map(({ line }) => line).join('\n');
    expect(sent).toContain('the key is ********');
    expect(sent).not.toContain(own.run_token);
    await expect(say(LOG, {}), 'whoever has no token may be anybody').rejects.toMatchObject({ code: 'bad_run_token' });
    await expect(say(LOG, { ...own, run_token: `${own.run_token}x` })).rejects.toMatchObject({ code: 'bad_run_token' });
    await expect(say(LOG, { ...own, run: 'agent-6' })).rejects.toMatchObject({ code: 'bad_run_token' });
    await expect(say(LOG, { ...own, run_fence: 6 })).rejects.toMatchObject({ code: 'bad_run_token' });
    expect(desk.lines).toHaveLength(1);
    await end();
  },
);

verifies(
  'fleet.mail',
  'a worker answers itself that a run is at work, and asks again while the database is away',
  async () => {
    const { desk, say, end, door } = await runAtWork();
    const beat = { cmd: 'heartbeat', agent_id: 'agent-5', fence: 5 } as const;
    expect(await say(beat)).toMatchObject({ result: { lease_until: expect.stringMatching(/^20/) } });
    await expect(say({ ...beat, agent_id: 'agent-6' })).rejects.toMatchObject({ code: 'not_yours' });
    expect(await say({ cmd: 'status' })).toMatchObject({ result: { pid: process.pid } });
    expect(desk.lines).toEqual([]);
    desk.isAway = true;
    const answered = say(LOG);
    setTimeout(() => {
      desk.isAway = false;
    }, 50);
    expect(await answered).toMatchObject({ state: 'answered' });
    let refusals = 0;
    desk.answer = () => {
      refusals += 1;
      if (refusals === 1) throw new TroupeError('database_read_only', { details: { retriable: true } });
      return '{"ok":true,"result":{"id":"task-5"}}';
    };
    expect(await say(LOG), 'a database that takes no changes for a while').toMatchObject({ state: 'answered' });
    await end();
    await vi.waitFor(() => expect(existsSync(door)).toBe(false), PATIENCE);
  },
);
