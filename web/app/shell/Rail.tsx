import { addressOf, type Page } from '../data/route.js';

/** Only pages that exist. `path` draws the icon. */
const ITEMS: readonly { readonly page: Page; readonly label: string; readonly path: string }[] = [
  { page: 'now', label: 'Now', path: 'M3.5 10a6.5 6.5 0 1 0 13 0a6.5 6.5 0 1 0-13 0M10 6.5V10l2.5 2' },
  { page: 'graph', label: 'Graph', path: 'M4 10h4l3-5h5M8 10h8M8 10l3 5h5' },
  {
    page: 'team',
    label: 'Team',
    path: 'M4.5 7a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0M2.5 16a4.5 4.5 0 0 1 9 0M12 4.7a2.5 2.5 0 1 1 0 4.6M13.5 11.8a4.5 4.5 0 0 1 4 4.2',
  },
];

export function Rail({ page, onKeys }: { readonly page: Page; onKeys(): void }) {
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
