import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { AccessTokensFile } from '#adapters/trust/access-tokens-file.js';
import { systemClock } from '#kernel/clock.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { redact } from '#kernel/secrets.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

const TOKEN = { scope: 'member', person: 'ann', made: 1, until: 2 } as const;

const storeIn = (folder: string, project = 'a') =>
  new AccessTokensFile({ folder, processes: new ProcessTable(), clock: systemClock }, project);

verifies('api.tokens', 'a secret is stored as its hash alone, for its owner alone, and known again', async () => {
  const folder = path.join(room('settings'), 'dashboards');
  const store = storeIn(folder);
  expect([store.all(), store.ofSecret('x'), existsSync(folder)]).toEqual([[], undefined, false]);
  const secret = await store.add({ name: 'ci', ...TOKEN });
  const file = path.join(folder, 'a.tokens.json');
  expect(readdirSync(folder), 'no draft and no lock is left').toEqual(['a.tokens.json']);
  expect([statSync(file).mode & 0o777, statSync(folder).mode & 0o777]).toEqual([0o600, 0o700]);
  expect(secret).toMatch(/^troupe_[\w-]{43}$/);
  expect(readFileSync(file, 'utf8')).not.toContain(secret.slice(8, 24));
  expect(storeIn(folder).ofSecret(secret)).toEqual({ name: 'ci', ...TOKEN });
  expect(storeIn(folder, 'b').ofSecret(secret), 'in another project').toBeUndefined();
  for (const wrong of ['', secret.slice(1), `${secret}x`, readFileSync(file, 'utf8').match(/[0-9a-f]{64}/)?.[0] ?? ''])
    expect(store.ofSecret(wrong)).toBeUndefined();
  await expect(store.add({ name: 'ci', ...TOKEN })).rejects.toMatchObject({ code: 'token_exists' });
  expect(await store.revoke('ci')).toEqual({ name: 'ci', ...TOKEN });
  expect([await store.revoke('ci'), store.ofSecret(secret), store.all()]).toEqual([undefined, undefined, []]);
});

verifies('api.tokens', 'a row that cannot be parsed opens nothing, and there are at most so many', async () => {
  const folder = room('tokens');
  const store = storeIn(folder);
  const secret = await store.add({ name: 'ci', ...TOKEN });
  const file = path.join(folder, 'a.tokens.json');
  const text = readFileSync(file, 'utf8');
  for (const broken of ['', '{', text.replace('"member"', '"admin"'), text.replace('"until": 2', '"until": "2"')]) {
    writeFileSync(file, broken);
    expect(store.ofSecret(secret), broken).toBeUndefined();
  }
  writeFileSync(file, text);
  const names = Array.from({ length: SURFACE_LIMITS.accessTokens - 1 }, (_, index) => `t${index}`);
  for (const name of names) await store.add({ name, ...TOKEN });
  await expect(store.add({ name: 'more', ...TOKEN })).rejects.toMatchObject({ code: 'too_many' });
  expect(store.all()).toHaveLength(SURFACE_LIMITS.accessTokens);
});

verifies('api.tokens', 'two processes that change the store at once lose nothing', async () => {
  const folder = room('tokens');
  const names = Array.from({ length: 12 }, (_, index) => `t${index}`);
  const secrets = await Promise.all(names.map((name) => storeIn(folder).add({ name, ...TOKEN })));
  expect(secrets.map((secret) => storeIn(folder).ofSecret(secret)?.name)).toEqual(names);
});

verifies('api.tokens', 'a secret is masked in every text that is kept', async () => {
  const secret = await storeIn(room('tokens')).add({ name: 'ci', ...TOKEN });
  expect(redact(`see ${secret}.`)).toBe('see ********.');
});
