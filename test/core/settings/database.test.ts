import { expect } from 'vitest';
import { databaseIn } from '#core/settings/database.js';
import { settingsFrom } from '#core/settings/settings.js';
import { verifies } from '../../verifies.js';

verifies('fleet.address', 'settings say under which name a database keeps the project, and nothing else of it', () => {
  for (const [text, name] of [
    ['', undefined],
    ['[coordinator]\nmax_agents = 2\n', undefined],
    ['# [database]\n# project = "no"\n', undefined],
    ['[database]\n[other]\nproject = "no"\n', undefined],
    ['[other]\nproject = "no"\n[database]\n', undefined],
    ['[database]\nproject = "shop"\n', 'shop'],
    ["x = 1\r\n[ database ] # kept there\r\n# by name\r\nproject = 'shop_2' # ours\r\n[other]\r\n", 'shop_2'],
  ] as const)
    expect(databaseIn(text), text).toBe(name);
  expect(settingsFrom({ database: { project: 'shop' } }).settings.database.project).toBe('shop');
  for (const project of ['', 'Shop', '1shop', 'sh op', 'shop"; drop', 's'.repeat(41), 4])
    expect(() => settingsFrom({ database: { project } }), String(project)).toThrow(
      expect.objectContaining({ code: 'bad_config' }),
    );
  expect(settingsFrom({ database: { url: 'postgresql://db' } }).warnings).toEqual(['database.url is an unknown key']);
});
