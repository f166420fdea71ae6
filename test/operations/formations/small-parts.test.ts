import { expect, test } from 'vitest';
import { PLUGINS } from '#core/playbooks/plugin-names.js';
import { exportClaudePlugins } from '#operations/formations/export-plugins.js';
import { checkedGoal, seatRecordOf } from '#operations/formations/panel.js';

test('a goal is one line with something in it', () => {
  expect(checkedGoal('  Drop\n the   queue ', 'panel')).toBe('Drop the queue');
  expect(() => checkedGoal(' \n', 'panel')).toThrow(
    expect.objectContaining({ code: 'bad_input', message: 'A panel needs a goal.' }),
  );
});

test('a seat as the run remembers it: its charter by its core, its row or nobody, its model by itself or as usual', () => {
  const row = (fields: Record<string, string>) => ({ fields: new Map(Object.entries(fields)) });
  const seat = (more: object) => seatRecordOf({ name: 'qa', ...more } as never, 'haiku');
  expect([
    seat({}),
    seat({ tier: 'opus', core: { name: 'tester', charter: 'Tests.' }, row: row({ charter: 'Other.' }) }),
    seat({ core: { name: 'tester', charter: '' }, row: row({ lens: 'A lens.' }) }),
    seat({ row: row({ charter: 'Own.', lens: 'A lens.' }) }),
    seat({ row: row({ angle: 'An angle.' }) }),
    seat({ minted: true }),
    seatRecordOf({ name: 'qa' } as never, undefined),
  ]).toMatchInlineSnapshot(`
    [
      {
        "name": "qa",
        "tier": "haiku",
      },
      {
        "charter": "Tests.",
        "core": "tester",
        "name": "qa",
        "tier": "opus",
      },
      {
        "charter": "A lens.",
        "core": "tester",
        "name": "qa",
        "tier": "haiku",
      },
      {
        "charter": "Own.",
        "name": "qa",
        "tier": "haiku",
      },
      {
        "charter": "An angle.",
        "name": "qa",
        "tier": "haiku",
      },
      {
        "minted": true,
        "name": "qa",
        "tier": "haiku",
      },
      {
        "name": "qa",
      },
    ]
  `);
});

test('plugins are written that were asked for, all of them where none was', async () => {
  const written: [string, number, boolean][] = [];
  const context = {
    roleStarters: async () => ({
      text: async (name: string) => `---\nname: ${name}\n---\n# ${name}\n\n## Charter\n\nDoes it.\n`,
    }),
    outputs: async () => ({
      writeFolder: async (folder: string, files: ReadonlyMap<string, unknown>, { replace }: { replace: boolean }) => {
        written.push([folder, files.size, replace]);
        return `/${folder}`;
      },
    }),
  } as never;
  const [one = '', two = ''] = PLUGINS;
  const made = async (more: object) => await exportClaudePlugins.run(context, { folder: 'out', ...more } as never);
  const all = await made({});
  expect([all.folder, all.plugins]).toEqual(['/out', [...PLUGINS]]);
  expect((await made({ only: [two, one], force: true })).plugins).toEqual([one, two]);
  expect(written.map(([folder, , replace]) => [folder, replace])).toEqual([
    ['out', false],
    ['out', true],
  ]);
  expect(all.files.length).toBe(written[0]?.[1]);
});
