import { expect } from 'vitest';
import { lastValidSettings } from '#operations/settings/last-valid-settings.js';
import { verifies } from '../../verifies.js';

verifies(
  'service.reload',
  'while the settings cannot be understood, a service goes on with what they said last',
  async () => {
    let said: Record<string, unknown> | Error = new Error('not there yet');
    const file = {
      name: '.workgraph/config.toml',
      read: async () => {
        if (said instanceof Error) throw said;
        return said;
      },
      set: async () => ({ kept: true }),
    };
    const failures: string[] = [];
    const settings = lastValidSettings(
      async () => file,
      (error) => failures.push(error.message),
    );
    const read = async () => await (await settings()).read();
    await expect(read()).rejects.toThrow('not there yet');
    said = { coordinator: { max_agents: 3 } };
    expect(await read()).toEqual(said);
    const good = said;
    for (const bad of [{ coordinator: { max_agents: 'many' } }, new Error('a line that is none')]) {
      said = bad;
      expect(await read()).toEqual(good);
      expect(await read()).toEqual(good);
    }
    expect(failures).toEqual([expect.stringContaining('max_agents')]);
    said = {};
    expect(await read()).toEqual({});
    said = new Error('again');
    expect(await read()).toEqual({});
    expect(failures).toHaveLength(2);
  },
);
