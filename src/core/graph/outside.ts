// Changes that a run with its own worktree made in the person's checkout: a person keeps or reverts them.

import { isJsonObject } from '#kernel/json.js';
import { inert, plural } from '#kernel/text.js';
import type { Plan } from './event.js';
import type { Task } from './task.js';
import { taskField } from './task-field.js';
import type { GraphView } from './view.js';

/**
 * Traces that only the run, or a person by hand, can have left. Commits are full hashes, files relative to the root of
 * the repository.
 */
export interface OutsideTraces {
  /** Branches of the attempt and of the person. */
  readonly from: string;
  readonly branch: string;
  /** Commits of the attempt on the person's branch that were not landed, and the branch's commit before them. */
  readonly commits: readonly string[];
  readonly before?: string;
  /** Changed files with the content of the attempt. */
  readonly files: readonly string[];
  /** Entries of the shared stash that were made on the branch of the attempt, such as `stash@{0}`. */
  readonly stashes: readonly string[];
  /**
   * Files of the person's checkout that differ from HEAD after git refused to let the run move that checkout: git can
   * change files before it refuses.
   */
  readonly unsettled: readonly string[];
  /** The run switched the person's checkout to another branch or commit. */
  readonly switched: boolean;
}

export const OUTSIDE = taskField('outside', (value): OutsideTraces | undefined => {
  if (!isJsonObject(value)) return undefined;
  const { from, branch, before } = value;
  const texts = (list: unknown) => (Array.isArray(list) ? list.filter((one) => typeof one === 'string') : []);
  if (typeof from !== 'string' || typeof branch !== 'string') return undefined;
  return {
    from,
    branch,
    commits: texts(value['commits']),
    files: texts(value['files']),
    stashes: texts(value['stashes']),
    unsettled: texts(value['unsettled']),
    switched: value['switched'] === true,
    ...(typeof before === 'string' ? { before } : {}),
  };
});

/** Records the traces of an attempt, only the first time: once its work is merged, fewer can be distinguished. */
export function noteOutside(view: GraphView, id: string, traces: OutsideTraces): Plan {
  const task = view.task(id);
  if (task === undefined || OUTSIDE.of(task)?.from === traces.from) return { events: [], result: undefined };
  const patch = [{ id, set: { [OUTSIDE.name]: traces } }];
  return { events: [{ op: 'outside', task_id: id, actor: 'coordinator', patch }], result: undefined };
}

/** The traces in one line, each with the command that reverts it. */
export function outsideText(task: Task): string | undefined {
  const traces = OUTSIDE.of(task);
  if (traces === undefined) return undefined;
  const { from, branch, commits, before, files, stashes, unsettled, switched } = traces;
  const short = (commit: string) => inert(commit.slice(0, 12));
  const parts = [
    ...(commits.length === 0
      ? []
      : [
          `${inert(branch)} has ${plural(commits.length, 'commit')} of ${inert(from)} that nobody landed (${commits.slice(0, NAMED).map(short).join(', ')})` +
            (before === undefined ? '' : `; \`git reset --keep ${short(before)}\` goes back`),
        ]),
    ...(files.length === 0
      ? []
      : [
          `${plural(files.length, 'file')} of your checkout ${files.length === 1 ? 'has' : 'have'} its changes: ${namesOf(files)}; \`git diff\` shows them`,
        ]),
    ...(stashes.length === 0 ? [] : [`It stashed ${stashes.map((one) => inert(one)).join(', ')} in your repository`]),
    ...(unsettled.length === 0
      ? []
      : [
          `git refused it a move of your checkout, but may have changed before: ${namesOf(unsettled)}; \`git diff HEAD\` shows them, \`git restore --staged --worktree FILE\` goes back`,
        ]),
    ...(switched ? [`It switched your checkout, now at ${inert(branch)}; \`git switch -\` goes back`] : []),
  ];
  return `The run left its worktree: ${parts.join('. ')}`;
}

const NAMED = 5;

function namesOf(files: readonly string[]): string {
  return files
    .slice(0, NAMED)
    .map((file) => inert(file))
    .join(', ');
}
