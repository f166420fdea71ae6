import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../verifies.js';
import { clientProject, engine, inRun } from './client-world.js';
import { asked, statuses, textOf, troupe, until } from './program.js';

verifies(
  'hold.provider',
  'twelve tasks and a refused key: none fails, two runs at most, one line that says so; mended and reloaded, all are done',
  async () => {
    const cwd = await clientProject(['[budget]', 'usd_total = 5']);
    const provider = (says: string) => writeFileSync(path.join(cwd, 'provider.txt'), says);
    provider('401');
    const ids = Array.from({ length: 12 }, (_, index) => `t${index}`);
    for (const id of ids) await asked(['add', 'Do it play=provider', '--id', id], { cwd });
    const here = await engine(cwd);
    const held = () => here.coordinator.facts().holds.map(({ client, trouble }) => `${client} ${trouble}`);
    await until(
      'the client to be held',
      async () => held().length === 1 && (await here.coordinator.agents()).length === 0,
    );
    await here.coordinator.tick();
    expect(held()).toEqual(['claude key-refused']);
    expect(new Set(Object.values(await statuses(cwd)))).toEqual(new Set(['open']));
    expect(textOf(inRun(cwd, 'agent-3', 'run.jsonl')), 'two runs at most').toBe('');
    const line = /^ *claude: the key is refused since \d\d:\d\d UTC; 12 tasks wait/m;
    for (const words of [['status'], ['top', '--once']]) expect((await troupe(words, { cwd })).stdout).toMatch(line);
    const problems = await asked<{ problems: { text: string; command: string }[] }>(['problems'], { cwd });
    expect(problems.problems.filter(({ text }) => text.includes('the key is refused'))).toMatchObject([
      { text: expect.stringMatching(/12 tasks wait/), command: 'troupe service reload' },
    ]);
    const [why] = await asked<{ code: string; text: string }[]>(['why', 't7'], { cwd });
    expect(why).toMatchObject({ code: 'provider', text: expect.stringContaining('troupe service reload') });
    expect(here.coordinator.facts().budget?.spent.usdTotal).toBe(0);

    await here.stop({ killRuns: false });
    const again = await engine(cwd);
    expect(again.coordinator.facts().holds, 'it is kept over a restart').toHaveLength(1);
    provider('mended');
    await asked(['service', 'reload'], { cwd });
    await until('all to be done', async () => Object.values(await statuses(cwd)).every((status) => status === 'done'));
    expect(again.coordinator.facts().holds).toEqual([]);
  },
);
