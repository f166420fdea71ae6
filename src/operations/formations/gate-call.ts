import { checkedRunId, runFolder } from '#core/playbooks/formation.js';
import { type GateRecord, NO_GATE_RECORD } from '#core/playbooks/gate-record.js';
import { type HandoffFiles, judgeHandoff, type PhaseDenial } from '#core/playbooks/handoffs.js';
import { type HookCall, mayNameAgent, parseHookCall, phaseOfAgent, phaseOfRow } from '#core/playbooks/hook-call.js';
import { PLAN_FILE } from '#core/playbooks/phases.js';
import type { LaneRow } from '#core/roles/lane.js';
import { parseLane } from '#core/roles/lane-file.js';
import { rowsAmong } from '#core/roles/rows-among.js';
import { TroupeError } from '#kernel/errors.js';
import type { CrewRuns, HandoffFolders } from '#ports/handoff-folders.js';

/** Call that a client is about to make, with its place. */
export interface GateCall {
  /** Raw payload of the client. */
  readonly payload: string;
  /** Run of the work, if the environment names it. */
  readonly run: string | undefined;
  /** Folders to search for runs, most likely first. */
  readonly places: readonly string[];
}

/** Reason for a denial; empty for an allowed call. */
export interface GateAnswer {
  readonly deny?: string;
}

/**
 * Decides whether a client may make this call, like the check before a dispatch, for agents started inside a client.
 * Works without schemas and a context, since every agent start waits for it.
 */
export async function judgeCall(folders: HandoffFolders, { payload, run, places }: GateCall): Promise<GateAnswer> {
  const call = parseHookCall(payload);
  if (call.subagent === undefined) return {};
  if (run !== undefined) checkedRunId(run);
  const runs = await runsAround(folders, call.cwd === undefined ? places : [...places, call.cwd]);
  const candidates = run === undefined ? ((await runs?.active()) ?? []) : [run];
  const records = new Map<string, GateRecord>();
  for (const name of candidates) records.set(name, (await runs?.record(name)) ?? NO_GATE_RECORD);
  const phases = await phasesOfCall(call.subagent, runs, records);
  if (phases.size === 0) return {};
  const chosen = run ?? (runs === undefined ? { among: [] } : await chosenRun(runs, candidates, call));
  if (typeof chosen !== 'string') return { deny: ambiguous(chosen.among) };
  const phase = phases.get(chosen);
  if (phase === undefined) return {};
  const recorded = records.get(chosen) ?? NO_GATE_RECORD;
  if (recorded.state === 'proposed')
    return {
      deny: `formation_gate: nobody has accepted the line-up of ${chosen}. Accept it: \`troupe playbook accept ${chosen}\`.`,
    };
  const files = (await runs?.files(chosen, [PLAN_FILE, ...recorded.line.map(({ file }) => file)])) ?? new Map();
  const verdict = judgeHandoff(files, phase, recorded);
  if (verdict.allowed) {
    if (call.session !== undefined && run === undefined) await runs?.keepSession(call.session, chosen);
    return {};
  }
  const { code, file, missing, remedy } = verdict;
  const place = `${runFolder('crew', chosen)}/${file}`;
  if (code === 'handoff_unreadable') throw new TroupeError(code, { what: `${place}: ${missing}.`, hint: remedy });
  const rung = verdict.report === undefined ? '' : `${await rungNamed(chosen, verdict, files, runs, recorded)} `;
  return { deny: `${code}: ${missing} (${place}). ${rung}${remedy}` };
}

/** Rung for a stuck role. Rarely needed, so the code that reads roles is loaded only then. */
async function rungNamed(
  run: string,
  { phase, file, report }: PhaseDenial,
  files: HandoffFiles,
  runs: CrewRuns | undefined,
  recorded: GateRecord,
): Promise<string> {
  if (report === undefined || runs === undefined) return '';
  const { rungAtGate } = await import('#operations/formations/gate-rung.js');
  return await rungAtGate(runs, recorded, { run, phase, file, report, files });
}

async function runsAround(folders: HandoffFolders, places: readonly string[]): Promise<CrewRuns | undefined> {
  for (const place of places) {
    const runs = await folders.around(place);
    if (runs !== undefined) return runs;
  }
  return undefined;
}

/**
 * Phase that the call begins in each run, by the agent's name or by the row that names it; runs without one are
 * omitted.
 */
async function phasesOfCall(
  subagent: string,
  runs: CrewRuns | undefined,
  records: ReadonlyMap<string, GateRecord>,
): Promise<ReadonlyMap<string, string>> {
  const named = inEach(records, ({ line }) =>
    phaseOfAgent(
      subagent,
      line.map(({ name }) => name),
    ),
  );
  if (named.size > 0 || records.size === 0) return named;
  const roles = (await runs?.crewRoles()) ?? '';
  if (!mayNameAgent(roles, subagent)) return named;
  // A row without a seat determines no phase.
  const seats = new Set([...records.values()].flatMap((record) => record.seats.map(({ name }) => name)));
  const row = phaseOfRow(subagent, rowsIn(rowsAmong(roles, (name) => seats.has(name))));
  return inEach(records, (record) => record.seats.find(({ name }) => name === row)?.phase);
}

function inEach(
  records: ReadonlyMap<string, GateRecord>,
  phaseIn: (record: GateRecord) => string | undefined,
): ReadonlyMap<string, string> {
  return new Map(
    [...records].flatMap(([run, record]) => {
      const phase = phaseIn(record);
      return phase === undefined ? [] : [[run, phase] as const];
    }),
  );
}

function rowsIn(roles: string): readonly LaneRow[] {
  return parseLane('crew', roles).rows.flatMap(({ row }) => row ?? []);
}

/** Run of the session, else the only active one. */
async function chosenRun(
  runs: CrewRuns,
  active: readonly string[],
  { session }: HookCall,
): Promise<string | { readonly among: readonly string[] }> {
  const [only, ...others] = active;
  if (only !== undefined && others.length === 0) return only;
  const kept = session === undefined ? undefined : await runs.runOf(session, active);
  return kept ?? { among: active };
}

function ambiguous(runs: readonly string[]): string {
  const named = runs.slice(-3).join(', ');
  return `run_ambiguous: ${runs.length} runs are active (${named}${runs.length > 3 ? ', …' : ''}), and it is not clear which one this is for. Set TROUPE_RUN to one of them, or end the others with \`troupe playbook stop RUN\`.`;
}
