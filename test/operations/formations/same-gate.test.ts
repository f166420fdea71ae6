import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { FormationFolder } from '#adapters/roles/formation-folder.js';
import { LocalHandoffFolders } from '#adapters/roles/handoff-folders.js';
import { taskOf } from '#core/graph/task-of.js';
import { runFolder } from '#core/playbooks/formation.js';
import { checkHandoffs } from '#operations/formations/check-handoffs.js';
import { crew } from '#operations/formations/crew.js';
import { refuseHeldPhase } from '#operations/formations/dispatch-gate.js';
import { judgeCall } from '#operations/formations/gate-call.js';
import type { GraphStore } from '#ports/graph-store.js';
import { BLOCKED, CHANGES, CONTRACT, QA } from '../../core/playbooks/run-files.js';
import { GraphInMemory } from '../../graph-in-memory.js';
import { RolesInMemory } from '../../roles-in-memory.js';
import { verifies } from '../../verifies.js';
import { Stage } from '../team/casting-stage.js';

class Crews extends Stage {
  override store: GraphStore = new GraphInMemory({ now: () => this.now });

  override context() {
    return {
      ...super.context(),
      projectFolder: this.folder,
      roleFiles: async () => new RolesInMemory(),
      formationFiles: async () => new FormationFolder(this.folder),
      handoffFolders: async () => new LocalHandoffFolders(),
    };
  }
}

/** What lies in the folder of the run, the phase that would begin, and what is said of it. */
const STATES: readonly [Readonly<Record<string, string>>, string, string][] = [
  [{}, 'architect', 'allowed'],
  [{}, 'dev', 'handoff_missing'],
  [{ 'CONTRACT.md': CONTRACT }, 'dev', 'allowed'],
  [{ 'CONTRACT.md': CONTRACT, 'CHANGES.md': '' }, 'qa', 'handoff_incomplete'],
  [{ 'CONTRACT.md': CONTRACT, 'CHANGES.md': BLOCKED }, 'qa', 'blocked_handoff'],
  [{ 'CONTRACT.md': CONTRACT, 'CHANGES.md': BLOCKED }, 'dev', 'allowed'],
  [{ 'CONTRACT.md': CONTRACT, 'CHANGES.md': CHANGES, 'QA.md': '0 FAILED, no FAIL\n' }, 'deployer', 'qa_not_passed'],
  [{ 'CONTRACT.md': CONTRACT, 'CHANGES.md': CHANGES, 'QA.md': QA }, 'deployer', 'allowed'],
];

verifies('gate.same-function', 'coordinator, check and hook say the same of every phase', async () => {
  const stage = new Crews();
  const { run } = await stage.call(crew, { goal: 'Add CSV export', mode: 'autopilot', yes: true });
  const folder = path.join(stage.folder, runFolder('crew', run));
  const view = await stage.store.view();
  const context = stage.context();
  for (const [files, phase, code] of STATES) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
    const { denial } = await stage.call(checkHandoffs, { run, phase, before: true });
    const payload = JSON.stringify({ tool_input: { subagent_type: `dc-${phase}` } });
    const { deny } = await judgeCall(await context.handoffFolders(), {
      payload,
      places: [stage.folder],
      run: undefined,
    });
    const dispatched = await refuseHeldPhase(context, view, taskOf(view, `${run}-${phase}`), stage.folder).then(
      () => 'allowed',
      (error) => error.details.code as string,
    );
    const said = [denial?.code ?? 'allowed', deny?.split(':')[0] ?? 'allowed', dispatched];
    expect(said, `${phase} with ${Object.keys(files)}`).toEqual([code, code, code]);
  }
});
