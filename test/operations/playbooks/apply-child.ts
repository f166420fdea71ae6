import { readFileSync } from 'node:fs';
import path from 'node:path';
import { AgencyFolder } from '#adapters/agency/agency-folder.js';
import { ProjectCatalog } from '#adapters/catalog/project-catalog.js';
import { ProjectEntries } from '#adapters/catalog/project-entries.js';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { SquadFolder } from '#adapters/squad/squad-folder.js';
import { TroupeError } from '#kernel/errors.js';
import type { Context } from '#operations/operation.js';
import { blueprintApply } from '#operations/playbooks/apply.js';
import { ALONE } from '../../lone-squad.js';
import { shippedCatalog } from '../../shipped-catalog.js';

/**
 * Started by the crash test as a process of its own: applies a blueprint to a project, and kills itself before one step
 * of the write. Prints the number of steps, including the rollback of an earlier interrupted write.
 */
const [data = '', project = '', blueprint = '', stopBefore = '0'] = process.argv.slice(2);
let [steps, ids] = [0, 0];
const clock = { now: () => Date.parse('2026-07-01T12:00:00.000Z') };
const processes = new ProcessTable();
const squad = new SquadFolder(project, processes, {
  ...ALONE,
  step: () => {
    steps++;
    if (steps === Number(stopBefore)) process.kill(process.pid, 'SIGKILL');
  },
});
const agency = {
  top: path.join(project, '.workgraph', 'agency'),
  shipped: path.join(data, 'agency'),
  processes,
  clock,
};
// Parts that applying does not use are missing.
const context = {
  clock,
  caller: { kind: 'person', name: 'ann' },
  projectFolder: project,
  request: {},
  freshId: () => `of-the-crash-${++ids}`,
  catalog: async () => new ProjectCatalog(shippedCatalog(path.dirname(data)), project),
  workflowFiles: async () => new ProjectEntries(project),
  squad: async () => squad,
  agency: async () => new AgencyFolder(agency),
  settings: async () => ({ read: async () => ({ casting: { client_files: true } }) }),
  executorTrust: async () => ({ all: async () => new Map() }),
  graph: () => Promise.reject(new TroupeError('not_initialized')),
} as unknown as Context;
await blueprintApply.run(context, { blueprint: JSON.parse(readFileSync(blueprint, 'utf8')), intent: 'new' });
process.stdout.write(String(steps));
