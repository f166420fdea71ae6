import { type KeyboardEvent, memo, type ReactNode, useEffect, useId, useMemo, useState } from 'react';
import {
  type ChangeData,
  Decoration,
  Diff,
  type GutterOptions,
  getChangeKey,
  Hunk,
  type HunkData,
  type HunkTokens,
  parseDiff,
  type ViewType,
} from 'react-diff-view';
import { inert, plural } from '#kernel/text.js';
import { CommentForm, CommentNote } from './Comment.js';
import type { DraftWriter } from './drafts.js';
import { useNear } from './near.js';
import { isGenerated, type PatchPart } from './patch.js';
import type { LineComment } from './reason.js';

/** Lines of a file beyond which it is folded at first. */
const LARGE = 1_000;
/** Lines that are drawn together. */
const BLOCK = 120;
const LINE_PX = 20;

export interface ReviewedFile {
  readonly path: string;
  readonly from?: string | undefined;
  /** Missing if they are not known: the file is binary, or its lines have not been counted. */
  readonly added?: number | undefined;
  readonly deleted?: number | undefined;
  readonly isBinary?: boolean | undefined;
}

interface FileProps {
  readonly file: ReviewedFile;
  readonly id: string;
  readonly part: PatchPart | undefined;
  /** Its diff was left out of the patch of all files. */
  readonly isMissing: boolean;
  readonly view: ViewType;
  readonly eager: boolean;
  readonly comments: readonly LineComment[];
  /** Undefined if the task needs no review: then there is nothing to comment on. */
  readonly writer: DraftWriter | undefined;
  load(file: ReviewedFile): void;
}

/** One changed file: its name and counts, and its lines once it comes near the window. */
export const FileDiff = memo(function FileDiff(props: FileProps) {
  const { file, id, part, isMissing, view, eager, comments, writer, load } = props;
  const isLarge = (part?.lines ?? (file.added ?? 0) + (file.deleted ?? 0)) > LARGE;
  const generated = isGenerated(file.path);
  const [isOpen, setOpen] = useState(!isLarge && !generated);
  const { place, near } = useNear<HTMLElement>(eager);
  const body = useId();
  useEffect(() => {
    if (near && isOpen && isMissing) load(file);
  }, [near, isOpen, isMissing, load, file]);
  const why = generated ? 'Generated' : isLarge ? 'Large' : undefined;
  return (
    <section className="file" id={id} ref={place} aria-label={`Changes in ${inert(file.path)}`}>
      <h2 className="file-head">
        <button
          type="button"
          data-row
          className="file-toggle"
          aria-expanded={isOpen}
          aria-controls={body}
          onClick={() => setOpen(!isOpen)}
        >
          <svg viewBox="0 0 20 20" className="icon" aria-hidden="true">
            <path d={isOpen ? 'M6 8l4 4l4-4' : 'M8 6l4 4l-4 4'} />
          </svg>
          <span className="mono file-path">{inert(file.path)}</span>
          {part?.note === undefined ? null : <span className="file-note">{inert(part.note)}</span>}
          {comments.length === 0 ? null : (
            <span className="file-note is-said">{plural(comments.length, 'comment')}</span>
          )}
          <Counts file={file} />
        </button>
      </h2>
      <div id={body} className="file-body">
        {isOpen ? (
          near ? (
            <Lines {...{ file, part, isMissing, view, eager, comments, writer }} />
          ) : (
            <Spacer lines={part?.lines ?? 0} />
          )
        ) : why === undefined ? null : (
          <p className="file-folded muted">
            {why}, {plural((file.added ?? 0) + (file.deleted ?? 0), 'changed line')}.{' '}
            <button
              type="button"
              className="link"
              aria-label={`Show it: ${inert(file.path)}`}
              onClick={() => setOpen(true)}
            >
              Show it
            </button>
          </p>
        )}
      </div>
    </section>
  );
});

