import type { KeyboardEvent } from 'react';

export interface Tab {
  readonly name: string;
  readonly label: string;
  readonly address: string;
}

/** Id of the panel that belongs to a tab bar. */
export const PANEL = 'panel';
export const tabId = (name: string): string => `tab-${name}`;

const MOVES: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** Tabs as links, so that each can be opened in a window of its own. One stop for Tab; arrow keys move, Enter opens. */
export function TabBar(props: { readonly label: string; readonly tabs: readonly Tab[]; readonly current: string }) {
  const { label, tabs, current } = props;
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')];
    const at = all.findIndex((tab) => tab.matches(':focus'));
    const to = MOVES[event.key]?.(at, all.length);
    if (to === undefined) return;
    event.preventDefault();
    all[to]?.focus();
  };
  return (
    <div className="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {tabs.map((tab) => (
        <a
          key={tab.name}
          role="tab"
          className="tab"
          id={tabId(tab.name)}
          href={tab.address}
          aria-selected={tab.name === current}
          aria-controls={PANEL}
          tabIndex={tab.name === current ? 0 : -1}
        >
          {tab.label}
        </a>
      ))}
    </div>
  );
}
