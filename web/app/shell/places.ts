import { type ComponentType, lazy } from 'react';
import type { Place, Route } from '../data/route.js';
import { NowPage } from '../pages/now/NowPage.js';

export interface View {
  /** Second part of the address. */
  readonly name: string;
  /** Label of its tab. Without one it is the page of a single thing, with a heading of its own, reached by links. */
  readonly tab?: string;
  /** Key after `g`. */
  readonly key?: string;
  readonly Page: ComponentType;
}

export interface PlaceEntry {
  readonly place: Place;
  readonly label: string;
  /** Key after `g`. */
  readonly key: string;
  /** Drawing of the icon. */
  readonly icon: string;
  /** Whether it is in the menu of the gear instead of the rail. */
  readonly inGear?: true;
  /** The first one is shown if the address names none. */
  readonly views: readonly [View, ...View[]];
}

const RunsPage = lazy(() => import('../pages/runs/RunsPage.js'));
const MembersPage = lazy(() => import('../pages/team/MembersPage.js'));
const RosterPage = lazy(() => import('../pages/team/RosterPage.js'));
const ChatPage = lazy(() => import('../pages/chat/ChatPage.js'));
const RolesPage = lazy(() => import('../pages/roles/RolesPage.js'));
const ScoresPage = lazy(() => import('../pages/scores/ScoresPage.js'));
const BoardPage = lazy(() => import('../pages/tasks/BoardPage.js'));
const TablePage = lazy(() => import('../pages/tasks/TablePage.js'));
const GraphPage = lazy(() => import('../pages/tasks/GraphPage.js'));
const PlaybooksPage = lazy(() => import('../pages/playbooks/PlaybooksPage.js'));
const ReportPage = lazy(() => import('../pages/reading/ReportPage.js'));
const DecisionsPage = lazy(() => import('../pages/reading/DecisionsPage.js'));
const MemoryPage = lazy(() => import('../pages/reading/MemoryPage.js'));
const ArtifactsPage = lazy(() => import('../pages/reading/ArtifactsPage.js'));
const SpendPage = lazy(() => import('../pages/spend/SpendPage.js'));
const SettingsPage = lazy(() => import('../pages/settings/SettingsPage.js'));
const MachinesPage = lazy(() => import('../pages/machines/MachinesPage.js'));
const ReviewPage = lazy(() => import('../pages/review/ReviewPage.js'));
const AttemptPage = lazy(() => import('../pages/attempt/AttemptPage.js'));

/**
 * Places in their order, with their pages. Another page is one line: a view in `views`, whose component is loaded with
 * `lazy` and reads the item and the filters of the address with `useRoute()`. With `tab` the place shows it in its tab
 * bar, below the place's heading; without, the page brings its own `<h1>`. Another place is one entry.
 */
export const SHOWN: readonly [PlaceEntry, ...PlaceEntry[]] = [
  {
    place: 'now',
    label: 'Now',
    key: 'n',
    icon: 'M3.5 10a6.5 6.5 0 1 0 13 0a6.5 6.5 0 1 0-13 0M10 6.5V10l2.5 2',
    views: [{ name: 'inbox', Page: NowPage }],
  },
  {
    place: 'tasks',
    label: 'Tasks',
    key: 't',
    icon: 'M3.5 4.5h3.5v11H3.5zM8.25 4.5h3.5v6.5h-3.5zM13 4.5h3.5v9H13z',
    views: [
      { name: 'board', tab: 'Board', key: 'k', Page: BoardPage },
      { name: 'table', tab: 'Table', key: 'l', Page: TablePage },
      { name: 'graph', tab: 'Graph', key: 'g', Page: GraphPage },
      { name: 'task', Page: ReviewPage },
    ],
  },
  {
    place: 'runs',
    label: 'Runs',
    key: 'r',
    icon: 'M6 4l10 6l-10 6z',
    views: [
      { name: 'list', tab: 'Runs', Page: RunsPage },
      { name: 'attempt', Page: AttemptPage },
      { name: 'playbooks', tab: 'Playbooks', key: 'b', Page: PlaybooksPage },
      { name: 'review', tab: 'Review', Page: ReportPage },
    ],
  },
  {
    place: 'team',
    label: 'Team',
    key: 'p',
    icon: 'M4.5 7a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0M2.5 16a4.5 4.5 0 0 1 9 0M12 4.7a2.5 2.5 0 1 1 0 4.6M13.5 11.8a4.5 4.5 0 0 1 4 4.2',
    views: [
      { name: 'members', tab: 'Members', Page: MembersPage },
      { name: 'chat', tab: 'Chat', key: 'c', Page: ChatPage },
      { name: 'roles', tab: 'Roles', Page: RolesPage },
      { name: 'scores', tab: 'Scores', Page: ScoresPage },
      { name: 'roster', tab: 'Roster', Page: RosterPage },
      { name: 'decisions', tab: 'Decisions', key: 'd', Page: DecisionsPage },
      { name: 'memory', tab: 'Memory', Page: MemoryPage },
      { name: 'artifacts', tab: 'Artifacts', Page: ArtifactsPage },
    ],
  },
  {
    place: 'spend',
    label: 'Spend',
    key: 's',
    icon: 'M4 16V9M8 16V5M12 16v-5M16 16V7',
    views: [{ name: 'days', Page: SpendPage }],
  },
  {
    place: 'settings',
    label: 'Settings',
    key: ',',
    icon: 'M3 6h8M15 6h2M3 14h2M9 14h8M11 6a2 2 0 1 0 4 0a2 2 0 1 0-4 0M5 14a2 2 0 1 0 4 0a2 2 0 1 0-4 0',
    inGear: true,
    views: [{ name: 'all', Page: SettingsPage }],
  },
  {
    place: 'machines',
    label: 'Machines',
    key: 'm',
    icon: 'M3.5 4h13v5h-13zM3.5 11h13v5h-13zM6.5 6.5h.01M6.5 13.5h.01M10 6.5h4M10 13.5h4',
    inGear: true,
    views: [{ name: 'list', Page: MachinesPage }],
  },
];

/** Place and view of an address; those that do not exist lead to the first one. */
export function shownAt(route: Route): { readonly entry: PlaceEntry; readonly view: View } {
  const entry = SHOWN.find(({ place }) => place === route.place) ?? SHOWN[0];
  return { entry, view: entry.views.find(({ name }) => name === route.view) ?? entry.views[0] };
}

export interface GoKey {
  readonly key: string;
  readonly label: string;
  readonly route: Route;
}

/** Keys after `g`. */
export const GO_KEYS: readonly GoKey[] = SHOWN.flatMap(({ place, label, key, views }) => [
  { key, label, route: { place } },
  ...views.flatMap(({ name, tab = label, key: own }) =>
    own === undefined ? [] : [{ key: own, label: tab, route: { place, view: name } }],
  ),
]);
