import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Mode } from '#core/runs/plan.js';
import type { Outcome, World } from './cases.js';
import { INQUIRY, MADE, NOTED, QUESTION } from './script.js';

/** A full run: the service starts the client for tasks of a repository, outside of all temporary folders. */
export interface ServedCase {
  readonly name: string;
  run(world: World): Promise<Outcome>;
}

/** Also on a busy machine. */
const DEADLINE_MS = 120_000;
const SETTLED = new Set(['done', 'failed', 'waiting', 'pending-validation']);
/** Tools that no client may offer in any mode: they lead out of the run. */
const LEAVING = /worktree|cron|schedule|wake|workflow|send_?message|goal|monitor|ask_user|askuser|question|plan_mode/i;
/** Tools that a client may not offer in read-only mode. */
const WRITING = /write|edit|replace|bash|shell(?!_)|run_shell|patch|notebook|fetch|agent|^task$/i;

export interface Shown {
  readonly task: Readonly<Record<string, unknown>> & { readonly status: string; readonly fence?: number };
  readonly last_words?: string;
}

const isSettled = ({ task }: Shown) => SETTLED.has(task.status);

/** Prepares a world with one task and runs the service until it is settled. */
export async function served(world: World, mode: Mode, title: string, ...flags: string[]): Promise<Shown> {
  await prepared(world);
  await world.ours(['add', title, '--id', 't', '--exec-mode', mode, '--timeout', '2m', ...flags]);
  return await settled(world, 't');
}

/** Creates a repository with one commit, a remote beside it, and the settings for this client. */
export async function prepared(world: World): Promise<void> {
  const { folder, client } = world;
  const git = (...words: string[]) =>
    execFileSync('git', words, { cwd: folder, env: world.environment, stdio: 'pipe' });
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 't');
  git('config', 'user.email', 't@example.org');
  writeFileSync(path.join(folder, '.gitignore'), '.workgraph/\n');
  git('add', '.');
  git('commit', '-q', '-m', 'one');
  git('init', '-q', '--bare', remoteOf(world));
  git('remote', 'add', 'origin', remoteOf(world));
  await world.ours(['init']);
  const model = client.name === 'codex' || !client.provider ? client.model : `${client.provider}/${client.model}`;
  const lines = ['[coordinator]', `executor = "${client.name}"`, `model = "${model}"`, ''];
  writeFileSync(path.join(folder, '.workgraph/config.toml'), lines.join('\n'));
  await world.ours(['trust']);
}

