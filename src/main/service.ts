import { appendFileSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import { systemClock, timestamp } from '#kernel/clock.js';
import { LIMITS } from '#kernel/limits.js';
import { graphFolder } from '#main/compose.js';
import { Engine } from '#main/engine.js';

const LOG_BYTES = 10 * 1024 * 1024;
const LOGS_KEPT = 3;

/** The background process: `node dist/service.js PROJECT MAX_AGENTS POLL_MS`. Started by `troupe service start` only. */
const [projectFolder = '.', maxAgents = String(LIMITS.agentsDefault), pollMs = String(LIMITS.pollIntervalMs)] =
  process.argv.slice(2);
const logFile = path.join(graphFolder(projectFolder), 'service', 'daemon.log');

function note(text: string): void {
  if ((statSync(logFile, { throwIfNoEntry: false })?.size ?? 0) > LOG_BYTES) rotate();
  appendFileSync(logFile, `${timestamp(systemClock.now())} ${text.replace(/[\r\n]+/g, ' ')}\n`, { mode: 0o600 });
}

function rotate(): void {
  for (let number = LOGS_KEPT - 1; number >= 1; number--) {
    if (statSync(`${logFile}.${number}`, { throwIfNoEntry: false }))
      renameSync(`${logFile}.${number}`, `${logFile}.${number + 1}`);
  }
  renameSync(logFile, `${logFile}.1`);
}

let engine: Engine | undefined;

function stop(killRuns: boolean): void {
  note(`stopping${killRuns ? ', ending all runs' : ''}`);
  engine?.stop({ killRuns }).then(
    () => process.exit(0),
    (error) => {
      note(`stop failed: ${(error as Error).message}`);
      process.exit(1);
    },
  );
}

process.on('SIGTERM', () => stop(false));
process.on('SIGINT', () => stop(false));
process.on('SIGHUP', () => note('the terminal that started us is gone; going on'));

async function start(): Promise<void> {
  try {
    engine = await Engine.start({
      projectFolder,
      maxAgents: Number(maxAgents),
      pollMs: Number(pollMs),
      note,
      onShutdown: stop,
    });
    note(`started, pid ${process.pid}, at most ${maxAgents} agents`);
    process.send?.({ ready: true });
  } catch (error) {
    note(`could not start: ${(error as Error).message}`);
    process.send?.({
      error: { message: (error as Error).message, ...(error as { toJSON?: () => object }).toJSON?.() },
    });
    process.exitCode = 1;
  }
  process.disconnect?.();
}

start();
