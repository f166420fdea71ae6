import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { Engine } from '#main/engine.js';
import type { EngineOptions } from '#main/engine-parts.js';
import { projectAt } from '#main/project.js';
import { asked, endEverything, project, textOf, until } from './program.js';

/** Fake clients; the title of a task tells them what to do. */
const AGENTS = path.resolve(import.meta.dirname, '../fixtures/agents');
export const KEY = 'sk-ant-a-key-of-the-person-123456';

/** Environment of a person who has a client. */
export const WITH_CLIENT = { PATH: `${AGENTS}:${process.env['PATH'] ?? ''}`, ANTHROPIC_API_KEY: KEY };

/** Most fake clients do not report on their task; requests for a report have tests of their own. */
export const SILENT = 'silent_end = "done"';

/** A project that works without worktrees, created by the person whose environment this process has. */
export async function clientProject(settings: readonly string[] = []): Promise<string> {
  const cwd = await project();
  await asked(['trust'], { cwd, env: ownSettings() });
  writeFileSync(
    path.join(cwd, '.workgraph/config.toml'),
    ['[coordinator]', 'worktree_isolation = "off"', SILENT, ...settings, ''].join('\n'),
  );
  return cwd;
}

/** Makes trust given by commands apply to engines of this process as well. */
export function ownSettings(): Record<string, string> {
  return { XDG_CONFIG_HOME: process.env['XDG_CONFIG_HOME'] ?? '' };
}

/** An engine within this process, with intervals short enough for a test; the run program is the built one. */
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

/** Process id of the client, once it is working. */
export async function clientPid(cwd: string, run: string): Promise<number> {
  await until('the client to begin', () => textOf(inRun(cwd, run, 'heartbeat.json')).includes('progress_at'));
  return Number(readFileSync(inRun(cwd, run, 'seen-pid'), 'utf8'));
}

/** Process id of the shell around a run, which records its end: the leader of the group in the ticket. */
export function runShellPid(cwd: string, run: string): number {
  const [ticket = '{}'] = textOf(inRun(cwd, run, 'run.jsonl')).split('\n');
  return (JSON.parse(ticket) as { pid: number }).pid;
}

/** Process id of the run program: a child of the shell around it. */
export function runProgramPid(cwd: string, run: string, childrenOf: (pid: number) => number[]): number {
  return childrenOf(runShellPid(cwd, run))[0] ?? 0;
}
