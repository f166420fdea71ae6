import { expect } from 'vitest';
import { verifies } from '../verifies.js';
import { clientPid, clientProject, engine, inRun, ownSettings, say } from './client-world.js';
import { asked, statuses, textOf, troupe, until, untilStatus } from './program.js';

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

verifies(
  ['pay.task', 'pay.seen'],
  'a task that costs more than is reserved for it goes on in its session; held where the budget ends, the command of problems lets it go on',
  async () => {
    const cwd = await clientProject(['[budget]', 'usd_per_day = 2']);
    await asked(['add', 'Do it play=dear', '--id', 'a'], { cwd });
    const here = await engine(cwd);
    const left = () => here.coordinator.facts().budget;
    await until('all of the budget to be spent', () => left()?.spent.usdToday === 2 && left()?.reserved.size === 0);
    expect(await statuses(cwd)).toEqual({ a: 'open' });
    const args = (run: string) => textOf(inRun(cwd, run, 'seen-args')).split('\0');
    const told = (run: string) => args(run)[args(run).indexOf('--max-budget-usd') + 1];
    expect([told('agent-1'), told('agent-2')]).toEqual(['1.0000', '2.0000']);
    expect(args('agent-2')).toContain('--resume');
    const { problems } = await asked<{ problems: { kind: string; text: string; command: string }[] }>(['problems'], {
      cwd,
    });
    expect(problems).toMatchObject([
      {
        kind: 'budget',
        text: expect.stringMatching(/holds 1 ready task, all of them begun: 2 of 2 today .*00:00 UTC/),
      },
    ]);
    const { stdout } = await troupe(['status'], { cwd });
    expect(stdout).toMatch(/^The budget holds 1 ready task.*\n {2}`troupe config set budget\.usd_per_day 4` allows it/);
    const [, ...words] = problems[0]?.command.split(' ') ?? [];
    expect(words.slice(0, 3)).toEqual(['config', 'set', 'budget.usd_per_day']);
    expect((await troupe(words, { cwd })).code).toBe(0);
    await untilStatus(cwd, 'a', 'done');
    await until('its end to be in the books', () => left()?.reserved.size === 0);
    expect(left()?.spent.usdToday).toBe(2.5);
    expect(args('agent-3')).toContain('--resume');
  },
);

verifies(
  'pay.words',
  'a weekly limit told in words by a client that calls it a success is no end of the task, whatever its check says: all wait for the reset, and are told of it',
  async () => {
    const cwd = await clientProject();
    for (const id of ['a', 'b'])
      await asked(['add', 'Do it play=limit', '--id', id, '--verify-cmd', 'true'], { cwd, env: ownSettings() });
    const here = await engine(cwd);
    await until('the client to be held', () => here.coordinator.facts().holds.length === 1);
    await until('its run to be settled', async () => (await here.coordinator.agents()).length === 0);
    await here.coordinator.tick();
    expect(await statuses(cwd)).toEqual({ a: 'open', b: 'open' });
    const [hold] = here.coordinator.facts().holds;
    expect(hold).toMatchObject({ client: 'claude', trouble: 'weekly-limit' });
    const ahead = (hold?.resetsAt ?? 0) - Date.now();
    expect(ahead).toBeGreaterThan(7_000_000);
    expect(ahead).toBeLessThanOrEqual(7_200_000);
    const { stdout } = await troupe(['status'], { cwd });
    expect(stdout).toMatch(/claude: the weekly limit is reached since .*; 2 tasks wait/);
    expect(stdout).toMatch(/the provider names .*UTC; the next try is then/);
  },
);

verifies('pay.seen', 'what a run has cost so far is shown while it works, by the prices of its tokens', async () => {
  const cwd = await clientProject(['model = "house"', '[budget]', 'usd_per_day = 5', 'prices = "house=5000/10000"']);
  await asked(['add', 'Do it play=slow', '--id', 'a'], { cwd });
  await engine(cwd);
  await clientPid(cwd, 'agent-1');
  // 10 tokens of input and 2 of output, as its client has said until now.
  await until('its use to be seen', async () => {
    const { runs } = await asked<{ runs: { cost_usd: number | null }[] }>(['status', 'work'], { cwd });
    return runs[0]?.cost_usd === 0.07;
  });
  expect((await troupe(['status'], { cwd })).stdout).toMatch(/a +Do it.*~\$0\.07/);
  expect((await troupe(['top', '--once'], { cwd })).stdout).toMatch(/a .*~\$0\.07/);
  say(cwd, 'agent-1', 'go');
  await untilStatus(cwd, 'a', 'done');
});
