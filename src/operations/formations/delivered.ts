import * as z from 'zod/mini';
import type { GraphView } from '#core/graph/view.js';
import { chainStages } from '#core/playbooks/chain.js';
import { handoffRecordOf } from '#core/playbooks/crew-line.js';
import { DIAGNOSES } from '#core/playbooks/handoff-file.js';
import { changedHandoffs } from '#core/playbooks/handoffs.js';
import { mergeScouts } from '#core/playbooks/merge-entries.js';
import { noteFile } from '#core/playbooks/panel.js';
import { DECISION_SECTIONS, readDecision } from '#core/playbooks/panel-decision.js';
import { NOTE_VERDICTS, readNote, WEIGHTS } from '#core/playbooks/panel-note.js';
import { criteriaStandings } from '#core/playbooks/qa-verdicts.js';
import type { FormationRecord } from '#core/playbooks/record.js';
import { verdictFile } from '#core/playbooks/sweep.js';
import { mergeFacts, partitionIn } from '#core/playbooks/sweep-steps.js';
import { ENTRY_VERDICTS, type EntryJudgement, readJudgements } from '#core/playbooks/verification.js';
import { TroupeError } from '#kernel/errors.js';
import { sha256 } from '#kernel/hash.js';
import { PANEL_LIMITS } from '#kernel/limits/panel.js';
import { SWEEP_LIMITS } from '#kernel/limits/sweep.js';
import { redact } from '#kernel/secrets.js';
import { cut, inert } from '#kernel/text.js';
import type { FilesContext, GraphContext } from '#operations/contexts.js';
import type { Context } from '#operations/operation.js';
import { handedOver } from './hand-in.js';
import { dataOf, handedIn, reportsOf } from './run-files.js';

const text = z.nullable(z.string());
const strings = z.readonly(z.array(z.string()));

/** Parsed deliverables of a run's steps; unreadable files count as missing. */
export const deliveredShape = z.object({
  /** For a chain: its stages, with the runs proposed so far. */
  stages: z.array(z.object({ stage: z.enum(['research', 'panel', 'crew']), run: text, state: text })),
  /** For a crew: criteria of its contract with qa's verdicts; a pass without evidence is unproven. */
  criteria: z.array(
    z.object({
      number: z.number(),
      text: z.string(),
      verdict: z.enum(['PASS', 'FAIL', 'UNPROVEN', 'OPEN']),
      evidence: z.string(),
    }),
  ),
  /** For a crew: accepted files that were changed or deleted since. */
  changed: z.array(z.object({ phase: z.string(), file: z.string(), gone: z.boolean() })),
  /** Phases with a BLOCKED handoff. */
  stuck: z.array(
    z.object({
      phase: z.string(),
      tried: z.string(),
      why: z.string(),
      needs: z.string(),
      escalation: z.string(),
      diagnosis: z.nullable(z.enum(DIAGNOSES)),
    }),
  ),
  /** Commands of the release, byte for byte, and the hash that approves them. */
  release: z.nullable(z.object({ commands: z.string(), sha256: z.string() })),
  /** For a panel: a note for each seat and round, or the reason why it is missing. */
  notes: z.array(
    z.object({
      round: z.number(),
      seat: z.string(),
      verdict: z.nullable(z.enum(NOTE_VERDICTS)),
      option: text,
      points: z.readonly(z.array(z.object({ weight: z.enum(WEIGHTS), note: z.string(), move: z.string() }))),
      problem: text,
    }),
  ),
  /** Unanimous opinion, once counted; null without one. */
  agreement: text,
  steelman: text,
  decision: z.nullable(
    z.object({
      sections: z.array(z.object({ title: z.string(), text: z.string() })),
      moves: z.readonly(z.array(z.object({ move: z.string(), seats: strings }))),
      steelman: text,
    }),
  ),
  /** For a sweep: its slices with their results. */
  slices: z.array(
    z.object({
      name: z.string(),
      owns: strings,
      /** Null until its scout has handed in a file. */
      entries: z.nullable(z.number()),
      rejected: z.number(),
      duplicates: z.number(),
      gap: text,
    }),
  ),
  /** Number of entries in the sample. */
  sampled: z.number(),
  /** The verifier's verdicts on the sampled entries. */
  checks: z.array(
    z.object({
      id: z.string(),
      slice: z.string(),
      title: z.string(),
      source: z.string(),
      why: z.string(),
      verdict: z.enum(ENTRY_VERDICTS),
    }),
  ),
});
type Delivered = z.infer<typeof deliveredShape>;

const NOTHING: Omit<Delivered, 'stages'> = {
  criteria: [],
  changed: [],
  stuck: [],
  release: null,
  notes: [],
  agreement: null,
  steelman: null,
  decision: null,
  slices: [],
  sampled: 0,
  checks: [],
};

export async function deliveredOf(
  context: GraphContext & FilesContext,
  view: GraphView,
  record: FormationRecord,
): Promise<Delivered> {
  const stages = chainStages(view, record).map(({ stage, run, state }) => ({
    stage,
    run: run ?? null,
    state: state ?? null,
  }));
  const own = await BY_KIND[record.formation](context, record);
  return { ...NOTHING, ...own, stages };
}

const BY_KIND: Readonly<
  Record<
    FormationRecord['formation'],
    (context: GraphContext & FilesContext, record: FormationRecord) => Promise<Partial<Delivered>>
  >
