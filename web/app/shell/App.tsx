/**
 * Rail, top bar, search, keys, banner.
 * @packageDocumentation
 */
import { lazy, Suspense, useEffect, useState } from 'react';
import { lockedOut } from '../data/resource.js';
import { openTask, useRoute } from '../data/route.js';
import { useStore } from '../data/store.js';
import { Drawer } from '../drawer/Drawer.js';
import { NowPage } from '../pages/now/NowPage.js';
import { Banner } from './Banner.js';
import { KeyList } from './KeyList.js';
import { useKeys } from './keys.js';
import { LockedOut } from './LockedOut.js';
import { Rail } from './Rail.js';
import { Search } from './Search.js';
import { Skeleton } from './Skeleton.js';
import { TopBar } from './TopBar.js';

const GraphPage = lazy(() => import('../pages/graph/GraphPage.js'));
const TeamPage = lazy(() => import('../pages/team/TeamPage.js'));

const TITLES = { now: 'Now', graph: 'Graph', team: 'Team' } as const;

type Overlay = 'search' | 'keys' | undefined;

export function App() {
  const { page, task, state } = useRoute();
  const locked = useStore(lockedOut);
  const [overlay, setOverlay] = useState<Overlay>();
  useKeys({
    search: () => setOverlay('search'),
    keyList: () => setOverlay('keys'),
    escape: () => {
      if (overlay === undefined) openTask();
    },
  });
  useEffect(() => {
    document.title = `${TITLES[page]} · Troupe`;
  }, [page]);
  if (locked) return <LockedOut />;
  return (
    <div className={task === undefined ? 'shell' : 'shell has-drawer'}>
      {/* biome-ignore lint/a11y/useValidAnchor: the hash is the route, so the jump is made by hand */}
      <a className="skip" href="#main" onClick={focusMain}>
        Skip to content
      </a>
      <Rail page={page} onKeys={() => setOverlay('keys')} />
      <TopBar onSearch={() => setOverlay('search')} />
      <main className={`page page-${page}`} id="main" tabIndex={-1}>
        <Banner />
        {page === 'now' ? (
          <NowPage />
        ) : (
          <Suspense fallback={<Skeleton rows={6} />}>
            {page === 'graph' ? <GraphPage selected={task} state={state} /> : <TeamPage />}
          </Suspense>
        )}
      </main>
      {task === undefined ? null : <Drawer key={task} id={task} />}
      {overlay === 'search' ? <Search onClose={() => setOverlay(undefined)} /> : null}
      {overlay === 'keys' ? <KeyList onClose={() => setOverlay(undefined)} /> : null}
    </div>
  );
}

function focusMain(event: { preventDefault(): void }): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}
