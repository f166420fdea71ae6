import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { PRIVATE_FILE, PRIVATE_FOLDER } from '#kernel/file-modes.js';
import type { GraphLayout } from '#kernel/graph-folder.js';
import type { JsonObject } from '#kernel/json.js';

/** Records this process as the service of a project, or as its standby. */
export function writeServiceState(layout: GraphLayout, facts: JsonObject): void {
  const { pid, start } = new ProcessTable().self();
  writeStateOf({ pid, start }, layout, facts);
}

/** Records a process of this machine, just started, as the standby of a project, unless it has ended already. */
export function writeSuccessorState(pid: number, layout: GraphLayout, facts: JsonObject): void {
  const start = new ProcessTable().startOf(pid);
  if (start !== undefined) writeStateOf({ pid, start }, layout, { stands_by: true, ...facts });
}

function writeStateOf(
  { pid, start }: { readonly pid: number; readonly start: string },
  { state: file }: GraphLayout,
  facts: JsonObject,
): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: PRIVATE_FOLDER });
  const { boot, namespace } = new ProcessTable().self();
  const state = { pid, start_time: start, boot_id: boot, pid_namespace: namespace, ...facts };
  // Written to a temporary file and renamed, so that readers never see a partial file.
  writeFileSync(`${file}.new`, `${JSON.stringify(state)}\n`, { mode: PRIVATE_FILE });
  renameSync(`${file}.new`, file);
}

export function removeServiceState({ state }: GraphLayout): void {
  rmSync(state, { force: true });
}
