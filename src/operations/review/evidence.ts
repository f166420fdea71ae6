import type { Evidence, Unchecked } from '#core/graph/evidence.js';
import type { Task } from '#core/graph/task.js';
import type { TreeState } from '#core/runs/state.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import type { FilesContext } from '#operations/contexts.js';
import type { Context } from '#operations/operation.js';
import { type Attempt, stateInProject, stateOfAttempt } from './attempt.js';

/** Result of the check of a task. */
export interface CheckResult {
  readonly command: string;
  readonly exit: number;
  readonly ms?: number;
}

/**
 * Gathers evidence that a task was done, before it is completed, as far as the task requires any. Git is queried only
 * if work was checked, must be committed, or is in a worktree.
 */
export async function gatherEvidence(
  context: FilesContext,
  task: Task,
  facts: {
    readonly checked?: CheckResult | undefined;
    readonly unchecked?: Unchecked | undefined;
    readonly attempt?: Attempt | undefined;
  },
): Promise<Evidence> {
  const { checked, unchecked, attempt } = facts;
  const needsGit = checked !== undefined || task.require_commit === true || attempt !== undefined;
  const state = needsGit ? await stateOf(context, task, attempt) : undefined;
  const artifacts = await artifactHashes(context, task, attempt);
  return {
    ...(checked === undefined ? {} : { verify_cmd: checked.command, exit: checked.exit }),
    ...(unchecked === undefined ? {} : { verify_cmd: task.verify_cmd ?? '', unchecked }),
    ...(checked?.ms === undefined ? {} : { ms: checked.ms }),
    ...(state === undefined ? {} : { commit: state.head, clean: state.clean }),
    ...(state === undefined || attempt === undefined ? {} : { base: state.base }),
    ...(artifacts.length === 0 ? {} : { artifacts }),
  };
}

/** Undefined without a repository. */
async function stateOf(
  context: FilesContext,
  task: Task,
  attempt: Attempt | undefined,
): Promise<TreeState | undefined> {
  try {
    if (attempt !== undefined) return await stateOfAttempt(context, attempt);
    return await stateInProject(context, task);
  } catch {
    return undefined; // without a repository or git, nothing is recorded
  }
}

async function artifactHashes(
  context: Pick<Context, 'files'>,
  task: Task,
  attempt: Attempt | undefined,
): Promise<{ path: string; sha256?: string }[]> {
  const paths = (task.artifacts ?? []).slice(0, SURFACE_LIMITS.evidenceArtifacts);
  if (paths.length === 0) return [];
  const files = await context.files();
  const rows: { path: string; sha256?: string }[] = [];
  for (const path of paths) {
    const sha256 =
      (attempt && (await files.fingerprint(path, SURFACE_LIMITS.artifactBytes, attempt.folder))) ??
      (await files.fingerprint(path, SURFACE_LIMITS.artifactBytes));
    rows.push({ path, ...(sha256 === undefined ? {} : { sha256 }) });
  }
  return rows;
}
