import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { OutputFolder } from '#adapters/files/output-folder.js';
import { TraceFolder } from '#adapters/files/trace-folder.js';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { FileStore } from '#adapters/store/files/file-store.js';
import { initialiseStore } from '#adapters/store/files/initialise.js';
import { RunSnapshotFolders } from '#adapters/store/run-snapshot-folders.js';
import type { NodeFields } from '#core/graph/task.js';
import type { Context, Operation } from '#operations/operation.js';
import type { Caller } from '#ports/callers.js';
import { world } from '../../e2e/world.js';
import { room } from '../../room.js';

const START = Date.parse('2026-03-01T10:00:00Z');

/** A project on disk behind the clean-up operations, with a clock that the test controls. */
export async function place() {
  const project = room();
  const folder = path.join(project, '.workgraph');
  mkdirSync(folder);
  initialiseStore(folder);
  let now = START;
  const clock = { now: () => now };
  const store = await FileStore.open({ folder, clock, processes: new ProcessTable(), hold: false });
  const snapshots = new RunSnapshotFolders(folder);
  let caller: Caller = { kind: 'person', name: 'ann' };
  const context = (): Context => ({
    ...world().context,
    clock,
    caller,
    projectFolder: project,
    graph: async () => store,
    runSnapshots: async () => snapshots,
    traceFiles: async () => new TraceFolder(folder, project),
    outputs: async () => new OutputFolder(project, project),
  });
  return {
    project,
    folder,
    store,
    context,
    snapshots,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    as: (next: Caller) => {
      caller = next;
    },
    async call<Given, Taken, Answer>(
      operation: Operation<string, Given, Taken, Answer>,
      input: unknown = {},
      requestId?: string,
    ): Promise<Answer> {
      const parsed = operation.input.safeParse(input);
      if (!parsed.success) throw new Error(`input refused: ${JSON.stringify(parsed.error.issues)}`);
      const output = await operation.run(
        { ...context(), request: requestId === undefined ? {} : { requestId } },
        parsed.data,
      );
      const checked = operation.output.safeParse(output);
      if (!checked.success) throw new Error(`output refused: ${JSON.stringify(checked.error.issues)}`);
      return output;
    },
    async put(id: string, fields: NodeFields = {}): Promise<void> {
      const created = new Date(now).toISOString();
      const task = { kind: 'task', id, title: `Title of ${id}`, status: 'open', created_at: created, ...fields };
      const event = { op: 'add_task', task_id: id, patch: [{ id, put: task }] };
      await store.commit(() => ({ events: [event], result: undefined }));
    },
  };
}
