import { DaemonLog } from '#adapters/daemon/daemon-log.js';
import { systemClock } from '#kernel/clock.js';
import { parseJsonObject } from '#kernel/json.js';
import { Engine } from '#main/engine.js';
import { projectAt } from '#main/project.js';

/** What is not told to go may take so long to end; then a service told to stop by force goes without it. */
const FORCED_AFTER_MS = 2_000;

const [projectFolder = '.', maxAgents = '', pollMs = '', clients = '{}', socket = '', seize = ''] =
  process.argv.slice(2);
const project = projectAt(projectFolder);
const log = new DaemonLog(project.layout.daemonLog, systemClock);
const note = (text: string) => log.note(text);

let engine: Engine | undefined;

const onLost = () => process.exit(1);

/** Set once it is told to stop, which may be while it still starts. */
let toStop: { readonly killRuns: boolean } | undefined;

function stop({ killRuns, force }: { killRuns: boolean; force: boolean }): void {
  note(`stopping${killRuns ? ', ending all runs' : ''}${force ? ', without waiting' : ''}`);
  if (force) setTimeout(() => process.exit(0), FORCED_AFTER_MS);
  toStop = { killRuns };
  if (engine) end(engine, toStop);
}

function end(started: Engine, how: { readonly killRuns: boolean }): void {
  started.stop(how).then(
    () => process.exit(0),
    (error) => {
      note(`stop failed: ${(error as Error).message}`);
      process.exit(1);
    },
  );
}

process.on('SIGTERM', () => stop({ killRuns: false, force: false }));
process.on('SIGINT', () => stop({ killRuns: false, force: false }));
process.on('SIGHUP', () => note('the terminal that started this process is gone; continuing'));

/** Starts the background process of a project, whose words are those of the program. */
export async function startBackgroundService(): Promise<void> {
  const startOptions = {
    ...(maxAgents === '' ? {} : { maxAgents: Number(maxAgents) }),
    ...(pollMs === '' ? {} : { pollMs: Number(pollMs) }),
    clients: parseJsonObject(clients) ?? {},
    ...(socket === '' ? {} : { socket }),
  };
  try {
    engine = await Engine.start({
      project,
      ...startOptions,
      startOptions,
      note,
      onShutdown: stop,
      onLost,
      seize: seize !== '',
    });
    note(`started, pid ${process.pid}, at most ${engine.coordinator.facts().maxAgents} agents`);
    process.send?.({ ready: true });
    if (toStop) end(engine, toStop);
  } catch (error) {
    note(`could not start: ${(error as Error).message}`);
    process.send?.({
      error: { message: (error as Error).message, ...(error as { toJSON?: () => object }).toJSON?.() },
    });
    process.exitCode = 1;
  }
  process.disconnect?.();
}
