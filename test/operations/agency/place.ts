import path from 'node:path';
import { AgencyFolder } from '#adapters/agency/agency-folder.js';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { TroupeError } from '#kernel/errors.js';
import type { Context, Operation } from '#operations/operation.js';
import { room } from '../../room.js';
import { place } from '../keeping/place.js';

export const SHIPPED = path.resolve(import.meta.dirname, '../../../data/agency');

/** A project with an agency on disk. */
export async function stage(more: Partial<Context> = {}) {
  const own = await place();
  const agency = new AgencyFolder({
    folder: own.folder,
    shipped: SHIPPED,
    processes: new ProcessTable(),
    clock: { now: () => Date.parse('2026-03-01T10:00:00Z') },
  });
  const parts: Partial<Context> = {
    agency: async () => agency,
    executorFiles: async () => ({ list: async () => [], read: async () => undefined }) as never,
    ...more,
  };
  return {
    ...own,
    agency,
    call: async <Input, Output>(operation: Operation<Input, Output>, input: unknown = {}, requestId?: string) =>
      await own.call(
        { ...operation, run: (context, said) => operation.run({ ...context, ...parts }, said) },
        input,
        requestId,
      ),
  };
}

/** A folder in which there is no graph. */
export function bare() {
  const project = room();
  const agency = new AgencyFolder({
    folder: path.join(project, '.workgraph'),
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
