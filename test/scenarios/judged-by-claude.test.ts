import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { verifies } from '../verifies.js';
import { clientProject, ownSettings, WITH_CLIENT } from './client-world.js';
import { asked, endEverything, textOf, until, untilStatus } from './program.js';

interface Scores {
  readonly evaluations: readonly { readonly source: string; readonly score: number; readonly evaluator: string }[];
}

verifies(
  'hold.eval.default',
  'with the claude client alone, no key and no word of a provider: work is scored and compared, a new task gets its place',
  async () => {
    const cwd = await clientProject(['[agency]', 'auto_evaluate = true', 'flip_enabled = true', 'auto_place = true']);
    onTestFinished(() => endEverything(cwd));
    await asked(['add', 'Say a word', '--id', 'word', '--exec', 'echo word', '--no-place'], {
      cwd,
      env: ownSettings(),
    });
    await asked(['add', 'Say a word no-comparison', '--id', 'half', '--exec', 'echo word', '--no-place'], {
      cwd,
      env: ownSettings(),
    });
    await asked(['service', 'start'], { cwd, env: { PATH: WITH_CLIENT.PATH, ...ownSettings() } });
    for (const id of ['evaluate-word', 'evaluate-half']) await untilStatus(cwd, id, 'done');
    const scores = async (task: string) => {
      const { evaluations } = await asked<Scores>(['evaluate', 'show', '--task', task], { cwd });
      return evaluations.map(({ source, score, evaluator }) => `${source} ${score} ${evaluator}`).sort();
    };
    expect(await scores('word')).toEqual(['flip 0.9 claude-cli sonnet', 'llm 1 claude-cli default']);
    // What was paid for the first is kept although the second failed, and it is said.
    expect(await scores('half')).toEqual(['llm 1 claude-cli default']);
    const { assigned } = await asked<{ task: { assigned: string } }>(['show', 'evaluate-half'], { cwd }).then(
      ({ task }) => task,
    );
    expect(textOf(path.join(cwd, '.workgraph/agents', assigned, 'output.log'))).toContain('The flip check failed');
    await asked(['add', 'Print it belongs-after=word', '--id', 'print', '--exec', 'true'], { cwd, env: ownSettings() });
    type Shown = { task: { after?: string[]; unplaced?: boolean } };
    await until('its place', async () => (await asked<Shown>(['show', 'print'], { cwd })).task.unplaced === undefined);
    expect((await asked<Shown>(['show', 'print'], { cwd })).task.after).toContain('word');
    const kept = readdirSync(path.join(cwd, '.workgraph/service/model-runs'));
    expect(kept.length).toBeGreaterThanOrEqual(7);
  },
);
