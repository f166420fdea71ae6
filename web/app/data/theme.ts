import { STATUS_LOOK } from '#core/graph/status-look.js';
import { Store } from './store.js';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'troupe-theme';
const systemDark = window.matchMedia('(prefers-color-scheme: dark)');

export const theme = new Store<Theme>(THEMES.find((candidate) => candidate === localStorage.getItem(KEY)) ?? 'system');
export const resolvedTheme = new Store<'light' | 'dark'>('light');

export function chooseTheme(choice: Theme): void {
  localStorage.setItem(KEY, choice);
  theme.set(choice);
}

/** Applies the theme. Colours of states come from the table in code; all others are in the style sheets. */
function apply(): void {
  const choice = theme.get();
  const resolved = choice === 'system' ? (systemDark.matches ? 'dark' : 'light') : choice;
  const root = document.documentElement;
  root.dataset['theme'] = resolved;
  for (const [state, look] of Object.entries(STATUS_LOOK)) root.style.setProperty(`--state-${state}`, look[resolved]);
  resolvedTheme.set(resolved);
}

theme.watch(apply);
systemDark.addEventListener('change', apply);
apply();
