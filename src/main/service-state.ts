import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { PRIVATE_FILE, PRIVATE_FOLDER } from '#kernel/file-modes.js';
import type { GraphLayout } from '#kernel/graph-folder.js';
import type { JsonObject } from '#kernel/json.js';

/** Records this process as the service of a project, or as its standby. */
export function writeServiceState({ state: file }: GraphLayout, facts: JsonObject): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: PRIVATE_FOLDER });
  const self = new ProcessTable().self();
  const state = { pid: self.pid, start_time: self.start, boot_id: self.boot, pid_namespace: self.namespace, ...facts };
  // Written to a temporary file and renamed, so that readers never see a partial file.
  writeFileSync(`${file}.new`, `${JSON.stringify(state)}\n`, { mode: PRIVATE_FILE });
  renameSync(`${file}.new`, file);
}

export function removeServiceState({ state }: GraphLayout): void {
  rmSync(state, { force: true });
}
