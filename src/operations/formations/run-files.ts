import { readFindings } from '#core/formations/findings-file.js';
import { runFolder } from '#core/formations/formation.js';
import type { MergedEntry } from '#core/formations/merge-entries.js';
import type { FormationRecord } from '#core/formations/record.js';
import type { ScoutFile } from '#core/formations/scout-entries.js';
import { mergeFacts } from '#core/formations/sweep-steps.js';
import { TroupeError } from '#kernel/errors.js';
import { SWEEP_LIMITS } from '#kernel/limits/sweep.js';
import type { Context } from '#operations/operation.js';

type Files = Pick<Context, 'formationFiles'>;

/** A YAML file of a run as data, or why it is none. */
export async function dataOf(context: Files, record: FormationRecord, name: string, most: number): Promise<ScoutFile> {
  const files = await context.formationFiles();
  const file = await files.read(runFolder(record.formation, record.run), name, most);
  return file.text === undefined ? { problem: file.problem } : await files.parse(file.text);
}

/** The entries of findings.yaml as code wrote them; `artifact_corrupt` when somebody else has written there since. */
export async function keptFindings(context: Files, record: FormationRecord): Promise<readonly MergedEntry[]> {
  const files = await context.formationFiles();
  const most = SWEEP_LIMITS.scoutBytes * SWEEP_LIMITS.slicesMost * 2;
  const file = await files.read(runFolder('sweep', record.run), 'findings.yaml', most);
  const parsed = file.text === undefined ? file : await files.parse(file.text);
  const { findings, next } = mergeFacts(record);
  if (file.text !== undefined && [findings, next].includes(file.sha256) && 'data' in parsed)
    return readFindings(parsed.data);
  throw new TroupeError('artifact_corrupt', {
    what: `findings.yaml of ${record.run} is not what the merge wrote.`,
    hint: `\`troupe reopen ${record.run}-merge\` makes it again from what the scouts handed in.`,
  });
}
