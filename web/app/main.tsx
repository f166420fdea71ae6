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

/** The printed address carries a one-time code behind `#`. It is spent before anything else and leaves no trace. */
async function enter(): Promise<void> {
  const code = /^#code=([\w-]+)$/.exec(window.location.hash)?.[1];
  if (code === undefined) return;
  window.history.replaceState(null, '', '#/now');
  await login(code).catch(() => undefined); // an older session may still hold: the first answer decides
}
