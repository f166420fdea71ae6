import { useStore as useFlowStore, useReactFlow } from '@xyflow/react';
import { useCallback, useEffect, useRef } from 'react';
import type { PicturedTask } from '#surfaces/http/contract.js';
import { type Layout, NODE } from './layout.js';

export const FIT = { padding: 0.06, maxZoom: 1, minZoom: 0.1 } as const;
/** Text below this zoom cannot be read: a picture that needs less opens where the work is instead. */
const READABLE_ZOOM = 0.55;
const CLOSE_ZOOM = 0.85;
const MOVE_MS = 200;
const WHERE_THE_WORK_IS = ['in-progress', 'pending-validation', 'ready', 'open'];

/** Where to look: at all of it if it can be read, else where the work is; and at what is selected or focused. */
export function useViewport(tasks: readonly PicturedTask[], layout: Layout, selected: string | undefined) {
  const flow = useReactFlow();
  const width = useFlowStore((state) => state.width);
  const height = useFlowStore((state) => state.height);
  const latest = useRef({ tasks, layout, width, height });
  latest.current = { tasks, layout, width, height };
  const begin = useCallback(async () => {
    await flow.fitView(FIT);
    if (flow.getZoom() >= READABLE_ZOOM) return;
    const { tasks, layout } = latest.current;
    const first = WHERE_THE_WORK_IS.flatMap((state) => tasks.filter((task) => task.state === state))[0];
    const at = layout.places.get(first?.id ?? layout.order[0] ?? '');
    if (at) await flow.setCenter(at.x + NODE.width / 2, at.y + NODE.height / 2, { zoom: CLOSE_ZOOM });
  }, [flow]);
  const reveal = useCallback(
    (id: string) => {
      const { layout, width, height } = latest.current;
      const at = layout.places.get(id);
      if (at === undefined || width === 0) return;
      const { x, y, zoom } = flow.getViewport();
      const left = at.x * zoom + x;
      const top = at.y * zoom + y;
      const seen = left >= 0 && top >= 0 && left + NODE.width * zoom <= width && top + NODE.height * zoom <= height;
      if (seen) return;
      const calm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
      const view = { zoom: Math.max(zoom, READABLE_ZOOM), duration: calm ? 0 : MOVE_MS };
      void flow.setCenter(at.x + NODE.width / 2, at.y + NODE.height / 2, view);
    },
    [flow],
  );
  useEffect(() => {
    if (selected !== undefined && width > 0) reveal(selected); // the drawer takes room: look again when the width changes
  }, [selected, reveal, width]);
  return { begin, reveal };
}
