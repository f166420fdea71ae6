import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { room } from '../room.js';
import { verifies } from '../verifies.js';
import { clientPid, clientProject, inRun, ownSettings, runProgramPid, say, WITH_CLIENT } from './client-world.js';
import { asked, childrenOf, endEverything, textOf, until, untilStatus } from './program.js';

const shown = async (cwd: string, id: string) =>
  (await asked<{ task: Record<string, unknown> }>(['show', id], { cwd })).task;

async function serve(cwd: string): Promise<{ pid: number }> {
  onTestFinished(() => endEverything(cwd));
  return asked(['service', 'start'], { cwd, env: { ...WITH_CLIENT, ...ownSettings() } });
}

/** Kills the client of a run and what watches it, as the machine does when it has no memory left. */
async function strike(cwd: string, run: string): Promise<void> {
  const client = await clientPid(cwd, run);
  process.kill(runProgramPid(cwd, run, childrenOf), 'SIGKILL');
  process.kill(client, 'SIGKILL');
}

verifies(
  ['crash.service-triage', 'triage.unlocked', 'triage.verdict', 'status.truth'],
  'a dead run is looked into while all else goes on; killed meanwhile, the service asks again and does it once',
  async () => {
    const cwd = await clientProject(['[agency]', 'auto_triage = true']);
    const gate = path.join(room(), 'gate');
    const asks = () => textOf(`${gate}.asked`).split('\n').length - 1;
    await asked(['add', `Do it play=slow verdict=continue gate=${gate}`, '--id', 'a'], { cwd });
    const first = await serve(cwd);
    await strike(cwd, 'agent-1');
    await until('the model to be asked', () => asks() === 1);
    expect(await asked(['why', 'a'], { cwd })).toMatchObject([{ code: 'triage', refs: ['agent-1'] }]);
    expect((await asked<{ reasons: unknown }>(['why-blocked', 'a'], { cwd })).reasons).toEqual([{ code: 'triage' }]);
    expect((await asked<{ tasks: unknown[] }>(['list'], { cwd })).tasks).toMatchObject([{ id: 'a', live: false }]);
    // Nobody waits for the model: other work is done meanwhile.
    await asked(['add', 'Quick', '--id', 'quick', '--exec', 'true'], { cwd });
    await untilStatus(cwd, 'quick', 'done');
    expect(await shown(cwd, 'a')).toMatchObject({ status: 'in-progress', assigned: 'agent-1', fence: 1 });
    process.kill(first.pid, 'SIGKILL');
    await serve(cwd);
    await until('the model to be asked again', () => asks() === 2);
    expect(await shown(cwd, 'a')).toMatchObject({ status: 'in-progress', fence: 1 });
    writeFileSync(gate, '');
    await clientPid(cwd, 'agent-3');
    expect(await shown(cwd, 'a')).toMatchObject({ retry_count: 1, fence: 2, recovery: 'go on from the lexer' });
    expect(textOf(inRun(cwd, 'agent-3', 'prompt.txt'))).toContain('go on from the lexer');
    expect(asks()).toBe(2);
    say(cwd, 'agent-3', 'go');
    await untilStatus(cwd, 'a', 'done');
    expect(await shown(cwd, 'a')).not.toHaveProperty('recovery');
  },
);

verifies(
  ['resurrect.rule', 'coord.tick.resurrect'],
  'a word to a finished task has it taken up again, and the agent reads it',
  async () => {
    const cwd = await clientProject();
    await asked(['add', 'Do it play=success', '--id', 'a'], { cwd });
    await serve(cwd);
    await untilStatus(cwd, 'a', 'done');
    await asked(['msg', 'send', 'a', 'Please name the parser otherwise'], { cwd });
    await until('a second attempt', () => textOf(inRun(cwd, 'agent-2', 'prompt.txt')) !== '');
    expect(textOf(inRun(cwd, 'agent-2', 'prompt.txt'))).toContain('Please name the parser otherwise');
    await untilStatus(cwd, 'a', 'done');
    const log = (await shown(cwd, 'a'))['log'] as { message: string }[];
    expect(log.filter(({ message }) => message === 'Opened again: 1 unread message')).toHaveLength(1);
  },
);

verifies(
  'exec.contract',
  'another attempt goes on with the session of the last, and is charged what it cost itself',
  async () => {
    const cwd = await clientProject();
    await asked(['add', 'Do it play=failure', '--id', 'a'], { cwd });
    await serve(cwd);
    await untilStatus(cwd, 'a', 'failed');
    const words = (run: string) => textOf(inRun(cwd, run, 'seen-args')).split('\0');
    expect(words('agent-1')).not.toContain('--resume');
    const session = '11111111-2222-4333-8444-555555555555';
    expect(await shown(cwd, 'a')).toMatchObject({ session_id: session, last_run: { run: 'agent-1', iteration: 0 } });
    await asked(['retry', 'a'], { cwd });
    await until('the second attempt to end', () => textOf(inRun(cwd, 'agent-2', 'result.json')) !== '');
    await untilStatus(cwd, 'a', 'failed');
    const args = words('agent-2');
    expect(args.slice(args.indexOf('--resume'), args.indexOf('--resume') + 2)).toEqual(['--resume', session]);
    expect(args).not.toContain('--session-id');
    // The client says the cost of the whole session, which has not risen: this attempt cost nothing; tokens are its own.
    expect(JSON.parse(textOf(inRun(cwd, 'agent-2', 'result.json')))).toMatchObject({
      usage: { cost_usd: 0, input_tokens: 100 },
      cumulative: { cost_usd: 0.25 },
    });
    expect((await shown(cwd, 'a'))['token_usage']).toMatchObject({ cost_usd: 0.25, input_tokens: 200 });
  },
);
