import { useMemo, useRef } from 'react';
import type { PicturedTask } from '#surfaces/http/contract.js';
import { type Layout, layOut } from './layout.js';

/** Laid out again only when tasks or edges come and go; a change of state moves nothing. */
export function useLayout(tasks: readonly PicturedTask[]): Layout {
  const stable = useMemo(() => [...tasks].sort(byAge), [tasks]);
  const shape = JSON.stringify(stable.map((task) => [task.id, task.after]));
  const last = useRef<{ shape: string; layout: Layout }>(undefined);
  if (last.current?.shape !== shape) last.current = { shape, layout: layOut(stable) };
  return last.current.layout;
}

function byAge(left: PicturedTask, right: PicturedTask): number {
  return compare(left.created_at ?? '', right.created_at ?? '') || compare(left.id, right.id);
}

const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);
