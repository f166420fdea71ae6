import { useEffect, useRef, useState } from 'react';
import type { Answer, ApiInput } from '#surfaces/http/contract.js';
import { ApiError, askFor } from '../../data/api.js';

interface Past {
  readonly answer?: Answer<'graph.boxes'>;
  readonly error?: ApiError;
}

/**
 * The graph as it was after an event. While the slider is dragged, one request runs at a time, and the last picture
 * stays until the next one is there.
 */
export function usePast(input: ApiInput<'graph.boxes'> | undefined): Past {
  const [past, setPast] = useState<Past>({});
  const wanted = useRef(input);
  const isBusy = useRef(false);
  wanted.current = input;
  useEffect(() => {
    if (input === undefined) {
      setPast({});
      return;
    }
    if (isBusy.current) return;
    isBusy.current = true;
    const load = async () => {
      for (let asked = wanted.current; asked !== undefined; ) {
        try {
          const answer = await askFor('graph.boxes', asked);
          if (wanted.current !== undefined) setPast({ answer });
        } catch (error) {
          if (error instanceof ApiError) setPast((before) => ({ ...before, error }));
        }
        asked = asked === wanted.current ? undefined : wanted.current;
      }
      isBusy.current = false;
    };
    void load();
  }, [input]);
  return past;
}
