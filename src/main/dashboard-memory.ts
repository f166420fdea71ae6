import { mkdirSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { sha256 } from '#kernel/hash.js';
import type { DashboardMemory } from '#surfaces/http/sessions.js';
import { JsonFile } from './json-file.js';

/**
 * What the dashboard of a project keeps over restarts. It lies with what is the person's own, not in the project: whoever brings
 * a project along must not be able to let a browser in.
 */
export function dashboardMemory(configurationFolder: string, projectFolder: string): DashboardMemory {
  const folder = path.join(configurationFolder, 'dashboards');
  const file = new JsonFile(path.join(folder, `${sha256(projectFolder).slice(0, 32)}.json`));
  return {
    read() {
      try {
        const found = KEPT.safeParse(file.read());
        return found.success ? found.data : { sessions: [] };
      } catch {
        return { sessions: [] }; // it cannot be read: a page needs a new link
      }
    },
    write(kept) {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        file.write(kept);
      } catch {
        // Nothing can be kept there: a page needs a new link after a restart, as one that was never kept.
      }
    },
  };
}

const KEPT = z.object({
  port: z.optional(z.int().check(z.minimum(1_024), z.maximum(65_535))),
  sessions: z.array(
    z.object({
      key: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
      name: z.string(),
      scope: z.enum(['all', 'look']),
      until: z.number(),
    }),
  ),
});
