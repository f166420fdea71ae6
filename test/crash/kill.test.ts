import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { Entry } from '#core/graph/event.js';
import { graphText } from '#core/graph/line.js';
import { GraphState } from '#core/graph/state.js';
import { isTask } from '#core/graph/task.js';
import { mass } from '../mass.js';
import {
  asked,
  bareService,
  endEverything,
  type Finished,
  project,
  runsOf,
  start,
  statuses,
  textOf,
  troupe,
  until,
} from '../scenarios/program.js';
import { verifies } from '../verifies.js';
import { killAfter, randomFrom, seed } from './killing.js';

const KILLS_OF_EACH = mass(10, 500);
const WRITERS = 2;
const SERVICE_LIVES_MS = 700;
const WRITER_LIVES_MS = 160;
const ENDED = new Set(['done', 'failed', 'abandoned']);

interface Story {
  /** Tasks whose adding was acknowledged, and log messages. */
  readonly added: Set<string>;
  readonly logged: Set<string>;
  readonly refusals: string[];
  kills: { service: number; writer: number };
  commands: number;
}

verifies(
  [
    'graph.store.crash',
    'graph.store.every',
    'graph.store.lock',
    'crash.service-commit',
    'crash.service-spawned',
    'crash.service-working',
    'crash.service-before-claim',
    'service.readopt',
    'service.stale',
    'dispatch.register',
  ],
  `${2 * KILLS_OF_EACH} kills at random moments lose nothing and do nothing twice`,
  async () => {
    const cwd = await project();
    onTestFinished(() => endEverything(cwd));
    const random = randomFrom(seed);
    const story: Story = {
      added: new Set(),
      logged: new Set(),
      refusals: [],
      kills: { service: 0, writer: 0 },
      commands: 0,
    };
    await asked(['add', 'Shared', '--id', 'shared'], { cwd });
    const enough = () => Math.min(story.kills.service, story.kills.writer) >= KILLS_OF_EACH;

    const serve = async () => {
      while (!enough()) {
        const service = bareService(cwd, 3);
        if (await killAfter(service, random() ** 2 * SERVICE_LIVES_MS)) story.kills.service++;
      }
    };
    const write = async (writer: number) => {
      for (let number = 0; !enough(); number++) await writeOnce(cwd, `w${writer}-${number}`, random, story);
    };
    await Promise.all([serve(), ...Array.from({ length: WRITERS }, (_, writer) => write(writer))]);
    await drain(cwd);
    check(cwd, story);
  },
);

/** One command of one writer: a task that leaves a mark when it is done, or an entry in a log. Some are killed. */
async function writeOnce(cwd: string, name: string, random: () => number, story: Story): Promise<void> {
  const isTaskToAdd = random() < 0.6;
  const known = [...story.added];
  const before =
    known.length > 0 && random() < 0.5 ? ['--after', known[Math.floor(random() * known.length)] ?? ''] : [];
  const pause = random() < 0.3 ? `sleep 0.${Math.floor(random() * 4)}; ` : '';
  const words = isTaskToAdd
    ? ['add', `Task ${name}`, '--id', name, ...before, '--exec', `${pause}echo ${name} >> ran.txt`]
    : ['log', 'shared', name];
  const running = start([...words, '--json'], { cwd });
  story.commands++;
  if (random() < 0.5 && (await killAfter(running.child, random() * WRITER_LIVES_MS))) {
    story.kills.writer++;
    await running.finished;
    return;
  }
  const end: Finished = await running.finished;
  if (end.code === 0) (isTaskToAdd ? story.added : story.logged).add(name);
  else story.refusals.push(end.stderr);
}

/** A last service that nobody kills does what is left. */
async function drain(cwd: string): Promise<void> {
  await asked(['service', 'start', '--max-agents', '8'], { cwd });
  await until(
    'all tasks to end',
    async () => Object.entries(await statuses(cwd)).every(([id, status]) => id === 'shared' || ENDED.has(status)),
    90_000,
  );
  expect((await troupe(['service', 'stop'], { cwd })).code).toBe(0);
}

function check(cwd: string, story: Story): void {
  const folder = path.join(cwd, '.workgraph');
  const lost = path.join(folder, 'service/lost+found');
  const torn = existsSync(lost) ? readdirSync(lost).length : 0;
  const log = readFileSync(path.join(folder, 'operations.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Entry);
  const state = new GraphState();
  for (const entry of log) state.apply(entry);
  const tasks = [...state.nodes()].filter(isTask).filter((task) => task.id !== 'shared');
  const ran = textOf(path.join(cwd, 'ran.txt'))
    .split('\n')
    .filter((line) => line !== '');
  const deaths = log.filter((entry) => entry.op === 'agent_complete' && entry.detail?.['outcome'] === 'dead').length;
  process.stdout.write(
    `kill test, TROUPE_SEED=${seed}: ${story.kills.service} kills of the service, ${story.kills.writer} of a command; ` +
      `${story.commands} commands, ${story.added.size} tasks and ${story.logged.size} log entries acknowledged, ` +
      `${tasks.length} tasks there, ${ran.length} completions, ${deaths} claims given back, ${story.refusals.length} refusals, ` +
      `${torn} torn lines, ${log.length} events\n`,
  );
  expect(story.kills.service + story.kills.writer).toBeGreaterThanOrEqual(2 * KILLS_OF_EACH);
  expect(story.refusals, 'a command that was not killed works').toEqual([]);

  expect(
    [...story.added].filter((id) => !state.task(id)),
    'acknowledged tasks that are lost',
  ).toEqual([]);
  const messages = (state.task('shared')?.log ?? []).map((entry) => entry.message);
  expect(
    [...story.logged].filter((message) => !messages.includes(message)),
    'acknowledged entries that are lost',
  ).toEqual([]);
  expect(new Set(messages).size, 'log entries that are there twice').toBe(messages.length);

  expect(tasks.filter((task) => task.status !== 'done').map((task) => `${task.id} ${task.failure_reason}`)).toEqual([]);
  expect(
    ran.filter((id, index) => ran.indexOf(id) !== index),
    'tasks completed twice',
  ).toEqual([]);
  expect(ran.sort()).toEqual(tasks.map((task) => task.id).sort());

  expect(log.map((entry) => entry.seq)).toEqual(log.map((_, index) => index + 1));
  expect(log.slice(1).map((entry) => entry.prev)).toEqual(log.slice(0, -1).map((entry) => entry.id));
  expect(
    log.filter((entry) => entry.op === 'hand_edit'),
    'a crash taken for a hand',
  ).toEqual([]);
  expect(readFileSync(path.join(folder, 'graph.jsonl'), 'utf8')).toBe(graphText(state.nodes(), [], []));
  expect(runsOf(cwd)).toEqual([]);
  const known = ['.gitattributes', '.gitignore', 'agency', 'agents', 'graph.jsonl', 'operations.jsonl', 'service'];
  expect(readdirSync(folder).sort(), 'what kills left beside the graph').toEqual(known);
  const locks = readdirSync(path.join(folder, 'service')).filter((name) => /^write\.lock$|\.sock$/.test(name));
  expect(locks).toEqual([]);
}
