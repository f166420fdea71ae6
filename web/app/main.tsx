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
  const code = /^#code=([\w-]+)$/.exec(window.location.hash)?.[1];
  if (code === undefined) return;
  window.history.replaceState(null, '', '#/now');
  await login(code).catch(() => undefined); // an older session may still be valid: the first answer decides
}
