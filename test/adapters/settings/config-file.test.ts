import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { ConfigFile } from '#adapters/settings/config-file.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { openBelow } from '../../open-files.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

function place(text?: string) {
  const folder = path.join(room(), '.workgraph');
  mkdirSync(folder);
  const file = path.join(folder, 'config.toml');
  if (text !== undefined) writeFileSync(file, text);
  const config = new ConfigFile({ folder, processes: new ProcessTable(), clock: { now: () => Date.now() } });
  return { folder, file, config, text: () => readFileSync(file, 'utf8') };
}

verifies('coord.config', 'a value is set where it stands; comments, order and unknown keys stay', async () => {
  const { config, text } = place(
    '# mine\n[coordinator]\nzebra = 1 # kept\nmax_agents = 2   # two\n\n[other]\nx = "y"\n',
  );
  expect(await config.set([{ key: ['coordinator', 'max_agents'], value: 8 }])).toEqual({ kept: true });
  expect(text()).toBe('# mine\n[coordinator]\nzebra = 1 # kept\nmax_agents = 8   # two\n\n[other]\nx = "y"\n');
  await config.set([{ key: ['notify', 'smtp', 'host'], value: 'a "quoted"\nname' }]);
  expect(text()).toContain('[notify.smtp]\n');
  expect(await config.read()).toMatchObject({ notify: { smtp: { host: 'a "quoted"\nname' } }, other: { x: 'y' } });
  await config.set([{ key: ['notify', 'smtp', 'host'], value: undefined }]);
  expect(await config.read()).toEqual({ coordinator: { zebra: 1, max_agents: 8 }, other: { x: 'y' } });
  expect(text()).toContain('# kept');
});

test('no file is an empty one; two that set at once both count', async () => {
  const { config } = place();
  expect(await config.read()).toEqual({});
  await Promise.all([
    config.set([{ key: ['coordinator', 'max_agents'], value: 8 }]),
    config.set([{ key: ['agency', 'auto_place'], value: true }]),
    config.set([{ key: ['budget', 'usd_per_day'], value: 2.5 }]),
  ]);
  expect(await config.read()).toEqual({
    coordinator: { max_agents: 8 },
    agency: { auto_place: true },
    budget: { usd_per_day: 2.5 },
  });
});

test('several values are set in one step, or none of them', async () => {
  const { config, text } = place('# mine\n[coordinator]\nmax_agents = 2\n');
  await config.set([
    { key: ['coordinator', 'executor'], value: 'codex' },
    { key: ['coordinator', 'max_agents'] },
    { key: ['budget', 'usd_per_day'], value: 5 },
  ]);
  expect(await config.read()).toEqual({ coordinator: { executor: 'codex' }, budget: { usd_per_day: 5 } });
  expect(text()).toContain('# mine');
});

verifies(
  'sec.parse',
  'settings: broken text is said with its place, and what would change objects is refused',
  async () => {
    for (const [text, where] of [
      ['[a]\nb = ', ':2:'],
      ['a = 1\na = 2', ':2:'],
      ['[coordinator]\nmax_agents = "\u001b', ':2:'],
    ] as const) {
      const error = await place(text)
        .config.read()
        .catch((caught: unknown) => caught);
      expect(error, text).toMatchObject({ code: 'bad_config', message: expect.stringContaining(where) });
      expect(String(error)).not.toContain('\u001b');
    }
    await expect(place('[a.__proto__]\nx = 1').config.read()).rejects.toMatchObject({ code: 'bad_config' });
    await expect(place('__proto__ = 1').config.read()).rejects.toMatchObject({ code: 'bad_config' });
    await expect(place(`${'a='}${'['.repeat(50_000)}`).config.read()).rejects.toMatchObject({ code: 'bad_config' });
    await expect(place('#'.repeat(TEAM_LIMITS.settingsFileBytes + 1)).config.read()).rejects.toMatchObject({
      code: 'too_large',
    });
  },
);

verifies('sec.tree.links', 'settings are never reached through a link', async () => {
  const { folder, file, config } = place();
  const other = path.join(room(), 'elsewhere.toml');
  writeFileSync(other, 'x = 1\n');
  symlinkSync(other, file);
  await expect(config.read()).rejects.toMatchObject({ code: 'unsafe_path' });
  await expect(config.set([{ key: ['agency', 'auto_place'], value: true }])).rejects.toMatchObject({
    code: 'unsafe_path',
  });
  expect(readFileSync(other, 'utf8')).toBe('x = 1\n');
  const linked = path.join(room(), '.workgraph');
  const theirs = place('x = 1\n');
  symlinkSync(theirs.folder, linked);
  const through = new ConfigFile({ folder: linked, processes: new ProcessTable(), clock: { now: () => 0 } });
  await expect(through.read()).rejects.toMatchObject({ code: 'unsafe_path' });
  await expect(through.set([])).rejects.toMatchObject({ code: 'unsafe_path' });
  expect([readdirSync(folder), readdirSync(theirs.folder)]).toEqual([['config.toml'], ['config.toml']]);
});

test('what a killed command left is in nobody’s way; what is no file is none, and its bound is that of a file', async () => {
  const { folder, file, config } = place('#'.repeat(TEAM_LIMITS.settingsFileBytes));
  expect(await config.read()).toEqual({});
  writeFileSync(file, '');
  mkdirSync(path.join(folder, 'service'));
  writeFileSync(path.join(folder, 'service/config.draft.toml'), 'x = ');
  await config.set([{ key: ['executors', 'pass_env'], value: ['A', 'B'] }]);
  expect(await config.read()).toEqual({ executors: { pass_env: ['A', 'B'] } });
  expect(statSync(file).mode & 0o777).toBe(0o644 & ~process.umask());
  expect([readdirSync(path.join(folder, 'service')), openBelow(folder)]).toEqual([[], []]);
  const odd = place();
  mkdirSync(odd.file);
  await expect(odd.config.read()).rejects.toMatchObject({ code: 'unsafe_path' });
  const blocked = place();
  writeFileSync(path.join(blocked.folder, 'service'), '');
  await expect(blocked.config.set([])).rejects.toMatchObject({ code: 'EEXIST' });
});

verifies('cast.fresh', 'where no graph is nothing is set: it is read as empty, and refuses to be changed', async () => {
  const folder = path.join(room(), '.workgraph');
  const config = new ConfigFile({ folder, processes: new ProcessTable(), clock: { now: () => 0 } });
  expect(await config.read()).toEqual({});
  await expect(config.set([{ key: ['coordinator', 'max_agents'], value: 8 }])).rejects.toMatchObject({
    code: 'not_initialized',
  });
});

verifies('fleet.address', 'a database named where no command looks for it is told, not passed over', async () => {
  const { config } = place('[database]\nproject = "shop" # in our database\n');
  expect(await config.read()).toEqual({ database: { project: 'shop' } });
  for (const text of [
    'database = { project = "shop" }\n',
    'database.project = "shop"\n',
    '["database"]\nproject = "shop"\n',
  ])
    await expect(place(text).config.read(), text).rejects.toMatchObject({ code: 'bad_config' });
  const fresh = place('# mine\n[coordinator]\nmax_agents = 2\n');
  await fresh.config.set([{ key: ['database', 'project'], value: 'shop' }]);
  expect(await fresh.config.read()).toMatchObject({ database: { project: 'shop' } });
  expect(fresh.text()).toBe('# mine\n[coordinator]\nmax_agents = 2\n\n[database]\nproject = "shop"\n');
});
