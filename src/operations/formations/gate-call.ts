import * as z from 'zod/mini';
import { checkedRunId, runFolder } from '#core/formations/formation.js';
import { CREW_LINE, judgeHandoff, NO_RECORD, type PhaseDenial, PLAN_FILE } from '#core/formations/handoffs.js';
import {
  type HookCall,
  mayNameAgent,
  parseHookCall,
  phaseOfAgent,
  phaseOfRow,
  withoutLessons,
} from '#core/formations/hook-call.js';
import { nextRung } from '#core/formations/ladder.js';
import { RUNGS } from '#core/formations/record.js';
import type { LaneRow } from '#core/lanes/lane.js';
import { parseLane } from '#core/lanes/lane-file.js';
import { TroupeError } from '#kernel/errors.js';
import { type Context, operation } from '#operations/operation.js';
import type { CrewRuns } from '#ports/handoff-folders.js';

/** May a client make this call? The same judgement as before a dispatch, for work that is started inside of a client. */
export const gateCall = operation({
  name: 'formation.gate-call',
  input: z.strictObject({
    /** What the client wrote, as it is. */
    payload: z.string(),
    /** The run that the work belongs to, where its environment says so. */
    run: z.optional(z.string()),
    /** Where to look for the runs, the likeliest first. */
    places: z.array(z.string()),
  }),
  output: z.object({ deny: z.optional(z.string()) }),
  run: async (context, { payload, run, places }) => {
    const call = parseHookCall(payload);
    if (call.subagent === undefined) return {};
    if (run !== undefined) checkedRunId(run);
    const runs = await runsAround(context, call.cwd === undefined ? places : [...places, call.cwd]);
    const roles = await runs?.crewRoles();
    const phase = phaseOfCall(call.subagent, roles ?? '');
    if (phase === undefined) return {};
    if (runs === undefined) return run === undefined ? {} : { deny: `handoff_missing: run ${run} has no folder here.` };
    const chosen = run ?? (await chosenRun(runs, call));
    if (chosen === undefined) return {};
    if (typeof chosen !== 'string') return { deny: ambiguous(chosen.among) };
    const files = await runs.files(chosen, [PLAN_FILE, ...CREW_LINE.map(({ file }) => file)]);
    const verdict = judgeHandoff(files, phase, NO_RECORD);
    if (verdict.allowed) {
      if (call.session !== undefined && run === undefined) await runs.keepSession(call.session, chosen);
      return {};
    }
    const { code, file, missing, remedy } = verdict;
    const place = `${runFolder('crew', chosen)}/${file}`;
    if (code === 'handoff_unreadable') throw new TroupeError(code, { what: `${place}: ${missing}.`, hint: remedy });
    const rung = rungFor(verdict, roles ?? '', [...files.keys()]);
    return { deny: `${code}: ${missing} (${place}). ${rung === undefined ? '' : `${rung} `}${remedy}` };
  },
});

async function runsAround(context: Context, places: readonly string[]): Promise<CrewRuns | undefined> {
  const folders = await context.handoffFolders();
  for (const place of places) {
    const runs = await folders.around(place);
    if (runs !== undefined) return runs;
  }
  return undefined;
}

function phaseOfCall(subagent: string, roles: string): string | undefined {
  const phases = CREW_LINE.map(({ name }) => name);
  return (
    phaseOfAgent(subagent, phases) ??
    (mayNameAgent(roles, subagent) ? phaseOfRow(subagent, rowsIn(withoutLessons(roles))) : undefined)
  );
}

function rowsIn(roles: string): readonly LaneRow[] {
  return parseLane('crew', roles).rows.flatMap(({ row }) => row ?? []);
}

/** The run of the session, else the only one there is; none where there is none. */
async function chosenRun(
  runs: CrewRuns,
  { session }: HookCall,
): Promise<string | undefined | { readonly among: readonly string[] }> {
  const active = await runs.active();
  if (active.length <= 1) return active[0];
  const kept = session === undefined ? undefined : await runs.runOf(session, active);
  return kept ?? { among: active };
}

function ambiguous(runs: readonly string[]): string {
  const named = runs.slice(-3).join(', ');
  return `run_ambiguous: ${runs.length} runs are under way (${named}${runs.length > 3 ? ', …' : ''}), and nothing says which this is for. Set TROUPE_RUN to one of them, or end the others with \`troupe formation stop RUN\`.`;
}

/** Who would help a role that is stuck, by what can be seen from here. */
function rungFor({ report, file }: PhaseDenial, roles: string, present: readonly string[]): string | undefined {
  if (report === undefined) return undefined;
  const rows = rowsIn(roles);
  const phase = CREW_LINE.find((step) => step.file === file)?.name ?? '';
  const seatOf = (name: string) => {
    const fields = rows.find((row) => row.name === name)?.fields;
    const [tier, tools, owns] = [fields?.get('model'), fields?.get('tools'), fields?.get('owns')];
    return {
      name,
      ...(tier === undefined ? {} : { tier }),
      ...(tools === undefined ? {} : { tools }),
      ...(owns === undefined ? {} : { owns }),
    };
  };
  const names = new Set([...CREW_LINE.map(({ name }) => name), ...rows.map(({ name }) => name)]);
  const climb = nextRung({
    ...{ phase, seat: seatOf(phase), rungs: [], passed: [], tiers: TIERS, overBudget: false },
    report: { ...report, context: present.filter((name) => name !== file && report.needs.includes(name)) },
    others: [...names].filter((name) => name !== phase).map(seatOf),
    canReplan: phase !== 'architect',
  });
  return `Next rung ${RUNGS.indexOf(climb.rung) + 1}, ${climb.rung}: ${climb.why}.`;
}

/** Of the client that has such hooks, from the cheapest to the dearest. */
const TIERS = ['haiku', 'sonnet', 'opus'];
