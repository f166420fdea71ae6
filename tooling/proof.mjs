// npm run test:proof [-- VITEST ARGUMENTS]: the tests that need mass (thousands of kills, lock storms, graphs of
// 100,000 tasks), at full size.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const files = readdirSync('test', { recursive: true })
  .map((name) => path.join('test', name))
  .filter((name) => name.endsWith('.test.ts') && readFileSync(name, 'utf8').includes("/mass.js'"));
process.env.TROUPE_PROOF = 'all';
process.argv.push(...files);
await import('./test.mjs');
