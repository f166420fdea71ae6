import { useEffect, useRef, useState } from 'react';
import { filterBy, useRoute } from '../../data/route.js';
import { eventOf } from './history.js';

/** Browsers refuse to change the address for each step of a slider that is dragged. */
const REST_MS = 300;

/** The event of the log whose graph is shown; undefined for now. The address holds it once the slider rests. */
export function useMoment() {
  const said = eventOf(useRoute().filters);
  const [event, setEvent] = useState(said);
  const kept = useRef(said);
  if (kept.current !== said) {
    kept.current = said;
    setEvent(said); // by a link, or back
  }
  useEffect(() => {
    if (event === kept.current) return undefined;
    const timer = setTimeout(() => {
      kept.current = event;
      filterBy({ event: event?.toString() }, true);
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [event]);
  return [event, setEvent] as const;
}
