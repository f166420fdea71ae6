import { closeSync, fstatSync, mkdirSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import { systemClock, timestamp } from '#kernel/clock.js';
import { parseJsonObject } from '#kernel/json.js';
import { LIMITS } from '#kernel/limits.js';
import { graphFolder } from '#main/compose.js';
import { Engine } from '#main/engine.js';

const LOG_BYTES = 10 * 1024 * 1024;
const LOGS_KEPT = 3;

/** The background process: `node dist/service.js PROJECT MAX_AGENTS POLL_MS CLIENTS`. Started by `troupe service start` only. */
const [
  projectFolder = '.',
  maxAgents = String(LIMITS.agentsDefault),
  pollMs = String(LIMITS.pollIntervalMs),
  clients = '{}',
] = process.argv.slice(2);
const logFile = path.join(graphFolder(projectFolder), 'service', 'daemon.log');

let log: number | undefined;
let logBytes = 0;

/** Appends one line to the log, turning it over when it has grown; the file stays open between lines. */
function note(text: string): void {
  try {
    if (log === undefined || logBytes > LOG_BYTES) {
      if (log !== undefined) rotate(log);
      mkdirSync(path.dirname(logFile), { recursive: true, mode: 0o700 });
      log = openSync(logFile, 'a', 0o600);
      logBytes = fstatSync(log).size;
    }
    logBytes += writeSync(log, `${timestamp(systemClock.now())} ${text.replace(/[\r\n]+/g, ' ')}\n`);
  } catch {
    // A full disk takes the log first; the work it would have told of goes on.
  }
}

function rotate(open: number): void {
  closeSync(open);
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
      clients: parseJsonObject(clients) ?? {},
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
