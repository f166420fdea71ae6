import path from 'node:path';
import * as z from 'zod/mini';
import { timestamp } from '#kernel/clock.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { compareText } from '#kernel/order.js';
import type { MachineContext } from '#operations/contexts.js';
import { operation } from '#operations/operation.js';

/**
 * Lists the projects of this person that have a service on this machine. An address holds no secret: it lets in only a
 * browser that the project has let in before.
 */
export const listProjects = operation({
  name: 'project.list',
  command: 'projects',
  group: 'Service',
  kind: 'read',
  personal: true,
  graphless: true,
  summary: 'List your projects that have a service on this machine, and what waits there',
  examples: ['troupe projects', 'troupe projects --json'],
  input: z.strictObject({}),
  output: z.object({
    projects: z.array(
      z.object({
        name: z.string(),
        folder: z.string(),
        /** Whether it is the project that answers. */
        here: z.boolean(),
        since: z.string(),
        /** Address of its dashboard on this machine; null if the dashboard does not run. */
        address: z.nullable(z.string()),
        /** Its other addresses (`service start --listen`). */
        listens: z.readonly(z.array(z.string())),
        /** Matters that wait for the person, and tasks at work; null if its service did not answer soon. */
        needs_you: z.nullable(z.number()),
        running: z.nullable(z.number()),
      }),
    ),
    /** Number of projects that are not listed. */
    more: z.number(),
  }),
  async run(context: MachineContext) {
    const all = [...(await context.servedProjects()).all()].sort(
      (one, other) =>
        compareText(path.basename(one.folder), path.basename(other.folder)) || compareText(one.folder, other.folder),
    );
    const shown = all.slice(0, WORK_LIMITS.servedProjects);
    const projects = await Promise.all(
      shown.map(async ({ folder, since, port, listens, counts }) => {
        const { needsYou = null, running = null } = (await counts()) ?? {};
        return {
          name: path.basename(folder),
          folder,
          here: folder === context.projectFolder,
          since: timestamp(since),
          address: port === undefined ? null : `http://127.0.0.1:${port}/`,
          listens: listens.map((address) => new URL(address).href),
          needs_you: needsYou,
          running,
        };
      }),
    );
    return { projects, more: all.length - shown.length };
  },
});
