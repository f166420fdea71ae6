import { describe, expect } from 'vitest';
import type { Answer } from '#surfaces/http/contract.js';
import { fileAt, integrationOf } from '../adapters/worktrees/place.js';
import { postgresAddress } from '../postgres.js';
import { git } from '../repository.js';
import { verifies } from '../verifies.js';
import { ownSettings } from './client-world.js';
import { FarWorker, fleet } from './far-worker.js';
import { asked, troupe, until } from './program.js';
import { addPlay, hasBranch, serveClients, shownTask } from './repository-world.js';

const address = (await postgresAddress()) ?? '';
const refsOf = (hub: string) => git(hub, 'for-each-ref', '--format=%(refname:short)').trim().split('\n');

type Machines = Answer<'machine.list'>;

/** As whoever leads has it: there are no files of the graph. */
const untilIt = (cwd: string, id: string, status: string) =>
  until(`${id} to be ${status}`, async () => (await shownTask(cwd, id))['status'] === status);

describe.skipIf(address === '')('attempts at workers', () => {
  verifies(
    ['fleet.code', 'fleet.plan', 'fleet.see'],
    'of two tasks one works here and one at a worker, and the work of both is merged',
    async () => {
      const place = await fleet(address);
      const { cwd, hub } = place;
      await addPlay(cwd, 'near', 'leaves');
      await serveClients(cwd, '--max-agents', '1');
      await untilIt(cwd, 'near', 'done');
      const worker = await FarWorker.arrive(place, 'box-1');
      await addPlay(cwd, 'far', 'leaves');
      const order = await worker.take();
      expect(order).toMatchObject({
        plan: { taskId: 'far', fence: 1 },
        setsUp: true,
        tree: { task: 'far', attempt: 1 },
      });
      expect(order.tree.base).toBe(git(hub, 'rev-parse', 'wg/integration').trim());
      expect(await shownTask(cwd, 'far')).toMatchObject({ status: 'in-progress', assigned: order.plan.id });
      const said = async (...words: string[]) => (await troupe(words, { cwd })).stdout;
      await until('the leader to know who has it', async () => /worker +box-1/.test(await said('show', 'far')));
      expect(await said('why', 'far')).toContain(`${order.plan.id} has been running it at box-1`);
      expect(await said('status')).toMatch(/far .*at box-1/);
      expect(await said('agents')).toMatch(/AT[\s\S]*far .*box-1/);
      expect(JSON.stringify(order), 'no place of the leader travels').not.toContain(cwd);
      expect(await worker.does(order)).toBe('taken');
      await untilIt(cwd, 'far', 'done');
      const merged = integrationOf(cwd);
      expect(fileAt(cwd, merged, 'far.txt')).toBe('by box-1\n');
      expect(fileAt(cwd, merged, 'near.txt')).toBe('by near\n');
      expect(git(hub, 'rev-parse', 'wg/integration').trim()).toBe(git(cwd, 'rev-parse', 'wg/integration').trim());
      await until('the branches to be gone', () => !hasBranch(cwd, 'wg/far/1') && !refsOf(hub).includes('wg/far/1'));
    },
  );

  verifies(
    ['fleet.lost', 'fleet.code', 'fleet.see'],
    'what a worker took that is gone is given to another one, and what the first hands in later is refused',
    async () => {
      const place = await fleet(address);
      const { cwd, database } = place;
      const first = await FarWorker.arrive(place, 'box-1');
      await addPlay(cwd, 'far', 'leaves');
      await serveClients(cwd, '--max-agents', '1');
      const lost = await first.take();
      await first.work(lost);
      await database.query("UPDATE workers SET seen_at = seen_at - interval '1 hour'");
      const machines = () => asked<Machines>(['machines'], { cwd });
      expect((await machines()).workers.rows).toMatchObject([{ name: 'box-1', state: 'silent' }]);
      const second = await FarWorker.arrive(place, 'box-2');
      const again = await second.take();
      expect(await machines()).toMatchObject({
        leader: { epoch: expect.any(Number), who: expect.stringContaining(' on ') },
        workers: {
          rows: [{ name: 'box-1' }, { name: 'box-2', state: 'working', runs: [{ run: again.plan.id, task: 'far' }] }],
        },
        ...{ silent: 1, slots: { total: 1, used: 1 }, refused: { total: 0 } },
      });
      expect(again).toMatchObject({ plan: { taskId: 'far', fence: 2 }, tree: { attempt: 2 } });
      expect(await first.hand(lost)).toBe('refused');
      expect((await machines()).refused).toMatchObject({
        total: 1,
        latest: [{ run: lost.plan.id, task: 'far', worker: 'box-1' }],
      });
      expect(await second.does(again)).toBe('taken');
      await untilIt(cwd, 'far', 'done');
      expect(fileAt(cwd, integrationOf(cwd), 'far.txt')).toBe('by box-2\n');
    },
  );

  verifies(
    ['fleet.plan', 'fleet.code'],
    'a leader that begins anew finds what was handed out; work that came in meanwhile is taken once',
    async () => {
      const place = await fleet(address);
      const { cwd } = place;
      const worker = await FarWorker.arrive(place, 'box-1');
      await addPlay(cwd, 'far', 'leaves');
      await serveClients(cwd, '--max-agents', '1');
      const order = await worker.take();
      await worker.work(order);
      await asked(['service', 'stop'], { cwd, env: ownSettings() });
      expect(await worker.hand(order)).toBe('taken');
      expect((await shownTask(cwd, 'far'))['status']).toBe('in-progress');
      await serveClients(cwd, '--max-agents', '1');
      await untilIt(cwd, 'far', 'done');
      expect(fileAt(cwd, integrationOf(cwd), 'far.txt')).toBe('by box-1\n');
      const log = git(cwd, 'log', '--format=%s', '--first-parent', 'main..wg/integration').trim().split('\n');
      expect(log).toHaveLength(1);
    },
  );

  verifies(
    'fleet.code',
    'work that waits for review is looked at and approved here; a retry goes on from what was published',
    async () => {
      const place = await fleet(address);
      const { cwd } = place;
      const worker = await FarWorker.arrive(place, 'box-1');
      await addPlay(cwd, 'far', 'leaves', '--verify', 'Look at it');
      await serveClients(cwd, '--max-agents', '1');
      expect(await worker.does(await worker.take())).toBe('taken');
      await untilIt(cwd, 'far', 'pending-validation');
      const shown = await asked<{ patch: string }>(['worktree', 'show', 'far', '--patch'], { cwd });
      expect(shown.patch).toContain('+by box-1');
      await asked(['reject', 'far', '--reason', 'Once more'], { cwd });
      const other = await FarWorker.arrive(place, 'box-2');
      const again = await other.take();
      const folder = await other.work(again);
      expect(git(folder, 'show', 'HEAD:far.txt')).toBe('by box-1\n');
      expect(await other.hand(again)).toBe('taken');
      await untilIt(cwd, 'far', 'pending-validation');
      await asked(['approve', 'far'], { cwd });
      expect(fileAt(cwd, integrationOf(cwd), 'far.txt')).toBe('by box-2\n');
    },
  );

  verifies(
    ['fleet.labels', 'fleet.see'],
    'a task that asks for a label waits until a worker has it, and says so; a silent worker is a problem',
    async () => {
      const place = await fleet(address);
      const { cwd, database } = place;
      await addPlay(cwd, 'trained', 'leaves', '--needs', 'gpu');
      await serveClients(cwd);
      const problems = async () => JSON.stringify(await asked(['problems'], { cwd }));
      await until('the problem to be told', async () => (await problems()).includes('no worker has it'));
      expect(await problems()).toContain('troupe worker start --label gpu');
      expect((await troupe(['why', 'trained'], { cwd })).stdout).toContain('it needs label gpu; no worker has it');
      const worker = await FarWorker.arrive(place, 'box-1', ['gpu']);
      expect(await worker.does(await worker.take())).toBe('taken');
      await untilIt(cwd, 'trained', 'done');
      await database.query("UPDATE workers SET seen_at = seen_at - interval '1 hour'");
      await until('the silence to be told', async () => (await problems()).includes('The worker box-1 is silent'));
    },
  );
});
