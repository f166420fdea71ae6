import { useStore } from '../data/store.js';
import { chooseTheme, THEMES, type Theme, theme } from '../data/theme.js';

const ICONS: Readonly<Record<Theme, string>> = {
  system: 'M3 4.5h14v9H3zM7 17h6M10 13.5V17',
  light:
    'M6.5 10a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0M10 2v2M10 16v2M2 10h2M16 10h2M4.3 4.3l1.5 1.5M14.2 14.2l1.5 1.5M4.3 15.7l1.5-1.5M14.2 5.8l1.5-1.5',
  dark: 'M16.5 12A7 7 0 0 1 8 3.5a7 7 0 1 0 8.5 8.5z',
};

export function ThemeSwitch() {
  const chosen = useStore(theme);
  return (
    <fieldset className="themes">
      <legend className="unseen">Theme</legend>
      {THEMES.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === chosen}
          aria-label={`${name} theme`}
          title={`${name} theme`}
          onClick={() => chooseTheme(name)}
        >
          <svg viewBox="0 0 20 20" className="icon" aria-hidden="true">
            <path d={ICONS[name]} />
          </svg>
        </button>
      ))}
    </fieldset>
  );
}
