/**
 * A task on a page of its own: what was asked, what was done, and the decision about it.
 * @packageDocumentation
 */
import { useCallback, useMemo, useState, useSyncExternalStore } from 'react';
import type { ViewType } from 'react-diff-view';
import { SHOWN_STATES, type ShownState } from '#core/graph/status-look.js';
import { inert } from '#kernel/text.js';
import type { ShowAnswer, TracedRun } from '#surfaces/http/contract.js';
import { resourceOf, useResource } from '../../data/resource.js';
import { addressOf, useRoute } from '../../data/route.js';
import { Actions } from '../../drawer/Actions.js';
import { Output } from '../../drawer/Output.js';
import { Log, Prompt } from '../../drawer/Words.js';
import { Failure, Skeleton } from '../../shell/Skeleton.js';
import { Glyph } from '../../status/Status.js';
import { type Comparison, isSilent, type ShownChanges, useChanges } from './changes.js';
import { type DraftReview, useDraft } from './drafts.js';
import { Counts, FileDiff } from './FileDiff.js';
import { Head } from './Head.js';
import { Rounds } from './Rounds.js';
import type { LineComment } from './reason.js';
import { NextReview, VerdictBar } from './VerdictBar.js';
import 'react-diff-view/style/index.css';
import './review.css';

/** Lines that are drawn with the page; the others follow when they come near the window. */
const AT_ONCE = 240;
const VIEW_KEY = 'troupe-diff-view';
/** Narrower windows have no room for two sides. */
const WIDE = window.matchMedia('(min-width: 820px)');

function watchWidth(watcher: () => void): () => void {
  WIDE.addEventListener('change', watcher);
  return () => WIDE.removeEventListener('change', watcher);
}

export default function ReviewPage() {
  const { item, filters } = useRoute();
  if (item === undefined) return <p className="muted">No task is named in the address.</p>;
  return <Review key={item} id={item} attempt={numberIn(filters?.['attempt'])} since={numberIn(filters?.['since'])} />;
}

