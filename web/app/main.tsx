/**
 * The dashboard, React, built by vite into `dist/web`; takes types from `src/surfaces/http/contract.ts` and a few pure
 * files.
 * @packageDocumentation
 */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { login } from './data/api.js';
import './data/theme.js';
import { App } from './shell/App.js';
import './styles/tokens.css';
import './styles/base.css';
import './styles/shell.css';
import './styles/drawer.css';
import './styles/now.css';

await enter();
// A printed address that is opened in a tab of this page changes no more than the part behind `#`.
window.addEventListener('hashchange', () => {
  if (codeIn(window.location.hash) !== undefined) window.location.reload();
});

const place = document.getElementById('app');
if (place !== null) {
  createRoot(place).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}

/**
 * Exchanges the one-time code behind `#` of the printed address before anything else, and removes it from the address.
 */
async function enter(): Promise<void> {
  const code = codeIn(window.location.hash);
  if (code === undefined) return;
  window.history.replaceState(null, '', '#/now');
  await login(code).catch(() => undefined); // an older session may still be valid: the first answer decides
}

function codeIn(hash: string): string | undefined {
  return /^#code=([\w-]+)$/.exec(hash)?.[1];
}
