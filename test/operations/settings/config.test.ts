import path from 'node:path';
import { expect, test } from 'vitest';
import { guardedFingerprint, settingsFrom } from '#core/settings/settings.js';
import { TroupeError } from '#kernel/errors.js';
import type { Context } from '#operations/operation.js';
import { apply, get, set, show } from '#operations/settings/config.js';
import { clientInForce, clientStanding, sentence } from '#operations/settings/usable-executors.js';
import type { TrustGrant } from '#ports/trust.js';
import { bothPorts } from '../../both-ports.js';
import { world } from '../../e2e/world.js';
import { Calls } from '../told.js';

type Tables = Record<string, Record<string, unknown>>;

/** A file of settings and what was agreed to, in memory. */
function stage(before: TrustGrant | undefined = undefined) {
  const own = world();
  let tables: Tables = {};
  let trusted = before;
  let written = 0;
  const refused: string[] = [];
  const file: Awaited<ReturnType<Context['settings']>> = {
    name: 'config.toml',
    read: async () => structuredClone(tables),
    set: async (changes) => {
      written++;
      for (const { key, value } of changes) {
        const [last = '', ...rest] = [...key].reverse();
        let at = tables as Record<string, unknown>;
        for (const part of rest.reverse()) {
          at[part] ??= {};
          at = at[part] as Record<string, unknown>;
        }
        if (value === undefined) delete at[last];
        else at[last] = value;
      }
      return { kept: written > 1 };
    },
  };
  const context: Context = {
    ...own.context,
    settings: async () => file,
    trust: async () =>
      ({
        read: async () => trusted,
        give: async (grant: TrustGrant) => {
          trusted = grant;
        },
      }) as never,
    ...bothPorts(
      async () =>
        ({
          refuseFolder: async (folder: string) => {
            if (folder === '/taken') throw new TroupeError('bad_config', { what: 'Taken.' });
            refused.push(folder);
          },
        }) as never,
    ),
  };
  return { context, refused, trusted: () => trusted, tables: () => tables, put: (all: Tables) => (tables = all) };
}

test('settings are shown, set and given back, one at a time or several, or none of them', async () => {
  const { context, refused, tables, put } = stage();
  let caller: Context['caller'] = { kind: 'person', name: 'ann' };
  const calls = new Calls(() => ({ ...context, caller }));
  await calls.say(get, { key: 'coordinator.max_agents' });
  await calls.say(get, { key: 'coordinator.max_agent' });
  await calls.say(set, { key: 'coordinator.max_agents', value: '3' });
  await calls.say(set, { key: 'coordinator.max_agents', value: 'many' });
  await calls.say(set, { key: 'coordinator.max_agents' });
  await calls.say(set, { key: 'coordinator.max_agents', value: '3', unset: true });
  await calls.say(set, { key: 'coordinator.max_agents', value: '3', unset: false });
  await calls.say(get, { key: 'coordinator.max_agents' });
  await calls.say(set, { key: 'coordinator.max_agents', unset: true });
  await calls.say(apply, { settings: ['budget.usd_per_day=5', 'worktree.folder=../trees', 'coordinator.model=a=b'] });
  await calls.say(apply, { settings: ['budget.usd_per_day=', 'worktree.folder='] });
  await calls.say(apply, { settings: ['budget.usd_per_day=7', 'worktree.folder=/taken'] });
  await calls.say(apply, { settings: ['budget.usd_per_day=7', 'nonsense'] });
  await calls.say(apply, { settings: ['=7'] });
  await calls.say(set, { key: 'database.project', value: 'shop' });
  await calls.say(apply, { settings: ['database.project='] });
  await calls.say(set, { key: 'coordinator.executor', value: 'nobody' });
  await calls.say(set, { key: 'coordinator.fallback', value: 'codex, nobody' });
  await calls.say(set, { key: 'agency.evaluator_agent', value: 'nobody' });
  caller = { kind: 'run', name: 'agent-1', taskId: 'a', fence: 1 };
  await calls.say(set, { key: 'budget.usd_per_day', value: '9' });
  await calls.say(apply, { settings: ['budget.usd_per_day=9'] });
  expect(tables()).toEqual({ coordinator: { model: 'a=b' }, budget: {}, worktree: {} });
  expect(refused).toEqual(['../trees']);
  put({ coordinator: { max_agents: 0 } });
  caller = { kind: 'person', name: 'ann' };
  await calls.say(set, { key: 'budget.usd_per_day', value: '9' });
  put({ coordinator: { executor: 'codex' }, odd: { key: 1 } });
  await calls.say(show, {});
  await expect(calls.text).toMatchFileSnapshot(path.join(import.meta.dirname, 'golden/config.txt'));
});