function numberIn(word: string | undefined): number | undefined {
  const number = Number(word ?? '');
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

function Review({ id, attempt, since }: Comparison & { readonly id: string }) {
  const task = useResource(useMemo(() => resourceOf('task.show', { id }), [id]));
  const attempts = useResource(useMemo(() => resourceOf('task.attempts', { id }), [id]));
  const changes = useChanges(id, { attempt, since }, task.answer && stageOf(task.answer.task));
  const isReady = (attempts.answer ?? attempts.error) !== undefined && !isSilent(attempts) && !changes.isLoading;
  if (task.answer === undefined) return task.error === undefined ? <Waiting /> : <Failure error={task.error} />;
  // Nothing is shown before all of it is there: nothing moves, and no verdict comes before its evidence.
  if (!isReady) return <Waiting />;
  return <Loaded answer={task.answer} runs={attempts.answer?.runs ?? []} changes={changes} since={since} />;
}

/** Changes once it has other changes. Merged work no longer differs from its base: it is shown as it was handed in. */
function stageOf({ fence, status }: ShowAnswer['task']): string {
  return `${String(fence)} ${status === 'done' ? 'pending-validation' : status}`;
}

function Waiting() {
  return (
    <div className="review">
      <Skeleton rows={8} />
    </div>
  );
}

function Loaded({
  answer,
  runs,
  changes,
  since,
}: {
  readonly answer: ShowAnswer;
  readonly runs: readonly TracedRun[];
  readonly changes: ReturnType<typeof useChanges>;
  readonly since: number | undefined;
}) {
  const { task } = answer;
  const state = answer.ready ? 'ready' : (SHOWN_STATES.find((one) => one === task.status) ?? 'open');
  const shown = changes.shown;
  const attempt = shown?.answer.attempt;
  const fence = typeof task['fence'] === 'number' ? task['fence'] : undefined;
  const run = runs.findLast((one) => one.attempt === attempt) ?? runs.at(-1);
  const draft = useDraft(`${task.id}/${String(task['created_at'])}/${fence ?? 0}`);
  const isReview = task.status === 'pending-validation';
  return (
    <div className="review">
      <Head answer={answer} state={state} run={run} changes={shown} />
      <div className="review-columns">
        <div className="review-main">
          {shown === undefined || shown.files.length === 0 ? (
            <NoFiles answer={answer} state={state} trouble={changes.trouble} />
          ) : (
            <Files
              key={`${attempt} ${since}`}
              shown={shown}
              since={since}
              draft={isReview && since === undefined ? draft : undefined}
            />
          )}
        </div>
        <aside className="review-side" aria-label="How it came about">
          <Rounds task={task.id} runs={runs} left={shown?.answer.attempts ?? []} shown={{ attempt, since }} />
          <Then answer={answer} />
          {isReview ? null : <Actions task={task} state={state} />}
          <Log entries={task['log']} />
          {typeof task['exec'] === 'string' || fence === undefined ? null : <Prompt id={task.id} attempt={fence} />}
        </aside>
      </div>
      {isReview ? (
        <VerdictBar id={task.id} title={task.title} draft={draft} />
      ) : (
        <div className="verdict-bar">
          <p className="verdict-line">
            <NextReview id={task.id} />
          </p>
        </div>
      )}
    </div>
  );
}

/** For work without files: what its run printed. */
function NoFiles({
  answer: { task },
  state,
  trouble,
}: {
  readonly answer: ShowAnswer;
  readonly state: ShownState;
  readonly trouble: string | undefined;
}) {
  return (
    <>
      <p className="muted">{trouble === undefined ? 'It changed no file.' : inert(trouble)}</p>
      <Output id={task.id} state={state} />
    </>
  );
}

function Then({ answer: { before } }: { readonly answer: ShowAnswer }) {
  if (before.length === 0) return null;
  return (
    <section aria-label="Then">
      <h2>Then</h2>
      <ul className="then">
        {before.map((task) => (
          <li key={task.id}>
            <a href={addressOf({ place: 'tasks', view: 'task', item: task.id })}>
              <Glyph state={SHOWN_STATES.find((one) => one === task.status) ?? 'open'} />
              <span>{inert(task.title)}</span>
              <span className="unseen">, {task.status}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Files({
  shown,
  since,
  draft,
}: {
  readonly shown: ShownChanges;
  readonly since: number | undefined;
  readonly draft: DraftReview | undefined;
}) {
  const [view, setView] = useState<ViewType>(() => (localStorage.getItem(VIEW_KEY) === 'split' ? 'split' : 'unified'));
  const choose = useCallback((next: ViewType) => {
    localStorage.setItem(VIEW_KEY, next);
    setView(next);
  }, []);
  const { files, parts, load } = shown;
  const comments = useMemo(() => byFile(draft?.comments ?? []), [draft?.comments]);
  const isWide = useSyncExternalStore(watchWidth, () => WIDE.matches);
  let lines = 0;
  return (
    <>
      <nav className="file-list" aria-label="Changed files">
        <p className="file-list-head">
          <strong>
            {files.length === shown.total ? shown.total : `${files.length} of ${shown.total}`}{' '}
            {shown.total === 1 ? 'file' : 'files'}
          </strong>
          <Counts file={{ added: shown.added, deleted: shown.deleted }} />
          {since === undefined ? null : <span className="muted">since attempt {since}</span>}
        </p>
        <ul>
          {files.map((file, index) => (
            <li key={file.path}>
              <button type="button" className="file-link" title={inert(file.path)} onClick={() => goToFile(index)}>
                <PathWords path={file.path} />
                <Counts file={file} />
              </button>
            </li>
          ))}
        </ul>
      </nav>
      <div className="files">
        <fieldset className="choice">
          <legend className="unseen">Layout of the changes</legend>
          {(['unified', 'split'] as const).map((one) => (
            <button key={one} type="button" className="quiet" aria-pressed={view === one} onClick={() => choose(one)}>
              {one === 'unified' ? 'Unified' : 'Side by side'}
            </button>
          ))}
        </fieldset>
        {files.map((file, index) => {
          const part = parts.get(file.path);
          const eager = lines < AT_ONCE;
          lines += part?.lines ?? 0;
          return (
            <FileDiff
              key={file.path}
              id={`file-${index}`}
              file={file}
              part={part}
              isMissing={part === undefined}
              view={isWide ? view : 'unified'}
              eager={eager}
              comments={comments.get(file.path) ?? NO_COMMENTS}
              writer={draft?.writer}
              load={load}
            />
          );
        })}
      </div>
    </>
  );
}

const NO_COMMENTS: readonly LineComment[] = [];

function byFile(comments: readonly LineComment[]): ReadonlyMap<string, readonly LineComment[]> {
  const groups = new Map<string, LineComment[]>();
  for (const comment of comments) groups.set(comment.file, [...(groups.get(comment.file) ?? []), comment]);
  return groups;
}

/** Frames in which a file stays at the top while lines above it are drawn. */
const SETTLING = 30;

function goToFile(index: number): void {
  const section = document.getElementById(`file-${index}`);
  section?.querySelector<HTMLElement>('.file-toggle')?.focus({ preventScroll: true });
  let left = SETTLING;
  const align = () => {
    section?.scrollIntoView({ block: 'start' });
    if (--left > 0) requestAnimationFrame(align);
  };
  align();
}

/** The folder gives way first, so that the name of the file is always in sight. */
function PathWords({ path }: { readonly path: string }) {
  const cut = path.lastIndexOf('/') + 1;
  return (
    <span className="path-words mono">
      {cut === 0 ? null : <span className="path-folder">{inert(path.slice(0, cut))}</span>}
      <span className="path-name">{inert(path.slice(cut))}</span>
    </span>
  );
}
