import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { integrationOf } from '../adapters/worktrees/place.js';
import { isAlive } from '../alive.js';
import { git } from '../repository.js';
import { verifies } from '../verifies.js';
import { inRun, ownSettings, WITH_CLIENT } from './client-world.js';
import { asked, endEverything, start, statuses, textOf, until, untilStatus } from './program.js';
import { addPlay, logOf, repositoryProject } from './repository-world.js';

const parts = (score: number) =>
  JSON.stringify({
    dimensions: { correctness: score, completeness: score, efficiency: score, style_adherence: score },
    notes: 'As it looks.',
  });
const PROPOSAL = {
  operations: [{ op: 'modify_role', target_id: 'Programmer', description: 'Sharper.', rationale: 'weak' }],
};
const SCRIPT = [
  { purpose: 'evolver', reply: JSON.stringify(PROPOSAL) },
  { purpose: 'evaluator', match: '+sharp work', reply: parts(0.9) },
  { purpose: 'evaluator', match: '+blunt work', reply: parts(0.6) },
];
const TASKS = ['t1', 't2', 't3', 't4', 't5', 't6'];

/** A project whose programmer has done six scored tasks in worktrees; its files have changed since. */
async function season(): Promise<{ cwd: string; pid: number }> {
  const cwd = await repositoryProject(
    'max_agents = 4',
    '[agency]',
    ...['evolver', 'evaluator'].map((purpose) => `${purpose}_provider = "scripted"`),
    '[budget]',
    'usd_total = 50',
  );
  writeFileSync(path.join(cwd, '..', 'script.json'), JSON.stringify(SCRIPT));
  await asked(['agency', 'init'], { cwd });
  const create = ['agent', 'create', 'Rusty', '--role', 'Programmer', '--tradeoff', 'Careful'];
  const { id } = await asked<{ id: string }>(create, { cwd });
  for (const task of TASKS) {
    await addPlay(cwd, task, `plays-role file=${task}`);
    await asked(['assign', task, id], { cwd });
  }
  const { pid } = await serve(cwd);
  for (const task of TASKS) await untilStatus(cwd, task, 'done', 120_000);
  for (const task of TASKS) await asked(['evaluate', 'record', '--task', task, '--score', '0.5'], { cwd });
  return { cwd, pid };
}

function serve(cwd: string): Promise<{ pid: number }> {
  const env = { ...WITH_CLIENT, ...ownSettings(), TROUPE_MODEL_SCRIPT: path.join(cwd, '..', 'script.json') };
  onTestFinished(() => endEverything(cwd));
  return asked(['service', 'start'], { cwd, env });
}

/** What there still is of anything that was tried. */
async function leftOf(cwd: string): Promise<string[]> {
  const listing = git(cwd, 'worktree', 'list', '--porcelain') + git(cwd, 'for-each-ref', '--format=%(refname)');
  const trees = listing.split('\n').filter((line) => line.includes('trial'));
  return [...trees, ...Object.keys(await statuses(cwd)).filter((id) => id.startsWith('.trial-'))];
}

/** The folder of the run that waits to be told to go on. */
function heldRun(cwd: string): string | undefined {
  const agents = path.join(cwd, '.workgraph/agents');
  const names = existsSync(agents) ? readdirSync(agents) : [];
  return names.map((name) => path.join(agents, name)).find((folder) => existsSync(path.join(folder, 'held')));
}

verifies(
  'replay.run',
  'a changed role and the one it comes from do finished tasks again, with files and from where they began; nothing of it stays',
  async () => {
    const { cwd, pid } = await season();
    const integrated = integrationOf(cwd);
    // The service is killed while one works: the next one puts away what is left of it.
    writeFileSync(path.join(cwd, 'hold-sharp'), '');
    const cut = start(['evolve', 'run', '--replay', '1'], { cwd });
    await until('the child to work', () => heldRun(cwd) !== undefined, 120_000);
    const held = heldRun(cwd) ?? '';
    const client = Number(textOf(path.join(held, 'seen-pid')));
    expect(await leftOf(cwd)).not.toEqual([]);
    process.kill(pid, 'SIGKILL');
    await cut.finished;
    rmSync(path.join(cwd, 'hold-sharp'));
    await serve(cwd);
    await until('nothing to be left of it', async () => (await leftOf(cwd)).length === 0, 120_000);
    await until('its client to end', () => !isAlive(client), 120_000);

    const before = logOf(cwd).length;
    type Run = { run: string; counts: Record<string, number>; operations: { target_ids: string[] }[] };
    const answer = await asked<Run>(['evolve', 'run', '--replay', '3'], { cwd });
    expect(answer.counts).toEqual({ applied: 1 });
    expect(await leftOf(cwd)).toEqual([]);
    expect(integrationOf(cwd)).toBe(integrated);

    const folder = path.join(cwd, '.workgraph/agency/replays', answer.run);
    expect(readdirSync(folder).sort()).toEqual(['task-1.yaml', 'task-2.yaml', 'task-3.yaml']);
    const first = textOf(path.join(folder, 'task-1.yaml'));
    expect(first).toContain('kind: "worktree"');
    expect(first).toMatch(/parent: \{"score":0\.6,.*\+blunt work.*"status":"done"/);
    expect(first).toMatch(/child: \{"score":0\.9,.*\+sharp work.*"check_exit":null/);

    const log = logOf(cwd).slice(before);
    const spawned = log.filter(({ op, task_id: id = '' }) => op === 'spawn_agent' && id.startsWith('.trial-'));
    expect(spawned).toHaveLength(6);
    // What it may spend is set aside before it begins, and what it did not use is free again.
    for (const { detail } of spawned) expect(detail).toMatchObject({ reserve: expect.anything() });
    for (const { detail } of spawned) {
      const run = String(detail?.['run']);
      expect(textOf(inRun(cwd, run, 'seen-f'))).toBe('one\n');
      expect(textOf(inRun(cwd, run, 'added'))).toContain('may change only its own task');
    }
    // Nobody's record knows of it.
    const parent = answer.operations[0]?.target_ids[0] ?? '';
    expect(textOf(path.join(cwd, `.workgraph/agency/roles/${parent}.yaml`))).toContain('"task_count":6');
  },
);
