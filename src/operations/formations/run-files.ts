import type { GraphView } from '#core/graph/view.js';
import { readFindings } from '#core/playbooks/findings-file.js';
import { runFolder } from '#core/playbooks/formation.js';
import type { MergedEntry } from '#core/playbooks/merge-entries.js';
import { type FormationRecord, stepId } from '#core/playbooks/record.js';
import { readScout, type ScoutFile, type ScoutReport } from '#core/playbooks/scout-entries.js';
import { scoutFile } from '#core/playbooks/sweep.js';
import { mergeFacts, partitionIn } from '#core/playbooks/sweep-steps.js';
import { TroupeError } from '#kernel/errors.js';
import { SWEEP_LIMITS } from '#kernel/limits/sweep.js';
import type { Context } from '#operations/operation.js';
import type { FormationFile } from '#ports/formation-files.js';

/** Parsed YAML file of a run, or the reason why it is invalid. */
export async function dataOf(
  context: Pick<Context, 'formationFiles'>,
  record: FormationRecord,
  name: string,
  most: number,
): Promise<ScoutFile> {
  const file = await handedIn(context, record, name, most);
  return file.text === undefined ? { problem: file.problem } : await (await context.formationFiles()).parse(file.text);
}

/** A file as handed in by its seat; a file changed since is a problem. */
export async function handedIn(
  context: Pick<Context, 'formationFiles'>,
  record: FormationRecord,
  name: string,
  most: number,
): Promise<FormationFile> {
  const file = await (await context.formationFiles()).read(runFolder(record.formation, record.run), name, most);
  const pin = record.handoffs[name];
  if (file.text === undefined || pin === undefined || pin === file.sha256) return file;
  return { problem: 'it was changed after it was handed in' };
}

/** Error for a missing input of a step, naming the task that has to hand it in again. */
export function missingFile(
  code: 'decision_incomplete' | 'steelman_missing' | 'unverified' | 'bad_input',
  { view, record, name, problem }: { view: GraphView; record: FormationRecord; name: string; problem: string },
): TroupeError {
  const place = `${runFolder(record.formation, record.run)}/${name}`;
  const misses = record.tasks.find((task) => view.task(task)?.deliverables?.includes(place) === true);
  return new TroupeError(code, {
    what: `${name} of ${record.run}: ${problem}.`,
    hint:
      misses === undefined
        ? `Run \`troupe playbook status ${record.run}\` to see its steps.`
        : `\`troupe reopen ${misses}\` has its seat hand it in again.`,
    details: misses === undefined ? {} : { misses },
  });
}

/** Entries of findings.yaml. Errors: `artifact_corrupt` if it is not the file that code wrote. */
export async function keptFindings(
  context: Pick<Context, 'formationFiles'>,
  record: FormationRecord,
): Promise<readonly MergedEntry[]> {
  const files = await context.formationFiles();
  const most = SWEEP_LIMITS.scoutBytes * SWEEP_LIMITS.slicesMost * 2;
  const file = await files.read(runFolder('sweep', record.run), 'findings.yaml', most);
  const parsed = file.text === undefined ? file : await files.parse(file.text);
  const { findings, next } = mergeFacts(record);
  if (file.text !== undefined && [findings, next].includes(file.sha256) && 'data' in parsed)
    return readFindings(parsed.data);
  throw new TroupeError('artifact_corrupt', {
    what: `findings.yaml of ${record.run} was changed after the merge.`,
    hint: `\`troupe reopen ${record.run}-merge\` merges it again from what the scouts submitted.`,
    details: { misses: `${record.run}-merge` },
  });
}

/** Reports of all scouts, from the first and the second search. */
export async function reportsOf(
  context: Pick<Context, 'formationFiles' | 'graph'>,
  record: FormationRecord,
): Promise<ScoutReport[]> {
  const { schema, slices } = partitionIn(record);
  const view = await (await context.graph()).view();
  const reports: ScoutReport[] = [];
  for (const { name } of slices) {
    const first = await dataOf(context, record, scoutFile(name), SWEEP_LIMITS.scoutBytes);
    reports.push(readScout(name, first, schema));
    if (view.task(stepId(record.run, `again-${name}`)) === undefined) continue;
    const second = await dataOf(context, record, scoutFile(name, true), SWEEP_LIMITS.scoutBytes);
    reports.push(readScout(name, second, schema));
  }
  return reports;
}
