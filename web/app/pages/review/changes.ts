import { useCallback, useMemo, useRef, useState } from 'react';
import type { Answer } from '#surfaces/http/contract.js';
import { ApiError, askFor } from '../../data/api.js';
import { type Loaded, resourceOf, useResource } from '../../data/resource.js';
import { Store, useStore } from '../../data/store.js';
import type { ReviewedFile } from './FileDiff.js';
import { onlyPart, type PatchPart, patchParts } from './patch.js';

/**
 * Error codes of attempts without changes to show: tasks outside of a repository have no worktree, and worktrees of
 * landed work may have been removed.
 */
const NOTHING_LEFT: ReadonlySet<string> = new Set([
  'not_found',
  'not_a_repository',
  'empty_repository',
  'bare_repository',
  'git_missing',
]);

/** The files of an attempt under review do not change with the events of the graph. */
const NO_NEWS = new Store(0);

/** A server that did not answer is asked again. */
const AGAIN_MS = 2_000;

/** Whether nothing has come because the server does not answer, and not because there is nothing. */
export function isSilent({ answer, error }: Loaded<unknown>): boolean {
  return answer === undefined && error?.code === 'unreachable';
}

/** Changes under review: an attempt compared with its base, or with an earlier attempt. */
export interface Comparison {
  readonly attempt?: number | undefined;
  readonly since?: number | undefined;
}

export interface ShownChanges {
  readonly files: readonly ReviewedFile[];
  readonly total: number;
  readonly added: number;
  readonly deleted: number;
  readonly parts: ReadonlyMap<string, PatchPart>;
  readonly answer: Answer<'worktree.show'>;
  /** Asks for a file whose diff was left out of the patch. */
  load(file: ReviewedFile): void;
}

interface ChangesState {
  readonly isLoading: boolean;
  readonly shown?: ShownChanges;
  /** Reason why there is nothing to show. */
  readonly trouble?: string;
}

/**
 * Changes of an attempt, with one patch for all files, or file by file if it is too large for that. They are asked for
 * again when `occasion` changes after it is known; until they have come, the ones before stay.
 */
export function useChanges(task: string, { attempt, since }: Comparison, occasion?: string): ChangesState {
  const before = useRef<ShownChanges>(undefined);
  const first = useRef<string>(undefined);
  first.current ??= occasion;
  const later = occasion === first.current ? undefined : occasion;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt has other changes
  const resource = useMemo(
    () =>
      resourceOf('worktree.show', {
        task,
        patch: true,
        ...(attempt === undefined ? {} : { attempt }),
        ...(since === undefined ? {} : { since }),
      }),
    [task, attempt, since, later],
  );
  const isOut = isSilent(useStore(resource.state));
  const { answer, error } = useResource(resource, isOut ? AGAIN_MS : undefined, NO_NEWS);
  const [extra, setExtra] = useState<ReadonlyMap<string, PatchPart>>(new Map());
  const parts = useMemo(
    () => new Map([...patchParts(answer?.patch ?? '', answer?.patch_cut === true), ...extra]),
    [answer?.patch, answer?.patch_cut, extra],
  );
  const load = useCallback(
    (file: ReviewedFile) => {
      void patchOf(task, file, { attempt, since }).then((part) =>
        setExtra((before) => new Map(before).set(file.path, part)),
      );
    },
    [task, attempt, since],
  );
  const files = useMemo(() => (answer === undefined ? [] : filesOf(answer, parts)), [answer, parts]);
  if (answer !== undefined) {
    const fresh = files.slice(answer.changes.files.length).reduce((sum, file) => sum + (file.added ?? 0), 0);
    const { total, added, deleted } = answer.changes;
    const totals = { total: total + answer.untracked_total, added: added + fresh, deleted };
    before.current = { files, parts, answer, load, ...totals };
  }
  if (before.current?.answer.task === task) return { isLoading: false, shown: before.current };
  if (error === undefined || isOut) return { isLoading: true };
  return {
    isLoading: false,
    trouble: NOTHING_LEFT.has(error.code) ? 'Nothing of its work is left here to compare.' : error.message,
  };
}

/** Changed files, then the new ones that git does not know yet; of those, the lines are counted in the patch. */
function filesOf(answer: Answer<'worktree.show'>, parts: ReadonlyMap<string, PatchPart>): readonly ReviewedFile[] {
  const fresh = answer.untracked.map((path) => {
    const part = parts.get(path);
    if (part === undefined || part.isBinary) return { path, isBinary: part?.isBinary };
    return { path, added: Math.max(0, part.lines - 1), deleted: 0 };
  });
  return [...answer.changes.files.map((file) => ({ ...file, isBinary: file.added === undefined })), ...fresh];
}

async function patchOf(task: string, file: ReviewedFile, { attempt, since }: Comparison): Promise<PatchPart> {
  const none = { path: file.path, text: '', isBinary: false, lines: 0 };
  try {
    const answer = await askFor('worktree.show', {
      task,
      path: [...(file.from === undefined ? [] : [file.from]), file.path],
      ...(attempt === undefined ? {} : { attempt }),
      ...(since === undefined ? {} : { since }),
    });
    return onlyPart(answer.patch ?? '') ?? none;
  } catch (error) {
    return { ...none, note: error instanceof ApiError ? error.message : String(error) };
  }
}
