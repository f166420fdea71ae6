import type { Task } from '#core/graph/task.js';
import { handoffRecordOf } from '#core/playbooks/crew-line.js';
import { runFolder } from '#core/playbooks/formation.js';
import { type HandIn, phaseOf } from '#core/playbooks/hand-in.js';
import { filesAskedFor } from '#core/playbooks/handoff-file.js';
import { blockedAt, type HandoffFile, handoffFiles } from '#core/playbooks/handoffs.js';
import { passedCriteria } from '#core/playbooks/qa-verdicts.js';
import type { FormationRecord } from '#core/playbooks/record.js';
import { releaseCommands } from '#core/playbooks/release.js';
import { handedLesson } from '#core/roles/handed-lesson.js';
import { sha256 } from '#kernel/hash.js';
import { HANDOFF_LIMITS } from '#kernel/limits/handoffs.js';
import type { FilesContext, GraphContext, MachineContext } from '#operations/contexts.js';
import type { Context } from '#operations/operation.js';
import { keepForGate } from './keep-for-gate.js';

/** Handoff of an attempt at a phase, with the reason if it is refused. */
export interface InspectedHandIn {
  readonly handIn: HandIn;
  readonly refused: string | undefined;
  /** Path prefix outside which changes are not merged: a tester judges the work of others and may not change it. */
  readonly only: string | undefined;
}

/**
 * Reads the run's folder, in the worktree of the attempt or in the project, and the last message of the attempt.
 * Undefined for a task that is not a phase of a crew. All content is untrusted: it is parsed, and never acted on.
 */
export async function inspectHandIn(
  context: GraphContext & FilesContext & MachineContext,
  task: Task,
  within: string | undefined,
  words: string | undefined,
): Promise<InspectedHandIn | undefined> {
  const of = phaseOf(await (await context.graph()).view(), task);
  if (!of) return undefined;
  const { record, phase } = of;
  const files = await readHandoffs(context, record, within);
  const step = handoffRecordOf(record).line.find(({ name }) => name === phase);
  const said = step && blockedAt(files, step);
  const hashes = hashesOf(files);
  // qa records which changes it judged: later changes are not covered by its verdict.
  const judged = phase === 'qa' ? judgedBy(hashes) : {};
  const own = Object.fromEntries(
    said !== undefined ? [] : handoffFiles(phase).flatMap((file) => (hashes[file] ? [[file, hashes[file]]] : [])),
  );
  await keepForGate(context, {
    ...record,
    judged: { ...record.judged, ...judged },
    handoffs: { ...record.handoffs, ...own },
  });
  if (said !== undefined) {
    const own = handoffFiles(phase);
    const handedOn = new Set([...files.keys()].filter((name) => !own.includes(name)));
    const run = { folder: runFolder(record.formation, record.run), handedOn };
    const sha256 = hashes[step?.file ?? ''];
    const report = {
      ...said,
      context: await presentIn(context, said.needs, run, within),
      ...(sha256 === undefined ? {} : { sha256 }),
    };
    return { handIn: { report, handoffs: {} }, refused: undefined, only: undefined };
  }
  const stale = Object.entries(own).find(([, hash]) => record.stale.includes(hash));
  const deploy = phase === 'deployer' ? textOf(files, 'DEPLOY.md') : undefined;
  const release = deploy === undefined ? undefined : releaseCommands(deploy);
  const lesson = handedLesson(words);
  const passed = phase === 'qa' ? passedCriteria(textOf(files, 'CONTRACT.md'), textOf(files, 'QA.md')) : undefined;
  return {
    handIn: {
      handoffs: own,
      judged,
      ...(release !== undefined && 'commands' in release ? { staged: release.commands } : {}),
      ...(passed === undefined ? {} : { passed }),
      ...(lesson === undefined ? {} : { lesson }),
    },
    refused:
      stale !== undefined
        ? `${stale[0]} is from before the new plan and will be rewritten`
        : release !== undefined && 'problem' in release
          ? `DEPLOY.md ${release.problem}`
          : undefined,
    only: phase === 'qa' ? runFolder(record.formation, record.run) : undefined,
  };
}

/** Files of a run for the gate; an unreadable file is a problem, not an error. */
export async function readHandoffs(
  context: Pick<Context, 'formationFiles'>,
  record: FormationRecord,
  within: string | undefined,
): Promise<ReadonlyMap<string, HandoffFile>> {
  const folder = runFolder(record.formation, record.run);
  const port = await context.formationFiles();
  const files = new Map<string, HandoffFile>();
  for (const name of namesOf(record)) {
    const file = await port.read(folder, name, HANDOFF_LIMITS.fileBytes, within);
    if (file.text !== undefined) files.set(name, { text: file.text, sha256: file.sha256, modifiedMs: 0 });
  }
  return files;
}

/**
 * Files of a crew as its next phase finds them: from `wg/integration` if work is done in worktrees, else from the
 * project.
 */
export async function handedOver(
  context: GraphContext & FilesContext,
  record: FormationRecord,
): Promise<ReadonlyMap<string, HandoffFile>> {
  const files = new Map(await readHandoffs(context, record, undefined));
  const trees = await context.trees();
  const { place } = await trees.workplace({ isolation: 'auto', mode: 'full', follows: true });
  if (place !== 'worktree') return files;
  const integration = await context.integration();
  const folder = runFolder(record.formation, record.run);
  for (const name of namesOf(record)) {
    const text = await integration.integratedText(`${folder}/${name}`, HANDOFF_LIMITS.fileBytes);
    if (text !== undefined) files.set(name, { text, sha256: sha256(text), modifiedMs: 0 });
  }
  return files;
}

const namesOf = ({ seats }: FormationRecord): ReadonlySet<string> =>
  new Set(seats.flatMap(({ name, phase = name }) => handoffFiles(phase)));

function textOf(files: ReadonlyMap<string, HandoffFile>, name: string): string | undefined {
  const file = files.get(name);
  return file !== undefined && 'text' in file ? file.text : undefined;
}

function hashesOf(files: ReadonlyMap<string, HandoffFile>): Record<string, string> {
  return Object.fromEntries([...files].flatMap(([name, file]) => ('text' in file ? [[name, file.sha256]] : [])));
}

/** Changes that a verdict covers: those present at its handoff. */
function judgedBy(hashes: Readonly<Record<string, string>>): Record<string, string> {
  const { 'QA.md': qa, 'CHANGES.md': changes } = hashes;
  return qa === undefined || changes === undefined ? {} : { [qa]: changes };
}

/** Requested files that exist, in the project or among the handoffs of other phases. */
async function presentIn(
  context: Pick<Context, 'files'>,
  needs: string,
  run: { readonly folder: string; readonly handedOn: ReadonlySet<string> },
  within: string | undefined,
): Promise<string[]> {
  const files = await context.files();
  const present: string[] = [];
  for (const path of filesAskedFor(needs, run))
    if ((await files.fingerprint(path, HANDOFF_LIMITS.fileBytes, within)) !== undefined) present.push(path);
  return present;
}