export function Counts({ file: { added, deleted, isBinary } }: { readonly file: Omit<ReviewedFile, 'path'> }) {
  if (added === undefined) return <span className="file-counts muted">{isBinary === true ? 'binary' : 'new'}</span>;
  return (
    <span className="file-counts number">
      <span className="is-plus">+{added}</span> <span className="is-minus">−{deleted ?? 0}</span>
    </span>
  );
}

/** Keeps the place of lines that are not drawn yet. */
function Spacer({ lines }: { readonly lines: number }) {
  return <div className="file-space" style={{ height: lines * LINE_PX }} />;
}

type LinesProps = Pick<FileProps, 'file' | 'part' | 'isMissing' | 'view' | 'eager' | 'comments' | 'writer'>;

function Lines({ file, part, isMissing, view, eager, comments, writer }: LinesProps) {
  const parsed = useMemo(() => (part === undefined ? undefined : parseDiff(part.text)[0]), [part]);
  const hunks = useMemo(() => parsed?.hunks ?? [], [parsed]);
  const blocks = useMemo(() => blocksOf(hunks), [hunks]);
  const tokens = useTokens(file.path, hunks);
  const [writing, setWriting] = useState<ChangeData>();
  const [cursor, setCursor] = useState<string>();
  if (part === undefined) return <p className="file-folded muted">{isMissing ? 'Loading …' : 'It has no lines.'}</p>;
  if (part.isBinary) return <p className="file-folded muted">A binary file: its content is not shown.</p>;
  if (hunks.length === 0)
    return <p className="file-folded muted">{part.note === undefined ? 'It is empty.' : 'No line of it changed.'}</p>;
  const changes = hunks.flatMap((hunk) => hunk.changes);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const at = changes.findIndex((change) => getChangeKey(change) === cursor);
    const chosen = changes[at];
    if (event.key === 'c' && writer !== undefined && chosen !== undefined) setWriting(chosen);
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const next =
        changes[at === -1 ? 0 : Math.min(changes.length - 1, Math.max(0, at + (event.key === 'ArrowDown' ? 1 : -1)))];
      if (next === undefined) return;
      setCursor(getChangeKey(next));
      const line = event.currentTarget.querySelector(`[data-change-key="${getChangeKey(next)}"]`);
      line?.scrollIntoView({ block: 'nearest' });
    } else return;
    event.preventDefault();
  };
  return (
    <section
      className="lines"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrows move through its lines
      tabIndex={0}
      aria-label={`Lines of ${inert(file.path)}`}
      onKeyDown={onKeyDown}
    >
      {blocks.map((block, index) => (
        <Block
          // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no other name than their place
          key={index}
          block={block}
          path={file.path}
          view={view}
          tokens={tokens}
          eager={eager && index === 0}
          cursor={block.keys.has(cursor ?? '') ? cursor : undefined}
          comments={comments}
          writer={writer}
          writing={writing !== undefined && block.keys.has(getChangeKey(writing)) ? writing : undefined}
          onWrite={setWriting}
        />
      ))}
    </section>
  );
}

/** A few lines that are drawn together, and whether a hunk begins with them. */
interface LineBlock {
  readonly hunk: HunkData;
  readonly isFirst: boolean;
  /** Keys of its lines. */
  readonly keys: ReadonlySet<string>;
}

function blocksOf(hunks: readonly HunkData[]): readonly LineBlock[] {
  return hunks.flatMap((hunk) => {
    const blocks: LineBlock[] = [];
    for (let start = 0; start < hunk.changes.length; start += BLOCK) {
      const changes = hunk.changes.slice(start, start + BLOCK);
      blocks.push({ hunk: { ...hunk, changes }, isFirst: start === 0, keys: new Set(changes.map(getChangeKey)) });
    }
    return blocks;
  });
}

/** Colours come after the lines and change no height. */
function useTokens(path: string, hunks: HunkData[]): HunkTokens | undefined {
  const [tokens, setTokens] = useState<HunkTokens>();
  useEffect(() => {
    let isOver = false;
    if (hunks.length > 0)
      void import('./highlight.js')
        .then(async ({ tokensOf }) => await tokensOf(path, hunks))
        .then((found) => (isOver ? undefined : setTokens(found)))
        .catch(() => undefined); // without colours it can be read as well
    return () => {
      isOver = true;
    };
  }, [path, hunks]);
  return tokens;
}

