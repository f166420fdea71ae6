import { lazy, Suspense } from 'react';
import { useStore } from '../../data/store.js';
import { TypedAhead } from '../../shell/TypedAhead.js';
import { asked } from './asked.js';

const DoDialog = lazy(() => import('./DoDialog.js'));

/** The dialog that plans work, on any page, once it is asked for. */
export function Doing() {
  const wish = useStore(asked);
  if (wish === undefined) return null;
  return (
    <Suspense fallback={<TypedAhead />}>
      <DoDialog asked={wish} onClose={() => asked.set(undefined)} />
    </Suspense>
  );
}
