import { startFromCompiledCode } from './compiled-code.js';

/**
 * The background process: `node dist/service.cjs PROJECT MAX_AGENTS POLL_MS CLIENTS SOCKET LISTEN MODE` (MODE: empty, `seize`
 * or `successor`). Started by `troupe service start`, or as the successor of a former leader.
 */
startFromCompiledCode(); // before any other code is loaded
import('#main/background-service.js').then(({ startBackgroundService }) => startBackgroundService());
