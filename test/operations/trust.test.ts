import { expect, test } from 'vitest';
import { TroupeError } from '#kernel/errors.js';
import { init } from '#operations/graph/init.js';
import { artifact } from '#operations/graph/log.js';
import { trust } from '#operations/graph/trust.js';
import { refuseUntrusted } from '#operations/graph/trusted.js';
import { loadSettings } from '#operations/load-settings.js';
import type { Context } from '#operations/operation.js';
import type { ProjectTrust, TrustGrant } from '#ports/trust.js';
import { AgencyInMemory } from '../agency-in-memory.js';
import { agreedTo } from '../agreed.js';
import { world } from '../e2e/world.js';
import { verifies } from '../verifies.js';

const coded = (code: string) => expect.objectContaining({ code });

/** A project whose trust is kept in memory. */
function place() {
  const own = world();
  let begun = 0;
  const inMemory = new AgencyInMemory();
  const shipped = () => {
    begun++;
    return AgencyInMemory.prototype.shipped.call(inMemory);
  };
  const agency = Object.assign(inMemory, { shipped });
  let record: TrustGrant | undefined;
  const kept: ProjectTrust = {
    read: async () => record,
    isOfAnother: async () => false,
    give: async (trusted) => {
      record = trusted;
    },
    withdraw: async () => {
      const had = record !== undefined;
      record = undefined;
      return had;
    },
  };
  const commands = agreedTo();
  let config: Record<string, unknown> = {};
  const settings = { name: 'config.toml', read: async () => config, set: async () => ({ kept: true }) };
  const context: Context = {
    ...own.context,
    agency: async () => agency,
    trust: async () => kept,
    trustedCommands: async () => commands,
    settings: async () => settings,
  };
  return {
    ...own,
    begun: () => begun,
    context,
    record: () => record,
    commands,
    configure: (value: Record<string, unknown>) => {
      config = value;
    },
  };
}

verifies('sec.inert', 'commands that can still run need trust; finished ones do not', async () => {
  const { add, context, set } = place();
  await add('note');
  await add('over', { exec: 'rm x', status: 'done' });
  await add('dropped', { exec: 'rm x', status: 'abandoned' });
  await refuseUntrusted(context);
  for (const status of ['open', 'in-progress', 'waiting', 'blocked', 'pending-validation', 'failed']) {
    await add(`is-${status}`, { exec: 'rm x', status });
    await expect(refuseUntrusted(context), status).rejects.toThrow(coded('untrusted_graph'));
    await set(`is-${status}`, { status: 'done' });
  }
  await refuseUntrusted(context);
});

verifies('sec.inert', 'what was trusted is recorded, and said when it has changed since', async () => {
  const own = place();
  await own.add('a', { exec: 'make' });
  await own.add('b', { exec: 'make' });
  await own.add('c', { exec: 'make test', environment: { IN_X: '1' } });
  const shown = await trust.run(own.context, { show: true });
  expect(shown).toMatchObject({ trusted: false, changed: false, tasks: 3 });
  expect(shown.commands).toEqual([
    { command: 'make', tasks: ['a', 'b'] },
    { command: 'make test', tasks: ['c'] },
  ]);
  expect(own.record()).toBeUndefined();
  expect(await trust.run(own.context, {})).toMatchObject({ trusted: true, changed: true, sha256: shown.sha256 });
  expect(own.record()).toEqual({ at: '2026-03-01T10:00:00.000Z', commands: 3, sha256: shown.sha256 });
  await refuseUntrusted(own.context);
  expect(await trust.run(own.context, { show: true })).toMatchObject({ before: { commands: 3, same: true } });
  await own.set('c', { environment: { IN_X: '2' } });
  expect(await trust.run(own.context, { show: true })).toMatchObject({ renewed: false, before: { same: false } });
  expect(await trust.run(own.context, {})).toMatchObject({ changed: false, renewed: true, before: { same: false } });
  expect(await trust.run(own.context, {})).toMatchObject({ renewed: false, before: { same: true } });
  expect(await trust.run(own.context, { withdraw: true })).toMatchObject({ trusted: false, changed: true });
  await expect(trust.run(own.context, { withdraw: true, show: true })).rejects.toThrow(coded('usage'));
  const run: Context = { ...own.context, caller: { kind: 'run', name: 'agent-1', taskId: 'a', fence: 1 } };
  await expect(trust.run(run, {})).rejects.toThrow(coded('not_yours'));
});

