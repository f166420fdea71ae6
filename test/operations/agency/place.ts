import path from 'node:path';
import { AgencyFolder } from '#adapters/agency/agency-folder.js';
import { WordingFolder } from '#adapters/catalog/wording-folder.js';
import { LocalFiles } from '#adapters/files/local-files.js';
import { ScriptedModel } from '#adapters/models/scripted-model.js';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { TroupeError } from '#kernel/errors.js';
import type { Context, Operation } from '#operations/operation.js';
import { worktreesOf } from '../../adapters/worktrees/place.js';
import { bothPorts } from '../../both-ports.js';
import { room } from '../../room.js';
import { place } from '../history/place.js';

const WORDING = path.resolve(import.meta.dirname, '../../../data/prompts');
export const SHIPPED = path.resolve(import.meta.dirname, '../../../data/agency');

/** A project with an agency on disk. */
export async function stage(more: Partial<Context> = {}) {
  const own = await place();
  const agency = new AgencyFolder({
    top: path.join(own.folder, 'agency'),
    shipped: SHIPPED,
    processes: new ProcessTable(),
    clock: { now: () => Date.parse('2026-03-01T10:00:00Z') },
  });
  let fresh = 0;
  const config: { current: Readonly<Record<string, unknown>> } = { current: {} };
  const parts: Partial<Context> = {
    settings: async () => ({
      name: 'config.toml',
      read: async () => config.current,
      set: async () => ({ kept: true }),
    }),
    freshId: () => `fresh-id-${++fresh}`,
    model: async () => new ScriptedModel([]),
    squad: async () => ({ readTeam: async () => undefined, texts: async () => new Map() }) as never,
    files: async () => new LocalFiles(own.project),
    ...bothPorts(async () => worktreesOf(own.project)),
    wording: async () => new WordingFolder(WORDING),
    agency: async () => agency,
    executorFiles: async () => ({ list: async () => [], read: async () => undefined }) as never,
    ...more,
  };
  return {
    ...own,
    agency,
    context: (): Context => ({ ...own.context(), ...parts }),
    /** Replaces the settings. */
    configure: (settings: Readonly<Record<string, unknown>>) => {
      config.current = settings;
    },
    call: async <Given, Taken, Answer>(
      operation: Operation<string, Given, Taken, Answer>,
      input: unknown = {},
      requestId?: string,
    ) =>
      await own.call(
        { ...operation, run: (context, said) => operation.run({ ...context, ...parts }, said) },
        input,
        requestId,
      ),
  };
}

/** A folder without a graph. */
export function bare() {
  const project = room();
  const agency = new AgencyFolder({
    top: path.join(project, '.workgraph', 'agency'),
    shipped: SHIPPED,
    processes: new ProcessTable(),
    clock: { now: () => 0 },
  });
  const context = {
    clock: { now: () => 0 },
    caller: { kind: 'person', name: 'ann' },
    request: {},
    projectFolder: project,
    agency: async () => agency,
    graph: async () => {
      throw new TroupeError('not_initialized');
    },
    executorFiles: async () => ({ list: async () => [], read: async () => undefined }),
  } as unknown as Context;
  return { project, context };
}
