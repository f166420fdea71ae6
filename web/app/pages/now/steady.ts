import { type FocusEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { type InboxEntry, steadyOrder } from './inbox.js';

/** Whether a list is in use: the mouse is over it, or the focus in it. */
export function useHeld() {
  const [isOver, setOver] = useState(false);
  const [isIn, setIn] = useState(false);
  const handlers = {
    onPointerEnter: (event: PointerEvent) => setOver(event.pointerType === 'mouse'),
    onPointerLeave: () => setOver(false),
    onFocus: () => setIn(true),
    onBlur: (event: FocusEvent) => setIn(event.currentTarget.contains(event.relatedTarget)),
  };
  return { held: isOver || isIn, handlers };
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
