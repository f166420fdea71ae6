import { describe, expect, onTestFinished } from 'vitest';
import { PostgresDatabase, withDatabase } from '#adapters/postgres/database.js';
import { sha256 } from '#kernel/hash.js';
import { postgresAddress } from '../postgres.js';
import { S3Server } from '../s3-server.js';
import { verifies } from '../verifies.js';
import { WITH_CLIENT } from './client-world.js';
import { asked, endEverything, troupe, until } from './program.js';
import { worker, workersWorld } from './workers-world.js';

const address = (await postgresAddress()) ?? '';

describe.skipIf(address === '')('with an object store', () => {
  verifies(
    'fleet.blobs',
    'what a run prints at a worker lies there, the database has its hash, and any machine with the keys reads it',
    async () => {
      const server = await S3Server.open();
      const place = await workersWorld(
        address,
        '[coordinator]\nworktree_isolation = "on"\nexecutor = "claude"\n[database]\nremote = "origin"\nblobs = "s3://outputs/team"\n',
      );
      const { clone, cwd, env } = place;
      const without = worker(place, '--name', 'box');
      await until('the worker to arrive', () => without.events().some(({ event }) => event === 'arrived'));
      const warned = without.events().find(({ event }) => event === 'warned')?.text;
      expect(warned).toMatch(/^database\.blobs is not trusted on this machine: .*`troupe trust`/);
      without.child.kill('SIGTERM');
      await without.finished;
      await asked(['trust'], { cwd: clone, env });
      const refused = await troupe(['worker', 'start', '--name', 'box', '--yes', '--json'], { cwd: clone, env });
      expect(refused.stderr + refused.stdout, 'nothing opens it').toContain('blobs_not_chosen');
      expect(refused.stderr + refused.stdout).toContain('AWS_ACCESS_KEY_ID');
      const own = { ...env, ...WITH_CLIENT, ...server.environment };
      const box = worker({ clone, env: own }, '--name', 'box', '--executor', 'claude');
      await until('the worker to arrive', () => box.events().some(({ event }) => event === 'arrived'));
      expect([...server.objects.values()].map(String), 'it was tried').toEqual(['tried']);

      await asked(['trust'], { cwd });
      onTestFinished(() => endEverything(cwd));
      await asked(['service', 'start'], { cwd, env: server.environment });
      await asked(['add', 'Do it play=commits', '--id', 'build'], { cwd });
      const shown = async () => (await asked<{ task: { status: string } }>(['show', 'build'], { cwd })).task;
      await until('the task to be done', async () => (await shown()).status === 'done');
      const [run = ''] = box.events().flatMap(({ event, run: of }) => (event === 'ended' && of ? [of] : []));
      const { rows } = await withDatabase(
        () => PostgresDatabase.of(address, place.name),
        (database) =>
          database.query<{ of: string; isHere: boolean; sha256: string }>(
            'SELECT of, bytes IS NOT NULL AS "isHere", sha256 FROM run_pieces',
          ),
      );
      expect(new Set(rows.map(({ of }) => of))).toEqual(new Set(['prompt', 'output', 'events']));
      expect(
        rows.filter(({ isHere }) => isHere),
        'nothing of it lies in the database',
      ).toEqual([]);
      for (const { sha256: hash } of rows)
        expect(sha256(server.objects.get(`team/troupe_${place.name}/${run}/${hash}`) ?? '')).toBe(hash);

      const read = async (more: object) => {
        const { stdout, stderr } = await troupe(['output', 'build', '--raw'], { cwd: clone, env: { ...env, ...more } });
        return stdout + stderr;
      };
      expect(await read({}), 'the leader reads it').toContain('total_cost_usd');
      await asked(['service', 'stop'], { cwd });
      expect(await read({})).toContain('error[blobs_not_chosen]: AWS_ACCESS_KEY_ID');
      expect(await read(server.environment)).toContain('total_cost_usd');
      server.instead = () => ({ status: 503 });
      expect(await read(server.environment)).toContain('error[blobs_away]: The object store does not answer');
    },
  );
});
