import * as z from 'zod/mini';
import { FROM_PROJECT } from '#kernel/graph-folder.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { FilesContext } from '#operations/contexts.js';
import { operation } from '#operations/operation.js';

/** End of the service's log, as it was written: one line an event, without secrets. */
export const serviceLog = operation({
  name: 'service.log',
  command: 'service status',
  group: 'Service',
  kind: 'read',
  unlisted: true,
  summary: 'Show the last lines of the log of the service',
  examples: [],
  resource: [{ method: 'GET', path: '/api/service-log', summary: 'The last lines of the log of the service.' }],
  input: z.strictObject({}),
  output: z.object({ file: z.string(), lines: z.array(z.string()) }),
  async run(context: FilesContext) {
    const file = FROM_PROJECT.daemonLog;
    const bytes = await (await context.files()).bytes(file, WORK_LIMITS.daemonLogBytes);
    if (bytes === undefined || bytes === 'too-large') return { file, lines: [] };
    const lines = Buffer.from(bytes).toString('utf8').split('\n');
    return { file, lines: lines.filter((line) => line !== '').slice(-WORK_LIMITS.serviceLogLines) };
  },
});
