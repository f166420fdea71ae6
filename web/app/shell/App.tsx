/**
 * Rail, top bar, search, keys, banner.
 * @packageDocumentation
 */
import { lazy, Suspense, useEffect, useState } from 'react';
import { live, retryNow } from '../data/live.js';
import { lockedOut } from '../data/resource.js';
import { addressOf, openTask, type Page, useRoute } from '../data/route.js';
import { useStore } from '../data/store.js';
import { clockTime } from '../data/time.js';
import { Command } from '../drawer/Command.js';
import { Drawer } from '../drawer/Drawer.js';
import { NowPage } from '../pages/now/NowPage.js';
import { KeyList, useKeys } from './KeyList.js';
import { Notices } from './Notices.js';
import { Search } from './Search.js';
import { Skeleton } from './Skeleton.js';
import { TopBar } from './TopBar.js';

const GraphPage = lazy(() => import('../pages/graph/GraphPage.js'));
const TeamPage = lazy(() => import('../pages/team/TeamPage.js'));

const ChatPage = lazy(() => import('../pages/chat/ChatPage.js'));
const FormationsPage = lazy(() => import('../pages/formations/FormationsPage.js'));
const TalentPage = lazy(() => import('../pages/talent/TalentPage.js'));
const AgencyPage = lazy(() => import('../pages/agency/AgencyPage.js'));
const MachinesPage = lazy(() => import('../pages/machines/MachinesPage.js'));

const TITLES = {
  now: 'Now',
  graph: 'Graph',
  team: 'Team',
  chat: 'Chat',
  formations: 'Formations',
  talent: 'Talent',
  agency: 'Agency',
  machines: 'Machines',
} as const;

type Overlay = 'search' | 'keys' | undefined;

export function App() {
  const { page, item, task, state } = useRoute();
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
        <Suspense fallback={<Skeleton rows={6} />}>
          {page === 'now' ? <NowPage /> : null}
          {page === 'graph' ? <GraphPage selected={task} state={state} /> : null}
          {page === 'team' ? <TeamPage /> : null}
          {page === 'chat' ? <ChatPage /> : null}
          {page === 'formations' ? <FormationsPage run={item} /> : null}
          {page === 'talent' ? <TalentPage role={item} /> : null}
          {page === 'agency' ? <AgencyPage /> : null}
          {page === 'machines' ? <MachinesPage /> : null}
        </Suspense>
      </main>
      {task === undefined ? null : <Drawer key={task} id={task} />}
      <Notices />
      {overlay === 'search' ? <Search onClose={() => setOverlay(undefined)} /> : null}
      {overlay === 'keys' ? <KeyList onClose={() => setOverlay(undefined)} /> : null}
    </div>
  );
}

function focusMain(event: { preventDefault(): void }): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

/** Warns that the data shown is not live, as long as that is so. */
function Banner() {
  const state = useStore(live);
  return (
    <div role="status" aria-live="polite">
      {state.kind === 'dropped' ? (
        <div className="banner">
          <p>
            <strong>Not live.</strong> Troupe does not answer; this page shows data from {clockTime(state.asOf)}.{' '}
            <Countdown until={state.retryAt} />
          </p>
          <button type="button" onClick={retryNow}>
            Retry now
          </button>
        </div>
      ) : null}
    </div>
  );
}

function Countdown({ until }: { readonly until: number }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.ceil((until - now) / 1_000);
  return <span aria-hidden="true">{seconds > 0 ? `Next try in ${seconds}s.` : 'Trying…'}</span>;
}

/** Pages in the rail. `path` draws the icon. */
const ITEMS: readonly { readonly page: Page; readonly label: string; readonly path: string }[] = [
  { page: 'now', label: 'Now', path: 'M3.5 10a6.5 6.5 0 1 0 13 0a6.5 6.5 0 1 0-13 0M10 6.5V10l2.5 2' },
  { page: 'graph', label: 'Graph', path: 'M4 10h4l3-5h5M8 10h8M8 10l3 5h5' },
  {
    page: 'team',
    label: 'Team',
    path: 'M4.5 7a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0M2.5 16a4.5 4.5 0 0 1 9 0M12 4.7a2.5 2.5 0 1 1 0 4.6M13.5 11.8a4.5 4.5 0 0 1 4 4.2',
  },
  { page: 'chat', label: 'Chat', path: 'M3.5 4.5h13v9h-7l-3.5 3v-3h-2.5z' },
  { page: 'formations', label: 'Formations', path: 'M3 5.5h4v4H3zM13 10.5h4v4h-4zM7 7.5h3.5v5H13M8 12.5h2.5' },
  {
    page: 'talent',
    label: 'Talent',
    path: 'M10 3.5l1.9 4 4.4.5-3.3 3 .9 4.4L10 13.2l-3.9 2.2.9-4.4-3.3-3 4.4-.5z',
  },
  { page: 'agency', label: 'Agency', path: 'M3.5 16.5h13M5.5 13V9M10 13V4M14.5 13V7' },
  {
    page: 'machines',
    label: 'Machines',
    path: 'M3.5 4h13v5h-13zM3.5 11h13v5h-13zM6.5 6.5h.01M6.5 13.5h.01M10 6.5h4M10 13.5h4',
  },
];

function Rail({ page, onKeys }: { readonly page: Page; onKeys(): void }) {
  return (
    <nav className="rail" aria-label="Pages">
      <div className="brand" aria-hidden="true">
        <svg viewBox="0 0 20 20" className="brand-mark" aria-hidden="true">
          <path d="M5 10 15 5M5 10h10M5 10l10 5" />
          <circle cx="5" cy="10" r="3" />
          <circle cx="15" cy="5" r="2" />
          <circle cx="15" cy="10" r="2" />
          <circle cx="15" cy="15" r="2" />
        </svg>
        <span>Troupe</span>
      </div>
      <ul>
        {ITEMS.map((item) => (
          <li key={item.page}>
            <a href={addressOf({ page: item.page })} aria-current={item.page === page ? 'page' : undefined}>
              <svg viewBox="0 0 20 20" className="icon" aria-hidden="true">
                <path d={item.path} />
              </svg>
              {item.label}
            </a>
          </li>
        ))}
      </ul>
      <button type="button" className="quiet rail-keys" onClick={onKeys}>
        <kbd>?</kbd> Keys
      </button>
    </nav>
  );
}

/** Shown to a browser without a session. */
function LockedOut() {
  return (
    <main className="locked">
      <h1>This page needs a new link</h1>
      <p>The one-time link is used or expired, or all browsers were logged out.</p>
      <p>Run this in the project folder and open the printed link:</p>
      <Command text="troupe dashboard" />
    </main>
  );
}