> = { crew: ofCrew, panel: ofPanel, sweep: ofSweep };

async function ofCrew(context: GraphContext & FilesContext, record: FormationRecord): Promise<Partial<Delivered>> {
  const files = await handedOver(context, record);
  const { line, accepted } = handoffRecordOf(record);
  const textIn = (name: string) => {
    const file = files.get(name);
    return file !== undefined && 'text' in file ? file.text : undefined;
  };
  const stuck = Object.entries(record.stumbles).flatMap(([phase, { report }]) =>
    report === undefined
      ? []
      : [
          {
            phase,
            diagnosis: report.diagnosis ?? null,
            tried: shown(report.tried),
            why: shown(report.why),
            needs: shown(report.needs),
            escalation: shown(report.escalation),
          },
        ],
  );
  const { staged } = record;
  return {
    criteria: criteriaStandings(textIn('CONTRACT.md'), textIn('QA.md')).map((criterion) => ({
      ...criterion,
      text: shown(criterion.text),
      evidence: shown(criterion.evidence),
    })),
    changed: changedHandoffs(files, line, accepted),
    stuck,
    release: staged === undefined ? null : { commands: staged, sha256: sha256(staged) },
  };
}

async function ofPanel(context: Pick<Context, 'formationFiles'>, record: FormationRecord): Promise<Partial<Delivered>> {
  const textIn = async (name: string, most: number) => (await handedIn(context, record, name, most)).text;
  const notes: Delivered['notes'] = [];
  for (let round = 1; round <= Number(record.options['rounds'] ?? '1'); round++)
    for (const { name: seat } of record.seats) {
      const name = noteFile(seat, round);
      const file = await handedIn(context, record, name, PANEL_LIMITS.noteBytes);
      const isDue = record.handoffs[name] === undefined;
      const reading =
        file.text === undefined ? { problem: isDue ? 'there is no note yet' : file.problem } : readNote(file.text);
      if ('problem' in reading)
        notes.push({ round, seat, verdict: null, option: null, points: [], problem: reading.problem });
      else {
        const { verdict, option, points } = reading.note;
        notes.push({ round, seat, verdict, option: option ?? null, points, problem: null });
      }
    }
  const { unanimity = 'none' } = record.kept;
  const steelman = await textIn('steelman.md', PANEL_LIMITS.noteBytes);
  const decided = await textIn('decision.md', PANEL_LIMITS.decisionBytes);
  return {
    notes,
    agreement: unanimity === 'none' ? null : unanimity,
    steelman: steelman === undefined ? null : shown(steelman, true),
    decision: decided === undefined ? null : decisionOf(decided, record),
  };
}

function decisionOf(words: string, { seats }: FormationRecord): Delivered['decision'] {
  const { sections, moves, steelman } = readDecision(
    words,
    seats.map(({ name }) => name),
  );
  const parts = DECISION_SECTIONS.filter((title) => title !== 'Moves').flatMap((title) => {
    const body = sections.get(title.toLowerCase());
    return body === undefined ? [] : [{ title, text: shown(body, true) }];
  });
  return { sections: parts, moves, steelman: steelman ?? null };
}

async function ofSweep(
  context: Pick<Context, 'graph' | 'formationFiles'>,
  record: FormationRecord,
): Promise<Partial<Delivered>> {
  const { gaps, duplicates, sample, inFull } = mergeFacts(record);
  const reports = await reportsOf(context, record);
  const { entries } = mergeScouts(reports);
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const judgements = [...(await judged(context, record, verdictFile(), sample))];
  for (const [slice, ids] of Object.entries(inFull))
    judgements.push(...(await judged(context, record, verdictFile(slice), ids)));
  return {
    slices: partitionIn(record).slices.map(({ name, owns }) => {
      const own = reports.filter(({ slice }) => slice === name);
      const handed = own.some((one) => one.entries.length > 0 || one.rejected.some(({ entry }) => entry !== undefined));
      const gap = gaps.find(({ slice }) => slice === name);
      return {
        name,
        owns,
        duplicates: duplicates[name] ?? 0,
        entries: handed || gap !== undefined ? entries.filter(({ slice }) => slice === name).length : null,
        rejected: own.reduce((sum, one) => sum + one.rejected.filter(({ entry }) => entry !== undefined).length, 0),
        gap: gap === undefined ? null : `${gap.kind}: ${gap.cause}`,
      };
    }),
    sampled: sample.length,
    checks: judgements.map(({ id, verdict, why }) => {
      const { slice = '', title = '', source = '' } = byId.get(id) ?? {};
      return { id, slice, title, source, why, verdict };
    }),
  };
}

/** Valid verdicts; empty if the file is missing or invalid. */
async function judged(
  context: Pick<Context, 'formationFiles'>,
  record: FormationRecord,
  name: string,
  ids: readonly string[],
): Promise<readonly EntryJudgement[]> {
  const file = await dataOf(context, record, name, SWEEP_LIMITS.verdictBytes);
  if ('problem' in file) return [];
  try {
    return readJudgements(file.data, ids);
  } catch (error) {
    if (error instanceof TroupeError) return [];
    throw error;
  }
}

/** Untrusted text for display. */
function shown(words: string, multiline = false): string {
  return cut(inert(redact(words), multiline), PANEL_LIMITS.noteBytes);
}
