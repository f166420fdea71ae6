import { expect } from 'vitest';
import { verifies } from '../verifies.js';
import { clientProject, engine } from './client-world.js';
import { asked, statuses, troupe, until } from './program.js';

verifies(
  'pay.unpriced',
  'a client that tells tokens and no price is paid by the price of its model: three small tasks under a budget of two dollars cost cents, marked as an estimate',
  async () => {
    const prices = 'prices = "codex=5/30/0.5"';
    const cwd = await clientProject(['executor = "codex"', '[budget]', 'usd_per_day = 2', prices]);
    for (const id of ['a', 'b', 'c']) await asked(['add', `Do ${id} play=success`, '--id', id], { cwd });
    const here = await engine(cwd);
    await until('all to be done', async () => Object.values(await statuses(cwd)).every((status) => status === 'done'));
    await until('their ends to be in the books', () => here.coordinator.facts().budget?.reserved.size === 0);
    // 2,000 × 5 + 1,600 × 0.5 + 200 × 30 dollars per million, each.
    const { spend } = await asked<{ spend: object }>(['status', 'work'], { cwd });
    expect(spend).toMatchObject({
      ...{ usd_today: expect.closeTo(0.0504), estimated_today: expect.closeTo(0.0504), usd_reserved: 0 },
      tokens_unpriced_today: 0,
    });
    expect((await troupe(['top', '--once'], { cwd })).stdout).toMatch(/today ~\$0\.05 of \$2\.00[\s\S]*~ estimated/);
  },
);
