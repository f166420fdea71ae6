import { checkClaim } from '#core/graph/moves.js';
import { findingsText, idsText, rejectedText } from '#core/playbooks/findings-file.js';
import { runFolder } from '#core/playbooks/formation.js';
import { mergeScouts } from '#core/playbooks/merge-entries.js';
import { checkedRecord, type FormationRecord } from '#core/playbooks/record.js';
import { endEvent } from '#core/playbooks/run-moves.js';
import { verdictFile } from '#core/playbooks/sweep.js';
import {
  mergeFacts,
  nextFindings,
  sampleIn,
  settleMerge,
  settleVerification,
  sweepLogEntry,
} from '#core/playbooks/sweep-steps.js';
import { readSynthesis, sweepReport } from '#core/playbooks/synthesis.js';
import { type EntryJudgement, readJudgements, settleVerdicts } from '#core/playbooks/verification.js';
import { researchResult } from '#core/roles/lane-life.js';
import { RESEARCH_WRITER } from '#core/roles/writers.js';
import { timestamp } from '#kernel/clock.js';
import { sha256 } from '#kernel/hash.js';
import { SWEEP_LIMITS } from '#kernel/limits/sweep.js';
import type { Context } from '#operations/operation.js';
import { keepOutcomes } from './lane-record.js';
import { dataOf, keptFindings, missingFile, reportsOf } from './run-files.js';
import type { Step } from './step-call.js';
import { tiersInUse } from './tiers-in-use.js';

/** Merges the entries of all scouts; the files are written before the graph records the merge. */
export const merge =
  (step: 'merge' | 'merge-again'): Step =>
  async (context, record, call) => {
    const merged = mergeScouts(await reportsOf(context, record));
    const files = await context.formationFiles();
    const folder = runFolder('sweep', record.run);
    const findings = findingsText(record.goal, merged.entries);
    await files.write(folder, 'findings.yaml', findings);
    await files.write(folder, 'rejected.yaml', rejectedText(merged.rejected));
    await files.write(folder, 'sample.yaml', idsText(sampleIn(record, merged.entries)));
    const facts = { step, merged, findings: sha256(findings), tiers: await tiersInUse(context) };
    const { result } = await (await context.graph()).commit(
      (view) => settleMerge(view, checkedRecord(view, record.run), facts, call),
      context.request,
    );
    const again = result.added.length > 0 ? 'looked at again' : 'a gap';
    return {
      added: result.added,
      said: [
        `${merged.entries.length} entries, ${merged.rejected.length} rejected.`,
        ...merged.thin.map(({ slice, entries, kind, cause }) => `${slice}: ${entries}, ${kind} (${cause}): ${again}.`),
      ],
    };
  };

/** Verdicts on the sample, and on slices checked in full. */
async function judgementsOf(
  context: Pick<Context, 'graph' | 'formationFiles'>,
  record: FormationRecord,
  inFull: Readonly<Record<string, readonly string[]>>,
): Promise<readonly EntryJudgement[]> {
  const asked: readonly (readonly [string, readonly string[]])[] = [
    [verdictFile(), mergeFacts(record).sample],
    ...Object.entries(inFull).map(([slice, ids]) => [verdictFile(slice), ids] as const),
  ];
  const judgements: EntryJudgement[] = [];
  for (const [name, ids] of asked) {
    const file = await dataOf(context, record, name, SWEEP_LIMITS.verdictBytes);
    if ('problem' in file)
      throw missingFile('unverified', {
        view: await (await context.graph()).view(),
        record,
        name,
        problem: file.problem,
      });
    judgements.push(...readJudgements(file.data, ids));
  }
  return judgements;
}

/** Removes refuted entries, and has their slices checked in full. */
export const settle: Step = async (context, record, call) => {
  const files = await context.formationFiles();
  const folder = runFolder('sweep', record.run);
  const entries = await keptFindings(context, record);
  const verification = settleVerdicts(entries, await judgementsOf(context, record, {}));
  const left = new Set(verification.entries);
  const text = findingsText(
    record.goal,
    entries.filter(({ id }) => left.has(id)),
  );
  for (const [slice, ids] of verification.inFull) await files.write(folder, `in-full-${slice}.yaml`, idsText(ids));
  const facts = { verification, findings: sha256(text), tiers: await tiersInUse(context) };
  const { result } = await (await context.graph()).commit(
    (view) => settleVerification(view, checkedRecord(view, record.run), facts, call),
    context.request,
  );
  await files.write(folder, 'findings.yaml', text);
  return {
    added: result.added,
    said: [
      `${verification.refuted.length} refuted and removed.`,
      ...[...verification.inFull].map(([slice, ids]) => `${slice} is checked in full: ${ids.length} entries.`),
    ],
  };
};

/** Writes the report, and updates the lane. */
export const sweepLog: Step = async (context, record, { now, by }) => {
  const files = await context.formationFiles();
  const folder = runFolder('sweep', record.run);
  const kept = await keptFindings(context, record);
  const { gaps, inFull } = mergeFacts(record);
  const judgements = await judgementsOf(context, record, inFull);
  const verification = settleVerdicts(kept, judgements);
  const left = new Set(verification.entries);
  const entries = kept.filter(({ id }) => left.has(id));
  const synthesis = readSynthesis(await synthesisOf(context, record), left);
  const reports = await reportsOf(context, record);
  const merged = mergeScouts(reports).entries;
  const refuted = merged.filter(({ id }) => judgements.some((one) => one.id === id && one.verdict === 'REFUTED'));
  const text = findingsText(record.goal, entries);
  const date = timestamp(now).slice(0, 10);
  await files.write(folder, 'report.md', sweepReport({ question: record.goal, synthesis, entries, judgements, gaps }));
  const entry = sweepLogEntry(record, { date, entries, judgements, refuted });
  const rows = record.seats.map(({ name }) => {
    const lesson = reports.find((report) => report.slice === name && report.lesson !== undefined)?.lesson;
    const count = (list: readonly { readonly slice: string }[]) => list.filter(({ slice }) => slice === name).length;
    const result = researchResult({ entries: count(merged), floor: SWEEP_LIMITS.floor, fabricated: count(refuted) });
    return { name, result, ...(lesson === undefined ? {} : { lesson }) };
  });
  await keepOutcomes(context, RESEARCH_WRITER, record, rows, () => entry);
  const store = await context.graph();
  await store.commit((view) => {
    checkClaim(view, by);
    return nextFindings(view, checkedRecord(view, record.run), sha256(text), by.name);
  });
  await files.write(folder, 'findings.yaml', text);
  await store.commit((view) => {
    checkClaim(view, by);
    const outcome = gaps.length === 0 ? 'complete' : 'complete with gaps';
    const event = endEvent(view, checkedRecord(view, record.run), outcome, { now, actor: by.name });
    return { events: [event], result: undefined };
  }, context.request);
  return { added: [], said: [`${synthesis.findings.length} findings, ${synthesis.dropped} dropped.`] };
};

async function synthesisOf(
  context: Pick<Context, 'graph' | 'formationFiles'>,
  record: FormationRecord,
): Promise<unknown> {
  const file = await dataOf(context, record, 'synthesis.yaml', SWEEP_LIMITS.synthesisBytes);
  if ('problem' in file)
    throw missingFile('bad_input', {
      view: await (await context.graph()).view(),
      record,
      name: 'synthesis.yaml',
      problem: file.problem,
    });
  return file.data;
}
