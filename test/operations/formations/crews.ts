import { LocalFiles } from '#adapters/files/local-files.js';
import { TraceFolder } from '#adapters/files/trace-folder.js';
import { FormationFolder } from '#adapters/roles/formation-folder.js';
import { LocalHandoffFolders } from '#adapters/roles/handoff-folders.js';
import { formationRecords, formationTasks } from '#core/playbooks/record.js';
import type { JsonObject } from '#kernel/json.js';
import { crew } from '#operations/formations/crew.js';
import type { GraphStore } from '#ports/graph-store.js';
import { worktreesOf } from '../../adapters/worktrees/place.js';
import { bothPorts } from '../../both-ports.js';
import { GraphInMemory } from '../../graph-in-memory.js';
import { RolesInMemory } from '../../roles-in-memory.js';
import { Stage } from '../team/casting-stage.js';

/** A project in which crews work on goals, with its role files in memory. */
export class Crews extends Stage {
  override store: GraphStore = new GraphInMemory({ now: () => this.now });
  readonly roles = new RolesInMemory();
  /** Recorded evaluations of tasks. */
  readonly evaluations: JsonObject[] = [];

  override context() {
    return {
      ...super.context(),
      roleFiles: async () => this.roles,
      traceFiles: async () =>
        Object.assign(new TraceFolder(this.folder, this.folder), {
          evaluations: async () => ({ records: this.evaluations, warnings: [] }),
        }),
      files: async () => new LocalFiles(this.folder),
      formationFiles: async () => new FormationFolder(this.folder),
      handoffFolders: async () => new LocalHandoffFolders(),
      ...bothPorts(async () => worktreesOf(this.folder)),
    };
  }

  async view() {
    return await this.store.view();
  }

  async crew(options: object = {}) {
    return await this.call(crew, { goal: 'Add CSV export', ...options });
  }

  rows(): string {
    return this.roles.texts.get('.claude/roles/crew.md') ?? '';
  }

  async steps() {
    const [run] = formationRecords(await this.view());
    if (run === undefined) return undefined;
    return formationTasks(await this.view(), run)
      .filter(({ status }) => status !== 'abandoned')
      .map(({ id }) => id.slice(run.run.length + 1));
  }
}
