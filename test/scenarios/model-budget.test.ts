import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { modelServer } from '../adapters/models/model-server.js';
import { verifies } from '../verifies.js';
import { asked, project, start, startService, textOf, troupe, until } from './program.js';

const ANSWER = JSON.stringify({
  rationale: 'It is written down.',
  roles: [{ role_id: 'docs-writer', reason: 'Writes.' }],
});
const GOAL = ['cast', 'goal', 'document our public HTTP interface', '--provider'];

interface LogLine {
  readonly op: string;
  readonly detail?: { readonly call?: string; readonly purpose?: string };
}

/** What the log says of questions to models. */
function calls(cwd: string): LogLine[] {
  const lines = textOf(path.join(cwd, '.workgraph/operations.jsonl')).split('\n');
  return lines.flatMap((line) => (line.includes('"model_') ? [JSON.parse(line) as LogLine] : []));
}

async function bounded(amount: string): Promise<{ cwd: string; script: Record<string, string> }> {
  const cwd = await project();
  expect((await troupe(['config', 'set', 'budget.usd_per_day', amount], { cwd })).code).toBe(0);
  const file = path.join(cwd, 'answers.json');
  writeFileSync(file, JSON.stringify([{ reply: ANSWER }]));
  return { cwd, script: { TROUPE_MODEL_SCRIPT: file } };
}

describe('a command that asks a model itself', () => {
  verifies('model.limits', 'sets its part aside in the log, with a service up as without one', async () => {
    const { cwd, script } = await bounded('5');
    await asked([...GOAL, 'scripted'], { cwd, env: script });
    expect(calls(cwd).map(({ op, detail }) => [op, detail?.purpose])).toEqual([
      ['model_call', 'casting'],
      ['model_settled', undefined],
    ]);
    await startService(cwd);
    await asked([...GOAL, 'scripted'], { cwd, env: script });
    const all = calls(cwd);
    expect(all.map(({ op }) => op)).toEqual(['model_call', 'model_settled', 'model_call', 'model_settled']);
    expect(all[3]?.detail?.call).toBe(all[2]?.detail?.call);
    expect(all[2]?.detail?.call).not.toBe(all[0]?.detail?.call);
  });

  verifies(
    'model.limits',
    'asks nobody when its part does not fit: not while one that was killed still holds it',
    async () => {
      const { cwd, script } = await bounded('0.2');
      const { url, received } = await modelServer('hang');
      const hanging = start([...GOAL, 'local'], { cwd, env: { TROUPE_LOCAL_MODEL_URL: url } });
      await until('the question to be out', () => received.length === 1);
      hanging.child.kill('SIGKILL');
      await hanging.finished;
      expect(calls(cwd).map(({ op }) => op)).toEqual(['model_call']);
      for (const service of [false, true]) {
        if (service) await startService(cwd);
        const { code, stderr } = await troupe([...GOAL, 'scripted'], { cwd, env: script });
        expect(code).toBe(1);
        expect(stderr).toContain('The model was not asked');
      }
      expect(calls(cwd)).toHaveLength(1);
    },
  );
});
