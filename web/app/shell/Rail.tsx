import { addressOf, type Place } from '../data/route.js';
import { type PlaceEntry, SHOWN } from './places.js';

const GEAR =
  'M7.5 10a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0M4.5 10a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0-11 0M10 2.5v2M10 15.5v2M2.5 10h2M15.5 10h2M4.7 4.7l1.4 1.4M13.9 13.9l1.4 1.4M4.7 15.3l1.4-1.4M13.9 6.1l1.4-1.4';
const MENU = 'gear-menu';

export function Rail({ place, onKeys }: { readonly place: Place; onKeys(): void }) {
  const inGear = SHOWN.filter((entry) => entry.inGear);
  return (
    <nav className="rail" aria-label="Places">
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
      <Entries entries={SHOWN.filter((entry) => !entry.inGear)} place={place} />
      <button
        type="button"
        className={inGear.some((entry) => entry.place === place) ? 'rail-gear is-current' : 'rail-gear'}
        popoverTarget={MENU}
      >
        <Icon path={GEAR} />
        More
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a link in it was followed, by whichever means */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the links inside are what is used */}
      <div id={MENU} popover="auto" className="gear-menu" onClick={(event) => event.currentTarget.hidePopover()}>
        <Entries entries={inGear} place={place} />
      </div>
      <button type="button" className="quiet rail-keys" onClick={onKeys}>
        <kbd>?</kbd> Keys
      </button>
    </nav>
  );
}

function Entries({ entries, place }: { readonly entries: readonly PlaceEntry[]; readonly place: Place }) {
  return (
    <ul>
      {entries.map((entry) => (
        <li key={entry.place}>
          <a href={addressOf({ place: entry.place })} aria-current={entry.place === place ? 'page' : undefined}>
            <Icon path={entry.icon} />
            {entry.label}
          </a>
        </li>
      ))}
    </ul>
  );
}

function Icon({ path }: { readonly path: string }) {
  return (
    <svg viewBox="0 0 20 20" className="icon" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}
