/**
 * Rail, top bar, places with their pages, search, keys, banner.
 * @packageDocumentation
 */
import { lazy, Suspense, useEffect, useState } from 'react';
import { live, retryNow } from '../data/live.js';
import { lockedOut } from '../data/resource.js';
import { addressOf, openTask, type Route, useRoute } from '../data/route.js';
import { useStore } from '../data/store.js';
import { taskForm } from '../data/task-form.js';
import { clockTime } from '../data/time.js';
import { Drawer } from '../drawer/Drawer.js';
import { Doing } from '../pages/do/Doing.js';
import { CopyIcon } from './CopyIcon.js';
import { KeyList, useKeys } from './KeyList.js';
import { Notices } from './Notices.js';
import { type PlaceEntry, shownAt, type View } from './places.js';
import { Rail } from './Rail.js';
import { Skeleton } from './Skeleton.js';
import { PANEL, TabBar, tabId } from './TabBar.js';
import { TopBar } from './TopBar.js';
import { TypedAhead } from './TypedAhead.js';

const Palette = lazy(() => import('./Palette.js'));
const TaskDialog = lazy(() => import('../drawer/TaskForm.js'));

type Overlay = 'search' | 'keys' | undefined;

export function App() {
  const route = useRoute();
  const { task } = route;
  const { entry, view } = shownAt(route);
  const locked = useStore(lockedOut);
  const form = useStore(taskForm);
  const [overlay, setOverlay] = useState<Overlay>();
  useKeys({
    search: () => setOverlay('search'),
    keyList: () => setOverlay('keys'),
    escape: () => {
      if (overlay === undefined) openTask();
    },
  });
  useEffect(() => {
    const of = view.tab === undefined || view.tab === entry.label ? '' : `${view.tab} · `;
    document.title = `${of}${entry.label} · Troupe`;
  }, [entry, view]);
  if (locked) return <LockedOut />;
  return (
    <div className={task === undefined ? 'shell' : 'shell has-drawer'}>
      {/* biome-ignore lint/a11y/useValidAnchor: the hash is the route, so the jump is made by hand */}
      <a className="skip" href="#main" onClick={focusMain}>
        Skip to content
      </a>
      <Rail place={entry.place} onKeys={() => setOverlay('keys')} />
      <TopBar onSearch={() => setOverlay('search')} />
      <main className={`page page-${entry.place}`} id="main" tabIndex={-1}>
        <Banner />
        {view.tab === undefined ? <Content view={view} /> : <Tabbed entry={entry} view={view} route={route} />}
      </main>
      {task === undefined ? null : <Drawer key={task} id={task} />}
      <Doing />
      <Notices />
      <Suspense fallback={<TypedAhead />}>
        {overlay === 'search' ? (
          <Palette onClose={() => setOverlay(undefined)} onKeys={() => setOverlay('keys')} />
        ) : null}
        {form === undefined ? null : <TaskDialog />}
      </Suspense>
      {overlay === 'keys' ? <KeyList onClose={() => setOverlay(undefined)} /> : null}
    </div>
  );
}

function Content({ view: { Page } }: { readonly view: View }) {
  return (
    <Suspense fallback={<Skeleton rows={6} />}>
      <Page />
    </Suspense>
  );
}

/** A page below the name of its place and the tabs. A single item is its own heading. */
function Tabbed(props: { readonly entry: PlaceEntry; readonly view: View; readonly route: Route }) {
  const { entry, view, route } = props;
  const tabs = entry.views.flatMap(({ name, tab }) =>
    tab === undefined ? [] : [{ name, label: tab, address: addressOf({ place: entry.place, view: name }) }],
  );
  const Heading = route.item === undefined ? 'h1' : 'p';
  return (
    <>
      <div className="place-head">
        <Heading className="place-name">{entry.label}</Heading>
        <TabBar label={entry.label} tabs={tabs} current={view.name} />
      </div>
      <div className="place-panel" role="tabpanel" id={PANEL} aria-labelledby={tabId(view.name)}>
        <Content view={view} />
      </div>
    </>
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

/** Shown to a browser without a session. */
function LockedOut() {
  return (
    <main className="locked">
      <h1>This page needs a new link</h1>
      <p>The one-time link is used or expired, or all browsers were logged out.</p>
      <p>Run this in the project folder and open the printed link:</p>
      <CopyIcon text="troupe dashboard" shown />
    </main>
  );
}
