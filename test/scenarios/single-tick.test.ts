import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { verifies } from '../verifies.js';
import { clientProject, ownSettings, WITH_CLIENT } from './client-world.js';
import { asked, endEverything, project, statuses, textOf, troupe, untilStatus } from './program.js';

interface Ticked {
  readonly decisions: readonly Record<string, unknown>[];
  readonly consequences: readonly Record<string, unknown>[];
}

const of = (rows: readonly Record<string, unknown>[]) => rows.map((row) => `${row['do']} ${row['task'] ?? ''}`);

verifies(
  'hold.nodaemon',
  'one tick without a service starts an agent, and so does spawn; both are settled without one',
  async () => {
    const cwd = await clientProject(['max_agents = 1']);
    onTestFinished(() => endEverything(cwd));
    const env = { ...WITH_CLIENT, ...ownSettings() };
    for (const id of ['a', 'b']) await asked(['add', 'Do it play=success', '--id', id], { cwd });
    const { decisions } = await asked<Ticked>(['service', 'tick', '--dry-run'], { cwd, env });
    expect(of(decisions)).toEqual(['prepare a']);
    const ticked = await asked<Ticked>(['service', 'tick'], { cwd, env });
    expect(ticked.decisions).toEqual(decisions);
    expect(of(ticked.consequences)).toContain('dispatch a');
    await untilStatus(cwd, 'a', 'done');
    expect(await statuses(cwd)).toEqual({ a: 'done', b: 'open' });
    expect(await asked(['spawn', 'b'], { cwd, env })).toMatchObject({ agent_id: expect.stringMatching(/^agent-\d+$/) });
    await untilStatus(cwd, 'b', 'done');
    const again = await troupe(['spawn', 'b', '--json'], { cwd, env });
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('"code":"wrong_status"')]);
  },
);

verifies(
  'hold.nodaemon',
  'a dry run decides as the tick after it, whatever the work is: places, messages, commands; nothing is changed by it',
  async () => {
    const cwd = await project();
    onTestFinished(() => endEverything(cwd));
    await asked(['add', 'Old', '--id', 'old'], { cwd });
    await asked(['done', 'old'], { cwd });
    await asked(['msg', 'send', 'old', 'Once more, please'], { cwd });
    writeFileSync(path.join(cwd, '.workgraph/config.toml'), '[agency]\nauto_place = true\n');
    await asked(['add', 'New', '--id', 'new', '--exec', 'true'], { cwd });
    const log = path.join(cwd, '.workgraph/operations.jsonl');
    const before = readFileSync(log, 'utf8');
    const dry = await asked<Ticked>(['service', 'tick', '--dry-run'], { cwd });
    expect(textOf(log)).toBe(before);
    const ticked = await asked<Ticked>(['service', 'tick'], { cwd });
    expect(ticked.decisions).toEqual(dry.decisions);
    expect(of(dry.decisions)).toEqual(expect.arrayContaining(['resurrect old', 'ask-place new']));
    expect(of(ticked.consequences)).toEqual(expect.arrayContaining(['place new', 'dispatch new']));
  },
);
