import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import type { ExecutorEvent, Usage, Verdict } from '#core/runs/event.js';
import { parserOf } from '#core/runs/parser.js';
import type { Executor, ExecutorPlan } from '#core/runs/plan.js';
import { passedFrom } from '#core/runs/variables.js';

const GRACE_MS = 5_000;
const STDERR_KEPT = 4_000;

export interface Drive {
  readonly executor: Executor;
  readonly plan: ExecutorPlan;
  /** Path of the client's program. */
  readonly program: string;
  /** Environment of the person; only what the executor passes on reaches the client. */
  readonly person: Readonly<Record<string, string>>;
  /** Variables of the run, as set by dispatch. */
  readonly run: Readonly<Record<string, string>>;
  readonly boundMs: number;
  /** Ends the client with TERM as soon as this returns true. */
  readonly endWhen?: (event: ExecutorEvent, events: readonly ExecutorEvent[]) => boolean;
  readonly before?: Usage | undefined;
}

export interface Driven {
  readonly verdict: Verdict;
  readonly events: readonly ExecutorEvent[];
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: { readonly code: number | null; readonly signal: string | null };
  readonly ms: number;
  readonly timedOut: boolean;
  /** Number of processes with the run's mark that outlived the signal to the group; they are ended. */
  readonly orphans: number;
}

/** Starts a real client as an executor prepares it, parses its output, and ends it with all processes it left. */
export async function drive(options: Drive): Promise<Driven> {
  const { executor, plan } = options;
  const prepared = executor.prepare(plan);
  mkdirSync(plan.runFolder, { recursive: true });
  for (const file of prepared.files) {
    writeFileSync(path.join(plan.runFolder, file.path), file.content, { mode: 0o600 });
  }
  const usual = Object.entries(options.person).filter(
    ([name]) => ['PATH', 'HOME', 'LANG', 'TERM'].includes(name) || /proxy$/i.test(name),
  );
  const passed = { ...Object.fromEntries(usual), ...passedFrom(prepared.passes, options.person) };
  const started = Date.now();
  const child = spawn(options.program, prepared.args, {
    cwd: prepared.folder,
    env: { ...passed, ...options.run, ...prepared.environment },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const parser = parserOf(executor.reader(options.before));
  const events: ExecutorEvent[] = [];
  const [out, err] = [new StringDecoder('utf8'), new StringDecoder('utf8')];
  let [stdout, stderr, timedOut, ended] = ['', '', false, false];
  let hard: NodeJS.Timeout | undefined;

  const signal = (name: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, name);
    } catch {
      // the group has ended already
    }
  };
  const end = () => {
    if (ended) return;
    ended = true;
    signal('SIGTERM');
    hard = setTimeout(() => signal('SIGKILL'), GRACE_MS);
  };
  const bound = setTimeout(() => {
    timedOut = true;
    end();
  }, options.boundMs);

  child.stdout.on('data', (bytes: Buffer) => {
    const piece = out.write(bytes);
    stdout += piece;
    for (const event of parser.feed(piece)) {
      events.push(event);
      if (options.endWhen?.(event, events)) end();
    }
  });
  child.stderr.on('data', (bytes: Buffer) => {
    stderr = (stderr + err.write(bytes)).slice(-STDERR_KEPT);
  });
  child.stdin.on('error', () => {
    // it ended without reading its prompt; the verdict shows that
  });
  child.stdin.end(prepared.stdin);
  // Not `close`: processes that a client leaves behind hold the pipes open.
  const exit = await new Promise<Driven['exit']>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, name) => resolve({ code, signal: name }));
  });
  clearTimeout(bound);
  clearTimeout(hard);
  const left = marked(options.run['WG_RUN'] ?? '');
  for (const pid of left) endOne(pid);
  await new Promise<void>((resolve) => (child.stdout.readableEnded ? resolve() : child.stdout.once('end', resolve)));
  return {
    verdict: parser.end(exit),
    events,
    stdout,
    stderr,
    exit,
    ms: Date.now() - started,
    timedOut,
    orphans: left.length,
  };
}

function marked(run: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      try {
        return pid > 0 && readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`WG_RUN=${run}`);
      } catch {
        return false; // gone, or of another user
      }
    });
}

function endOne(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // gone meanwhile
  }
}
