import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sha256 } from '#kernel/hash.js';
import type { Outcome, World } from './cases.js';
import { MADE } from './script.js';
import { gitOf, prepared, type ServedCase, served, settled } from './served.js';

/** A formation needs a run of the client for every seat. */
const FORMATION_MS = 600_000;
const PAUSE_MS = 500;

interface Standing {
  readonly run: string;
  readonly state: string;
  readonly outcome?: string;
  readonly folder: string;
  readonly steps: readonly { readonly step: string; readonly status: string; readonly reason?: string }[];
}

/**
 * Runs a formation from its proposal until the condition holds, with the service; `then` runs while the service is up.
 */
async function formed(
  world: World,
  words: readonly string[],
  isSo: (standing: Standing) => boolean,
  then: (run: string) => Promise<void> = async () => undefined,
): Promise<Standing> {
  await prepared(world);
  const { run } = JSON.parse(await world.ours([...words, '--yes'])) as Standing;
  await world.ours(['service', 'start']);
  try {
    const reached = await standingOf(world, run, isSo);
    await then(run);
    return reached;
  } finally {
    await world.ours(['service', 'stop', '--kill-agents']);
  }
}

async function standingOf(world: World, run: string, isSo: (standing: Standing) => boolean): Promise<Standing> {
  const until = Date.now() + FORMATION_MS;
  for (;;) {
    const { runs } = JSON.parse(await world.ours(['formation', 'show', run])) as { runs: Standing[] };
    const [now] = runs;
    if (now !== undefined && isSo(now)) return now;
    const stuck = now?.steps.find(({ status }) => status === 'failed' || status === 'pending-validation');
    if (stuck !== undefined || Date.now() > until) throw new Error(JSON.stringify(stuck ?? now?.steps));
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

const isOver = ({ state, steps }: Standing) => state === 'ended' && steps.every(({ status }) => status === 'done');
const statusOf = (standing: Standing, step: string) => standing.steps.find((one) => one.step === step)?.status;

async function crew(world: World): Promise<Outcome> {
  const released = path.join(world.folder, 'released.txt');
  let early = true;
  const words = ['crew', 'Add a file CASE:seat', '--mode', 'autopilot'];
  const before = (standing: Standing) => statusOf(standing, 'deployer') === 'done';
  const { run } = await formed(world, words, before, async (id) => {
    early = existsSync(released);
    const refused = await world.ours(['formation', 'go', id]).catch((error: { stderr: string }) => error.stderr);
    const { commands } = (JSON.parse(refused) as { error: { details: { commands: string } } }).error.details;
    await world.ours(['formation', 'go', id, '--seen', sha256(commands)]);
    await standingOf(world, id, isOver);
  });
  const text = existsSync(released) ? readFileSync(released, 'utf8') : '';
  const handed = gitOf(world, 'ls-tree', '-r', '--name-only', 'wg/integration', `.claude/dev-crew/runs/${run}/`);
  const ok =
    !early &&
    text === MADE.content &&
    ['PLAN', 'CONTRACT', 'CHANGES', 'QA', 'DEPLOY'].every((name) => handed.includes(`${name}.md`));
  return {
    ok,
    seen: `released ${JSON.stringify(text)}, before the go: ${early}, handed over: ${handed.split('\n').length}`,
  };
}

async function panel(world: World): Promise<Outcome> {
  const { outcome, folder } = await formed(world, ['panel', 'Drop the queue CASE:seat'], isOver);
  const decision = path.join(world.folder, folder, 'decision.md');
  const ok = outcome === 'decided' && existsSync(decision) && readFileSync(decision, 'utf8').includes('Drop it.');
  return { ok, seen: `${outcome}, decision: ${existsSync(decision)}` };
}

async function sweep(world: World): Promise<Outcome> {
  const file = path.join(world.folder, 'slices.yaml');
  const slices = ['s1', 's2', 's3'].map((name) => ({ name, owns: [`key ${name}`] }));
  writeFileSync(file, JSON.stringify({ slices }));
  const { outcome, folder } = await formed(world, ['sweep', 'How caches fail CASE:seat', '--slices', file], isOver);
  const report = path.join(world.folder, folder, 'report.md');
  return { ok: outcome === 'complete' && existsSync(report), seen: `${outcome}, report: ${existsSync(report)}` };
}

async function team(world: World): Promise<Outcome> {
  await prepared(world);
  await world.ours(['team', 'create', 'crew', '--leader', 'Ripley']);
  await world.ours(['team', 'add', 'crew', 'Hicks']);
  const given = await world.ours(['team', 'task', 'crew', 'CASE:team', '--to', 'Hicks']);
  const { task } = await settled(
    world,
    (JSON.parse(given) as { id: string }).id,
    ({ task: now }) => now.status === 'done',
  );
  const review = world.server.texts.find((text) => text.includes('You review the work of your team')) ?? '';
  const sees = review.includes(`+${MADE.content}`);
  const merged = gitOf(world, 'ls-tree', '--name-only', 'wg/integration').includes(MADE.name);
  return { ok: sees && merged, seen: `${task.status}, the reviewer saw the change: ${sees}, merged: ${merged}` };
}

async function half(world: World): Promise<Outcome> {
  const { task } = await served(world, 'full', 'CASE:half');
  const merged = gitOf(world, 'ls-tree', '--name-only', 'wg/integration').includes(MADE.name);
  const ok = task.status === 'pending-validation' && task.fence === 2 && !merged;
  return {
    ok: ok && String(task['failure_reason']).includes('I could not finish'),
    seen: `${task.status}, claims: ${task.fence}, merged: ${merged}`,
  };
}

export const TOGETHER: readonly ServedCase[] = [
  { name: 'half done is asked, not merged', run: half },
  { name: 'team: hands in, is reviewed', run: team },
  { name: 'panel: notes to a decision', run: panel },
  { name: 'sweep: scouts to a report', run: sweep },
  { name: 'crew: plan to the release', run: crew },
];
