import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { Entry } from '#core/graph/event.js';
import { GraphState } from '#core/graph/state.js';
import { isTask } from '#core/graph/task.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { mass } from '../mass.js';
import { clientProject, WITH_CLIENT } from '../scenarios/client-world.js';
import { asked, bareService, endEverything, runsOf, statuses, textOf, troupe, until } from '../scenarios/program.js';
import { verifies } from '../verifies.js';
import { killAfter, randomFrom, seed } from './killing.js';

/** How many processes are killed in all. */
const KILLS = mass(12, 1_000);
const SERVICE_SHARE = 0.25;
const SERVICE_LIVES_MS = 1_200;
const BETWEEN_KILLS_MS = 120;
const AT_ONCE = 6;
const ENDED = new Set(['done', 'failed', 'abandoned']);

type Victim = 'service' | 'shell' | 'run program' | 'agent';

interface Story {
  readonly kills: Record<Victim, number>;
  /** Whose run lost a process: at most one a task, so that no pause for repeated deaths comes in between. */
  readonly struck: Map<string, Victim>;
  /** When, in milliseconds of the wall clock. */
  readonly struckAt: Map<string, number>;
}

verifies(
  [
    'crash.service-before-claim',
    'crash.service-claimed',
    'crash.service-spawned',
    'crash.service-working',
    'crash.wrapper-child-alive',
    'crash.wrapper-exit-written',
    'crash.agent',
    'lease.dead',
    'dispatch.perf',
  ],
  `${KILLS} kills of services, wrappers and agents: nothing is lost, done twice or stuck`,
  async () => {
    const cwd = await clientProject();
    onTestFinished(() => endEverything(cwd));
    const tasks = seeded(Math.ceil(KILLS * 1.6) + 2 * AT_ONCE);
    writeFileSync(path.join(cwd, '.workgraph/graph.jsonl'), tasks.map((task) => `${JSON.stringify(task)}\n`).join(''));
    await asked(['log', 'c0', 'adopted'], { cwd });
    await asked(['trust'], { cwd });
    const random = randomFrom(seed);
    const story: Story = {
      kills: { service: 0, shell: 0, 'run program': 0, agent: 0 },
      struck: new Map(),
      struckAt: new Map(),
    };
    const killed = () => Object.values(story.kills).reduce((sum, count) => sum + count, 0);
    const left = async () => Object.values(await statuses(cwd)).some((status) => !ENDED.has(status));
    let over = false;

    const serve = async () => {
      while (!over) {
        const lives = story.kills.service < KILLS * SERVICE_SHARE ? random() * SERVICE_LIVES_MS : 2 * SERVICE_LIVES_MS;
        if (await killAfter(bareService(cwd, AT_ONCE, WITH_CLIENT), lives)) story.kills.service++;
      }
    };
    const strike = async () => {
      for (let rounds = 0; killed() < KILLS; rounds++) {
        await new Promise((resolve) => setTimeout(resolve, random() * BETWEEN_KILLS_MS));
        strikeOne(cwd, random, story);
        if (rounds % 100 === 99 && !(await left())) break;
      }
      over = true;
    };
    await Promise.all([serve(), strike()]);
    await drain(cwd);
    check(
      cwd,
      tasks.map((task) => task.id),
      story,
    );
  },
);

/** Half of them commands, half for a client. */
function seeded(count: number) {
  const common = { kind: 'task', status: 'open', created_at: '2026-01-01T00:00:00.000Z' };
  return Array.from({ length: count }, (_, number) =>
    number % 2 === 0
      ? {
          ...common,
          id: `c${number}`,
          title: `Command ${number}`,
          exec: `sleep 0.${number % 4}; echo c${number} >> ran.txt`,
        }
      : { ...common, id: `m${number}`, title: `Client ${number} play=brief` },
  );
}

