import type { Projection } from '#core/history/projections.js';
import { isRefusal, TroupeError } from '#kernel/errors.js';
import type { MachineContext, WorkContext } from '#operations/contexts.js';

type Rebuild = (context: WorkContext & MachineContext) => Promise<readonly string[]>;

/** Awaits work that needs the graph for itself. Errors: `locked`, with the remedy while a service runs. */
export async function whileNoServiceRuns<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!isRefusal(error, 'locked')) throw error;
    throw new TroupeError('locked', {
      what: error.message,
      hint: 'A service keeps the graph for as long as it runs: `troupe service stop`, then run this again.',
    });
  }
}

/** Each rebuild is idempotent. */
const REBUILDS: Readonly<Record<Projection, Rebuild>> = {
  /** `graph.jsonl`, from the log. */
  graph: async (context) => await whileNoServiceRuns((await context.doctor()).rebuild()),
  /** Generated team files and the team's rows in `teams.db`, from the events in `.squad/`. */
  team: async (context) => {
    const { render } = await import('#operations/squad/team-files.js');
    const { written, removed } = await render.run(context, {});
    return [
      ...written.map((file) => `Wrote ${file} from the events of the team.`),
      ...removed.map((file) => `Removed ${file}, which no event of the team tells of.`),
      'The rows of the team in teams.db follow from its events.',
    ];
  },
  /** Generated memory files, from `.squad/memory.events.jsonl`. */
  memory: async (context) => {
    const { exportMemory } = await import('#operations/squad/memory-files.js');
    const { exported } = await exportMemory.run(context, {});
    if (exported.length === 0) return ['The files of the memory follow from its events: nothing changed.'];
    return exported.map(({ file, change }) =>
      change === 'written' ? `Wrote ${file} from the events of the memory.` : `Removed ${file}, which holds nothing.`,
    );
  },
  /** The role index, from the role files. */
  roles: async (context) => {
    const [{ refreshIndex }, { REGISTRY_FILE }] = await Promise.all([
      import('#operations/roles/index-file.js'),
      import('#core/roles/role-paths.js'),
    ]);
    const { changed } = await refreshIndex(context);
    return [changed ? `Wrote ${REGISTRY_FILE} from the role files.` : `${REGISTRY_FILE} is current: nothing changed.`];
  },
  /** Message entries in the log, from `teams.db`. */
  messages: async (context) => {
    const { relayOutbox } = await import('#operations/relay-outbox.js');
    const told = await relayOutbox(context);
    return [told.length === 0 ? 'The log knows of every message: nothing changed.' : `Told the log of ${told.length}.`];
  },
};

/** Rebuilds a projection from its source. Returns what was done, one sentence each. */
export async function rebuilt(context: WorkContext & MachineContext, name: Projection): Promise<readonly string[]> {
  return await REBUILDS[name](context);
}
