// What a run with a worktree of its own left in the person's checkout: a person keeps it or goes back.

import { isJsonObject } from '#kernel/json.js';
import { inert, plural } from '#kernel/text.js';
import type { Plan } from './event.js';
import type { Task } from './task.js';
import { taskField } from './task-field.js';
import type { GraphView } from './view.js';

/** Traces that only the run, or a person by hand, can have left. Commits are full hashes, files relative to the top of the repository. */
export interface OutsideTraces {
  /** The branch of the attempt, and the one of the person. */
  readonly from: string;
  readonly branch: string;
  /** Commits of the attempt on the person's branch that nobody landed, and where the branch was before them. */
  readonly commits: readonly string[];
  readonly before?: string;
  /** Changed files with the content of the attempt. */
  readonly files: readonly string[];
  /** Entries of the shared stash that were made on the branch of the attempt, such as `stash@{0}`. */
  readonly stashes: readonly string[];
  /** Files of the person's checkout that differ from HEAD after git had refused the run a move of it: git changes files before it asks. */
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
    ...{
      from,
      branch,
      commits: texts(value['commits']),
      files: texts(value['files']),
      stashes: texts(value['stashes']),
      unsettled: texts(value['unsettled']),
      switched: value['switched'] === true,
    },
    ...(typeof before === 'string' ? { before } : {}),
  };
});

/** Writes down what was found of an attempt, the first time: once its work is merged, less of it can be told apart. */
export function noteOutside(view: GraphView, id: string, traces: OutsideTraces): Plan {
  const task = view.task(id);
  if (task === undefined || OUTSIDE.of(task)?.from === traces.from) return { events: [], result: undefined };
  const patch = [{ id, set: { [OUTSIDE.name]: traces } }];
  return { events: [{ op: 'outside', task_id: id, actor: 'coordinator', patch }], result: undefined };
}

/** The traces in one line, each with the command that goes back. */
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