test('a remote for the work of other machines is one that this clone has', async () => {
  const { context, tables } = stage();
  const asked: unknown[] = [];
  const git = {
    tryOutput: async (folder: string, words: string[]) => (asked.push([folder, words]) < 2 ? 'hub.git' : undefined),
  };
  const own: Context = { ...context, git: async () => git as never };
  await set.run(own, { key: 'database.remote', value: 'hub' });
  await expect(set.run(own, { key: 'database.remote', value: 'other' })).rejects.toThrow(
    'There is no git remote other',
  );
  await expect(set.run(own, { key: 'database.remote', value: '--all' })).rejects.toMatchObject({ code: 'bad_config' });
  expect(asked).toEqual([
    [context.projectFolder, ['remote', 'get-url', 'hub']],
    [context.projectFolder, ['remote', 'get-url', 'other']],
  ]);
  expect(tables()).toEqual({ database: { remote: 'hub' } });
});

test('who sets where messages go has agreed to it, as far as what was there was agreed to', async () => {
  const grant = { at: 'then', commands: 2, sha256: 'x' };
  const print = (tables: object) => guardedFingerprint(settingsFrom(tables).settings);
  const smtp = (host: string) => ({ notify: { smtp: { host } } });
  const setHost = async (before: TrustGrant | undefined, tables: Tables, ...wishes: string[]) => {
    const place = stage(before);
    place.put(tables);
    await apply.run(place.context, { settings: wishes });
    return place.trusted();
  };
  const fresh = { ...grant, settings: print(smtp('mail.example')) ?? '' };
  expect(await setHost(grant, {}, 'notify.smtp.host=mail.example', 'coordinator.max_agents=3')).toEqual(fresh);
  expect(await setHost(undefined, {}, 'notify.smtp.host=mail.example')).toBeUndefined();
  expect(await setHost(grant, {}, 'coordinator.max_agents=3')).toBe(grant);
  const old = { ...grant, settings: print(smtp('old.example')) ?? '' };
  expect(await setHost(old, smtp('old.example'), 'notify.smtp.host=mail.example')).toEqual(fresh);
  expect(await setHost(old, smtp('old.example'), 'notify.smtp.host=')).toEqual(grant);
  const foreign = { ...grant, settings: 'another' };
  expect(await setHost(foreign, smtp('old.example'), 'notify.smtp.host=mail.example')).toBe(foreign);
  expect(await setHost(grant, smtp('old.example'), 'notify.smtp.host=mail.example'), 'nobody agreed').toBe(grant);
});

test('the client in force is the one of the coordinator, else the one of the settings', async () => {
  const { context, put } = stage({ at: '', commands: 0, sha256: '' });
  const coordinated = async (facts: object) => await clientInForce({ ...context, coordinator: () => facts as never });
  expect(await coordinated({ executor: 'codex', alive: 1 })).toEqual({ executor: 'codex' });
  const missing = { text: 'why', command: 'y' };
  expect(await coordinated({ missing })).toEqual({ missing });
  expect(await coordinated({})).toEqual({});
  put({ coordinator: { executor: 'shell' } });
  expect(await clientInForce(context)).toEqual({});
  expect((await clientStanding(stage().context, 'codex')).missing).toEqual({
    ...{ text: 'this graph is not trusted on this machine: `troupe trust`', command: 'troupe trust' },
  });
  const nobody = (await clientStanding(context, 'nobody')).missing;
  expect(nobody).toEqual({ text: expect.stringMatching(/nobody.* /), command: 'troupe executor list' });
  expect(nobody?.text).not.toMatch(/undefined| $/);
  const files = { list: async () => [], read: async () => ({ file: 'own.toml', sha256: '1', value: {} }) };
  const added = {
    ...context,
    executorFiles: async () => files,
    executorTrust: async () => ({ all: async () => new Map() }),
  };
  expect((await clientStanding(added as never, 'own')).missing).toEqual({
    text: 'own.toml is not trusted on this machine. Review it, then run `troupe trust executor own`.',
    command: 'troupe trust executor own',
  });
  const odd = new Error('odd');
  const failing = { ...context, executorFiles: () => Promise.reject(odd) };
  await expect(clientStanding(failing, 'nobody')).rejects.toBe(odd);
  expect([sentence('See the page.'), sentence('npm i x')]).toEqual(['See the page.', 'Install it with `npm i x`.']);
});
