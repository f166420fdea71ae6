import { startFromCompiledCode } from './compiled-code.js';

/** The background process: `node dist/service.cjs PROJECT MAX_AGENTS POLL_MS CLIENTS SOCKET SEIZE`. Started by `troupe service start` only. */
startFromCompiledCode(); // before any other code is loaded
import('#main/background-service.js').then(({ startBackgroundService }) => startBackgroundService());
