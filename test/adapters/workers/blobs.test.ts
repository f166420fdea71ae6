import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect } from 'vitest';
import { ROW_BLOBS } from '#adapters/workers/row-blobs.js';
import { S3Blobs } from '#adapters/workers/s3-blobs.js';
import { s3PlaceOf } from '#adapters/workers/s3-place.js';
import { DATABASE_LIMITS } from '#kernel/limits/database.js';
import { blobsContract } from '../../contract/blobs.js';
import { S3Server } from '../../s3-server.js';
import { verifies } from '../../verifies.js';

/** A port at which nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

blobsContract('rows of the database', async () => ROW_BLOBS);
blobsContract('an object store', async () => new S3Blobs((await S3Server.open()).place));

verifies(
  'fleet.blobs',
  'objects are named by folder and hash below the prefix, and asked for by signed requests alone',
  async () => {
    const server = await S3Server.open();
    await new S3Blobs(server.place).put('shop/agent-1', Buffer.from('one'));
    expect([...server.objects.keys()]).toEqual([
      'team/shop/agent-1/7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed',
    ]);
    const keys = { ...server.place.keys, secretAccessKey: 'another' };
    await expect(new S3Blobs({ ...server.place, keys }).put('shop/agent-1', Buffer.from('two'))).rejects.toMatchObject({
      code: 'blobs_refused',
      why: 'SignatureDoesNotMatch, status 403',
    });
    const elsewhere = new S3Blobs({ ...server.place, bucket: 'nowhere' });
    await expect(elsewhere.get('shop/agent-1', { sha256: 'a', size: 1 })).rejects.toMatchObject({
      code: 'blobs_refused',
    });
  },
);

verifies('fleet.blobs', 'other bytes than were put are no answer, nor is more of them, nor another place', async () => {
  const server = await S3Server.open();
  const blobs = new S3Blobs(server.place);
  const put = await blobs.put('shop/agent-1', Buffer.from('one'));
  const mark = 'mark' in put ? put.mark : expect.unreachable();
  server.instead = () => ({ status: 200, body: 'two' });
  await expect(blobs.get('shop/agent-1', mark)).rejects.toMatchObject({ code: 'blob_damaged' });
  server.instead = () => ({ status: 200, body: 'x'.repeat(DATABASE_LIMITS.blobAnswerBytes + 1) });
  await expect(blobs.get('shop/agent-1', mark)).rejects.toMatchObject({ code: 'blobs_refused' });
  server.instead = () => ({ status: 302 });
  await expect(blobs.get('shop/agent-1', mark)).rejects.toMatchObject({ code: 'blobs_refused' });
});

verifies('fleet.blobs', 'a store that fails or says nothing is away for now, with the reason', async () => {
  const server = await S3Server.open();
  const blobs = new S3Blobs(server.place);
  const failed = async (work: Promise<unknown>) =>
    await work.catch(({ code, why, details }) => ({ code, why, details }));
  const put = (store: S3Blobs) => failed(store.put('a/b', Buffer.from('x')));
  const away = (why: string) => ({ code: 'blobs_away', why, details: { retriable: true } });
  let asked = 0;
  const answers = (status: number, body = '') => {
    server.instead = () => {
      asked++;
      return { status, body };
    };
  };
  answers(503, '<Error><Code>SlowDown</Code></Error>');
  expect(await put(blobs)).toEqual(away('SlowDown, status 503'));
  expect(await failed(blobs.get('a/b', { sha256: 'a', size: 1 }))).toEqual(away('SlowDown, status 503'));
  expect(await failed(blobs.removeFolder('a'))).toEqual(away('SlowDown, status 503'));
  expect(asked, 'each is asked once').toBe(3);
  for (const status of [500, 429]) {
    answers(status);
    expect(await put(blobs)).toEqual(away(`status ${status}`));
  }
  for (const status of [499, 300]) {
    answers(status);
    const refused = { code: 'blobs_refused', why: `status ${status}`, details: {} };
    expect(await put(blobs)).toEqual(refused);
    expect(await failed(blobs.get('a/b', { sha256: 'a', size: 1 }))).toEqual(refused);
    expect(await failed(blobs.removeFolder('a'))).toEqual(refused);
  }
  server.instead = () => 'nothing';
  expect(await put(new S3Blobs(server.place, 500))).toEqual(away('no answer in 1 s'));
  const closed = { ...server.place, origin: `http://127.0.0.1:${await closedPort()}` };
  expect(await put(new S3Blobs(closed))).toEqual(away('ECONNREFUSED'));
});

verifies('fleet.blobs', 'an object that is not there is missing; a bucket that is not there is refused', async () => {
  const server = await S3Server.open();
  const blobs = new S3Blobs(server.place);
  const mark = { sha256: 'a', size: 1 };
  const answers = async (status: number, body: string) => {
    server.instead = () => ({ status, body });
    return await blobs.get('a/b', mark).catch(({ code, details }) => [code, details]);
  };
  expect(await answers(404, '<Error><Code>NoSuchKey</Code></Error>')).toEqual(['blob_missing', mark]);
  expect(await answers(404, 'nothing')).toEqual(['blob_missing', mark]);
  expect(await answers(404, '<Error><Code>NoSuchBucket</Code></Error>')).toEqual(['blobs_refused', {}]);
  expect(await answers(200, 'x')).toEqual(['blob_damaged', mark]);
  expect(await answers(200, 'xy')).toEqual(['blob_damaged', mark]);
});

verifies(
  'fleet.blobs',
  'a store that lists what it removed, or what is not ours, removes nothing else and does not stop us',
  async () => {
    const server = await S3Server.open();
    const blobs = new S3Blobs(server.place);
    const asked: string[] = [];
    const list = (...keys: string[]) => keys.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('');
    const lying = (...keys: string[]) => {
      asked.length = 0;
      server.instead = ({ method = '', url = '' }) => {
        asked.push(`${method} ${url.split('?')[0]}`);
        return method === 'GET' ? { status: 200, body: list(...keys) } : { status: 204 };
      };
    };
    lying('team/run-1/a');
    await expect(blobs.removeFolder('run-1')).rejects.toMatchObject({ code: 'blobs_refused' });
    expect(asked).toEqual(['GET /outputs', 'DELETE /outputs/team/run-1/a', 'GET /outputs']);
    lying('team/run-10/a', 'others/b');
    await blobs.removeFolder('run-1');
    expect(asked).toEqual(['GET /outputs']);
    let left = ['team/run-1/a'];
    for (const [status, outcome] of [
      [404, undefined],
      [300, 'status 300'],
    ] as const) {
      left = ['team/run-1/a'];
      server.instead = ({ method }) => {
        if (method === 'GET') return { status: 200, body: list(...left) };
        left = [];
        return { status };
      };
      expect(await blobs.removeFolder('run-1').catch(({ why }) => why), 'removed by another').toBe(outcome);
    }
  },
);

verifies('fleet.blobs', 'the environment of the person opens a store, by TLS or on this machine', () => {
  const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
  expect(s3PlaceOf('s3://outputs', keys)).toEqual({
    ...{ bucket: 'outputs', prefix: '', origin: 'https://s3.us-east-1.amazonaws.com', region: 'us-east-1' },
    keys: { accessKeyId: 'id', secretAccessKey: 'secret' },
  });
  const more = { AWS_REGION: 'eu-north-1', AWS_SESSION_TOKEN: 'now', AWS_ENDPOINT_URL: 'https://objects.example.org/' };
  expect(s3PlaceOf('s3://outputs/team/a/', { ...keys, ...more })).toMatchObject({
    ...{
      prefix: 'team/a/',
      origin: 'https://objects.example.org',
      region: 'eu-north-1',
      keys: { sessionToken: 'now' },
    },
  });
  expect(s3PlaceOf('s3://outputs', { ...keys, AWS_DEFAULT_REGION: 'eu-west-1' })).toMatchObject({
    ...{ region: 'eu-west-1', origin: 'https://s3.eu-west-1.amazonaws.com' },
  });
  for (const host of ['localhost:9000', '127.0.0.1', '[::1]:9000'])
    expect(s3PlaceOf('s3://outputs', { ...keys, AWS_ENDPOINT_URL_S3: `http://${host}` }).origin).toBe(`http://${host}`);
  for (const half of [{ AWS_ACCESS_KEY_ID: 'id' }, { AWS_SECRET_ACCESS_KEY: 'secret' }])
    expect(() => s3PlaceOf('s3://outputs', half)).toThrow(expect.objectContaining({ code: 'blobs_not_chosen' }));
  for (const bad of ['http://objects.example.org', 'ftp://localhost', 'https://a/b', 'objects'])
    expect(() => s3PlaceOf('s3://outputs', { ...keys, AWS_ENDPOINT_URL_S3: bad }), bad).toThrow(
      expect.objectContaining({ code: 'bad_config' }),
    );
});
