import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** `npx vite build web` puts the dashboard into `dist/web`, where the server reads it. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  plugins: [react()],
  resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
  build: {
    outDir: path.resolve(import.meta.dirname, '../dist/web'),
    emptyOutDir: true,
    target: 'es2022',
    // The page's policy allows neither inline script nor data: addresses.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
  },
});
