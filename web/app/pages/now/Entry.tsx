import { type KeyboardEvent, type MouseEvent, type ReactNode, type RefObject, useRef, useState } from 'react';
import { useAction } from '../../data/action.js';
import { ACT_LOOK, carryOut, carryOutAll, commandOf, type Deed } from '../../data/acts.js';
import { CopyIcon } from '../../shell/CopyIcon.js';
import { Failure } from '../../shell/Skeleton.js';
import type { RowAct } from './inbox.js';

export interface Doing {
  readonly acts: readonly RowAct[];
  readonly ids: readonly string[];
  /** Number of all tasks of a group; those beyond `ids` stay. */
  readonly total: number;
  readonly run?: string | undefined;
  /** Subject, for the accessible names of the buttons. */
  readonly about: string;
  /** The command behind the icon, if it is none of the acts. */
  readonly command?: string | undefined;
  onDone(act: RowAct, deed: Deed): void;
}

/** One thing that needs a person or runs: what it is, and beside it what can be done about it. */
export function Entry(props: {
  readonly first?: boolean;
  /** Outcome of an entry that is settled, while its place is kept. */
  readonly over?: string | undefined;
  readonly doing?: Doing | undefined;
  /** Other controls, such as a button that opens a dialog. */
  readonly more?: ReactNode;
  readonly children: (place: RefObject<HTMLElement | null>) => ReactNode;
  readonly below?: ReactNode;
}) {
  const { first = false, over, doing, more, children, below } = props;
  const place = useRef<HTMLElement>(null);
  const classes = ['entry', first ? 'is-first' : '', over === undefined ? '' : 'is-over'].filter((name) => name !== '');
  return (
    <li className={classes.join(' ')} data-entry>
      {children(place)}
      {over !== undefined ? (
        <p className="entry-over">{over}</p>
      ) : doing !== undefined ? (
        <Acts doing={doing} place={place} more={more} />
      ) : (
        <div className="entry-acts">{more}</div>
      )}
      {over === undefined ? below : null}
    </li>
  );
}

function Acts({
  doing,
  place,
  more,
}: {
  readonly doing: Doing;
  readonly place: RefObject<HTMLElement | null>;
  readonly more: ReactNode;
}) {
  const { acts, ids, total, run, about, command } = doing;
  const [chosen, setChosen] = useState<RowAct>();
  const [words, setWords] = useState('');
  const [reached, setReached] = useState(0);
  const { busy, trouble, run: attempt } = useAction();
  const open = chosen !== undefined && acts.includes(chosen) ? chosen : undefined;
  const look = open === undefined ? undefined : ACT_LOOK[open];
  const [main] = acts;
  const close = () => {
    setChosen(undefined);
    place.current?.focus({ preventScroll: true });
  };
  // A button that is disabled loses the focus, and with it the place in the list: a second act is ignored instead.
  const perform = async (act: RowAct) => {
    if (busy) return;
    await attempt(async () => {
      const [id = ''] = ids;
      setReached(0);
      const deed = await (ids.length === 1
        ? carryOut({ act, id, run, words: words.trim() })
        : carryOutAll(act, ids, setReached));
      place.current?.focus({ preventScroll: true }); // the button goes, and the focus stays in the row
      setChosen(undefined);
      setWords('');
      doing.onDone(act, deed);
    });
  };
  const choose = (act: RowAct) => {
    if (ACT_LOOK[act].words === undefined && ACT_LOOK[act].consequence === undefined) void perform(act);
    else setChosen(act);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || open === undefined) return;
    event.preventDefault();
    close();
  };
  const labelOf = (act: RowAct) =>
    `${ACT_LOOK[act].label}${total === 1 ? '' : ids.length < total ? ` ${ids.length}` : ' all'}${ACT_LOOK[act].words === undefined ? '' : '…'}`;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes what a button of it opened
    <div className="entry-doing" onKeyDown={onKeyDown}>
      <div className={look?.words === undefined ? 'entry-acts' : 'entry-acts is-away'}>
        {busy && ids.length > 1 ? (
          <span className="muted number">
            {reached} of {ids.length}
          </span>
        ) : null}
        {look?.consequence === undefined || open === undefined ? (
          <>
            {acts.map((act) => (
              <button
                key={act}
                type="button"
                className={act === main ? 'act is-main' : 'act'}
                data-key={keyOf(act, acts)}
                aria-disabled={busy}
                aria-label={`${labelOf(act)} ${about}`}
                aria-expanded={ACT_LOOK[act].words === undefined ? undefined : act === open}
                onClick={() => choose(act)}
              >
                {labelOf(act)}
              </button>
            ))}
            {more}
            <CopyIcon
              text={command ?? commandOf(main ?? 'approve', ids, run, words.trim() === '' ? '…' : words.trim())}
            />
          </>
        ) : (
          <>
            <button
              type="button"
              className="act is-main is-sure"
              // biome-ignore lint/a11y/noAutofocus: the question follows from the key or the click
              autoFocus
              aria-disabled={busy}
              aria-label={`Yes, ${look.label.toLowerCase()} ${about}`}
              onClick={(event: MouseEvent) => {
                if (event.detail <= 1) void perform(open); // the second half of a double click is no answer
              }}
            >
              {busy ? `${look.label}…` : `Yes, ${look.label.toLowerCase()}`}
            </button>
            <button type="button" className="act" onClick={close}>
              Cancel
            </button>
            <span className="entry-consequence">{look.consequence}</span>
          </>
        )}
      </div>
      {open === undefined || look?.words === undefined ? null : (
        <form
          className="entry-form"
          onSubmit={(event) => {
            event.preventDefault();
            if (words.trim() !== '') void perform(open);
          }}
        >
          <label>
            {look.words}
            <textarea
              // biome-ignore lint/a11y/noAutofocus: the button that opens the field means to fill it in
              autoFocus
              rows={2}
              value={words}
              onChange={(event) => setWords(event.target.value)}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
                  event.currentTarget.form?.requestSubmit();
              }}
            />
          </label>
          <div className="entry-acts">
            <button
              type="submit"
              className="act is-main is-sure"
              disabled={words.trim() === ''}
              aria-label={`${look.label} ${about}`}
            >
              {look.label}
            </button>
            <button type="button" className="act" onClick={close}>
              Cancel
            </button>
            <CopyIcon text={commandOf(open, ids, run, words.trim() === '' ? '…' : words.trim())} />
          </div>
        </form>
      )}
      {trouble === undefined ? null : <Failure error={trouble} />}
    </div>
  );
}

/** The keys `a` and `r` of a row: approve or else its first act, and reject. */
function keyOf(act: RowAct, acts: readonly RowAct[]): string | undefined {
  if (act === 'reject') return 'r';
  return act === (acts.includes('approve') ? 'approve' : acts[0]) ? 'a' : undefined;
}