/** Runs the service until the task is settled. */
export async function settled(world: World, id: string, isOver = isSettled): Promise<Shown> {
  await world.ours(['service', 'start']);
  try {
    const until = Date.now() + DEADLINE_MS;
    for (;;) {
      const shown = JSON.parse(await world.ours(['show', id])) as Shown;
      if (isOver(shown)) return shown;
      if (Date.now() > until) throw new Error(`still ${shown.task.status}: ${await world.ours(['why', id])}`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  } finally {
    await world.ours(['service', 'stop', '--kill-agents']);
  }
}

export const remoteOf = ({ home }: World) => path.join(home, 'remote.git');
export const gitOf = (world: World, ...words: string[]) =>
  execFileSync('git', words, { cwd: world.folder, env: world.environment, encoding: 'utf8' }).trim();

const logText = ({ task }: Shown) => JSON.stringify(task['log'] ?? []);

/** All files of the project except those of Troupe and git, ignored ones included. */
function filesOf(world: World): string[] {
  const own = (name: string) => name === '.workgraph' || name === '.git' || /^\.(workgraph|git)\//.test(name);
  return readdirSync(world.folder, { recursive: true, encoding: 'utf8' }).filter((name) => !own(name));
}

const promptOf = (world: World, run = 'agent-1') => {
  const file = path.join(world.folder, '.workgraph/agents', run, 'prompt.txt');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};

/** Whether the prompt names exactly one way to report. */
function namesOneWay(world: World): boolean {
  const text = promptOf(world);
  return (
    /`[a-z_.]*task_done`/.test(text) && !/`[^`\n]*(troupe|cli\.cjs|TROUPE_BIN)[^`\n]* (log|done|fail|wait) /.test(text)
  );
}

function offeredOf(world: World): string[] {
  return [...new Set(world.server.offered.flat())].filter((name) => !/troupe/.test(name));
}

export const SERVED: readonly ServedCase[] = [
  {
    name: 'full: commits, logs, artifact, done',
    async run(world) {
      const shown = await served(world, 'full', 'CASE:fully', '--require-commit');
      const merged = gitOf(world, 'log', '--format=%s', 'wg/integration').includes('scripted work');
      const { task } = shown;
      const noted = logText(shown).includes(NOTED);
      const registered = JSON.stringify(task['artifacts']) === JSON.stringify([MADE.name]);
      const ok = task.status === 'done' && merged && noted && registered && namesOneWay(world);
      const parts = { merged, noted, registered, 'one way': namesOneWay(world), reason: task['failure_reason'] };
      return { ok, seen: `${task.status} ${JSON.stringify(parts)}` };
    },
  },
  {
    name: 'light: logs and waits, no trace',
    async run(world) {
      const shown = await served(world, 'light', 'CASE:lightly');
      const left = filesOf(world).filter((name) => name !== '.gitignore');
      const noted = logText(shown).includes(NOTED);
      const writes = offeredOf(world).filter((name) => WRITING.test(name) && world.client.name !== 'codex');
      const clean = left.length === 0 && gitOf(world, 'status', '--porcelain') === '';
      const ok = shown.task.status === 'waiting' && noted && clean && writes.length === 0 && namesOneWay(world);
      return { ok, seen: `${shown.task.status}, noted: ${noted}, left: ${left}, may write by: ${writes}` };
    },
  },
  {
    name: 'bare: logs and fails, no trace',
    async run(world) {
      const shown = await served(world, 'bare', 'CASE:barely');
      const left = filesOf(world).filter((name) => name !== '.gitignore');
      const noted = logText(shown).includes(NOTED);
      const others = world.client.name === 'codex' ? [] : offeredOf(world); // its shell can read, without writing
      const ok = shown.task.status === 'failed' && noted && left.length === 0 && others.length === 0;
      const said = String(shown.task['failure_reason']);
      return { ok: ok && said.includes('scripted reason'), seen: `${said}, left: ${left}, more tools: ${others}` };
    },
  },
  {
    name: 'ends silent: asked once',
    async run(world) {
      const shown = await served(world, 'light', 'CASE:question');
      const again = promptOf(world, 'agent-2').includes('You ended without a report');
      const resumed = world.server.texts.at(-1)?.split(QUESTION).length ?? 0;
      const ok = shown.task.status === 'pending-validation' && shown.task.fence === 2 && again && resumed > 1;
      return {
        ok: ok && shown.last_words === QUESTION,
        seen: `${shown.task.status}, claims: ${shown.task.fence}, ${shown.last_words}`,
      };
    },
  },
  {
    name: 'limit: the client is held, the task is as before',
    async run(world) {
      await prepared(world);
      await world.ours(['add', 'CASE:limited', '--id', 't', '--exec-mode', 'light', '--timeout', '2m']);
      const shown = await settled(world, 't', (now) => logText(now).includes('that is not an attempt'));
      const { status, fence } = shown.task;
      const untouched = ['retry_count', 'failure_reason', 'deaths'].every((field) => shown.task[field] === undefined);
      const limited = /limit|overloaded|quota/.test(logText(shown));
      return { ok: status === 'open' && fence === 1 && untouched && limited, seen: `${status}, ${logText(shown)}` };
    },
  },
  {
    name: 'question: answered in the same session',
    async run(world) {
      await prepared(world);
      await world.ours(['add', 'CASE:inquires', '--id', 't', '--exec-mode', 'light', '--timeout', '2m']);
      const asking = await settled(world, 't', ({ task }) => task.status === 'waiting');
      const waits = (await world.ours(['problems'])).includes(INQUIRY.asked);
      await world.ours(['answer', 't', INQUIRY.answer]);
      const { task } = await settled(
        world,
        't',
        ({ task: now }) => now.status !== 'waiting' && SETTLED.has(now.status),
      );
      const resumed = world.server.texts.at(-1)?.includes(INQUIRY.said) === true;
      const ok = task.status === 'done' && waits && resumed && task['rejection_count'] === undefined;
      return {
        ok,
        seen: `${asking.task.status}, told: ${waits}, then ${task.status}, claims: ${task.fence}, same session: ${resumed}`,
      };
    },
  },
  {
    name: 'file tools keep to the worktree',
    async run(world) {
      const outside = path.join(world.home, 'outside.txt');
      const shown = await served(world, 'full', `CASE:outside FILE:${outside}`);
      const written = existsSync(outside);
      // pi has no permissions, and qwen forbids its shell to write once its edits are bounded; the guide documents
      // that. If the machine has a sandbox, it confines them as well.
      return {
        ok: !written || ['pi', 'qwen'].includes(world.client.name),
        seen: `${shown.task.status}, written outside: ${written}`,
      };
    },
  },
  {
    name: 'asks a member and is answered',
    async run(world) {
      await prepared(world);
      await world.ours(['team', 'create', 'crew', '--leader', 'Ripley']);
      await world.ours(['team', 'add', 'crew', 'Hicks']);
      const { id } = JSON.parse(await world.ours(['team', 'task', 'crew', 'CASE:asks', '--to', 'Ripley'])) as {
        id: string;
      };
      const { task } = await settled(world, id, (shown) => isSettled(shown) && shown.task.status !== 'waiting');
      const said = JSON.parse(await world.ours(['messages', 'list', '--all'])) as {
        conversations: { state: string; initiator: string; recipient: string }[];
      };
      const [one] = said.conversations;
      const ofLeaf = world.server.offered.filter((_, at) => !world.server.texts[at]?.includes('CASE:asks')).flat();
      const rights = ['Send', 'Reply'].map((tool) => ofLeaf.some((name) => new RegExp(`(^|[._])${tool}$`).test(name)));
      const ok = task.status === 'pending-validation' && said.conversations.length === 1 && one?.state === 'closed';
      return {
        ok: ok && !rights[0] && rights[1] === true,
        seen: `${task.status}, ${one?.initiator} to ${one?.recipient}: ${one?.state}; who is asked has Send, Reply: ${rights}`,
      };
    },
  },
  {
    name: 'stays in its frame',
    async run(world) {
      const shown = await served(world, 'full', 'CASE:breaks');
      const pushed = gitOf(world, '--git-dir', remoteOf(world), 'for-each-ref');
      const leaving = offeredOf(world).filter((name) => LEAVING.test(name));
      const sandboxed = world.client.name === 'codex';
      const inside = ['.workgraph/evil', '.git/hooks/evil'].filter((name) => existsSync(path.join(world.folder, name)));
      const ok = pushed === '' && leaving.length === 0 && (!sandboxed || inside.length === 0);
      return {
        ok,
        seen: `${shown.task.status}, pushed: ${pushed || 'nothing'}, ways out: ${leaving}, wrote ${inside}`,
      };
    },
  },
];

/** Creates the folder of the suite; throws below temporary folders, where sandboxes let clients write. */
export function outsideTemporary(folder: string): void {
  mkdirSync(folder, { recursive: true });
  if (/^(\/private)?\/(var\/)?tmp(\/|$)/.test(folder))
    throw new Error(`${folder} is below a temporary folder, where sandboxes let clients write: set XDG_CACHE_HOME.`);
}
