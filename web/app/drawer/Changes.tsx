import { useMemo, useState } from 'react';
import { inert, plural, shellWord } from '#kernel/text.js';
import { resourceOf, useResource } from '../data/resource.js';
import { CopyIcon } from '../shell/CopyIcon.js';

const FILES_SHOWN = 50;
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

/** Changes of the latest attempt: files with line counts, and the diff on demand. */
export function Changes({ id, fence }: { readonly id: string; readonly fence: number }) {
  const [isOpen, setOpen] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt has other changes
  const resource = useMemo(() => resourceOf('worktree.show', { task: id }), [id, fence]);
  const { answer, error } = useResource(resource);
  if (error !== undefined && answer === undefined) {
    return NOTHING_LEFT.has(error.code) ? null : <p className="muted">Changes: {inert(error.message)}</p>;
  }
  if (answer === undefined) return <p className="muted">Changes: loading…</p>; // keeps the layout below stable
  const { changes, untracked = [], untracked_total: untrackedTotal = 0 } = answer;
  const isEmpty = changes !== undefined && changes.total + untrackedTotal === 0;
  const more = changes === undefined ? 0 : changes.total + untrackedTotal - FILES_SHOWN;
  return (
    <section aria-label="Changes">
      <div className="with-copy">
        <h3>
          Changes{' '}
          {changes === undefined || isEmpty ? null : (
            <span className="count">
              {plural(changes.total + untrackedTotal, 'file')}, +{changes.added} −{changes.deleted}
            </span>
          )}
        </h3>
        <CopyIcon text={`troupe worktree show ${shellWord(inert(id))} --patch`} />
      </div>
      {isEmpty ? <p className="muted">No changes in its worktree.</p> : null}
      {changes === undefined || isEmpty ? null : (
        <ul className="changed-files">
          {changes.files.slice(0, FILES_SHOWN).map(({ path, added, deleted }) => (
            <li key={path}>
              <span className="mono">{inert(path)}</span>
              {added === undefined ? (
                <span className="muted">binary</span>
              ) : (
                <span className="number">
                  <span className="is-added">+{added}</span> <span className="is-deleted">−{deleted ?? 0}</span>
                </span>
              )}
            </li>
          ))}
          {untracked.slice(0, Math.max(0, FILES_SHOWN - changes.files.length)).map((path) => (
            <li key={path}>
              <span className="mono">{inert(path)}</span>
              <span className="muted">new</span>
            </li>
          ))}
        </ul>
      )}
      {more > 0 ? <p className="muted">and {more} more</p> : null}
      {isEmpty ? null : (
        <details onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>Line by line</summary>
          {isOpen ? <LineByLine id={id} fence={fence} /> : null}
        </details>
      )}
    </section>
  );
}

/** Diff, loaded on demand; the list of files stays visible while it loads or if loading fails. */
function LineByLine({ id, fence }: { readonly id: string; readonly fence: number }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt has other changes
  const resource = useMemo(() => resourceOf('worktree.show', { task: id, patch: true }), [id, fence]);
  const { answer, error } = useResource(resource);
  if (answer?.patch === undefined) {
    return <p className="muted">{error === undefined ? 'Loading …' : inert(error.message)}</p>;
  }
  return (
    <>
      <Patch text={answer.patch} />
      {answer.patch_cut === true ? <p className="muted">The rest is not shown.</p> : null}
    </>
  );
}

/** Classes of patch lines by their prefix. */
const LINE_KINDS: readonly (readonly [start: RegExp, className: string])[] = [
  [/^(?:diff |index |\+\+\+ |--- |new |deleted )/, 'is-head'],
  [/^@@/, 'is-place'],
  [/^\+/, 'is-added'],
  [/^-/, 'is-deleted'],
];

function Patch({ text }: { readonly text: string }) {
  if (text === '') return <p className="muted">Only untracked files.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="output patch" tabIndex={0} aria-label="Line by line">
      <pre>
        {text.split('\n').map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name than their place
          <span key={index} className={LINE_KINDS.find(([start]) => start.test(line))?.[1]}>
            {`${inert(line, true)}\n`}
          </span>
        ))}
      </pre>
    </section>
  );
}
