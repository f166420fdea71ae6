import { useEffect, useState } from 'react';
import type { ApiError } from '../data/api.js';

const PATIENCE_MS = 150;

/** Placeholder rows while data loads. They appear only after a delay, so quick answers never show them. */
export function Skeleton({ rows }: { readonly rows: number }) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!late) return null;
  return (
    <div className="skeleton" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bones have no identity
        <span key={row} className="bone" />
      ))}
    </div>
  );
}

export function Failure({ error }: { readonly error: ApiError }) {
  return (
    <div className="failure" role="alert">
      <p>{error.message}</p>
      <p className="muted">{error.hint}</p>
    </div>
  );
}
