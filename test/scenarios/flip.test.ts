import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { verifies } from '../verifies.js';
import { asked, endEverything, project, readJson, statuses, textOf, troupe, until, untilStatus } from './program.js';

const DIMENSIONS = { semantic_match: 0.5, requirement_coverage: 0.5, specificity_match: 0.5, hallucination_rate: 0.5 };
const compared = (score: number) => JSON.stringify({ score, dimensions: DIMENSIONS, notes: 'As far as it shows.' });
const looked = (verdict: string) => JSON.stringify({ verdict, reason: `I looked, and ${verdict} it.` });
const SCRIPT = [
  {
    purpose: 'evaluator',
    reply: '{"dimensions":{"correctness":1,"completeness":1,"efficiency":1,"style_adherence":1},"notes":"Good."}',
  },
  { purpose: 'flip_inference', reply: '{"inferred_prompt":"Say a word."}' },
  { purpose: 'flip_comparison', match: 'Draw a dog', reply: compared(0.9) },
  { purpose: 'flip_comparison', reply: compared(0.2) },
  { purpose: 'flip_verification', match: 'Draw a horse', reply: looked('reject') },
  { purpose: 'flip_verification', match: 'Draw a cow', reply: looked('confirm') },
];
const PROVIDERS = ['evaluator', 'flip_inference', 'flip_comparison', 'flip_verification'];

/** A project whose work is scored and looked into by a model of a script. */
async function judged() {
  const cwd = await project();
  const script = path.join(cwd, 'script.json');
  writeFileSync(script, JSON.stringify(SCRIPT));
  const settings = [
    ...PROVIDERS.map((purpose) => [`${purpose}_provider`, 'scripted']),
    ...['auto_evaluate', 'flip_enabled'].map((key) => [key, 'true']),
    ['flip_verification_threshold', '0.5'],
  ];
  for (const [key, value] of settings) await asked(['config', 'set', `agency.${key}`, String(value)], { cwd });
  onTestFinished(() => endEverything(cwd));
  const service = async () => asked(['service', 'start'], { cwd, env: { TROUPE_MODEL_SCRIPT: script } });
  const log = () => textOf(path.join(cwd, '.workgraph/operations.jsonl'));
  return { cwd, service, log };
}

/** The tasks that were added to look into others, by id. */
function looks(log: string): string[] {
  const added = log.split('\n').filter((line) => line.includes('"op":"add_task"'));
  return added.flatMap((line) => /"task_id":"(\.verify-flip-[^"]+)"/.exec(line)?.[1] ?? []).sort();
}

verifies(
  ['meta.flip', 'coord.tick.flip', 'flip.verify'],
  'work that shows its task badly is looked into by itself, once and after its evaluation: it fails or is confirmed',
  async () => {
    const { cwd, service, log } = await judged();
    for (const animal of ['horse', 'cow', 'dog'])
      await asked(['add', `Draw a ${animal}`, '--id', animal, '--exec', 'echo word'], { cwd });
    await service();
    for (const id of ['.verify-flip-horse', '.verify-flip-cow', 'evaluate-dog']) await untilStatus(cwd, id, 'done');
    expect(await statuses(cwd)).toMatchObject({ horse: 'failed', cow: 'done', dog: 'done' });
    expect(looks(log())).toEqual(['.verify-flip-cow', '.verify-flip-horse']);
    type Shown = { failure_reason?: string; after?: { id: string }[]; log?: { message: string }[] };
    const shown = async (id: string) => asked<Shown>(['show', id], { cwd });
    expect((await shown('horse')).failure_reason).toBe(
      'flip verification rejected: score 0.20: I looked, and reject it.',
    );
    expect((await shown('cow')).log?.at(-1)?.message).toContain('flip verification confirmed');
    const { stdout } = await troupe(['show', 'cow'], { cwd });
    expect(stdout).toMatch(/in doubt +flip score 0\.20: confirmed/);
    expect((await shown('.verify-flip-horse')).after?.map(({ id }) => id).sort()).toEqual(['evaluate-horse', 'horse']);
  },
);

verifies(['meta.flip', 'coord.tick.flip'], 'one low score asks once, wherever the service is killed', async () => {
  const { cwd, service, log } = await judged();
  const killed = async () => {
    const state = readJson<{ pid: number }>(path.join(cwd, '.workgraph/service/state.json'));
    process.kill(state?.pid ?? 0, 'SIGKILL');
    await service();
  };
  await service();
  await asked(['service', 'pause'], { cwd });
  await asked(['add', 'Draw a horse', '--id', 'horse'], { cwd });
  await asked(['done', 'horse'], { cwd });
  await asked(['evaluate', 'run', 'horse'], { cwd });
  for (let time = 0; time < 3; time++) {
    await killed();
    await until('the task that looks into it', () => looks(log()).length > 0);
  }
  await asked(['service', 'resume'], { cwd });
  await untilStatus(cwd, 'horse', 'failed');
  await killed();
  await asked(['service', 'tick'], { cwd });
  expect(looks(log())).toEqual(['.verify-flip-horse']);
});

verifies(
  ['meta.flip', 'flip.verify'],
  'where no model can look into it, that task fails for all to see, and the work stays as it is',
  async () => {
    const { cwd, service } = await judged();
    await asked(['config', 'set', 'agency.flip_verification_provider', 'anthropic'], { cwd });
    await asked(['add', 'Draw a horse', '--id', 'horse', '--exec', 'echo word'], { cwd });
    await service();
    await untilStatus(cwd, '.verify-flip-horse', 'failed');
    const { assigned, log } = await asked<{ assigned: string; log: unknown[] }>(['show', '.verify-flip-horse'], {
      cwd,
    });
    expect(textOf(path.join(cwd, '.workgraph/agents', assigned, 'output.log'))).toContain('error[model_required]');
    expect(log.length).toBeGreaterThan(0);
    expect(await statuses(cwd)).toMatchObject({ horse: 'done' });
  },
);
