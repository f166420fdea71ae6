import { type RefObject, useEffect, useRef, useState } from 'react';

/** Distance from the window, in pixels, at which a part is drawn: far enough that it is never seen. */
const MARGIN = '1200px 0px';

const waiting = new WeakMap<Element, () => void>();
let observer: IntersectionObserver | undefined;

function watcher(): IntersectionObserver {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) if (isIntersecting) waiting.get(target)?.();
    },
    { root: document.getElementById('main'), rootMargin: MARGIN },
  );
  return observer;
}

/** Whether a part is, or ever was, near the window. Parts that never are cost nothing but their reserved height. */
export function useNear<Part extends Element>(
  initially: boolean,
): { readonly place: RefObject<Part | null>; readonly near: boolean } {
  const place = useRef<Part>(null);
  const [near, setNear] = useState(initially);
  useEffect(() => {
    const part = place.current;
    if (near || part === null) return undefined;
    const own = watcher();
    waiting.set(part, () => setNear(true));
    own.observe(part);
    return () => {
      own.unobserve(part);
      waiting.delete(part);
    };
  }, [near]);
  return { place, near };
}
