import { runFolder } from '#core/playbooks/formation.js';
import type { GateRecord } from '#core/playbooks/gate-record.js';
import { type BlockedReport, filesAskedFor } from '#core/playbooks/handoff-file.js';
import { type HandoffFiles, handoffFiles } from '#core/playbooks/handoffs.js';
import { type RungDecision, rungFor } from '#core/playbooks/ladder.js';
import { RUNGS } from '#core/playbooks/rungs.js';
import { crewTalent } from '#core/playbooks/talent.js';
import { readRoles } from '#core/roles/registry.js';
import type { CrewRuns } from '#ports/handoff-folders.js';

interface Blocked {
  readonly run: string;
  readonly phase: string;
  readonly file: string;
  readonly report: BlockedReport;
  readonly files: HandoffFiles;
}

/**
 * Rung for a phase with a BLOCKED handoff: the one the coordinator took for the same file, else the one it would take
 * by the same function. Only the coordinator knows the budget.
 */
export async function rungAtGate(runs: CrewRuns, recorded: GateRecord, blocked: Blocked): Promise<string> {
  const { run, phase, file, report, files } = blocked;
  const there = files.get(file);
  const { answered } = recorded.stumbles[phase] ?? {};
  if (answered !== undefined && there !== undefined && 'sha256' in there && there.sha256 === answered.sha256)
    return `Rung ${said(answered)}`;
  const own = handoffFiles(phase);
  const handedOn = new Set([...files.keys()].filter((name) => !own.includes(name)));
  const context = await runs.present(filesAskedFor(report.needs, { folder: runFolder('crew', run), handedOn }));
  const talent = crewTalent(readRoles(await runs.roles()));
  return `Next rung ${said(rungFor(recorded, phase, { ...report, context }, { talent, tiers: recorded.tiers }))}`;
}

const said = ({ rung, why }: Pick<RungDecision, 'rung' | 'why'>) => `${RUNGS.indexOf(rung) + 1}, ${rung}: ${why}.`;