/** Any process of any run at work, whatever it is just doing. */
function strikeOne(cwd: string, random: () => number, story: Story): void {
  const candidates = runsOf(cwd).flatMap((pid) => {
    const task = /(?:^|\0)WG_TASK_ID=([^\0]+)/.exec(textOf(`/proc/${pid}/environ`))?.[1];
    return task === undefined || story.struck.has(task) ? [] : [{ pid, task }];
  });
  const chosen = candidates[Math.floor(random() * candidates.length)];
  if (!chosen) return;
  const victim = kindOf(chosen.pid);
  if (!victim) return;
  try {
    process.kill(chosen.pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return; // it was over meanwhile
    throw error;
  }
  story.struck.set(chosen.task, victim);
  story.struckAt.set(chosen.task, Date.now());
  story.kills[victim]++;
}

function kindOf(pid: number): Victim | undefined {
  const words = textOf(`/proc/${pid}/cmdline`).split('\0');
  if (words[0] === '') return undefined;
  if (words.some((word) => word.endsWith('run.cjs'))) return 'run program';
  if (words[0] === 'sleep' || words.some((word) => word.endsWith('/claude'))) return 'agent';
  return 'shell';
}

/** A last service that nobody kills does what is left; what died is taken up again, after its pause. */
async function drain(cwd: string): Promise<void> {
  await asked(['service', 'start', '--max-agents', '8'], { cwd, env: WITH_CLIENT });
  await until(
    'all tasks to end',
    async () => Object.values(await statuses(cwd)).every((status) => ENDED.has(status)),
    10 * 60_000,
  );
  expect((await troupe(['service', 'stop'], { cwd })).code).toBe(0);
}

function check(cwd: string, ids: readonly string[], { kills, struck, struckAt }: Story): void {
  const log = readFileSync(path.join(cwd, '.workgraph/operations.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Entry);
  const state = new GraphState();
  for (const entry of log) state.apply(entry);
  const tasks = [...state.nodes()].filter(isTask);
  const doneTimes = new Map<string, number>();
  for (const entry of log)
    if (entry.op === 'done') doneTimes.set(entry.task_id ?? '', (doneTimes.get(entry.task_id ?? '') ?? 0) + 1);
  const failed = tasks.filter((task) => task.status === 'failed');
  const dead = log.filter((entry) => entry.op === 'agent_complete' && entry.detail?.['outcome'] === 'dead').length;
  process.stdout.write(
    `crash matrix, TROUPE_SEED=${seed}: killed ${Object.entries(kills)
      .map(([victim, count]) => `${victim} ${count}`)
      .join(', ')}; ${ids.length} tasks, ${doneTimes.size} done, ${failed.length} failed, ${dead} claims given back\n`,
  );
  expect(tasks.map((task) => task.id).sort(), 'lost').toEqual([...ids].sort());
  expect(
    [...doneTimes].filter(([, times]) => times > 1),
    'completed twice',
  ).toEqual([]);
  expect(dispatchedTwice(log), 'given to two runs at once').toEqual([]);
  // Runs that died are noticed at the next tick of a service that lives; a lease and its grace are the most it may take.
  const late = log.flatMap((entry) => {
    const at = struckAt.get(entry.task_id ?? '');
    if (at === undefined || entry.op !== 'agent_complete' || entry.detail?.['outcome'] !== 'dead') return [];
    const ms = Date.parse(entry.timestamp) - at;
    return ms > WORK_LIMITS.leaseMs + WORK_LIMITS.leaseGraceMs ? [`${entry.task_id} ${ms} ms`] : [];
  });
  expect(late, 'noticed too late').toEqual([]);
  // Whoever kills the process that does the work makes the attempt fail; nothing else may, and nobody who had finished.
  const unexplained = failed.filter((task) => !struck.has(task.id) || /finished\.$/.test(task.failure_reason ?? ''));
  expect(
    unexplained.map((task) => `${task.id} ${struck.get(task.id)}: ${task.failure_reason}`),
    'failed without a reason',
  ).toEqual([]);
  const ran = textOf(path.join(cwd, 'ran.txt'))
    .split('\n')
    .filter((line) => line !== '');
  const often = ids.filter((id) => ran.filter((line) => line === id).length > (struck.has(id) ? 2 : 1));
  expect(often, 'ran again although nothing of it was killed').toEqual([]);
  const never = tasks.filter((task) => task.status === 'done' && !ran.includes(task.id));
  expect(
    never.map((task) => task.id),
    'said to be done and never ran',
  ).toEqual([]);
  expect(log.map((entry) => entry.seq)).toEqual(log.map((_, index) => index + 1));
  expect(
    log.filter((entry) => entry.op === 'hand_edit'),
    'a crash taken for a hand',
  ).toEqual([]);
  expect(runsOf(cwd)).toEqual([]);
  const locks = readdirSync(path.join(cwd, '.workgraph/service')).filter((name) => /^write\.lock$|\.sock$/.test(name));
  expect(locks).toEqual([]);
}

/** A claim before the run of the last one is over, or two claims under one fence. */
function dispatchedTwice(log: readonly Entry[]): string[] {
  const atWork = new Map<string, string>();
  const fences = new Set<string>();
  return log.flatMap((entry) => {
    const task = entry.task_id ?? '';
    if (entry.op === 'agent_complete') atWork.delete(task);
    if (entry.op !== 'claim') return [];
    const [patch] = entry.patch;
    const fence = patch && 'set' in patch ? String(patch.set?.['fence']) : '';
    const twice = atWork.has(task) || fences.has(`${task}/${fence}`);
    atWork.set(task, entry.actor ?? '');
    fences.add(`${task}/${fence}`);
    return twice ? [`${task} under ${fence}`] : [];
  });
}
