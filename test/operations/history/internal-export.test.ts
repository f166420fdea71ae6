import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { LocalFiles } from '#adapters/files/local-files.js';
import { leaksIn } from '#adapters/inspectors/secrets.js';
import { traceExport } from '#operations/history/trace-files.js';
import { verifies } from '../../verifies.js';
import { stage } from '../agency/place.js';

const KEY = `SG.${'aB3dE5gH7jK9mN1pQ3sT5v'}.${'xY2zA4bC6dE8fG0hI2jK4lM6nO8pQ0rS2tU4vW6xY8z'}`;
const PASSPHRASE = 'quite-an-ordinary-passphrase';

async function leaky() {
  const own = await stage();
  const { project } = own;
  const environment = { MAILER_PASSWORD: PASSPHRASE };
  const inspector = { leaks: (passages: Parameters<typeof leaksIn>[0]) => leaksIn(passages, environment) };
  const parts = { inspector: async () => inspector as never, files: async () => new LocalFiles(project) };
  const exported = (input: object) =>
    own.call({ ...traceExport, run: (context, said) => traceExport.run({ ...context, ...parts }, said) }, input);
  await own.put('send', {
    title: `Send mail with ${KEY}`,
    log: [{ timestamp: '2026-03-01T10:00:00Z', message: 'plain' }],
  });
  await own.store.commit(() => ({
    events: [{ op: 'edit', task_id: 'send', actor: 'ann', patch: [{ id: 'send', set: { title: 'Send mail' } }] }],
    result: undefined,
  }));
  await own.put('log-in', { title: `Log in "as" ${PASSPHRASE}`, description: 'password=abcdefgh12345' });
  return { ...own, exported };
}

verifies(
  'who.export',
  'an internal export holds everything, and each secret masked, with a note of where it was',
  async () => {
    const { exported, store, project, put } = await leaky();
    const trace = await exported({ visibility: 'internal' });
    if (!('metadata' in trace)) throw new Error('it was to be answered');
    const text = JSON.stringify(trace);
    for (const secret of [KEY, PASSPHRASE, 'abcdefgh12345']) expect(text).not.toContain(secret);
    expect(trace.tasks.map(({ id, title }) => [id, title])).toEqual([
      ['log-in', 'Log in "as" ********'],
      ['send', 'Send mail'],
    ]);
    expect(trace.operations.map(({ op }) => op)).toEqual(['add_task', 'edit', 'add_task']);
    expect(text).toContain('plain');
    expect(trace.metadata.masked).toEqual([
      'task log-in: the value of MAILER_PASSWORD',
      'event 1: a key of SendGrid',
      'event 3: the value of MAILER_PASSWORD',
    ]);
    const file = await exported({ visibility: 'internal', output: 'all.json' });
    expect(file).toMatchObject({ warnings: [expect.stringMatching(/^masked: task log-in: .*Change these secrets/)] });
    expect(readFileSync(path.join(project, 'all.json'), 'utf8')).not.toContain(PASSPHRASE);
    const told = async (id: string) => {
      await put(id, { title: PASSPHRASE });
      const answer = await exported({ visibility: 'internal', output: `${id}.json` });
      return 'warnings' in answer ? answer.warnings[0]?.replaceAll(/(task|event) [\w-]+: [\w ]+/g, '$1') : undefined;
    };
    const all = 'Change these secrets: the log keeps them.';
    expect(await told('five')).toBe(`masked: task; task; event; event; event. ${all}`);
    expect(await told('seven')).toBe(`masked: task; task; task; event; event; and 2 more. ${all}`);
    await store.close();
  },
);

verifies('who.export', 'what goes to others is refused while a secret stands in it', async () => {
  const { exported, store, put } = await leaky();
  await put('open', { title: `Log in with ${PASSPHRASE}`, visibility: 'public' });
  for (const visibility of ['peer', 'public'])
    await expect(exported({ visibility })).rejects.toMatchObject({ code: 'secret_in_export' });
  await store.close();
});
