import { type FocusEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { type InboxEntry, steadyOrder } from './inbox.js';

/** Time without any movement after which a list that was left may close its gaps. */
const STILL_MS = 1_000;
const MOVEMENTS = ['pointermove', 'pointerdown', 'pointerup', 'keydown'] as const;

/**
 * Whether a list is in use: the mouse is over it, the focus in it, or either was until a moment ago. A list that closed
 * its gaps at once would move what stands below it away from under the pointer on its way there.
 */
export function useHeld() {
  const [isOver, setOver] = useState(false);
  const [isIn, setIn] = useState(false);
  const [held, setHeld] = useState(false);
  const place = useRef<HTMLElement>(null);
  const used = isOver || isIn;
  useEffect(() => {
    // An element that is removed with the focus causes no event.
    if (isIn && place.current?.contains(document.activeElement) === false) setIn(false);
  });
  useEffect(() => {
    if (!isOver) return undefined;
    // Nor does an element that is removed under the pointer.
    const look = ({ target }: Event) => {
      if (!(target instanceof Node && place.current?.contains(target))) setOver(false);
    };
    window.addEventListener('pointermove', look, { passive: true });
    return () => window.removeEventListener('pointermove', look);
  }, [isOver]);
  useEffect(() => {
    if (used) setHeld(true);
    if (used || !held) return undefined;
    const release = () => setHeld(false);
    let timer = setTimeout(release, STILL_MS);
    const moved = () => {
      clearTimeout(timer);
      timer = setTimeout(release, STILL_MS);
    };
    for (const movement of MOVEMENTS) window.addEventListener(movement, moved, { passive: true });
    return () => {
      clearTimeout(timer);
      for (const movement of MOVEMENTS) window.removeEventListener(movement, moved);
    };
  }, [used, held]);
  const handlers = {
    onPointerEnter: (event: PointerEvent) => setOver(event.pointerType === 'mouse'),
    onPointerLeave: () => setOver(false),
    onFocus: () => setIn(true),
    onBlur: (event: FocusEvent) => setIn(event.currentTarget.contains(event.relatedTarget)),
  };
  return { held: used || held, handlers: { ...handlers, ref: place } };
}

/** The entries in an order in which nothing moves while the list is in use. */
export function useSteady(entries: readonly InboxEntry[], held: boolean) {
  const shown = useRef<ReadonlyMap<string, InboxEntry>>(new Map());
  const present = new Map(entries.map((entry) => [entry.key, entry]));
  const order = held ? steadyOrder([...shown.current.keys()], [...present.keys()]) : [...present.keys()];
  const list = order.flatMap((key) => {
    const entry = present.get(key) ?? shown.current.get(key);
    return entry === undefined ? [] : [{ entry, gone: !present.has(key) }];
  });
  useEffect(() => {
    shown.current = new Map(list.map(({ entry }) => [entry.key, entry]));
  });
  return list;
}