test('settings that say where messages go are shown, and agreed to with the commands', async () => {
  const own = place();
  own.configure({
    notify: { smtp: { host: 'mail.example.org', password_env: 'MAIL' } },
    coordinator: { max_agents: 2 },
  });
  expect((await loadSettings(own.context)).settings.notify.smtp.host).toBeUndefined();
  const shown = await trust.run(own.context, {});
  expect(shown.settings).toEqual([
    { key: 'notify.smtp.host', value: 'mail.example.org' },
    { key: 'notify.smtp.password_env', value: 'MAIL' },
  ]);
  expect((await loadSettings(own.context)).settings.notify.smtp.host).toBe('mail.example.org');
  own.configure({ notify: { smtp: { host: 'evil.example.org', password_env: 'MAIL' } } });
  const changed = await loadSettings(own.context);
  expect(changed.settings.notify.smtp).toEqual({ secure: false });
  expect(changed.warnings).toEqual([expect.stringContaining('not trusted on this machine')]);
  expect(await trust.run(own.context, { show: true })).toMatchObject({ before: { same: false } });
  await trust.run(own.context, {});
  expect((await loadSettings(own.context)).warnings).toEqual([]);
  const withdrawn = await trust.run(own.context, { withdraw: true });
  expect(withdrawn).toMatchObject({ settings: [], before: { same: true } });
});

test('what somebody else agreed to on this machine counts for nobody', async () => {
  const own = place();
  await own.add('a', { exec: 'make' });
  let cleared = 0;
  const commands = Object.assign(Object.create(own.commands), { clear: () => void cleared++ });
  const context = (another: boolean): Context => ({
    ...own.context,
    trust: async () => ({ ...(await own.context.trust()), isOfAnother: async () => another }),
    trustedCommands: async () => commands,
  });
  await trust.run(context(false), { show: true });
  expect(cleared).toBe(0);
  await trust.run(context(true), { show: true });
  expect(cleared).toBe(1);
  await trust.run(context(false), { withdraw: true });
  expect(cleared).toBe(2);
});

/** The graph alone: what an agency begins with is written elsewhere. */
const ALONE = { no_agency: true };

test('whoever makes a graph trusts it; one that was there is not trusted by that', async () => {
  const made = place();
  const initialise = (created: boolean) => async () => ({ folder: '/project/.workgraph', created });
  const git = () => Promise.reject(new TroupeError('git_missing'));
  expect(await init.run({ ...made.context, git, initialise: initialise(true) }, ALONE)).toMatchObject({
    trusted: true,
  });
  const found = place();
  expect(await init.run({ ...found.context, git, initialise: initialise(false) }, ALONE)).toMatchObject({
    trusted: false,
  });
  expect(found.record()).toBeUndefined();
  const closed = () => Promise.reject(new TroupeError('read_only'));
  const context = { ...found.context, git, initialise: initialise(true), trust: closed };
  expect(await init.run(context, ALONE)).toMatchObject({ created: true, trusted: false });
});

test('a new graph begins with an agency unless that is not wanted; one that was there does not', async () => {
  const git = () => Promise.reject(new TroupeError('git_missing'));
  const begun = async (created: boolean, input: object) => {
    const own = place();
    const initialise = async () => ({ folder: '/project/.workgraph', created });
    const seq = (await own.store.view()).seq;
    await init.run({ ...own.context, git, initialise }, input);
    expect((await own.store.view()).seq).toBe(seq);
    return own.begun();
  };
  expect([await begun(true, {}), await begun(true, ALONE), await begun(false, {})]).toEqual([1, 0, 0]);
});

verifies('sec.path.escape', 'an artifact is a path inside the project', async () => {
  const { add, context } = place();
  await add('a', { artifacts: ['../old'] });
  for (const file of ['../../etc/passwd', '/etc/passwd', '..', '.', '/project', 'src/../../x', '/projects/x', 'a\0b']) {
    await expect(artifact.run(context, { id: 'a', paths: [file] }), file).rejects.toThrow(coded('unsafe_path'));
  }
  const kept = await artifact.run(context, { id: 'a', paths: ['src/x.ts', '/project/out/y', './z', '..a/b'] });
  expect(kept.artifacts).toEqual(['../old', 'src/x.ts', 'out/y', 'z', '..a/b']);
  await expect(artifact.run(context, { id: 'a', paths: ['../old'] }), 'kept, but no name').rejects.toThrow(
    coded('unsafe_path'),
  );
  const left = await artifact.run(context, { id: 'a', paths: ['../old', '/project/z'], remove: true });
  expect(left.artifacts).toEqual(['src/x.ts', 'out/y', '..a/b']);
});
