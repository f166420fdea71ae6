import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { Engine } from '#main/engine.js';
import type { EngineOptions } from '#main/engine-parts.js';
import { projectAt } from '#main/project.js';
import { asked, endEverything, project, textOf, until } from './program.js';

/** Stand-ins for clients: what they do stands in the title of the task. */
const AGENTS = path.resolve(import.meta.dirname, '../fixtures/agents');
export const KEY = 'sk-ant-a-key-of-the-person-123456';

/** The environment of a person who has a client. */
export const WITH_CLIENT = { PATH: `${AGENTS}:${process.env['PATH'] ?? ''}`, ANTHROPIC_API_KEY: KEY };

/** Most plays say nothing of their task: how that is asked for is the matter of tests of its own. */
export const SILENT = 'silent_end = "done"';

/** A project in which nothing is done in worktrees, made by the person whose environment this process has. */
export async function clientProject(settings: readonly string[] = []): Promise<string> {
  const cwd = await project();
  await asked(['trust'], { cwd, env: ownSettings() });
  writeFileSync(
    path.join(cwd, '.workgraph/config.toml'),
    ['[coordinator]', 'worktree_isolation = "off"', SILENT, ...settings, ''].join('\n'),
  );
  return cwd;
}

/** Trust given by commands counts for engines of this process too. */
export function ownSettings(): Record<string, string> {
  return { XDG_CONFIG_HOME: process.env['XDG_CONFIG_HOME'] ?? '' };
}

/** An engine within this process, with terms that a test can wait for; the run program is the built one. */
export async function engine(cwd: string, options: Partial<EngineOptions> = {}): Promise<Engine & { notes: string[] }> {
  for (const [name, value] of Object.entries(WITH_CLIENT)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const notes: string[] = [];
  const started = await Engine.start({
    project: projectAt(cwd),
    maxAgents: 4,
    note: (text) => notes.push(text),
    ...options,
  });
  onTestFinished(async () => {
    await started.stop({ killRuns: false });
    await endEverything(cwd);
  });
  return Object.assign(started, { notes });
}

export function inRun(cwd: string, run: string, file: string): string {
  return path.join(cwd, '.workgraph/agents', run, file);
}

export function say(cwd: string, run: string, file: string): void {
  writeFileSync(inRun(cwd, run, file), '');
}

/** The process of the client, once it is at work. */
export async function clientPid(cwd: string, run: string): Promise<number> {
  await until('the client to begin', () => textOf(inRun(cwd, run, 'heartbeat.json')).includes('progress_at'));
  return Number(readFileSync(inRun(cwd, run, 'seen-pid'), 'utf8'));
}

/** The shell around a run, which records its end: the leader of the group that the ticket names. */
export function runShellPid(cwd: string, run: string): number {
  const [ticket = '{}'] = textOf(inRun(cwd, run, 'run.jsonl')).split('\n');
  return (JSON.parse(ticket) as { pid: number }).pid;
}

/** The run program: a child of the shell around it. */
export function runProgramPid(cwd: string, run: string, childrenOf: (pid: number) => number[]): number {
  return childrenOf(runShellPid(cwd, run))[0] ?? 0;
}
