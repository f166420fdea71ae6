// npm run check: types, style, layers and dead exports, in parallel. Meant to run before every commit.
import { runChecks } from './checks.mjs';
import { prepare } from './prepare.mjs';

await prepare();
process.exitCode = (await runChecks()).length > 0 ? 1 : 0;