interface BlockProps {
  readonly block: LineBlock;
  readonly path: string;
  readonly view: ViewType;
  readonly tokens: HunkTokens | undefined;
  readonly eager: boolean;
  readonly cursor: string | undefined;
  readonly comments: readonly LineComment[];
  readonly writer: DraftWriter | undefined;
  readonly writing: ChangeData | undefined;
  onWrite(change: ChangeData | undefined): void;
}

const Block = memo(function Block(props: BlockProps) {
  const { block, path, view, tokens, eager, cursor, writer, onWrite } = props;
  const { place, near } = useNear<HTMLDivElement>(eager);
  const { hunk, isFirst } = block;
  if (!near) {
    const height = (hunk.changes.length + (isFirst ? 1 : 0)) * LINE_PX;
    return <div ref={place} style={{ height }} />;
  }
  return (
    <div ref={place}>
      <Diff
        viewType={view}
        diffType="modify"
        hunks={[hunk]}
        tokens={tokens ?? null}
        selectedChanges={cursor === undefined ? [] : [cursor]}
        widgets={widgetsOf(hunk, props)}
        renderGutter={(options) => (
          <Gutter options={options} path={path} onWrite={writer === undefined ? undefined : onWrite} />
        )}
      >
        {(hunks) => [
          ...(isFirst
            ? [
                <Decoration key="head">
                  <span className="hunk-head">{hunk.content}</span>
                </Decoration>,
              ]
            : []),
          ...hunks.map((one) => <Hunk key="lines" hunk={one} />),
        ]}
      </Diff>
    </div>
  );
});

/** The number of a line, and on its last column the button that comments on it. */
function Gutter({
  options: { change, side, renderDefault },
  path,
  onWrite,
}: {
  readonly options: GutterOptions;
  readonly path: string;
  readonly onWrite: ((change: ChangeData) => void) | undefined;
}) {
  const isOwn = change.type === 'delete' ? side === 'old' : side === 'new';
  return (
    <>
      {renderDefault()}
      {onWrite !== undefined && isOwn ? (
        <button
          type="button"
          className="line-comment"
          tabIndex={-1}
          aria-label={`Comment on ${inert(path)}, line ${numberOf(change)}`}
          onClick={() => onWrite(change)}
        >
          +
        </button>
      ) : null}
    </>
  );
}

/** Comments below their lines, and the form below the line that is being commented on. */
function widgetsOf(
  { changes }: HunkData,
  {
    path,
    comments,
    writer,
    writing,
    onWrite,
  }: Pick<BlockProps, 'path' | 'comments' | 'writer' | 'writing' | 'onWrite'>,
): Record<string, ReactNode> {
  const widgets: Record<string, ReactNode> = {};
  if (writer === undefined) return widgets;
  for (const change of changes) {
    const spot = spotOf(path, change);
    const said = comments.find((one) => one.side === spot.side && one.line === spot.line);
    const key = getChangeKey(change);
    if (writing !== undefined && getChangeKey(writing) === key)
      widgets[key] = (
        <CommentForm
          spot={spot}
          text={said?.text ?? ''}
          onCancel={() => onWrite(undefined)}
          onSave={(text) => {
            if (text.trim() === '') writer.remove(spot);
            else writer.put({ ...spot, text });
            onWrite(undefined);
          }}
        />
      );
    else if (said !== undefined)
      widgets[key] = <CommentNote comment={said} onEdit={() => onWrite(change)} onRemove={() => writer.remove(said)} />;
  }
  return widgets;
}

function spotOf(file: string, change: ChangeData): Omit<LineComment, 'text'> {
  const side = change.type === 'delete' ? 'old' : 'new';
  return { file, side, line: numberOf(change), quote: change.content };
}

function numberOf(change: ChangeData): number {
  return change.type === 'normal' ? change.newLineNumber : change.lineNumber;
}
