import { useState } from 'react';
import { ApiError } from './api.js';

/** Runs one change at a time; returns whether it is running and the error of the last one. */
export function useAction() {
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<ApiError>();
  const run = async (act: () => Promise<unknown>): Promise<void> => {
    setBusy(true);
    setTrouble(undefined);
    try {
      await act();
    } catch (error) {
      setTrouble(error instanceof ApiError ? error : new ApiError('internal', String(error), 'Reload the page.'));
    } finally {
      setBusy(false);
    }
  };
  return { busy, trouble, run };
}
